// Charts: the triangles of a proxy in groups that lie flat on a plane without overlap, so that each group has a picture of
// its own in an atlas. Triangles join a chart across their edges as long as they face much the same way as its largest.

import { PositionIds } from '../mesh/positionIds.ts';
import { triangleCross } from '../mesh/triangleCross.ts';
import { RowSet } from '../mesh/weld.ts';
import { SNAP, TriangleFill } from './fillTriangle.ts';

/** The cosine of the most that a triangle's normal may differ from that of the chart's largest: the chart stretches by 1.3. */
const LEAST_COSINE = 0.77;

/** Samples along a chart's longer side that find overlaps at most; and along a texel. */
const MOST_OVERLAP_SAMPLES = 1024;
const OVERLAP_SAMPLES = 2;

export interface Chart {
  /** Numbers of the mesh's triangles, in the order in which they joined. */
  readonly triangles: Uint32Array;
  /** Unit vectors: two axes in the plane, and its normal, which is their cross product. */
  readonly axes: Float64Array;
  /** Least coordinates along the two axes, in metres, … */
  readonly low: readonly [number, number];
  /** … and the extent from there on. */
  readonly size: readonly [number, number];
}

/** Triangles over positions, 3 a vertex. */
export interface ChartedSurface {
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
}

/**
 * Charts that hold each triangle of a surface once. No two triangles of a chart cover the same sample of its plane at two
 * samples a `texel` (metres); what would cover another's becomes a chart of its own. The largest triangles come first.
 */
export function chartsOf({ positions, indices }: ChartedSurface, texel: number): Chart[] {
  const count = indices.length / 3;
  const { normals, areas } = facesOf(positions, indices);
  const neighbours = neighboursOf(positions, indices);
  const order = Uint32Array.from({ length: count }, (_, t) => t).sort((a, b) => areas[b] - areas[a] || a - b);
  const assigned = new Uint8Array(count);
  const extent = new Float64Array(4);
  const overlaps = new OverlapFinder({ positions, indices }, texel);
  const charts: Chart[] = [];
  let pending = order;
  while (pending.length > 0) {
    const expelled: number[] = [];
    for (const seed of pending) {
      if (assigned[seed] === 1) continue;
      const grown = grow(seed, normals, neighbours, assigned);
      const axes = axesOf({ positions, indices }, grown, normals, extent);
      const { kept, overlapping } = overlaps.partOff(grown, axes);
      for (const t of overlapping) {
        assigned[t] = 0;
        expelled.push(t);
      }
      extentOf({ positions, indices }, kept, axes, extent);
      const low = [extent[0], extent[1]] as const;
      const size = [extent[2] - extent[0], extent[3] - extent[1]] as const;
      charts.push({ triangles: kept, axes, low, size });
    }
    pending = Uint32Array.from(expelled.filter((t) => assigned[t] === 0)).sort((a, b) => areas[b] - areas[a] || a - b);
  }
  return charts;
}

/** Unit normals, zero for a triangle without an area, and areas. */
function facesOf(p: Float32Array, indices: Uint32Array): { normals: Float64Array; areas: Float64Array } {
  const count = indices.length / 3;
  const normals = new Float64Array(count * 3);
  const areas = new Float64Array(count);
  const cross = new Float64Array(3);
  for (let t = 0; t < count; t++) {
    triangleCross(p, indices, t * 3, cross);
    const x = cross[0];
    const y = cross[1];
    const z = cross[2];
    const length = Math.sqrt(x * x + y * y + z * z);
    areas[t] = length / 2;
    if (length === 0) continue;
    normals[t * 3] = x / length;
    normals[t * 3 + 1] = y / length;
    normals[t * 3 + 2] = z / length;
  }
  return { normals, areas };
}

const NO_NEIGHBOUR = -1;

