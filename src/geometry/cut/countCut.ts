// Counts the triangles that splitMesh would make of a mesh, without making them, from how planes cross each triangle. The
// plan asks before it decides on a cut.

import type { CutPlanes } from '../../scene/planes.ts';
import type { Mat4, PolygonMesh } from '../../scene/types.ts';
import type { Triangles } from '../mesh/mesh.ts';
import { hasArea } from '../mesh/optimise.ts';
import { triangulate } from '../polygons/triangulate.ts';

/** Triangles of a mesh, all its subsets together. */
type BareTriangles = Triangles<Float32Array | Float64Array>;

/** The triangles that a cook makes of polygons, all subsets together: those with an area, in mesh space. */
export function bareTriangles(mesh: PolygonMesh, subsets: number): BareTriangles {
  const { points, corners } = mesh;
  const cuts = Array.from({ length: subsets + 1 }, (_, i) => triangulate(mesh, i - 1));
  const indices = new Uint32Array(cuts.reduce((sum, cut) => sum + cut.count, 0) * 3);
  let end = 0;
  for (const cut of cuts) {
    for (let i = 0; i < cut.count * 3; i += 3) {
      const a = corners[cut.corners ? cut.corners[i] : i];
      const b = corners[cut.corners ? cut.corners[i + 1] : i + 1];
      const c = corners[cut.corners ? cut.corners[i + 2] : i + 2];
      if (!hasArea(points, a * 3, b * 3, c * 3)) continue;
      indices[end++] = a;
      indices[end++] = b;
      indices[end++] = c;
    }
  }
  return { positions: points, indices: indices.subarray(0, end) };
}

/** x and z of each vertex in world space, as float32. */
export function placedFootprint(positions: Float32Array | Float64Array, m: Mat4): Float32Array {
  const placed = new Float32Array((positions.length / 3) * 2);
  for (let i = 0, at = 0; i < placed.length; i += 2, at += 3) {
    const x = positions[at];
    const y = positions[at + 1];
    const z = positions[at + 2];
    placed[i] = m[0] * x + m[4] * y + m[8] * z + m[12];
    placed[i + 1] = m[2] * x + m[6] * y + m[10] * z + m[14];
  }
  return placed;
}

/** How many triangles the planes make of these; stops counting as soon as there are more than `max`. */
export function countCut(footprint: Float32Array, indices: Uint32Array, planes: CutPlanes, max: number): number {
  const counter = new TriangleCounter(footprint, planes);
  const cells = cellsOf(footprint, planes);
  let count = 0;
  for (let i = 0; i < indices.length && count <= max; i += 3) {
    const cell = cells[indices[i]];
    // Most triangles lie between the same planes as a whole.
    if (cell >= 0 && cell === cells[indices[i + 1]] && cell === cells[indices[i + 2]]) count++;
    else count += counter.pieces(indices[i], indices[i + 1], indices[i + 2]);
  }
  return count;
}

/** The cell between planes that each vertex is inside of; -1 for those on a plane, and if there are too many cells. */
function cellsOf(footprint: Float32Array, { x, z }: CutPlanes): Int32Array {
  const cells = new Int32Array(footprint.length / 2);
  const xs = Float64Array.from(x);
  const zs = Float64Array.from(z);
  const rows = zs.length + 1;
  if ((xs.length + 1) * rows > 2 ** 31) return cells.fill(-1);
  for (let i = 0; i < cells.length; i++) {
    const atX = footprint[i * 2];
    const atZ = footprint[i * 2 + 1];
    const column = planesBelow(xs, atX);
    const row = planesBelow(zs, atZ);
    // Written so that NaN, which lies nowhere, is not inside either.
    const isInside = (column === xs.length || xs[column] > atX) && (row === zs.length || zs[row] > atZ);
    cells[i] = isInside ? column * rows + row : -1;
  }
  return cells;
}

/**
 * A triangle that L planes cross, with I crossings of two planes inside of it, has 1 + L + I parts (each line adds one
 * for itself and one for each line that it crosses). Their corners are the triangle's three, two for each end of a line
 * and four for each crossing: 3 + 4 L + 4 I. A part of n corners is n - 2 triangles, which makes 1 + 2 L + 2 I in all. A
 * line that ends in a corner, and two that end in one point of an edge, make one triangle less.
 */
