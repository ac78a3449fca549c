// Charts: the triangles of a proxy in groups that lie flat on a plane without overlap, so that each group has a picture of
// its own in an atlas. Triangles join a chart across their edges as long as they face much the same way as its largest.

import { PositionIds } from '../mesh/positionIds.ts';
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
  const charts: Chart[] = [];
  let pending = order;
  while (pending.length > 0) {
    const expelled: number[] = [];
    for (const seed of pending) {
      if (assigned[seed] === 1) continue;
      const grown = grow(seed, normals, neighbours, assigned);
      const axes = axesOf({ positions, indices }, grown, normals);
      const { kept, overlapping } = withoutOverlaps({ positions, indices }, grown, axes, texel);
      for (const t of overlapping) {
        assigned[t] = 0;
        expelled.push(t);
      }
      charts.push({ triangles: kept, axes, ...extentOf({ positions, indices }, kept, axes) });
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
  for (let t = 0; t < count; t++) {
    const [a, b, c] = [indices[t * 3] * 3, indices[t * 3 + 1] * 3, indices[t * 3 + 2] * 3];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
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
  const known = new PositionIds(positions.length / 3);
  const ids = known.of(positions);
  const { count } = known;
  const neighbours = new Int32Array(indices.length).fill(NO_NEIGHBOUR);
  /** The corner that an edge begins at, and MANY once it has more than two. */
  const first = new Map<number, number>();
  const MANY = -1;
  for (let i = 0; i < indices.length; i++) {
    const a = ids[indices[i]];
    const b = ids[indices[i % 3 === 2 ? i - 2 : i + 1]];
    const edge = a < b ? a * count + b : b * count + a;
    const other = first.get(edge);
    if (other === undefined) first.set(edge, i);
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
      first.set(edge, MANY);
    }
  }
  return neighbours;
}

/** The triangles that a seed reaches over edges and that face its way, the seed first; they are assigned now. */
function grow(seed: number, normals: Float64Array, neighbours: Int32Array, assigned: Uint8Array): Uint32Array {
  const grown = [seed];
  assigned[seed] = 1;
  const [x, y, z] = normals.subarray(seed * 3, seed * 3 + 3);
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
function axesOf(surface: ChartedSurface, triangles: Uint32Array, normals: Float64Array): Float64Array {
  const { positions: p, indices } = surface;
  const seed = triangles[0];
  let [nx, ny, nz] = normals.subarray(seed * 3, seed * 3 + 3);
  if (nx === 0 && ny === 0 && nz === 0) nz = 1;
  let best: Float64Array | null = null;
  let least = Infinity;
  for (let k = 0; k < 4; k++) {
    // The edges, and for a triangle without any the axis that the normal has least of.
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
    if (length === 0 || (k === 3 && best !== null)) continue;
    ux /= length;
    uy /= length;
    uz /= length;
    const axes = Float64Array.of(ux, uy, uz, ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux, nx, ny, nz);
    const { size } = extentOf(surface, triangles, axes);
    if (size[0] * size[1] >= least) continue;
    least = size[0] * size[1];
    best = axes;
  }
  return best as Float64Array;
}

function extentOf(
  { positions: p, indices }: ChartedSurface,
  triangles: Uint32Array,
  axes: Float64Array,
): Pick<Chart, 'low' | 'size'> {
  const low: [number, number] = [Infinity, Infinity];
  const high: [number, number] = [-Infinity, -Infinity];
  for (const t of triangles) {
    for (let i = t * 3; i < t * 3 + 3; i++) {
      const v = indices[i] * 3;
      for (let k = 0; k < 2; k++) {
        const along = p[v] * axes[k * 3] + p[v + 1] * axes[k * 3 + 1] + p[v + 2] * axes[k * 3 + 2];
        if (along < low[k]) low[k] = along;
        if (along > high[k]) high[k] = along;
      }
    }
  }
  return { low, size: [high[0] - low[0], high[1] - low[1]] };
}

/** Parts off the triangles that cover samples of those before them. */
function withoutOverlaps(
  surface: ChartedSurface,
  triangles: Uint32Array,
  axes: Float64Array,
  texel: number,
): { readonly kept: Uint32Array; readonly overlapping: readonly number[] } {
  if (triangles.length === 1) return { kept: triangles, overlapping: [] };
  const { positions: p, indices } = surface;
  const { low, size } = extentOf(surface, triangles, axes);
  const longest = Math.max(size[0], size[1]);
  const step = Math.max(texel / OVERLAP_SAMPLES, longest / MOST_OVERLAP_SAMPLES);
  const columns = Math.max(1, Math.ceil(size[0] / step));
  const rows = Math.max(1, Math.ceil(size[1] / step));
  const covered = new Uint8Array(columns * rows);
  const corners = new Float64Array(6);
  const fill = new TriangleFill();
  const kept: number[] = [];
  const overlapping: number[] = [];
  for (const t of triangles) {
    for (let k = 0; k < 3; k++) {
      const v = indices[t * 3 + k] * 3;
      for (let axis = 0; axis < 2; axis++) {
        const along = p[v] * axes[axis * 3] + p[v + 1] * axes[axis * 3 + 1] + p[v + 2] * axes[axis * 3 + 2];
        corners[k * 2 + axis] = Math.round(((along - low[axis]) / step) * SNAP);
      }
    }
    const count = fill.fill(corners[0], corners[1], corners[2], corners[3], corners[4], corners[5], columns, rows);
    let free = true;
    for (let i = 0; i < count; i++) if (covered[fill.samples[i]] === 1) free = false;
    if (!free) {
      overlapping.push(t);
      continue;
    }
    kept.push(t);
    for (let i = 0; i < count; i++) covered[fill.samples[i]] = 1;
  }
  return { kept: Uint32Array.from(kept), overlapping };
}
