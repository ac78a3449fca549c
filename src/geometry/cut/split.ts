// Split: a placed mesh cut at planes of x and z into one mesh a cell, for geometry that spans several tiles. Cells that
// meet at a plane have the same positions there, bit for bit: first every edge of a triangle is cut at the planes of x,
// then every edge of the polygons between them at the planes of z, and each cut follows from the ends of its edge alone
// (cutVertices.ts), whichever triangle, cell or mesh it is made for.

import type { CutPlanes, PlaneCell } from '../../scene/planes.ts';
import type { Float32Mesh } from '../mesh/mesh.ts';
import { type CutAxis, CutVertices, X, Z } from './cutVertices.ts';

/** The part of a mesh in one cell. */
export interface SplitPiece extends PlaneCell {
  readonly mesh: Float32Mesh;
}

/** A triangle between planes has at most 7 corners; plateaus that rounding leaves in a plane are within the rest. */
const MAX_CORNERS = 16;

/**
 * The pieces of `mesh` (placed: float32 world positions) in order of row, then column; none is empty. Triangles keep their
 * order and winding, those in one cell also their vertices; one that lies in a plane belongs to the cell above. Vertices
 * that were shared are shared within a piece, cut ones too. Corners of a cut triangle that
 * rounding brings to one position are one corner; a part left with two corners is dropped. Gives `mesh` itself when it all lies in one cell. Takes time by the triangles
 * and the cells that each one touches. Throws RangeError for planes that do not ascend or are no float32, TypeError for
 * float64 positions.
 */
export function splitMesh(mesh: Float32Mesh, planes: CutPlanes): SplitPiece[] {
  const { positions, indices } = mesh;
  if (!(positions instanceof Float32Array)) throw new TypeError('a mesh is split where it is placed, in float32');
  checkPlanes(planes.x);
  checkPlanes(planes.z);

  // 1. Where each vertex lies.
  const columnSides = sidesOf(positions, X, planes.x);
  const rowSides = sidesOf(positions, Z, planes.z);

  // 2. Triangles of one cell as they are, the others cut.
  const vertices = new CutVertices(mesh, planes);
  const out = new CellTriangles(indices.length / 3);
  const splitter = new TriangleSplitter(vertices, planes, out);
  for (let i = 0; i < indices.length; i += 3) {
    const a = indices[i];
    const b = indices[i + 1];
    const c = indices[i + 2];
    const column = onlyBand(columnSides[a], columnSides[b], columnSides[c]);
    const row = onlyBand(rowSides[a], rowSides[b], rowSides[c]);
    if (column >= 0 && row >= 0) {
      out.add(a, b, c, column, row);
    } else {
      splitter.split(a, b, c, column, columnSides, rowSides);
    }
  }

  // 3. A mesh a cell.
  if (vertices.count === mesh.vertexCount && out.count * 3 === indices.length && out.isOneCell()) {
    return out.count === 0 ? [] : [{ column: out.columns[0], row: out.rows[0], mesh }];
  }
  return piecesOf(out, vertices);
}

function checkPlanes(planes: readonly number[]): void {
  for (let i = 0; i < planes.length; i++) {
    const isFloat = Number.isFinite(planes[i]) && Math.fround(planes[i]) === planes[i];
    if (!isFloat || (i > 0 && planes[i] <= planes[i - 1])) {
      throw new RangeError(`planes ascend in float32, but plane ${i} is ${planes[i]}`);
    }
  }
}

// Sides: 2 i for a coordinate between planes i - 1 and i, 2 i + 1 for one on plane i. Band i (a column or row) holds the
// sides 2 i - 1 to 2 i + 1.

function sidesOf(positions: Float32Array, axis: CutAxis, planes: readonly number[]): Uint32Array {
  const sides = new Uint32Array(positions.length / 3);
  const sorted = Float64Array.from(planes);
  let last = 0;
  for (let v = 0, at: number = axis; v < sides.length; v++, at += 3) {
    const value = positions[at];
    // Most vertices lie where the one before them does.
    const below = last >>> 1;
    const stays = (below === 0 || value > sorted[below - 1]) && (below === sorted.length || value < sorted[below]);
    last = stays ? below * 2 : sideOf(sorted, value);
    sides[v] = last;
  }
  return sides;
}

function sideOf(planes: ArrayLike<number>, value: number): number {
  let below = 0;
  let end = planes.length;
  while (below < end) {
    const middle = (below + end) >>> 1;
    if (planes[middle] < value) below = middle + 1;
    else end = middle;
  }
  return below < planes.length && planes[below] === value ? below * 2 + 1 : below * 2;
}

/** The lowest band that something from side `low` up reaches into. */
const firstBand = (low: number) => (low + 1) >>> 1;
/** The highest band that something up to side `high` reaches into; below the first one for what lies in a plane. */
const lastBand = (high: number) => high >>> 1;