/** For each edge of each triangle the triangle beyond it; none where an edge has another number of triangles than two. */
function neighboursOf(positions: Float32Array, indices: Uint32Array): Int32Array {
  const ids = new PositionIds(positions.length / 3).of(positions);
  const neighbours = new Int32Array(indices.length).fill(NO_NEIGHBOUR);
  /** The corner that an edge begins at, and MANY once it has more than two. */
  const first = new Int32Array(indices.length);
  const MANY = -1;
  const edges = new RowSet(2, indices.length / 2);
  for (let i = 0; i < indices.length; i++) {
    const a = ids[indices[i]];
    const b = ids[indices[i % 3 === 2 ? i - 2 : i + 1]];
    edges.row[0] = Math.min(a, b);
    edges.row[1] = Math.max(a, b);
    const known = edges.count;
    const edge = edges.add();
    const other = first[edge];
    if (edge === known) first[edge] = i;
    else if (other !== MANY && neighbours[other] === NO_NEIGHBOUR) {
      neighbours[other] = Math.floor(i / 3);
      neighbours[i] = Math.floor(other / 3);
    } else if (other !== MANY) {
      // A third triangle: none of them goes over this edge.
      const second = neighbours[other];
      for (let k = second * 3; k < second * 3 + 3; k++) {
        if (neighbours[k] === Math.floor(other / 3)) neighbours[k] = NO_NEIGHBOUR;
      }
      neighbours[other] = NO_NEIGHBOUR;
      first[edge] = MANY;
    }
  }
  return neighbours;
}

/** The triangles that a seed reaches over edges and that face its way, the seed first; they are assigned now. */
function grow(seed: number, normals: Float64Array, neighbours: Int32Array, assigned: Uint8Array): Uint32Array {
  const grown = [seed];
  assigned[seed] = 1;
  const x = normals[seed * 3];
  const y = normals[seed * 3 + 1];
  const z = normals[seed * 3 + 2];
  for (let at = 0; at < grown.length; at++) {
    for (let i = grown[at] * 3; i < grown[at] * 3 + 3; i++) {
      const t = neighbours[i];
      if (t === NO_NEIGHBOUR || assigned[t] === 1) continue;
      if (x * normals[t * 3] + y * normals[t * 3 + 1] + z * normals[t * 3 + 2] < LEAST_COSINE) continue;
      assigned[t] = 1;
      grown.push(t);
    }
  }
  return Uint32Array.from(grown);
}

/** The normal of the seed, and of the seed's edges the one along which the chart takes the least room. */
function axesOf(
  surface: ChartedSurface,
  triangles: Uint32Array,
  normals: Float64Array,
  extent: Float64Array,
): Float64Array {
  const { positions: p, indices } = surface;
  const seed = triangles[0];
  const nx = normals[seed * 3];
  const ny = normals[seed * 3 + 1];
  let nz = normals[seed * 3 + 2];
  if (nx === 0 && ny === 0 && nz === 0) nz = 1;
  const best = new Float64Array(9);
  const axes = new Float64Array(9);
  axes[6] = nx;
  axes[7] = ny;
  axes[8] = nz;
  let least = Infinity;
  for (let k = 0; k < 4; k++) {
    // The edges, and for a triangle without any the axis that the normal has least of.
    if (k === 3 && least !== Infinity) break;
    const from = indices[seed * 3 + (k % 3)] * 3;
    const to = indices[seed * 3 + ((k + 1) % 3)] * 3;
    const small =
      Math.abs(nx) <= Math.abs(ny) && Math.abs(nx) <= Math.abs(nz) ? 0 : Math.abs(ny) <= Math.abs(nz) ? 1 : 2;
    let ux = k < 3 ? p[to] - p[from] : small === 0 ? 1 : 0;
    let uy = k < 3 ? p[to + 1] - p[from + 1] : small === 1 ? 1 : 0;
    let uz = k < 3 ? p[to + 2] - p[from + 2] : small === 2 ? 1 : 0;
    const along = ux * nx + uy * ny + uz * nz;
    ux -= along * nx;
    uy -= along * ny;
    uz -= along * nz;
    const length = Math.sqrt(ux * ux + uy * uy + uz * uz);
    if (length === 0) continue;
    ux /= length;
    uy /= length;
    uz /= length;
    axes[0] = ux;
    axes[1] = uy;
    axes[2] = uz;
    axes[3] = ny * uz - nz * uy;
    axes[4] = nz * ux - nx * uz;
    axes[5] = nx * uy - ny * ux;
    extentOf(surface, triangles, axes, extent);
    const room = (extent[2] - extent[0]) * (extent[3] - extent[1]);
    if (room >= least) continue;
    least = room;
    best.set(axes);
  }
  return best;
}

