// Places the originals of copies: nodes whose mesh is a copy of another get that one and the matrix that makes the copy of it, so
// that instances, models of packs and threads take both as one mesh.

import { decompose } from '../../../geometry/instances/instance.ts';
import { insideOne, neighbourObjects, touches } from '../../../geometry/lod/borders.ts';
import { multiply } from '../../../scene/matrix.ts';
import { meshNameOf } from '../../../scene/meshName.ts';
import type { Bounds, Mat4, PolygonMesh, Scene } from '../../../scene/types.ts';
import type { PlannedObject } from '../../../tiling/types.ts';
import type { PlannedPayload } from '../../planned.ts';
import { findCopies } from './findCopies.ts';

/** A node that may place an original in place of its own mesh. */
interface Placed {
  readonly of: number;
  readonly world: Mat4;
  readonly local: Mat4;
}

/** Whether each vertex that lies in one of some boxes stays where it was, to the last bit of float32. */
function keepsBorders(
  [of, world]: readonly [readonly PolygonMesh[], Mat4],
  [own, ownWorld]: readonly [readonly PolygonMesh[], Mat4],
  boxes: readonly Bounds[],
): boolean {
  if (boxes.length === 0) return true;
  const p = [0, 0, 0];
  for (const [part, { points }] of own.entries()) {
    const from = of[part].points;
    for (let i = 0; i < points.length; i += 3) {
      let isSame = true;
      for (let k = 0; k < 3; k++) {
        const at = (m: Mat4, q: PolygonMesh['points']) =>
          Math.fround(m[k] * q[i] + m[4 + k] * q[i + 1] + m[8 + k] * q[i + 2] + m[12 + k]);
        p[k] = at(ownWorld, points);
        if (p[k] !== at(world, from)) isSame = false;
      }
      if (!isSame && insideOne(boxes, p[0], p[1], p[2])) return false;
    }
  }
  return true;
}

/** By mesh, in scene order, the nodes that place it. */
function nodesByMesh({ nodes }: Scene, among: Iterable<number>): Map<number, number[]> {
  const byMesh = new Map<number, number[]>();
  for (const node of [...among].sort((a, b) => a - b)) {
    const { mesh } = nodes[node];
    const placing = byMesh.get(mesh);
    if (placing) placing.push(node);
    else byMesh.set(mesh, [node]);
  }
  return byMesh;
}

/** For each node the originals that may take the place of its mesh. `borders`: boxes in which no vertex of a node may move. */
async function placedCopies(
  scene: Scene,
  among: Iterable<number>,
  borders: (node: number) => readonly Bounds[],
): Promise<ReadonlyMap<number, Placed>> {
  const byMesh = nodesByMesh(scene, among);
  const placed = new Map<number, Placed>();
  await findCopies(scene, byMesh.keys(), (mesh, copy, of, own) => {
    for (const node of byMesh.get(mesh) ?? []) {
      const { world: ownWorld, local } = scene.nodes[node];
      const world = multiply(ownWorld, copy.transform);
      if (decompose(world) === null) continue;
      if (!keepsBorders([of, world], [own, ownWorld], borders(node))) continue;
      placed.set(node, { of: copy.of, world, local: multiply(local, copy.transform) });
    }
  });
  return placed;
}

function withPlaced(scene: Scene, placed: ReadonlyMap<number, Placed>): Scene {
  if (placed.size === 0) return scene;
  const parents = new Set(scene.nodes.map(({ parent }) => parent));
  const nodes = scene.nodes.map((node, i) => {
    const found = placed.get(i);
    if (!found) return node;
    const { of: mesh, world, local } = found;
    const meshName = meshNameOf(scene, i);
    // What hangs below a node stays where it is.
    return { ...node, mesh, meshName, world, ...(parents.has(i) ? {} : { local }) };
  });
  return { ...scene, nodes };
}

/** By node that places a copy which an entity can place, the mesh that it is a copy of. */
export async function copiedNodes(scene: Scene, among: Iterable<number>): Promise<ReadonlyMap<number, number>> {
  const placed = await placedCopies(scene, among, () => []);
  return new Map([...placed].map(([node, { of }]) => [node, of]));
}

/** A scene for a pack: equal models come of it. Nodes that others hang below keep their meshes, because their matrices count there. */
export async function withOriginals(scene: Scene, objects: readonly Pick<PlannedObject, 'node'>[]): Promise<Scene> {
  const parents = new Set(scene.nodes.map(({ parent }) => parent));
  const leaves = objects.map(({ node }) => node).filter((node) => !parents.has(node));
  return withPlaced(scene, await placedCopies(scene, leaves, () => []));
}

/** Whether a mesh is stored once that a payload places so many times; `isMerged`: else it becomes part of a larger one. */
export type IsWorth = (
  object: Pick<PlannedObject, 'vertices' | 'triangles'>,
  placements: number,
  isMerged: boolean,
) => boolean;

/**
 * A scene for payloads. Originals take the place of copies where the payload is to store them once. A vertex that may meet one of
 * another payload never moves, not by a bit. `moving`: nodes that skeletons move, which stay as they are.
 */
export async function withOriginalsIn(
  scene: Scene,
  payloads: readonly PlannedPayload[],
  moving: ReadonlySet<number>,
  isWorth: IsWorth,
): Promise<Scene> {
  const boxes = neighbourObjects(payloads.map(({ objects }) => objects.map(({ bounds }) => bounds)));
  const payloadOf = new Map<number, number>();
  const objectOf = new Map<number, PlannedObject>();
  const cut = new Set<number>();
  for (const [i, { objects }] of payloads.entries()) {
    for (const object of objects) {
      if (object.piece || moving.has(object.node)) cut.add(object.node);
      payloadOf.set(object.node, i);
      objectOf.set(object.node, object);
    }
  }
  const among = [...payloadOf.keys()].filter((node) => !cut.has(node));
  const near = (node: number): readonly Bounds[] => {
    const { bounds } = objectOf.get(node) as PlannedObject;
    return boxes[payloadOf.get(node) as number].filter((box) => touches(box, bounds));
  };
  const placed = await placedCopies(scene, among, near);
  // How often each payload would place each original.
  const counts = new Map<string, number>();
  const keyOf = (node: number, mesh: number) => `${payloadOf.get(node)} ${mesh}`;
  for (const node of among) {
    const key = keyOf(node, placed.get(node)?.of ?? scene.nodes[node].mesh);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const kept = [...placed].filter(([node, { of }]) => {
    const isMerged = payloads[payloadOf.get(node) as number].tile !== null;
    return isWorth(objectOf.get(node) as PlannedObject, counts.get(keyOf(node, of)) as number, isMerged);
  });
  return withPlaced(scene, new Map(kept));
}
