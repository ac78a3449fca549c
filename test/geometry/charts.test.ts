// Charts of proxies: each triangle is in one, none overlaps another of its chart, and samples find the outermost detail.

import { describe, expect, test } from 'vitest';
import {
  ChartSampler,
  NO_SAMPLE,
  type SampleGrid,
  type TexturedTriangles,
} from '../../src/geometry/hlod/chartSamples.ts';
import { type Chart, chartsOf } from '../../src/geometry/hlod/charts.ts';
import { withChartUvs } from '../../src/geometry/hlod/chartUvs.ts';
import type { Triangles } from '../../src/geometry/mesh/mesh.ts';
import { type Float32Mesh, valuesOf } from '../../src/geometry/mesh/mesh.ts';
import { kernel } from '../../src/kernel/kernel.ts';
import { ground, leaves, sphere, surface } from './packed.ts';

/** A box from the origin, 12 triangles that share eight corners. */
function box(x: number, y: number, z: number): Float32Mesh {
  const corners = Array.from({ length: 8 }, (_, i) => [i & 1 ? x : 0, i & 2 ? y : 0, i & 4 ? z : 0]);
  const quads = ['0264', '1573', '0451', '2376', '0132', '4675'];
  const indices = quads.flatMap((quad) => {
    const [a, b, c, d] = [...quad].map(Number);
    return [a, b, c, a, c, d];
  });
  return {
    vertexCount: 8,
    positions: Float32Array.from(corners.flat()),
    attributes: { normal: new Float32Array(24) },
    indices: Uint32Array.from(indices),
  };
}

/** A strip of two turns around the y axis, like a spiral staircase seen from above: it overlaps itself. */
const spiral = surface(64, 1, (u, v) => {
  const angle = u * 4 * Math.PI;
  return [Math.cos(angle) * (1 + v), u * 2, -Math.sin(angle) * (1 + v)];
});

const surfaces: readonly (readonly [string, Float32Mesh])[] = [
  ['a box', box(3, 2, 1)],
  ['hilly ground', ground(0, 0, 8, 16)],
  ['a sphere', sphere(0, 0, 0, 2, 12)],
  ['separate leaves', leaves(60, 0.5)],
  ['a spiral', spiral],
];

/** Steps of a corner's coordinate from one sample to the next. */
const SNAP = 256;

type Corner = readonly [number, number];

