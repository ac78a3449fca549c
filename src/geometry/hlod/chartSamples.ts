// What of the full detail a chart of a proxy stands for: the chart's plane is a grid of samples, and each sample finds the
// outermost full-detail triangle that lies near the proxy there. Triangles are drawn into the grid with a depth test, as a
// renderer that looks along the chart's normal would: far cheaper than a search for the nearest point at each sample.

import { nearestTriangles } from '../lod/boundingVolumeHierarchy.ts';
import { TriangleBoxes } from '../lod/triangleBoxes.ts';
import type { Chart, ChartedSurface } from './charts.ts';
import { SNAP, TriangleFill } from './fillTriangle.ts';

/** Full detail: triangles with texture coordinates. */
export interface DetailedSurface extends ChartedSurface {
  readonly uv0: Float32Array;
}

/** A grid over a chart's plane, from the chart's low corner on. */
export interface SampleGrid {
  readonly columns: number;
  readonly rows: number;
  /** Metres from sample to sample. */
  readonly step: number;
}

/** One value a sample, row by row along the chart's second axis. Valid until the next call. */
export interface ChartSamples {
  /** The full-detail triangle that is seen; NO_SAMPLE outside of the chart and where no detail is near. */
  readonly triangles: Int32Array;
  /** Its texture coordinates there, … */
  readonly u: Float32Array;
  readonly v: Float32Array;
  /** … and the area in texture coordinates that the sample spans. */
  readonly uvArea: Float32Array;
}

export const NO_SAMPLE = -1;

