// Morph targets as morphs of a model. A target of one name on several meshes is one morph, which moves a vertex buffer of each.

import type { RigMorph } from '../../../scene/rig.ts';
import { movedVertices } from '../../movedVertices.ts';
import { mirrorZ } from '../axes.ts';
import type { Morph } from '../model/layout.ts';

type Deltas = Morph['buffers'][number]['deltas'];

function rowsOf(values: Float32Array, rows: Uint32Array): Float32Array {
  const out = new Float32Array(rows.length * 3);
  for (let i = 0; i < rows.length; i++) {
    for (let k = 0; k < 3; k++) out[i * 3 + k] = values[rows[i] * 3 + k];
  }
  return mirrorZ(out);
}

/**
 * What the targets of a mesh add to its stored vertices, in Urho3D's space: those that move a vertex. `points`: for each vertex the
 * number by which targets list its point.
 */
export function morphDeltas(
  points: Uint32Array,
  morphs: readonly RigMorph[],
): { readonly name: string; readonly deltas: Deltas }[] {
  return movedVertices(points, morphs).flatMap(({ vertices, rows }, i) => {
    if (vertices.length === 0) return [];
    const { name, positions, normals } = morphs[i];
    const position = rowsOf(positions, rows);
    const deltas = { vertex: vertices, position, normal: normals && rowsOf(normals, rows), tangent: null };
    // A name ends at a byte 0.
    return [{ name: name.replaceAll('\0', ''), deltas }];
  });
}

/** Rows of several meshes after each other; those of a mesh without normals are zeros where another has some. */
function joined(all: readonly Deltas[]): Deltas {
  const count = all.reduce((sum, { vertex }) => sum + vertex.length, 0);
  const vertex = new Uint32Array(count);
  const position = new Float32Array(count * 3);
  const normal = all.some((one) => one.normal) ? new Float32Array(count * 3) : null;
  let at = 0;
  for (const one of all) {
    vertex.set(one.vertex, at);
    position.set(one.position as Float32Array, at * 3);
    if (normal && one.normal) normal.set(one.normal, at * 3);
    at += one.vertex.length;
  }
  return { vertex, position, normal, tangent: null };
}

/** The morphs of a model, by name in the order in which they come first. */
export class Morphs {
  readonly #ofName = new Map<string, Map<number, Deltas[]>>();

  /** `vertexBuffer`: of the model. */
  add(name: string, vertexBuffer: number, deltas: Deltas): void {
    const ofBuffer = this.#ofName.get(name) ?? new Map<number, Deltas[]>();
    this.#ofName.set(name, ofBuffer);
    const own = ofBuffer.get(vertexBuffer);
    if (own) own.push(deltas);
    else ofBuffer.set(vertexBuffer, [deltas]);
  }

  /** Whether a morph moves vertices of a buffer. */
  move(vertexBuffer: number): boolean {
    return [...this.#ofName.values()].some((ofBuffer) => ofBuffer.has(vertexBuffer));
  }

  list(): Morph[] {
    return [...this.#ofName].map(([name, ofBuffer]) => ({
      name,
      buffers: [...ofBuffer].map(([vertexBuffer, deltas]) => ({ vertexBuffer, deltas: joined(deltas) })),
    }));
  }
}