/** Whether the centre of a sample lies in a triangle, by the rule for edges that rasterisers have. Corners are in steps. */
function covers(corners: readonly Corner[], column: number, row: number): boolean {
  const [x, y] = [(column + 0.5) * SNAP, (row + 0.5) * SNAP];
  const cross = ([ax, ay]: Corner, [bx, by]: Corner, [cx, cy]: Corner) => (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
  const area = cross(corners[0], corners[1], corners[2]);
  if (area === 0) return false;
  const [a, b, c] = area > 0 ? corners : [corners[0], corners[2], corners[1]];
  return [
    [a, b],
    [b, c],
    [c, a],
  ].every(([from, to]) => {
    const side = cross(from, to, [x, y]);
    const owns = to[1] < from[1] || (to[1] === from[1] && to[0] < from[0]);
    return side > 0 || (side === 0 && owns);
  });
}

/** How often samples of a chart's plane are covered, by the triangles of the chart. */
function coverage({ positions: p, indices }: Triangles, chart: Chart, step: number) {
  const [columns, rows] = chart.size.map((length) => Math.max(1, Math.ceil(length / step)));
  const counts = new Uint8Array(columns * rows);
  for (const t of chart.triangles) {
    const at = (k: number, axis: number) => {
      const v = indices[t * 3 + k] * 3;
      const along = [0, 1, 2].reduce((sum, c) => sum + p[v + c] * chart.axes[axis * 3 + c], 0);
      return Math.round(((along - chart.low[axis]) / step) * SNAP);
    };
    const corners = [0, 1, 2].map((k): Corner => [at(k, 0), at(k, 1)]);
    const along = (axis: number) => corners.map((corner) => corner[axis] / SNAP);
    const lows = [0, 1].map((axis) => Math.max(0, Math.floor(Math.min(...along(axis)))));
    const highs = [columns, rows].map((end, axis) => Math.min(end, Math.ceil(Math.max(...along(axis)))));
    for (let row = lows[1]; row < highs[1]; row++) {
      for (let column = lows[0]; column < highs[0]; column++) {
        if (covers(corners, column, row)) counts[row * columns + column]++;
      }
    }
  }
  return counts;
}

describe.each(surfaces)('charts of %s', (_, mesh) => {
  const texel = 0.1;
  const charts = chartsOf(mesh, texel);

  test('hold each triangle once', () => {
    const all = charts.flatMap(({ triangles }) => [...triangles]).sort((a, b) => a - b);
    expect(all).toEqual(Array.from({ length: mesh.indices.length / 3 }, (__, t) => t));
  });

  test('do not overlap themselves', () => {
    for (const chart of charts) expect(Math.max(...coverage(mesh, chart, texel / 2))).toBeLessThanOrEqual(1);
  });

  test('lie in their planes: axes are a right-handed frame, and triangles face along the normal', () => {
    for (const { axes, triangles } of charts) {
      const [u, v, n] = [0, 3, 6].map((i) => [...axes.subarray(i, i + 3)]);
      const dot = (a: number[], b: number[]) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
      const cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
      for (let k = 0; k < 3; k++) expect(cross[k]).toBeCloseTo(n[k], 5);
      for (const [a, b, is] of [
        [u, u, 1],
        [v, v, 1],
        [u, v, 0],
      ] as const)
        expect(dot(a, b)).toBeCloseTo(is, 6);
      for (const t of triangles) {
        const [a, b, c] = [0, 1, 2].map((k) => [
          ...mesh.positions.subarray(mesh.indices[t * 3 + k] * 3).subarray(0, 3),
        ]);
        const [e, f] = [b, c].map((p) => p.map((x, k) => x - a[k]));
        const face = [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]];
        const length = Math.sqrt(dot(face, face));
        if (length > 1e-9) expect(dot(face, n) / length).toBeGreaterThan(0.76);
      }
    }
  });

  test('come out alike again', () => {
    expect(chartsOf(mesh, texel)).toEqual(charts);
  });

  test('give each corner its coordinates in the chart', () => {
    const maps = charts.map((__, i) => ({ origin: [i, 0] as const, scale: [1 / 64, 1 / 64] as const }));
    const split = withChartUvs(mesh, charts, maps);
    expect(split.indices.length).toBe(mesh.indices.length);
    const uv0 = valuesOf(split, 'uv0');
    let corner = 0;
    charts.forEach(({ triangles, axes, low }, i) => {
      for (const t of triangles) {
        for (let k = 0; k < 3; k++, corner++) {
          const [from, to] = [mesh.indices[t * 3 + k], split.indices[corner]];
          expect(split.positions.subarray(to * 3, to * 3 + 3)).toEqual(mesh.positions.subarray(from * 3, from * 3 + 3));
          const along = [0, 1, 2].reduce((sum, c) => sum + mesh.positions[from * 3 + c] * axes[c], 0);
          expect(uv0[to * 2]).toBeCloseTo(i + (along - low[0]) / 64, 5);
        }
      }
    });
  });
});

test('a box has six charts along its edges', () => {
  const sizes = chartsOf(box(3, 2, 1), 0.1).map(({ size }) => [...size].sort().join());
  expect(sizes.sort()).toEqual(['1,2', '1,2', '1,3', '1,3', '2,3', '2,3']);
});

/** What the samples of a chart see of detail: triangle numbers, texture coordinates and areas. */
function sampled(
  proxy: Triangles,
  chart: Chart,
  grid: SampleGrid,
  detail: readonly TexturedTriangles[],
  reach: number,
) {
  return kernel.within((memory) => {
    const count = grid.columns * grid.rows;
    const sampler = new ChartSampler(memory, detail, { samples: count, triangles: chart.triangles.length });
    const { positions, indices } = proxy;
    const placed = {
      positions: memory.put(positions),
      indices: memory.put(indices),
      triangleCount: indices.length / 3,
    };
    const { triangles, u, v, uvArea } = sampler.sample(placed, chart, grid, reach);
    const floats = (at: number) => memory.float32(at, count).slice();
    return { triangles: memory.uint32(triangles, count).slice(), u: floats(u), v: floats(v), uvArea: floats(uvArea) };
  });
}

