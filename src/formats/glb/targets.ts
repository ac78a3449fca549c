// Morph targets of a GLB (glTF 2.0, 3.7.2.2): deltas of positions and normals for each vertex, and names in the extras of the
// mesh, where every program looks for them.

import type { Mesh } from '@gltf-transform/core';
import type { RigMorph } from '../../scene/rig.ts';
import type { FloatMesh } from '../floatMesh.ts';
import { movedVertices } from '../movedVertices.ts';
import type { GlbBuilder } from './builder.ts';

/** Rows of three numbers at their vertices; zeros elsewhere. */
function spread(values: Float32Array, vertices: Uint32Array, rows: Uint32Array, vertexCount: number): Float32Array {
  const out = new Float32Array(vertexCount * 3);
  for (let i = 0; i < vertices.length; i++) {
    for (let k = 0; k < 3; k++) out[vertices[i] * 3 + k] = values[rows[i] * 3 + k];
  }
  return out;
}

/** The names of a mesh's targets. */
export const targetNamesOf = (mesh: Mesh): readonly string[] => (mesh.getExtras().targetNames ?? []) as string[];

/** Adds `by` times the deltas to values of three numbers. */
function addDeltas(values: Float64Array, deltas: Float32Array, by: number): void {
  for (let i = 0; i < values.length; i++) values[i] += by * deltas[i];
}

/** By vertex, the length of its normal. */
const lengthsOf = (normals: Float64Array): Float64Array =>
  Float64Array.from({ length: normals.length / 3 }, (_, v) =>
    Math.hypot(normals[v * 3], normals[v * 3 + 1], normals[v * 3 + 2]),
  );

/** Values with each vertex divided by a length; those without length stay. */
const dividedBy = (values: ArrayLike<number>, lengths: Float64Array): Float32Array =>
  Float32Array.from(values, (value, i) => {
    const length = lengths[Math.floor(i / 3)];
    return length > 0 ? value / length : value;
  });

/** The targets that move a vertex of a stored mesh. */
interface Targets {
  readonly names: readonly string[];
  readonly weights: readonly number[];
  readonly positions: readonly Float32Array[];
  /** Null: the target turns none. */
  readonly normals: readonly (Float32Array | null)[];
}

function targetsOf(stored: FloatMesh, morphs: readonly RigMorph[]): Targets {
  const moved = movedVertices(stored.points as Uint32Array, morphs);
  const own = [...morphs.keys()].filter((i) => moved[i].vertices.length > 0);
  const dense = (values: Float32Array, i: number) =>
    spread(values, moved[i].vertices, moved[i].rows, stored.vertexCount);
  return {
    names: own.map((i) => morphs[i].name),
    weights: own.map((i) => morphs[i].weight),
    positions: own.map((i) => dense(morphs[i].positions, i)),
    normals: own.map((i) => {
      const { normals } = morphs[i];
      return normals && dense(normals, i);
    }),
  };
}

/**
 * Adds the targets that move a vertex of the mesh. The stored shape is that at the weights of the source: what it holds of the
 * targets is taken off, and a reader adds it again, because the weights are those of the file, too.
 */
export function addTargets(mesh: Mesh, stored: FloatMesh, morphs: readonly RigMorph[], builder: GlbBuilder): void {
  const [primitive] = mesh.listPrimitives();
  const { names, weights, positions, normals } = targetsOf(stored, morphs);
  if (names.length === 0 || primitive.listTargets().length > 0) return;
  let turned = normals;
  if (weights.some((weight) => weight !== 0)) {
    const points = Float64Array.from(stored.positions);
    const directions = Float64Array.from(stored.attributes.normal);
    for (const [i, weight] of weights.entries()) {
      addDeltas(points, positions[i], -weight);
      const deltas = normals[i];
      if (deltas) addDeltas(directions, deltas, -weight);
    }
    // Deltas fit normals of the length that they are taken from.
    const lengths = lengthsOf(directions);
    turned = normals.map((deltas) => deltas && dividedBy(deltas, lengths));
    primitive.setAttribute('POSITION', builder.accessor(Float32Array.from(points), 'VEC3'));
    primitive.setAttribute('NORMAL', builder.accessor(dividedBy(directions, lengths), 'VEC3'));
  }
  for (const [i, name] of names.entries()) {
    const target = builder.document
      .createPrimitiveTarget(name)
      .setAttribute('POSITION', builder.accessor(positions[i], 'VEC3'));
    const deltas = turned[i];
    if (deltas) target.setAttribute('NORMAL', builder.accessor(deltas, 'VEC3'));
    primitive.addTarget(target);
  }
  mesh.setWeights([...weights]).setExtras({ targetNames: [...names] });
}