/** The band that holds a triangle whole, -1 when it is to be cut. */
function onlyBand(a: number, b: number, c: number): number {
  const low = a < b ? (a < c ? a : c) : b < c ? b : c;
  const high = a > b ? (a > c ? a : c) : b > c ? b : c;
  const band = firstBand(low);
  return lastBand(high) <= band ? band : -1;
}

/** Triangles and their cells, as many as come. */
class CellTriangles {
  count = 0;
  corners: Uint32Array;
  columns: Uint32Array;
  rows: Uint32Array;

  constructor(expected: number) {
    const capacity = Math.ceil(expected * 1.25) + 64;
    this.corners = new Uint32Array(capacity * 3);
    this.columns = new Uint32Array(capacity);
    this.rows = new Uint32Array(capacity);
  }

  add(a: number, b: number, c: number, column: number, row: number): void {
    if (this.count === this.columns.length) this.#grow();
    const at = this.count * 3;
    this.corners[at] = a;
    this.corners[at + 1] = b;
    this.corners[at + 2] = c;
    this.columns[this.count] = column;
    this.rows[this.count++] = row;
  }

  isOneCell(): boolean {
    const { columns, rows, count } = this;
    for (let t = 1; t < count; t++) if (columns[t] !== columns[0] || rows[t] !== rows[0]) return false;
    return true;
  }

  #grow(): void {
    const larger = (old: Uint32Array) => {
      const data = new Uint32Array(old.length * 2);
      data.set(old);
      return data;
    };
    this.corners = larger(this.corners);
    this.columns = larger(this.columns);
    this.rows = larger(this.rows);
  }
}

/** Cuts triangles that reach into several cells. */
class TriangleSplitter {
  readonly #vertices: CutVertices;
  readonly #out: CellTriangles;
  readonly #rowPlanes: Float64Array;
  readonly #columns: BandCut;
  readonly #rows: BandCut;
  readonly #fan: Fan;
  readonly #corners = new Uint32Array(3);
  readonly #sides = new Uint32Array(MAX_CORNERS);
  /** Triangles of the polygon cut last. */
  readonly #fanned = new Uint32Array(MAX_CORNERS * 3);

  constructor(vertices: CutVertices, planes: CutPlanes, out: CellTriangles) {
    this.#vertices = vertices;
    this.#out = out;
    this.#rowPlanes = Float64Array.from(planes.z);
    this.#columns = new BandCut(vertices, X, planes.x.length);
    this.#rows = new BandCut(vertices, Z, planes.z.length);
    this.#fan = new Fan(vertices);
  }

  /** `column`: the only one that the triangle touches, else -1. */
  split(a: number, b: number, c: number, column: number, columnSides: Uint32Array, rowSides: Uint32Array): void {
    const corners = this.#corners;
    const sides = this.#sides;
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
    this.#fan.face(corners);
    if (column >= 0) {
      for (let i = 0; i < 3; i++) sides[i] = rowSides[corners[i]];
      this.#rows.cut(corners, sides, 3, (row, polygon, count) => this.#emit(polygon, count, column, row));
      return;
    }
    for (let i = 0; i < 3; i++) sides[i] = columnSides[corners[i]];
    this.#columns.cut(corners, sides, 3, (band, polygon, count) => this.#splitColumn(polygon, count, band, rowSides));
  }

  /** Cuts the polygon of one column into rows. */
  #splitColumn(polygon: Uint32Array, count: number, column: number, rowSides: Uint32Array): void {
    const sides = this.#sides;
    let low = Infinity;
    let high = 0;
    for (let i = 0; i < count; i++) {
      const side = this.#rowSide(polygon[i], rowSides);
      sides[i] = side;
      low = Math.min(low, side);
      high = Math.max(high, side);
    }
    const row = firstBand(low);
    if (lastBand(high) <= row) {
      this.#emit(polygon, count, column, row);
      return;
    }
    this.#rows.cut(polygon, sides, count, (band, cell, size) => this.#emit(cell, size, column, band));
  }

  #rowSide(vertex: number, rowSides: Uint32Array): number {
    if (vertex < rowSides.length) return rowSides[vertex];
    return sideOf(this.#rowPlanes, this.#vertices.coordinate(vertex, Z));
  }

  /** Adds the triangles of a polygon that lies in one cell. */
  #emit(polygon: Uint32Array, count: number, column: number, row: number): void {
    const fanned = this.#fanned;
    const end = this.#fan.fan(polygon, count, fanned);
    for (let i = 0; i < end; i += 3) this.#out.add(fanned[i], fanned[i + 1], fanned[i + 2], column, row);
  }
}