describe('a triangle in a grid', () => {
  const wall = surface(1, 1, (u, v) => [u * 4, v * 4, 0]);
  /** A chart of 4 by 4 samples over the wall. */
  const chart: Chart = {
    triangles: Uint32Array.of(0, 1),
    axes: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
    low: [0, 0],
    size: [4, 4],
  };
  const grid = { columns: 4, rows: 4, step: 1 };
  /** The samples that see each of some triangles in the plane of the wall; corners are counter-clockwise, and are the UVs. */
  const seen = (...triangles: readonly (readonly number[])[]) => {
    const points = triangles.flatMap((corners) => [0, 2, 4].map((i) => [corners[i], corners[i + 1]]));
    const detail = {
      positions: Float32Array.from(points.flatMap(([x, y]) => [x, y, 0])),
      uv0: Float32Array.from(points.flat()),
      indices: Uint32Array.from(points, (_, i) => i),
    };
    return sampled(wall, chart, grid, [detail], 0.5);
  };
  const samplesOf = ({ triangles }: ReturnType<typeof seen>, t: number) =>
    [...triangles.keys()].filter((sample) => triangles[sample] === t);

  test('covers the centres inside, with the coordinates that it has there', () => {
    expect(samplesOf(seen([0, 0, 2, 0, 0, 2]), 0)).toEqual([0]);
    const half = seen([0, 0, 4, 0, 0, 4]);
    expect(samplesOf(half, 0)).toEqual([0, 1, 2, 4, 5, 8]);
    for (const sample of samplesOf(half, 0))
      expect([half.u[sample], half.v[sample]]).toEqual([(sample % 4) + 0.5, Math.floor(sample / 4) + 0.5]);
  });

  test('shares no sample with its neighbour, and leaves none between', () => {
    // The diagonal runs through four centres.
    const both = seen([0, 0, 4, 0, 4, 4], [0, 0, 4, 4, 0, 4]);
    const lower = samplesOf(seen([0, 0, 4, 0, 4, 4]), 0);
    const upper = samplesOf(seen([0, 0, 4, 4, 0, 4]), 0);
    expect([...lower, ...upper].sort((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, i) => i));
    expect([samplesOf(both, 0), samplesOf(both, 1)]).toEqual([lower, upper]);
  });

  test('covers what the rule for edges says, wherever its corners are', () => {
    let state = 5;
    const next = () => {
      state = (state * 48271) % 2147483647;
      return ((state % 33) - 8) / 4;
    };
    for (let i = 0; i < 300; i++) {
      const corners = Array.from({ length: 6 }, next);
      const [ax, ay, bx, by, cx, cy] = corners;
      const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
      const points = [0, 2, 4].map((k): Corner => [corners[k] * SNAP, corners[k + 1] * SNAP]);
      const inside = Array.from({ length: 16 }, (_, k) => k).filter((k) => covers(points, k % 4, Math.floor(k / 4)));
      // One that is turned away is not seen.
      expect(samplesOf(seen(corners), 0)).toEqual(area > 0 ? inside : []);
    }
  });

  test('without an area covers nothing', () => {
    expect(samplesOf(seen([0, 0, 2, 2, 4, 4]), 0)).toEqual([]);
  });
});

