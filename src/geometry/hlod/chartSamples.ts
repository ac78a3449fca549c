// What of the full detail a chart of a proxy stands for: the chart's plane is a grid of samples, and each sample finds the
// outermost full-detail triangle that lies near the proxy there. Triangles are drawn into the grid with a depth test, as a
// renderer that looks along the chart's normal would: far cheaper than a search for the nearest point at each sample.

import { BoundingVolumeHierarchy } from '../lod/boundingVolumeHierarchy.ts';
import type { Chart, ChartedSurface } from './charts.ts';
import { fillTriangle, SNAP } from './fillTriangle.ts';

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
  readonly #tree: BoundingVolumeHierarchy;
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
    this.#tree = new BoundingVolumeHierarchy(detail.positions, detail.indices);
  }

  /** The samples of a chart of `proxy`. `reach`: how far off the proxy detail may lie, in metres along the chart's normal. */
  sample(proxy: ChartedSurface, chart: Chart, { columns, rows, step }: SampleGrid, reach: number): ChartSamples {
    const count = columns * rows;
    if (this.#depths.length < count) this.#grow(count);
    const depths = this.#depths.subarray(0, count).fill(NaN);
    const heights = this.#heights.subarray(0, count).fill(-Infinity);
    const { triangles, u, v, uvArea } = this.#samples;
    triangles.fill(NO_SAMPLE, 0, count);
    const { axes, low } = chart;
    const corners = new Float64Array(6);
    const depth = new Float64Array(3);
    const project = ({ positions: p, indices }: ChartedSurface, t: number) => {
      for (let k = 0; k < 3; k++) {
        const at = indices[t * 3 + k] * 3;
        const x = p[at];
        const y = p[at + 1];
        const z = p[at + 2];
        corners[k * 2] = Math.round(((x * axes[0] + y * axes[1] + z * axes[2] - low[0]) / step) * SNAP);
        corners[k * 2 + 1] = Math.round(((x * axes[3] + y * axes[4] + z * axes[5] - low[1]) / step) * SNAP);
        depth[k] = x * axes[6] + y * axes[7] + z * axes[8];
      }
    };

    // 1. The depth of the proxy itself.
    const box = new ReachedBox(reach);
    for (const t of chart.triangles) {
      box.add(proxy, t);
      project(proxy, t);
      const [d0, d1, d2] = depth;
      fillTriangle(corners, columns, rows, (i, second, third) => {
        depths[i] = d0 + second * (d1 - d0) + third * (d2 - d0);
      });
    }

    // 2. The outermost detail around it; of equal ones the first.
    const { indices, uv0 } = this.#detail;
    const around = this.#tree.triangleNumbersAround(box.low, box.high);
    for (const t of around.sort((a, b) => a - b)) {
      project(this.#detail, t);
      const [d0, d1, d2] = depth;
      const [a, b, c] = [indices[t * 3] * 2, indices[t * 3 + 1] * 2, indices[t * 3 + 2] * 2];
      const [u0, v0] = [uv0[a], uv0[a + 1]];
      const [u1, v1] = [uv0[b] - u0, uv0[b + 1] - v0];
      const [u2, v2] = [uv0[c] - u0, uv0[c + 1] - v0];
      const area =
        (corners[2] - corners[0]) * (corners[5] - corners[1]) - (corners[4] - corners[0]) * (corners[3] - corners[1]);
      const spanned = Math.abs((u1 * v2 - u2 * v1) / area) * SNAP * SNAP;
      fillTriangle(corners, columns, rows, (i, second, third) => {
        const height = d0 + second * (d1 - d0) + third * (d2 - d0);
        if (!(Math.abs(height - depths[i]) <= reach) || height <= heights[i]) return;
        heights[i] = height;
        triangles[i] = t;
        u[i] = u0 + second * u1 + third * u2;
        v[i] = v0 + second * v1 + third * v2;
        uvArea[i] = spanned;
      });
    }
    return this.#samples;
  }

  /** The full-detail triangle nearest to a point. */
  nearest(x: number, y: number, z: number): number {
    return this.#tree.nearestTriangle(x, y, z, () => true);
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

/** The bounds of some triangles and what is within reach of them. */
class ReachedBox {
  readonly low = new Float64Array(3).fill(Infinity);
  readonly high = new Float64Array(3).fill(-Infinity);
  readonly #reach: number;

  constructor(reach: number) {
    this.#reach = reach;
  }

  add({ positions, indices }: ChartedSurface, triangle: number): void {
    for (let i = triangle * 3; i < triangle * 3 + 3; i++) {
      for (let k = 0; k < 3; k++) {
        const at = positions[indices[i] * 3 + k];
        this.low[k] = Math.min(this.low[k], at - this.#reach);
        this.high[k] = Math.max(this.high[k], at + this.#reach);
      }
    }
  }
}
