// Texture coordinates of a group, which the format stores from 0 to 1 alone. A texture repeats, so that whole numbers come off
// freely: all together where everything lies in one unit square, else triangle by triangle, and triangles that reach over the
// borders of squares are cut there. Nothing is clamped.

import {
  ATTRIBUTES,
  type AttributeArray,
  mapAttributes,
  SEMANTICS,
  type UvSemantic,
} from '../../geometry/mesh/attributes.ts';
import { type Float32Mesh, pickVertices } from '../../geometry/mesh/mesh.ts';

/** How far a coordinate may lie outside of its square: it is rounded to the border, as every other is to a step of 1/65535. */
const OUTSIDE = 0.5 / 65535;
/** Vectors of at most this length, between two unit vectors, are rounding error and give no direction. */
const NO_DIRECTION = 1e-6;

const shiftOf = (min: number): number => Math.floor(min + OUTSIDE);
/** The whole number that is taken off coordinates of a range; what lies from 0 to 1 stays where it is. */
const shiftFor = (min: number, greatest: number): number =>
  min >= -OUTSIDE && greatest <= 1 + OUTSIDE ? 0 : shiftOf(min);
const fits = (min: number, greatest: number): boolean => greatest - shiftFor(min, greatest) <= 1 + OUTSIDE;

/** The numbers of a vertex: its position, then each attribute of the mesh. */
interface Columns {
  readonly width: number;
  /** Where the texture coordinates begin by which triangles are cut. */
  readonly uv: number;
  readonly list: readonly Column[];
}

interface Column {
  readonly values: AttributeArray;
  readonly at: number;
  readonly size: number;
  readonly cut: string;
}

type Row = Float64Array;

function columnsOf({ attributes }: Float32Mesh, set: UvSemantic): Columns {
  let width = 3;
  let uv = -1;
  const list: Column[] = [];
  for (const semantic of SEMANTICS) {
    const values = attributes[semantic];
    if (!values) continue;
    const { components, cut } = ATTRIBUTES[semantic];
    if (semantic === set) uv = width;
    list.push({ values, at: width, size: components, cut });
    width += components;
  }
  return { width, uv, list };
}

function rowOf(mesh: Float32Mesh, { width, list }: Columns, vertex: number): Row {
  const row = new Float64Array(width);
  for (let k = 0; k < 3; k++) row[k] = mesh.positions[vertex * 3 + k];
  for (const { values, at, size } of list) {
    for (let k = 0; k < size; k++) row[at + k] = values[vertex * size + k];
  }
  return row;
}

/** The vertex where an edge crosses a border. Its ends come in the order of the coordinate: neighbours make the same one. */
function crossing(a: Row, b: Row, column: number, border: number, { list }: Columns): Row {
  const [low, high] = a[column] < b[column] ? [a, b] : [b, a];
  const length = high[column] - low[column];
  const [ofLow, ofHigh] = [(high[column] - border) / length, (border - low[column]) / length];
  const row = low.map((value, k) => value * ofLow + high[k] * ofHigh);
  const near = ofLow >= ofHigh ? low : high;
  for (const { at, size, cut } of list) {
    const direction = cut === 'direction' ? 3 : cut === 'nearest' ? 0 : size;
    for (let k = direction; k < size; k++) row[at + k] = near[at + k];
    if (cut !== 'direction') continue;
    const scale = Math.hypot(row[at], row[at + 1], row[at + 2]);
    for (let k = 0; k < 3; k++) row[at + k] = scale > NO_DIRECTION ? row[at + k] / scale : near[at + k];
  }
  row[column] = border;
  return row;
}

/** The part of a convex polygon below a border, and the part above it. */
function halves(polygon: readonly Row[], column: number, border: number, columns: Columns): [Row[], Row[]] {
  const [low, high]: [Row[], Row[]] = [[], []];
  for (const [i, from] of polygon.entries()) {
    const to = polygon[(i + 1) % polygon.length];
    const [a, b] = [from[column] - border, to[column] - border];
    if (a <= 0) low.push(from);
    if (a >= 0) high.push(from);
    if (a * b < 0) {
      const vertex = crossing(from, to, column, border, columns);
      low.push(vertex);
      high.push(vertex);
    }
  }
  return [low, high];
}

/** The parts of a convex polygon between the whole numbers along a column; at most `max` of them, else null. */
function slabs(polygon: readonly Row[], column: number, max: number, columns: Columns): Row[][] | null {
  const values = polygon.map((row) => row[column]);
  const greatest = Math.max(...values);
  const first = shiftOf(Math.min(...values)) + 1;
  if (greatest - first > max) return null;
  const parts: Row[][] = [];
  let rest: readonly Row[] = polygon;
  for (let border = first; border < greatest - OUTSIDE; border++) {
    const [low, high] = halves(rest, column, border, columns);
    if (low.length > 2) parts.push(low);
    rest = high;
  }
  if (rest.length > 2) parts.push([...rest]);
  return parts;
}

