// A scene as its morph targets show it at given weights, for pictures: meshes with targets stand in their bind pose, as the
// engine draws them.

import { riggedScene } from '../animation/rig.ts';
import { Diagnostics } from '../diagnostics/diagnostic.ts';
import { hasMorphs, morphedPolygons } from '../scene/morphs.ts';
import type { RigMorph } from '../scene/rig.ts';
import type { MorphDeltas, Scene, ScenePrimitive } from '../scene/types.ts';

/** Weights of targets by name; `found` takes the names of those that a file has. */
export interface MorphRequest {
  readonly weights: ReadonlyMap<string, number>;
  readonly found: Set<string>;
}

/** The deltas of a target for the vertices of one primitive. */
function ofPrimitive(morph: RigMorph, vertexOf: ReadonlyMap<number, number>): MorphDeltas {
  const rows = [...morph.vertices.keys()].filter((row) => vertexOf.has(morph.vertices[row]));
  const taken = (values: Float32Array) =>
    Float32Array.from(rows.flatMap((row) => [...values.subarray(row * 3, row * 3 + 3)]));
  return {
    vertices: Uint32Array.from(rows, (row) => vertexOf.get(morph.vertices[row]) as number),
    positions: taken(morph.positions),
    normals: morph.normals && taken(morph.normals),
  };
}

function shown(primitive: ScenePrimitive, morphs: readonly RigMorph[], { weights }: MorphRequest): ScenePrimitive {
  return {
    ...primitive,
    read: async () => {
      const polygons = await primitive.read();
      const { pointNumbers } = polygons;
      if (!pointNumbers) return polygons;
      const vertexOf = new Map<number, number>();
      for (const [vertex, number] of pointNumbers.entries()) if (number > 0) vertexOf.set(number, vertex);
      const asked = morphs.filter(({ name }) => weights.has(name));
      const deltas = asked.map((morph) => ({
        ...ofPrimitive(morph, vertexOf),
        // The points stand for a weight already.
        weight: (weights.get(morph.name) as number) - morph.weight,
      }));
      return morphedPolygons(polygons, deltas);
    },
  };
}

/** The scene with its targets at the weights that are asked for; others stay as they are. Throws what reading it throws. */
export async function morphedScene(scene: Scene, request: MorphRequest): Promise<Scene> {
  if (request.weights.size === 0 || !scene.meshes.some(hasMorphs)) return scene;
  const options = {
    animations: 'none',
    keepKeys: false,
    animateNodes: false,
    held: null,
    holdsWeights: false,
    morphs: 'all',
    subdivides: false,
  } as const;
  const { scene: rigged, ofNode } = await riggedScene(scene, options, new Diagnostics());
  const meshes = [...rigged.meshes];
  for (const [node, { morphs = [] }] of ofNode) {
    for (const { name } of morphs) if (request.weights.has(name)) request.found.add(name);
    // Each of these nodes has a mesh of its own.
    const { mesh } = rigged.nodes[node];
    meshes[mesh] = {
      ...meshes[mesh],
      primitives: meshes[mesh].primitives.map((primitive) => shown(primitive, morphs, request)),
    };
  }
  return { ...rigged, meshes };
}