/** Cuts polygons at all planes of one axis. */
class BandCut {
  readonly #vertices: CutVertices;
  readonly #axis: CutAxis;
  /** Points around the polygon, from a lowest one on, and their sides. */
  readonly #points: Uint32Array;
  readonly #sides: Uint32Array;
  readonly #polygon = new Uint32Array(MAX_CORNERS);
  #count = 0;

  constructor(vertices: CutVertices, axis: CutAxis, planes: number) {
    this.#vertices = vertices;
    this.#axis = axis;
    this.#points = new Uint32Array(MAX_CORNERS + planes * 2);
    this.#sides = new Uint32Array(MAX_CORNERS + planes * 2);
  }

  /**
   * Gives the polygon of each band that this one reaches into, upwards; the array holds until the next. `sides` rise once
   * and fall once around the polygon, which those of a triangle's part in a column do too, though its corners are rounded:
   * float32's rounding keeps their order, and float64's turns it between neighbouring floats only, which no plane parts.
   */
  cut(
    corners: Uint32Array,
    sides: Uint32Array,
    count: number,
    each: (band: number, polygon: Uint32Array, count: number) => void,
  ): void {
    const start = lowestCorner(sides, count);
    this.#pointsAround(corners, sides, count, start);
    const points = this.#points;
    const around = this.#sides;
    const total = this.#count;
    const polygon = this.#polygon;

    // 1. The chain up ends with the last of the highest points, the chain down goes on to the end.
    let top = 0;
    while (top + 1 < total && around[top + 1] >= around[top]) top++;

    // 2. Both chains from the bottom, band by band. Each band ends with the first point on its upper plane, with which
    // the next begins: an edge within a plane belongs to the polygon above it.
    const last = lastBand(around[top]);
    let up = 0;
    let down = total;
    for (let band = firstBand(around[0]); band <= last; band++) {
      const plane = band * 2 + 1;
      let size = 0;
      let end = up;
      while (end < top && (band === last || around[end] < plane)) end++;
      for (let i = up; i <= end; i++) polygon[size++] = points[i];
      let from = down - 1;
      while (from > top + 1 && (band === last || around[from] < plane)) from--;
      for (let i = from; i < down; i++) polygon[size++] = points[i];
      up = end;
      down = from + 1;
      each(band, polygon, size);
    }
  }

  /** Corners and the points where edges pass planes, from corner `start` around. */
  #pointsAround(corners: Uint32Array, sides: Uint32Array, count: number, start: number): void {
    const vertices = this.#vertices;
    const axis = this.#axis;
    this.#count = 0;
    for (let i = 0; i < count; i++) {
      const from = (start + i) % count;
      const to = (from + 1) % count;
      const a = corners[from];
      const b = corners[to];
      const sideA = sides[from];
      const sideB = sides[to];
      this.#push(a, sideA);
      for (let p = firstBand(sideA); p < lastBand(sideB); p++) this.#push(vertices.cut(axis, p, a, b), p * 2 + 1);
      for (let p = lastBand(sideA) - 1; p >= firstBand(sideB); p--) this.#push(vertices.cut(axis, p, b, a), p * 2 + 1);
    }
  }

  #push(vertex: number, side: number): void {
    this.#points[this.#count] = vertex;
    this.#sides[this.#count++] = side;
  }
}

function lowestCorner(sides: Uint32Array, count: number): number {
  let lowest = 0;
  for (let i = 1; i < count; i++) if (sides[i] < sides[lowest]) lowest = i;
  return lowest;
}

/** Cuts convex polygons into triangles around the corner that gives the best-shaped ones. */
class Fan {
  readonly #vertices: CutVertices;
  /** The normal of the face that the polygons are parts of, not of unit length. */
  readonly #normal = new Float64Array(3);
  readonly #cross = new Float64Array(3);
  readonly #corners = new Uint32Array(MAX_CORNERS);
  readonly #positions = new Float64Array(MAX_CORNERS * 3);

  constructor(vertices: CutVertices) {
    this.#vertices = vertices;
  }

  /** Says which triangle the next polygons are parts of. */
  face(corners: Uint32Array): void {
    for (let i = 0; i < 3; i++) this.#load(corners[i], i);
    this.#crossOf(0, 1, 2);
    this.#normal.set(this.#cross);
  }