/** Takes the same whole number off each coordinate of all vertices, where that brings them into one square; else null. */
function shifted(mesh: Float32Mesh, set: UvSemantic, uvs: Float32Array): Float32Mesh | null {
  const [min, greatest] = [
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
  ];
  for (let i = 0; i < uvs.length; i++) {
    if (uvs[i] < min[i % 2]) min[i % 2] = uvs[i];
    if (uvs[i] > greatest[i % 2]) greatest[i % 2] = uvs[i];
  }
  if (!fits(min[0], greatest[0]) || !fits(min[1], greatest[1])) return null;
  const shifts = min.map((least, k) => shiftFor(least, greatest[k]));
  return withUvs(
    mesh,
    set,
    uvs.map((value, i) => value - shifts[i % 2]),
  );
}

const withUvs = (mesh: Float32Mesh, set: UvSemantic, uvs: Float32Array): Float32Mesh => ({
  ...mesh,
  attributes: mapAttributes(mesh.attributes, (values, _, semantic) => (semantic === set ? uvs : values)),
});

/** Takes whole numbers off triangle by triangle, where that brings each into one square; else null. */
function shiftedTriangles(mesh: Float32Mesh, set: UvSemantic, uvs: Float32Array): Float32Mesh | null {
  const { indices } = mesh;
  const moved = new Float32Array(indices.length * 2);
  for (let at = 0; at < indices.length; at += 3) {
    for (let k = 0; k < 2; k++) {
      const a = uvs[indices[at] * 2 + k];
      const b = uvs[indices[at + 1] * 2 + k];
      const c = uvs[indices[at + 2] * 2 + k];
      const [min, greatest] = [Math.min(a, b, c), Math.max(a, b, c)];
      if (!fits(min, greatest)) return null;
      const shift = shiftFor(min, greatest);
      moved[at * 2 + k] = a - shift;
      moved[at * 2 + 2 + k] = b - shift;
      moved[at * 2 + 4 + k] = c - shift;
    }
  }
  const corners = Uint32Array.from(indices.keys());
  return withUvs(pickVertices(mesh, indices, corners), set, moved);
}

/**
 * The mesh with all texture coordinates of a set from 0 to 1, but for half a step of what a file can tell apart, and its triangles
 * as they are. Vertices may stand in it several times. Null: a triangle reaches over a border of repeats.
 */
export function movedBySet(mesh: Float32Mesh, set: UvSemantic): Float32Mesh | null {
  const uvs = mesh.attributes[set];
  if (!uvs) return mesh;
  return shifted(mesh, set, uvs) ?? shiftedTriangles(mesh, set, uvs);
}

/** As movedBySet(), with triangles cut where they reach over a border. Null: more than `max` triangles would be needed. */
export function inUnitSquares(mesh: Float32Mesh, set: UvSemantic, max: number): Float32Mesh | null {
  const whole = movedBySet(mesh, set);
  if (whole !== null) return whole;
  const columns = columnsOf(mesh, set);
  const rows: Row[] = [];
  for (let at = 0; at < mesh.indices.length; at += 3) {
    const triangle = [0, 1, 2].map((k) => rowOf(mesh, columns, mesh.indices[at + k]));
    const inU = slabs(triangle, columns.uv, max, columns);
    if (inU === null) return null;
    for (const slab of inU) {
      const pieces = slabs(slab, columns.uv + 1, max, columns);
      if (pieces === null) return null;
      for (const piece of pieces) {
        const moved = inOneSquare(piece, columns);
        for (let k = 2; k < moved.length; k++) rows.push(moved[0], moved[k - 1], moved[k]);
      }
      // Each slab has at most as many pieces as are allowed, so that the work has a bound.
      if (rows.length / 3 > max) return null;
    }
  }
  return meshOfRows(rows, mesh, columns);
}

/** Moves a polygon that lies within one UV repeat to the repeat from 0 to 1. */
function inOneSquare(piece: readonly Row[], { uv }: Columns): Row[] {
  const shifts = [0, 1].map((k) => {
    const values = piece.map((row) => row[uv + k]);
    return shiftFor(Math.min(...values), Math.max(...values));
  });
  return piece.map((row) => {
    const copy = row.slice();
    for (let k = 0; k < 2; k++) copy[uv + k] -= shifts[k];
    return copy;
  });
}

/** A mesh whose vertices are rows, three a triangle. */
function meshOfRows(rows: readonly Row[], { attributes }: Float32Mesh, { list }: Columns): Float32Mesh {
  const fill = <T extends Float32Array | Uint8Array>(out: T, at: number, size: number): T => {
    // Assigning to a clamped array rounds.
    const rounded = out instanceof Uint8Array ? new Uint8ClampedArray(out.buffer) : out;
    for (const [i, row] of rows.entries()) for (let k = 0; k < size; k++) rounded[i * size + k] = row[at + k];
    return out;
  };
  let column = 0;
  return {
    vertexCount: rows.length,
    positions: fill(new Float32Array(rows.length * 3), 0, 3),
    attributes: mapAttributes(attributes, (_, { array, components }) =>
      fill(new array(rows.length * components), list[column++].at, components),
    ),
    indices: Uint32Array.from(rows.keys()),
  };
}