/** Writes the least coordinates along the two axes, and then the greatest, to `extent`. */
function extentOf(
  { positions: p, indices }: ChartedSurface,
  triangles: Uint32Array,
  axes: Float64Array,
  extent: Float64Array,
): void {
  let lowX = Infinity;
  let lowY = Infinity;
  let highX = -Infinity;
  let highY = -Infinity;
  for (let n = 0; n < triangles.length; n++) {
    const t = triangles[n];
    for (let i = t * 3; i < t * 3 + 3; i++) {
      const v = indices[i] * 3;
      const x = p[v] * axes[0] + p[v + 1] * axes[1] + p[v + 2] * axes[2];
      const y = p[v] * axes[3] + p[v + 1] * axes[4] + p[v + 2] * axes[5];
      if (x < lowX) lowX = x;
      if (x > highX) highX = x;
      if (y < lowY) lowY = y;
      if (y > highY) highY = y;
    }
  }
  extent[0] = lowX;
  extent[1] = lowY;
  extent[2] = highX;
  extent[3] = highY;
}

/** Parts off the triangles of charts that cover samples of those before them. */
class OverlapFinder {
  readonly #surface: ChartedSurface;
  readonly #texel: number;
  readonly #fill = new TriangleFill();
  readonly #corners = new Float64Array(6);
  readonly #extent = new Float64Array(4);
  #covered = new Uint8Array(0);

  constructor(surface: ChartedSurface, texel: number) {
    this.#surface = surface;
    this.#texel = texel;
  }

  partOff(
    triangles: Uint32Array,
    axes: Float64Array,
  ): { readonly kept: Uint32Array; readonly overlapping: readonly number[] } {
    // Two triangles with a common edge that face one way lie on either side of it.
    if (triangles.length <= 2) return { kept: triangles, overlapping: [] };
    const { positions: p, indices } = this.#surface;
    const extent = this.#extent;
    extentOf(this.#surface, triangles, axes, extent);
    const width = extent[2] - extent[0];
    const height = extent[3] - extent[1];
    const step = Math.max(this.#texel / OVERLAP_SAMPLES, Math.max(width, height) / MOST_OVERLAP_SAMPLES);
    const columns = Math.max(1, Math.ceil(width / step));
    const rows = Math.max(1, Math.ceil(height / step));
    if (this.#covered.length < columns * rows) this.#covered = new Uint8Array(columns * rows * 2);
    const covered = this.#covered;
    covered.fill(0, 0, columns * rows);
    const corners = this.#corners;
    const fill = this.#fill;
    const overlapping: number[] = [];
    const isKept = (t: number): boolean => {
      for (let k = 0; k < 3; k++) {
        const v = indices[t * 3 + k] * 3;
        for (let axis = 0; axis < 2; axis++) {
          const along = p[v] * axes[axis * 3] + p[v + 1] * axes[axis * 3 + 1] + p[v + 2] * axes[axis * 3 + 2];
          corners[k * 2 + axis] = Math.round(((along - extent[axis]) / step) * SNAP);
        }
      }
      const count = fill.fill(corners[0], corners[1], corners[2], corners[3], corners[4], corners[5], columns, rows);
      const { samples } = fill;
      for (let i = 0; i < count; i++) if (covered[samples[i]] === 1) return false;
      for (let i = 0; i < count; i++) covered[samples[i]] = 1;
      return true;
    };
    for (const t of triangles) if (!isKept(t)) overlapping.push(t);
    if (overlapping.length === 0) return { kept: triangles, overlapping };
    const away = new Set(overlapping);
    return { kept: triangles.filter((t) => !away.has(t)), overlapping };
  }
}
