// Vertices that splitting makes where an edge passes a plane. Each follows from the ends of its own edge and the plane
// alone, so that whoever cuts the same edge gets the same bits: the neighbouring triangle, cell or mesh.

import type { CutPlanes } from '../../scene/planes.ts';
import type { TriangleMesh } from '../mesh/types.ts';
import { RowSet } from '../mesh/weld.ts';

/** The axes that planes stand on, as offsets into a position. */
export const X = 0;
export const Z = 2;
export type CutAxis = typeof X | typeof Z;

/** float64 numbers a vertex: position 3, normal 3, tangent 4, uv0 2, colour 4 (0 to 255). */
const WIDTH = 16;
const NORMAL = 3;
const TANGENT = 6;
const SIGN = 9;
const UV0 = 10;
const COLOR = 12;

/** A mix of two unit vectors of float32 that is not longer than this is rounding, not a direction. */
const NO_DIRECTION = 1e-6;

/** The vertices of a mesh, by their own numbers, and those cut from its edges, numbered after them. */
export class CutVertices {
  readonly #mesh: TriangleMesh;
  readonly #planes: CutPlanes;
  /** Rows of the lower end, the higher end and the plane: one vertex each. */
  readonly #known = new RowSet(3, 1024);
  #values = new Float64Array(1024 * WIDTH);
  readonly #low = new Float64Array(WIDTH);
  readonly #high = new Float64Array(WIDTH);

  constructor(mesh: TriangleMesh, planes: CutPlanes) {
    this.#mesh = mesh;
    this.#planes = planes;
  }

  /** How many vertices there are in all. */
  get count(): number {
    return this.#mesh.vertexCount + this.#known.count;
  }

  /**
   * The vertex where the edge from `lower` to `higher`, which it passes in this order along `axis`, meets the plane of
   * that index: one for all who ask for it. On the axis it lies exactly on the plane. Its other coordinates are mixed in
   * float64 and rounded to float32 for good. Normal and tangent are unit again, those of the nearer end (the lower in the
   * middle) where the mix cancels out; the tangent's sign is always that end's.
   */
  cut(axis: CutAxis, plane: number, lower: number, higher: number): number {
    const known = this.#known;
    const number = known.count;
    known.row[0] = lower;
    known.row[1] = higher;
    known.row[2] = plane * 2 + (axis === X ? 0 : 1);
    const found = known.add();
    if (found === number) {
      this.#load(lower, this.#low);
      this.#load(higher, this.#high);
      this.#mix(axis, (axis === X ? this.#planes.x : this.#planes.z)[plane], number);
    }
    return this.#mesh.vertexCount + found;
  }

  /** One coordinate of a vertex. */
  coordinate(vertex: number, axis: number): number {
    const own = vertex - this.#mesh.vertexCount;
    return own < 0 ? this.#mesh.positions[vertex * 3 + axis] : this.#values[own * WIDTH + axis];
  }

