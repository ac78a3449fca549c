// Morph targets of meshes without a skin, for files that hold those of any mesh: the mesh stays below its node, and its deltas
// are in the space in which the file stores it.

import type { Code } from '../diagnostics/diagnostic.ts';
import { unite } from '../scene/bounds.ts';
import { inverse } from '../scene/inverse.ts';
import { identity, multiply, transformBounds } from '../scene/matrix.ts';
import { hasMorphs } from '../scene/morphs.ts';
import type { NodeRig } from '../scene/rig.ts';
import type { Bounds, Mat4, Scene, SceneMesh, SceneNode } from '../scene/types.ts';
import type { HeldNodes } from './heldNodes.ts';
import { nodeMorphs, numbered } from './morphs.ts';
import { reachedBounds } from './posedBounds.ts';

/** The mesh of a node to the space in which the file stores it; null: it is stored as it is. */
function placeIn(frame: Mat4, world: Mat4): Mat4 | null {
  const back = frame.every((value, i) => value === world[i]) ? null : inverse(frame);
  return back && multiply(back, world);
}

/** What one mesh becomes, for all nodes that place it alike. */
interface Made {
  readonly mesh: number;
  readonly rig: NodeRig;
}

/**
 * Gives the nodes at `morphing` meshes with numbered points, behind those of `meshes`. Returns what moves each; a node of which no
 * target moves anything has nothing.
 */
export async function morphNodes(
  scene: Scene,
  morphing: readonly number[],
  held: HeldNodes,
  nodes: SceneNode[],
  meshes: SceneMesh[],
  report: (code: Code, path: string, message: string) => void,
): Promise<ReadonlyMap<number, NodeRig>> {
  const shared = new Map<number, Made | null>();
  const ofNode = new Map<number, NodeRig>();
  for (const i of morphing) {
    const { mesh, world, path } = scene.nodes[i];
    const place = placeIn(held.frame(i), world);
    const known = place === null ? shared.get(mesh) : undefined;
    const made =
      known === undefined ? await make(scene, mesh, place, meshes, (code, text) => report(code, path, text)) : known;
    if (place === null) shared.set(mesh, made);
    if (made === null) continue;
    nodes[i] = { ...nodes[i], mesh: made.mesh };
    ofNode.set(i, made.rig);
  }
  return ofNode;
}

async function make(
  scene: Scene,
  mesh: number,
  place: Mat4 | null,
  meshes: SceneMesh[],
  report: (code: Code, message: string) => void,
): Promise<Made | null> {
  const { primitives, ...named } = scene.meshes[mesh];
  const parts = [];
  for (const primitive of primitives) {
    parts.push({ primitive, polygons: await primitive.read(), place: place ?? identity() });
  }
  const morphed = await nodeMorphs(parts, 0, report);
  if (morphed === null) return null;
  let bounds: Bounds | null = null;
  for (const [p, primitive] of primitives.entries()) {
    const reach = morphed.parts[p]?.reach ?? null;
    const own = reach ? await reachedBounds(primitive, reach) : primitive.bounds;
    if (own) bounds = unite(bounds, place ? transformBounds(place, own) : own);
  }
  if (bounds === null) return null;
  const index = meshes.push({ ...named, primitives: numbered(primitives, morphed) }) - 1;
  return { mesh: index, rig: { skeleton: -1, bounds, morphs: morphed.morphs } };
}

/** Nodes whose mesh has targets, and which nothing binds. */
export const morphingNodes = ({ nodes, meshes }: Scene, isBound: (node: number) => boolean): number[] =>
  [...nodes.keys()].filter((i) => !isBound(i) && nodes[i].mesh >= 0 && hasMorphs(meshes[nodes[i].mesh]));
