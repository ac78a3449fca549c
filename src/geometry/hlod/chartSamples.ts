// What of the full detail a chart of a proxy stands for: the chart's plane is a grid of samples, and each sample finds the
// outermost full-detail triangle that lies near the proxy there. Triangles are drawn into the grid with a depth test, as a
// renderer that looks along the chart's normal would: far cheaper than a search for the nearest point at each sample.

import type { Address, Kernel } from '../../kernel/kernel.ts';
import { type PlacedTriangles, placeHierarchy } from '../lod/boundingVolumeHierarchy.ts';
import type { Triangles } from '../mesh/mesh.ts';
import type { Chart } from './charts.ts';
import { placeUnited } from './placeUnited.ts';

/** Full detail: triangles with texture coordinates. */
export interface TexturedTriangles extends Triangles {
  readonly uv0: Float32Array;
}

/** Words of `Sampling`, and float64 numbers of `Plane` (kernel/assembly/layout.ts). */
const SAMPLING_WORDS = 12;
const PLANE = 13;

/** A grid over a chart's plane, from the chart's low corner on. */
export interface SampleGrid {
  readonly columns: number;
  readonly rows: number;
  /** Metres from sample to sample. */
  readonly step: number;
}

/**
 * Addresses of one value a sample, 32 bits each, row by row along the chart's second axis. Valid until the next call.
 */
export interface ChartSamples {
  /** The full-detail triangle that is seen; NO_SAMPLE outside of the chart and where no detail is near. */
  readonly triangles: Address;
  /** float32: its texture coordinates there, … */
  readonly u: Address;
  readonly v: Address;
  /** … and the area in texture coordinates that the sample spans. */
  readonly uvArea: Address;
  /** Where the kernel finds all of these. */
  readonly sampling: Address;
}

export const NO_SAMPLE = 0xffffffff;

/** Finds samples in the kernel's memory: to be used within one call of `kernel.within`. */
export class ChartSampler {
  readonly #memory: Kernel;
  readonly #detail: readonly TexturedTriangles[];
  readonly #tree: Address;
  readonly #uv0: Address;
  readonly #depths: Address;
  readonly #heights: Address;
  readonly #samples: ChartSamples;
  /** Where the next triangles and the next plane are laid out. */
  readonly #triangles: Address;
  readonly #plane: Address;

  /** `detail`: one surface after the other, at least one triangle. `max`: samples of the largest grid, triangles of a chart. */
  constructor(
    memory: Kernel,
    detail: readonly TexturedTriangles[],
    max: { readonly samples: number; readonly triangles: number },
  ) {
    this.#memory = memory;
    this.#detail = detail;
    this.#tree = placeHierarchy(memory, placeUnited(memory, detail));
    this.#uv0 = memory.allocate(detail.reduce((sum, { uv0 }) => sum + uv0.length, 0) * 4);
    let at = this.#uv0;
    for (const { uv0 } of detail) {
      memory.float32(at, uv0.length).set(uv0);
      at += uv0.byteLength;
    }
    const perSample = () => memory.allocate(max.samples * 4);
    this.#depths = perSample();
    this.#heights = perSample();
    const sampling = memory.allocate(SAMPLING_WORDS * 4);
    this.#samples = { triangles: perSample(), u: perSample(), v: perSample(), uvArea: perSample(), sampling };
    this.#triangles = memory.allocate(max.triangles * 4);
    this.#plane = memory.allocate(PLANE * 8);
  }

  /** The samples of a chart of `proxy`. `reach`: how far off the proxy detail may lie, in metres along the chart's normal. */
  sample(proxy: PlacedTriangles, chart: Chart, { columns, rows, step }: SampleGrid, reach: number): ChartSamples {
    const memory = this.#memory;
    const { axes, low, triangles } = chart;
    memory.uint32(this.#triangles, triangles.length).set(triangles);
    const plane = memory.float64(this.#plane, PLANE);
    plane.set(axes);
    plane[9] = low[0];
    plane[10] = low[1];
    plane[11] = step;
    plane[12] = reach;
    const { sampling } = this.#samples;
    this.#write(proxy, columns, rows);
    memory.calls.sampleChart(sampling, this.#plane, this.#triangles, triangles.length);
    return this.#samples;
  }

  #write(proxy: PlacedTriangles, columns: number, rows: number): void {
    const { triangles, u, v, uvArea, sampling } = this.#samples;
    const words = this.#memory.uint32(sampling, SAMPLING_WORDS);
    words[0] = proxy.positions;
    words[1] = proxy.indices;
    words[2] = this.#tree;
    words[3] = this.#uv0;
    words[4] = columns;
    words[5] = rows;
    words[6] = this.#depths;
    words[7] = this.#heights;
    words[8] = triangles;
    words[9] = u;
    words[10] = v;
    words[11] = uvArea;
  }

  /** The full-detail triangle nearest to each point (3 numbers each). */
  nearest(points: Float64Array): Uint32Array {
    const memory = this.#memory;
    const count = points.length / 3;
    const nearest = memory.allocate(count * 4);
    memory.calls.nearestTriangles(this.#tree, memory.put(points), 0, count, nearest);
    return memory.uint32(nearest, count).slice();
  }

  /** One sample that spans a whole full-detail triangle. */
  wholeTriangle(triangle: number): ChartSamples {
    const memory = this.#memory;
    const samples = this.#samples;
    const [u, v, area] = this.#meanUv(triangle);
    memory.uint32(samples.triangles, 1)[0] = triangle;
    memory.float32(samples.u, 1)[0] = u;
    memory.float32(samples.v, 1)[0] = v;
    memory.float32(samples.uvArea, 1)[0] = area;
    this.#write({ positions: 0, indices: 0, triangleCount: 0 }, 1, 1);
    return samples;
  }

  /** The middle of a triangle in texture coordinates, and its area there. */
  #meanUv(triangle: number): readonly [number, number, number] {
    let first = triangle * 3;
    let surface = 0;
    for (; first >= this.#detail[surface].indices.length; surface++) first -= this.#detail[surface].indices.length;
    const { indices, uv0 } = this.#detail[surface];
    const [a, b, c] = indices.subarray(first, first + 3);
    const [u0, v0] = [uv0[a * 2], uv0[a * 2 + 1]];
    const [u1, v1] = [uv0[b * 2] - u0, uv0[b * 2 + 1] - v0];
    const [u2, v2] = [uv0[c * 2] - u0, uv0[c * 2 + 1] - v0];
    return [u0 + (u1 + u2) / 3, v0 + (v1 + v2) / 3, Math.abs(u1 * v2 - u2 * v1) / 2];
  }
}