  /** Writes the triangles of a polygon, of neighbours at one position only the first; gives the number of indices. */
  fan(polygon: Uint32Array, size: number, out: Uint32Array): number {
    let count = 0;
    for (let i = 0; i < size; i++) {
      this.#load(polygon[i], count);
      if (count === 0 || !this.#coincide(count, count - 1)) count++;
    }
    while (count > 1 && this.#coincide(count - 1, 0)) count--;
    if (count < 3) return 0;
    const start = count === 3 ? 0 : this.#bestStart(count);
    const corners = this.#corners;
    let end = 0;
    for (let i = 1; i + 1 < count; i++) {
      out[end++] = corners[start];
      out[end++] = corners[(start + i) % count];
      out[end++] = corners[(start + i + 1) % count];
    }
    return end;
  }

  /** The corner whose fan's worst triangle is best; the first of equal ones. */
  #bestStart(count: number): number {
    let best = 0;
    let bestShape = -Infinity;
    for (let start = 0; start < count; start++) {
      let worst = Infinity;
      for (let i = 1; i + 1 < count && worst > bestShape; i++) {
        worst = Math.min(worst, this.#shape(start, (start + i) % count, (start + i + 1) % count));
      }
      if (worst > bestShape) {
        best = start;
        bestShape = worst;
      }
    }
    return best;
  }

  /** Area over the square of the longest edge, but for a constant of the face; negative when turned over. */
  #shape(a: number, b: number, c: number): number {
    const normal = this.#normal;
    const cross = this.#cross;
    this.#crossOf(a, b, c);
    const area = cross[0] * normal[0] + cross[1] * normal[1] + cross[2] * normal[2];
    return area / Math.max(this.#squaredLength(a, b), this.#squaredLength(b, c), this.#squaredLength(c, a));
  }

  #load(vertex: number, i: number): void {
    this.#corners[i] = vertex;
    for (let k = 0; k < 3; k++) this.#positions[i * 3 + k] = this.#vertices.coordinate(vertex, k);
  }

  #coincide(i: number, j: number): boolean {
    const p = this.#positions;
    return p[i * 3] === p[j * 3] && p[i * 3 + 1] === p[j * 3 + 1] && p[i * 3 + 2] === p[j * 3 + 2];
  }

  #squaredLength(i: number, j: number): number {
    const p = this.#positions;
    const x = p[j * 3] - p[i * 3];
    const y = p[j * 3 + 1] - p[i * 3 + 1];
    const z = p[j * 3 + 2] - p[i * 3 + 2];
    return x * x + y * y + z * z;
  }

  #crossOf(a: number, b: number, c: number): void {
    const p = this.#positions;
    const ux = p[b * 3] - p[a * 3];
    const uy = p[b * 3 + 1] - p[a * 3 + 1];
    const uz = p[b * 3 + 2] - p[a * 3 + 2];
    const vx = p[c * 3] - p[a * 3];
    const vy = p[c * 3 + 1] - p[a * 3 + 1];
    const vz = p[c * 3 + 2] - p[a * 3 + 2];
    this.#cross[0] = uy * vz - uz * vy;
    this.#cross[1] = uz * vx - ux * vz;
    this.#cross[2] = ux * vy - uy * vx;
  }
}

/** One mesh for each cell that has triangles, by row and column; vertices in the order that its triangles use them. */
function piecesOf(triangles: CellTriangles, vertices: CutVertices): SplitPiece[] {
  const { corners, columns, rows, count } = triangles;
  // Sorting by column, then stably by row, needs no table of all cells.
  const order = sortedBy(rows, count, sortedBy(columns, count, null));
  const numberOf = new Uint32Array(vertices.count);
  const seenIn = new Uint32Array(vertices.count);
  const pieces: SplitPiece[] = [];
  for (let start = 0; start < count; ) {
    const column = columns[order[start]];
    const row = rows[order[start]];
    let end = start + 1;
    while (end < count && columns[order[end]] === column && rows[order[end]] === row) end++;
    const indices = new Uint32Array((end - start) * 3);
    const used = new Uint32Array(Math.min(indices.length, vertices.count));
    const number = pieces.length + 1;
    let vertexCount = 0;
    for (let i = start, to = 0; i < end; i++) {
      for (let k = 0; k < 3; k++) {
        const v = corners[order[i] * 3 + k];
        if (seenIn[v] !== number) {
          seenIn[v] = number;
          numberOf[v] = vertexCount;
          used[vertexCount++] = v;
        }
        indices[to++] = numberOf[v];
      }
    }
    pieces.push({ column, row, mesh: vertices.gather(used.subarray(0, vertexCount), indices) });
    start = end;
  }
  return pieces;
}

/** The numbers of `order` (null: from 0 to `count`) by ascending key, equal ones as they were. */
function sortedBy(keys: Uint32Array, count: number, order: Uint32Array | null): Uint32Array {
  let max = 0;
  for (let t = 0; t < count; t++) if (keys[t] > max) max = keys[t];
  const ends = new Uint32Array(max + 2);
  for (let t = 0; t < count; t++) ends[keys[t] + 1]++;
  for (let key = 0; key <= max; key++) ends[key + 1] += ends[key];
  const sorted = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const t = order ? order[i] : i;
    sorted[ends[keys[t]]++] = t;
  }
  return sorted;
}