describe('samples', () => {
  const wall = surface(1, 1, (u, v) => [u * 4, v * 4, 0]);
  const [chart] = chartsOf(wall, 0.5);
  const grid = { columns: 8, rows: 8, step: 0.5 };
  /** Quads at some heights over the wall, 4 m high and as wide as given from the left. */
  const detail = (...layers: [height: number, width: number][]) => {
    const quads = layers.map(([height, width]) => surface(1, 1, (u, v) => [u * width, v * 4, height]));
    return quads.map((quad) => ({ positions: quad.positions, indices: quad.indices, uv0: valuesOf(quad, 'uv0') }));
  };
  const seen = (...layers: [height: number, width: number][]) => {
    const { triangles } = sampled(wall, chart, grid, detail(...layers), 0.5);
    return Array.from(triangles, (t) => (t === NO_SAMPLE ? NO_SAMPLE : Math.floor(t / 2)));
  };
  const count = (numbers: readonly number[], of: number) => numbers.filter((n) => n === of).length;

  test('see the outermost detail within reach', () => {
    const numbers = seen([0, 4], [0.1, 2], [0.6, 4], [-0.2, 4]);
    expect([count(numbers, 0), count(numbers, 1)]).toEqual([32, 32]);
  });

  test('see what lies behind the proxy where nothing else does, and nothing beyond reach', () => {
    const numbers = seen([-0.4, 3], [-0.6, 4]);
    expect([count(numbers, 0), count(numbers, NO_SAMPLE)]).toEqual([48, 16]);
  });

  test('see no backs', () => {
    const [{ indices, ...rest }] = detail([0, 4]);
    const { triangles } = sampled(wall, chart, grid, [{ ...rest, indices: indices.slice().reverse() }], 0.5);
    expect(new Set(triangles)).toEqual(new Set([NO_SAMPLE]));
  });

  test('of two at one height see the first', () => {
    expect(new Set(seen([0, 4], [0, 4]))).toEqual(new Set([0]));
  });

  test('have the texture coordinates of the point', () => {
    const { u, v, uvArea } = sampled(wall, chart, grid, detail([0, 4]), 0.5);
    const [first] = [...u.keys()].filter((i) => u[i] < 0.1 && v[i] < 0.1);
    expect([u[first], v[first]]).toEqual([0.0625, 0.0625]);
    expect(uvArea[first]).toBeCloseTo(1 / 64, 6);
  });

  test('nearest to a point, and of whole triangles, are those of all detail', () => {
    kernel.within((memory) => {
      const sampler = new ChartSampler(memory, detail([0, 4], [2, 4]), { samples: 1, triangles: 1 });
      const [near] = sampler.nearest(Float64Array.of(3, 1, 1.9));
      expect(Math.floor(near / 2)).toBe(1);
      const { triangles, u, v, uvArea } = sampler.wholeTriangle(near);
      expect(memory.uint32(triangles, 1)[0]).toBe(near);
      const [x, y] = [u, v].map((at) => memory.float32(at, 1)[0]);
      expect([x, y].map((value) => Math.round(value * 3)).sort()).toEqual([1, 2]);
      expect(memory.float32(uvArea, 1)[0]).toBe(0.5);
    });
  });

  test('see the same aslant: what lies beside a chart is passed over, and nothing else', () => {
    // Turned by whole numbers of a Pythagorean triple around two axes, and moved away.
    const turned = ([x, y, z]: readonly number[]) => {
      const [u, w] = [0.6 * x - 0.8 * z, 0.8 * x + 0.6 * z];
      return [u + 30, 0.6 * y - 0.8 * w - 20, 0.8 * y + 0.6 * w + 10] as const;
    };
    const flat = (u: number, v: number): readonly number[] => [u * 4, v * 4, 0];
    const bumpy = (u: number, v: number): readonly number[] => [u * 8 - 2, v * 8 - 2, ((u * 32 + v * 32) % 3) / 4];
    const seenBy = (place: (at: readonly number[]) => readonly number[]) => {
      const own = surface(1, 1, (u, v) => place(flat(u, v)) as [number, number, number]);
      const around = surface(32, 32, (u, v) => place(bumpy(u, v)) as [number, number, number]);
      const [only] = chartsOf(own, 0.5);
      const { triangles } = sampled(
        own,
        only,
        { columns: 32, rows: 32, step: 0.125 },
        [{ positions: around.positions, indices: around.indices, uv0: valuesOf(around, 'uv0') }],
        1,
      );
      return Array.from(triangles).sort((a, b) => a - b);
    };
    const upright = seenBy((at) => at);
    const aslant = seenBy(turned);
    expect(upright).not.toContain(NO_SAMPLE);
    expect(aslant).not.toContain(NO_SAMPLE);
    // Some 500 of 2048 triangles lie over the chart. Rounding moves a few samples to a neighbour.
    const missing = new Set(upright.filter((t) => !aslant.includes(t)));
    expect(missing.size).toBeLessThan(new Set(upright).size / 20);
  });
});