  /** The mesh of the listed vertices; `indices` are places in the list. */
  gather(vertices: Uint32Array, indices: Uint32Array): TriangleMesh {
    const mesh = this.#mesh;
    const values = this.#values;
    const vertexCount = vertices.length;
    const positions = new Float32Array(vertexCount * 3);
    const normals = new Float32Array(vertexCount * 3);
    const tangents = mesh.tangents ? new Float32Array(vertexCount * 4) : null;
    const uv0 = new Float32Array(vertexCount * 2);
    const colors = mesh.colors ? new Uint8Array(vertexCount * 4) : null;
    // Assigning to a clamped array rounds half to even (ECMAScript, ToUint8Clamp).
    const clamped = colors ? new Uint8ClampedArray(colors.buffer) : null;
    for (let i = 0; i < vertexCount; i++) {
      const v = vertices[i];
      if (v < mesh.vertexCount) {
        for (let k = 0; k < 3; k++) {
          positions[i * 3 + k] = mesh.positions[v * 3 + k];
          normals[i * 3 + k] = mesh.normals[v * 3 + k];
        }
        uv0[i * 2] = mesh.uv0[v * 2];
        uv0[i * 2 + 1] = mesh.uv0[v * 2 + 1];
        if (tangents) for (let k = 0; k < 4; k++) tangents[i * 4 + k] = mesh.tangents![v * 4 + k];
        if (colors) for (let k = 0; k < 4; k++) colors[i * 4 + k] = mesh.colors![v * 4 + k];
        continue;
      }
      const at = (v - mesh.vertexCount) * WIDTH;
      for (let k = 0; k < 3; k++) {
        positions[i * 3 + k] = values[at + k];
        normals[i * 3 + k] = values[at + NORMAL + k];
      }
      uv0[i * 2] = values[at + UV0];
      uv0[i * 2 + 1] = values[at + UV0 + 1];
      if (tangents) for (let k = 0; k < 4; k++) tangents[i * 4 + k] = values[at + TANGENT + k];
      if (clamped) for (let k = 0; k < 4; k++) clamped[i * 4 + k] = values[at + COLOR + k];
    }
    return { vertexCount, positions, normals, tangents, uv0, colors, indices };
  }

  #load(vertex: number, out: Float64Array): void {
    const mesh = this.#mesh;
    const own = vertex - mesh.vertexCount;
    if (own >= 0) {
      for (let k = 0, at = own * WIDTH; k < WIDTH; k++) out[k] = this.#values[at + k];
      return;
    }
    for (let k = 0; k < 3; k++) {
      out[k] = mesh.positions[vertex * 3 + k];
      out[NORMAL + k] = mesh.normals[vertex * 3 + k];
    }
    out[UV0] = mesh.uv0[vertex * 2];
    out[UV0 + 1] = mesh.uv0[vertex * 2 + 1];
    for (let k = 0; k < 4; k++) {
      if (mesh.tangents) out[TANGENT + k] = mesh.tangents[vertex * 4 + k];
      if (mesh.colors) out[COLOR + k] = mesh.colors[vertex * 4 + k];
    }
  }

  /** Writes the values of cut vertex `number` between the two loaded ends. */
  #mix(axis: CutAxis, plane: number, number: number): void {
    const low = this.#low;
    const high = this.#high;
    const at = number * WIDTH;
    if (at + WIDTH > this.#values.length) {
      const values = new Float64Array(this.#values.length * 2);
      values.set(this.#values);
      this.#values = values;
    }
    const out = this.#values;
    const length = high[axis] - low[axis];
    const ofLow = (high[axis] - plane) / length;
    const ofHigh = (plane - low[axis]) / length;
    // With a weight for each end, a mirrored edge gives mirrored bits; and what leaves the ends' range by float64's rounding
    // comes back with float32's, so that the vertex lies in every cell that both ends lie in.
    for (let k = 0; k < WIDTH; k++) out[at + k] = low[k] * ofLow + high[k] * ofHigh;
    // Adding +0 turns -0 into +0.
    for (let k = 0; k < 3; k++) out[at + k] = Math.fround(out[at + k]) + 0;
    out[at + axis] = plane + 0;
    const near = ofLow >= ofHigh ? low : high;
    makeUnit(out, at + NORMAL, near, NORMAL);
    makeUnit(out, at + TANGENT, near, TANGENT);
    out[at + SIGN] = near[SIGN];
  }
}

/** Gives the vector at `at` unit length; the one of `fallback` when it has no direction. */
function makeUnit(values: Float64Array, at: number, fallback: Float64Array, from: number): void {
  const x = values[at];
  const y = values[at + 1];
  const z = values[at + 2];
  const length = Math.sqrt(x * x + y * y + z * z);
  const has = length > NO_DIRECTION;
  values[at] = has ? x / length : fallback[from];
  values[at + 1] = has ? y / length : fallback[from + 1];
  values[at + 2] = has ? z / length : fallback[from + 2];
}