export class ChartSampler {
  readonly #detail: DetailedSurface;
  readonly #boxes: TriangleBoxes;
  readonly #fill = new TriangleFill();
  readonly #reached = new Reached();
  /** Triangles that may be within reach. */
  readonly #around: Uint32Array;
  /** Column, row and depth of three corners. */
  readonly #corners = new Float64Array(9);
  #depths = new Float32Array(0);
  #heights = new Float32Array(0);
  #samples: ChartSamples = {
    triangles: new Int32Array(0),
    u: new Float32Array(0),
    v: new Float32Array(0),
    uvArea: new Float32Array(0),
  };

  /** At least one triangle. */
  constructor(detail: DetailedSurface) {
    this.#detail = detail;
    this.#around = new Uint32Array(detail.indices.length / 3);
    this.#boxes = new TriangleBoxes(detail.positions, detail.indices);
  }

  /** The samples of a chart of `proxy`. `reach`: how far off the proxy detail may lie, in metres along the chart's normal. */
  sample(proxy: ChartedSurface, chart: Chart, grid: SampleGrid, reach: number): ChartSamples {
    const count = grid.columns * grid.rows;
    if (this.#depths.length < count) this.#grow(count * 2);
    this.#depths.fill(NaN, 0, count);
    this.#samples.triangles.fill(NO_SAMPLE, 0, count);
    this.#reached.clear();
    for (const t of chart.triangles) this.#addDepths(proxy, t, chart, grid);
    this.#reached.widen(reach, chart.axes);
    const { low, high } = this.#reached;
    const around = this.#boxes.around(low, high, this.#around);
    for (let i = 0; i < around; i++) this.#addDetail(this.#around[i], chart, grid, reach);
    return this.#samples;
  }

  /** The depth of a triangle of the proxy itself. */
  #addDepths({ positions: p, indices }: ChartedSurface, t: number, { axes, low }: Chart, grid: SampleGrid): void {
    const { columns, rows, step } = grid;
    const corners = this.#corners;
    for (let k = 0; k < 3; k++) {
      const v = indices[t * 3 + k] * 3;
      const x = p[v];
      const y = p[v + 1];
      const z = p[v + 2];
      corners[k * 3] = snapped((x * axes[0] + y * axes[1] + z * axes[2] - low[0]) / step);
      corners[k * 3 + 1] = snapped((x * axes[3] + y * axes[4] + z * axes[5] - low[1]) / step);
      corners[k * 3 + 2] = x * axes[6] + y * axes[7] + z * axes[8];
      this.#reached.add(x, y, z, corners[k * 3 + 2]);
    }
    const fill = this.#fill;
    const count = fill.fill(corners[0], corners[1], corners[3], corners[4], corners[6], corners[7], columns, rows);
    const depth = corners[2];
    const second = corners[5] - depth;
    const third = corners[8] - depth;
    const depths = this.#depths;
    for (let i = 0; i < count; i++) depths[fill.samples[i]] = depth + fill.second[i] * second + fill.third[i] * third;
  }

  /** Full detail within reach of the proxy: the outermost stays, of equal ones the first. */
  #addDetail(t: number, { axes, low }: Chart, { columns, rows, step }: SampleGrid, reach: number): void {
    const { positions: p, indices, uv0 } = this.#detail;
    const a = indices[t * 3];
    const b = indices[t * 3 + 1];
    const c = indices[t * 3 + 2];
    const ax = p[a * 3];
    const ay = p[a * 3 + 1];
    const az = p[a * 3 + 2];
    const bx = p[b * 3];
    const by = p[b * 3 + 1];
    const bz = p[b * 3 + 2];
    const cx = p[c * 3];
    const cy = p[c * 3 + 1];
    const cz = p[c * 3 + 2];

    // 1. Out of reach, or beside the grid: most triangles end here.
    const nx = axes[6];
    const ny = axes[7];
    const nz = axes[8];
    const d0 = ax * nx + ay * ny + az * nz;
    const d1 = bx * nx + by * ny + bz * nz;
    const d2 = cx * nx + cy * ny + cz * nz;
    const { least, most } = this.#reached;
    if ((d0 < least && d1 < least && d2 < least) || (d0 > most && d1 > most && d2 > most)) return;
    const x0 = (ax * axes[0] + ay * axes[1] + az * axes[2] - low[0]) / step;
    const x1 = (bx * axes[0] + by * axes[1] + bz * axes[2] - low[0]) / step;
    const x2 = (cx * axes[0] + cy * axes[1] + cz * axes[2] - low[0]) / step;
    if ((x0 < 0 && x1 < 0 && x2 < 0) || (x0 > columns && x1 > columns && x2 > columns)) return;
    const y0 = (ax * axes[3] + ay * axes[4] + az * axes[5] - low[1]) / step;
    const y1 = (bx * axes[3] + by * axes[4] + bz * axes[5] - low[1]) / step;
    const y2 = (cx * axes[3] + cy * axes[4] + cz * axes[5] - low[1]) / step;
    if ((y0 < 0 && y1 < 0 && y2 < 0) || (y0 > rows && y1 > rows && y2 > rows)) return;

    // 2. What faces away is the back of something: it is not seen from out there.
    const scale = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
    if (!(scale > 0)) return;

    // 3. Its samples.
    const fill = this.#fill;
    const count = fill.fill(
      snapped(x0),
      snapped(y0),
      snapped(x1),
      snapped(y1),
      snapped(x2),
      snapped(y2),
      columns,
      rows,
    );
    if (count === 0) return;
    const ua = uv0[a * 2];
    const va = uv0[a * 2 + 1];
    const ub = uv0[b * 2] - ua;
    const vb = uv0[b * 2 + 1] - va;
    const uc = uv0[c * 2] - ua;
    const vc = uv0[c * 2 + 1] - va;
    const area = Math.abs(ub * vc - uc * vb) / scale;
    const { triangles, u, v, uvArea } = this.#samples;
    const depths = this.#depths;
    const heights = this.#heights;
    for (let i = 0; i < count; i++) {
      const sample = fill.samples[i];
      const second = fill.second[i];
      const third = fill.third[i];
      const height = Math.fround(d0 + second * (d1 - d0) + third * (d2 - d0));
      if (!(Math.abs(height - depths[sample]) <= reach)) continue;
      const known = triangles[sample];
      if (known >= 0 && (height < heights[sample] || (height === heights[sample] && known < t))) continue;
      heights[sample] = height;
      triangles[sample] = t;
      u[sample] = ua + second * ub + third * uc;
      v[sample] = va + second * vb + third * vc;
      uvArea[sample] = area;
    }
  }

  /** The full-detail triangle nearest to each point (3 numbers each). */
  nearest(points: Float64Array): Uint32Array {
    return nearestTriangles(this.#detail, points);
  }

  /** One sample that spans a whole full-detail triangle. */
  wholeTriangle(triangle: number): ChartSamples {
    const { indices, uv0 } = this.#detail;
    const [a, b, c] = indices.subarray(triangle * 3, triangle * 3 + 3);
    const [u0, v0] = [uv0[a * 2], uv0[a * 2 + 1]];
    const [u1, v1] = [uv0[b * 2] - u0, uv0[b * 2 + 1] - v0];
    const [u2, v2] = [uv0[c * 2] - u0, uv0[c * 2 + 1] - v0];
    return {
      triangles: Int32Array.of(triangle),
      u: Float32Array.of(u0 + (u1 + u2) / 3),
      v: Float32Array.of(v0 + (v1 + v2) / 3),
      uvArea: Float32Array.of(Math.abs(u1 * v2 - u2 * v1) / 2),
    };
  }

  #grow(count: number): void {
    this.#depths = new Float32Array(count);
    this.#heights = new Float32Array(count);
    this.#samples = {
      triangles: new Int32Array(count),
      u: new Float32Array(count),
      v: new Float32Array(count),
      uvArea: new Float32Array(count),
    };
  }
}

const snapped = (samples: number): number => Math.round(samples * SNAP);

/** What lies within reach of a chart: a box, and the range of depths. */
class Reached {
  readonly low = new Float64Array(3);
  readonly high = new Float64Array(3);
  least = 0;
  most = 0;

  clear(): void {
    this.low.fill(Infinity);
    this.high.fill(-Infinity);
    this.least = Infinity;
    this.most = -Infinity;
  }

  add(x: number, y: number, z: number, depth: number): void {
    const { low, high } = this;
    low[0] = Math.min(low[0], x);
    low[1] = Math.min(low[1], y);
    low[2] = Math.min(low[2], z);
    high[0] = Math.max(high[0], x);
    high[1] = Math.max(high[1], y);
    high[2] = Math.max(high[2], z);
    this.least = Math.min(this.least, depth);
    this.most = Math.max(this.most, depth);
  }

  /** By `reach` along the normal, either way; of `axes` the last. */
  widen(reach: number, axes: Float64Array): void {
    for (let k = 0; k < 3; k++) {
      const along = reach * Math.abs(axes[6 + k]);
      this.low[k] -= along;
      this.high[k] += along;
    }
    this.least -= reach;
    this.most += reach;
  }
}