class TriangleCounter {
  readonly #at: Float32Array;
  readonly #x: Float64Array;
  readonly #z: Float64Array;

  constructor(footprint: Float32Array, { x, z }: CutPlanes) {
    this.#at = footprint;
    this.#x = Float64Array.from(x);
    this.#z = Float64Array.from(z);
  }

  /** How many triangles the parts of one are. */
  pieces(first: number, second: number, third: number): number {
    const at = this.#at;
    const xs = this.#x;
    const zs = this.#z;
    // Along x from `a` to `c`, with `b` between.
    let a = first;
    let b = second;
    let c = third;
    if (at[a * 2] > at[b * 2]) [a, b] = [b, a];
    if (at[b * 2] > at[c * 2]) [b, c] = [c, b];
    if (at[a * 2] > at[b * 2]) [a, b] = [b, a];
    const [ax, bx, cx] = [at[a * 2], at[b * 2], at[c * 2]];
    const [az, bz, cz] = [at[a * 2 + 1], at[b * 2 + 1], at[c * 2 + 1]];
    const lowZ = Math.min(az, bz, cz);
    const highZ = Math.max(az, bz, cz);
    const firstX = planesUpTo(xs, ax);
    const endX = planesBelow(xs, cx);
    const alongX = Math.max(0, endX - firstX);
    const firstZ = planesUpTo(zs, lowZ);
    const alongZ = Math.max(0, planesBelow(zs, highZ) - firstZ);
    let count = 1 + 2 * (alongX + alongZ);
    if (alongX > 0 && bx > ax && bx < cx && isPlane(xs, bx)) count--;
    if (alongZ === 0) return count;
    const middleZ = Math.max(Math.min(az, bz), Math.min(Math.max(az, bz), cz));
    if (middleZ > lowZ && middleZ < highZ && isPlane(zs, middleZ)) count--;
    for (let i = firstX; i < endX; i++) count += this.#crossings(a, b, c, xs[i], firstZ, firstZ + alongZ);
    return count;
  }

  /**
   * Two for each plane of z that the plane x = `x` meets inside of the triangle, minus one for each on an edge, of the
   * planes from `first` to `end` that cross the triangle at all.
   */
  #crossings(a: number, b: number, c: number, x: number, first: number, end: number): number {
    const zs = this.#z;
    const onEdge = (z: number): number => {
      const at = planesBelow(zs, z);
      return at >= first && at < end && zs[at] === z ? 1 : 0;
    };
    const bx = this.#at[b * 2];
    const long = this.#edgeZ(a, c, x);
    const short = x === bx ? this.#at[b * 2 + 1] : x < bx ? this.#edgeZ(a, b, x) : this.#edgeZ(b, c, x);
    const inside = planesBelow(zs, Math.max(long, short)) - planesUpTo(zs, Math.min(long, short));
    return 2 * Math.max(0, inside) - onEdge(long) - (x === bx ? 0 : onEdge(short));
  }

  /** z where an edge meets x = `x`, as a cut vertex has it (cutVertices.ts). */
  #edgeZ(lower: number, higher: number, x: number): number {
    const at = this.#at;
    const low = at[lower * 2];
    const high = at[higher * 2];
    const length = high - low;
    return Math.fround(at[lower * 2 + 1] * ((high - x) / length) + at[higher * 2 + 1] * ((x - low) / length));
  }
}

/** How many ascending planes lie below a coordinate. */
function planesBelow(planes: Float64Array, value: number): number {
  let below = 0;
  let end = planes.length;
  while (below < end) {
    const middle = (below + end) >>> 1;
    if (planes[middle] < value) below = middle + 1;
    else end = middle;
  }
  return below;
}

function isPlane(planes: Float64Array, value: number): boolean {
  const at = planesBelow(planes, value);
  return at < planes.length && planes[at] === value;
}

/** How many ascending planes lie below a coordinate or at it. */
function planesUpTo(planes: Float64Array, value: number): number {
  const below = planesBelow(planes, value);
  return below < planes.length && planes[below] === value ? below + 1 : below;
}
