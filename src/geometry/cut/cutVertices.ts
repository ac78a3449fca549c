// Vertices that splitting makes where an edge crosses a plane. Each is computed from the ends of its edge and the plane
// alone, so that the neighbouring triangle, cell or mesh, which cuts the same edge, gets the same bits.

import type { CutPlanes } from '../../scene/planes.ts';
import { type AttributeArray, type AttributeKind, kindOf, mapAttributes, SEMANTICS } from '../mesh/attributes.ts';
import type { Float32Mesh } from '../mesh/mesh.ts';
import { RowSet } from '../mesh/weld.ts';

/** The axes that planes stand on, as offsets into a position. */
export const X = 0;
export const Z = 2;
export type CutAxis = typeof X | typeof Z;

/** The offset of an attribute's numbers in a vertex, after the position. */
interface Column {
  readonly at: number;
  readonly values: AttributeArray;
  readonly kind: AttributeKind;
}

/** When a mix of two float32 unit vectors is at most this long, it is only rounding error and gives no direction. */
const NO_DIRECTION = 1e-6;

/** The vertices of a mesh, by their own numbers, and those cut from its edges, numbered after them. */
export class CutVertices {
  readonly #mesh: Float32Mesh;
  readonly #planes: CutPlanes;
  readonly #columns: readonly Column[];
  /** The numbers of each vertex, as float64: three of the position, then those of the attributes. */
  readonly #width: number;
  /** Rows of the lower end, the higher end and the plane: one vertex each. */
  readonly #known = new RowSet(3, 1024);
  #values: Float64Array;
  readonly #low: Float64Array;
  readonly #high: Float64Array;

  constructor(mesh: Float32Mesh, planes: CutPlanes) {
    this.#mesh = mesh;
    this.#planes = planes;
    const columns: Column[] = [];
    let width = 3;
    for (const semantic of SEMANTICS) {
      const values = mesh.attributes[semantic];
      if (!values) continue;
      const kind = kindOf(semantic);
      columns.push({ at: width, values, kind });
      width += kind.components;
    }
    this.#columns = columns;
    this.#width = width;
    this.#values = new Float64Array(1024 * width);
    this.#low = new Float64Array(width);
    this.#high = new Float64Array(width);
  }

  /** How many vertices there are in all. */
  get count(): number {
    return this.#mesh.vertexCount + this.#known.count;
  }

  /**
   * The number of the vertex where the edge from `lower` to `higher` (in this order along `axis`) crosses the plane of this
   * index; equal arguments give one vertex. On the axis it lies exactly on the plane. Its other coordinates are interpolated
   * in float64 and rounded to float32. Directions are made unit length again; where interpolation cancels them out, the
   * nearer end's is taken (the lower end's in the middle). A tangent's sign is always that of the nearer end.
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
    return own < 0 ? this.#mesh.positions[vertex * 3 + axis] : this.#values[own * this.#width + axis];
  }

  /** The mesh of the listed vertices; `indices` count within the list. */
  gather(vertices: Uint32Array, indices: Uint32Array): Float32Mesh {
    const { positions, attributes } = this.#mesh;
    const vertexCount = vertices.length;
    const gathered = new Float32Array(vertexCount * 3);
    this.#gather(vertices, positions, 3, 0, gathered, gathered);
    let column = 0;
    const picked = mapAttributes(attributes, (values, { array, components }) => {
      const out = new array(vertexCount * components);
      // Assigning to a clamped array rounds half to even (ECMAScript, ToUint8Clamp).
      const rounded = out instanceof Uint8Array ? new Uint8ClampedArray(out.buffer) : out;
      this.#gather(vertices, values, components, this.#columns[column++].at, out, rounded);
      return out;
    });
    return { vertexCount, positions: gathered, attributes: picked, indices };
  }

  /** Writes `size` numbers of each listed vertex: the mesh's own to `out`, cut ones from column `column` on to `cut`. */
  #gather(
    vertices: Uint32Array,
    source: AttributeArray,
    size: number,
    column: number,
    out: AttributeArray,
    cut: AttributeArray | Uint8ClampedArray,
  ): void {
    const own = this.#mesh.vertexCount;
    const values = this.#values;
    const width = this.#width;
    for (let i = 0, to = 0; i < vertices.length; i++, to += size) {
      const v = vertices[i];
      if (v < own) {
        for (let k = 0; k < size; k++) out[to + k] = source[v * size + k];
      } else {
        const at = (v - own) * width + column;
        for (let k = 0; k < size; k++) cut[to + k] = values[at + k];
      }
    }
  }

  #load(vertex: number, out: Float64Array): void {
    const { positions, vertexCount } = this.#mesh;
    const width = this.#width;
    const own = vertex - vertexCount;
    if (own >= 0) {
      for (let k = 0, at = own * width; k < width; k++) out[k] = this.#values[at + k];
      return;
    }
    for (let k = 0; k < 3; k++) out[k] = positions[vertex * 3 + k];
    for (const { at, values, kind } of this.#columns) {
      const { components } = kind;
      for (let k = 0; k < components; k++) out[at + k] = values[vertex * components + k];
    }
  }

  /** Writes the values of cut vertex `number` between the two loaded ends. */
  #mix(axis: CutAxis, plane: number, number: number): void {
    const low = this.#low;
    const high = this.#high;
    const width = this.#width;
    const at = number * width;
    if (at + width > this.#values.length) {
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
    for (let k = 0; k < width; k++) out[at + k] = low[k] * ofLow + high[k] * ofHigh;
    // Adding +0 turns -0 into +0.
    for (let k = 0; k < 3; k++) out[at + k] = Math.fround(out[at + k]) + 0;
    out[at + axis] = plane + 0;
    const near = ofLow >= ofHigh ? low : high;
    for (const { at: column, kind } of this.#columns) {
      if (kind.cut === 'linear') continue;
      if (kind.cut === 'nearest') {
        for (let k = 0; k < kind.components; k++) out[at + column + k] = near[column + k];
        continue;
      }
      makeUnit(out, at + column, near, column);
      for (let k = 3; k < kind.components; k++) out[at + column + k] = near[column + k];
    }
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
