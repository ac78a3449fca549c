// Charts of proxies: each triangle is in one, none overlaps another of its chart, and samples find the outermost detail.

import { describe, expect, test } from 'vitest';
import { ChartSampler, NO_SAMPLE } from '../../src/geometry/hlod/chartSamples.ts';
import { type ChartedSurface, chartsOf } from '../../src/geometry/hlod/charts.ts';
import { withChartUvs } from '../../src/geometry/hlod/chartUvs.ts';
import { SNAP, TriangleFill } from '../../src/geometry/hlod/fillTriangle.ts';
import { type Float32Mesh, valuesOf } from '../../src/geometry/mesh/mesh.ts';
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

/** How often samples of a chart's plane are covered, by the triangles of the chart. */
function coverage({ positions: p, indices }: ChartedSurface, chart: ReturnType<typeof chartsOf>[number], step: number) {
  const [columns, rows] = chart.size.map((length) => Math.max(1, Math.ceil(length / step)));
  const counts = new Uint8Array(columns * rows);
  const fill = new TriangleFill();
  for (const t of chart.triangles) {
    const at = (k: number, axis: number) => {
      const v = indices[t * 3 + k] * 3;
      const along = [0, 1, 2].reduce((sum, c) => sum + p[v + c] * chart.axes[axis * 3 + c], 0);
      return Math.round(((along - chart.low[axis]) / step) * SNAP);
    };
    const count = fill.fill(at(0, 0), at(0, 1), at(1, 0), at(1, 1), at(2, 0), at(2, 1), columns, rows);
    for (let i = 0; i < count; i++) counts[fill.samples[i]]++;
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

describe('a triangle in a grid', () => {
  const filled = (...corners: [number, number, number, number, number, number]) => {
    const fill = new TriangleFill();
    const [a, b, c, d, e, f] = corners.map((x) => x * SNAP);
    const count = fill.fill(a, b, c, d, e, f, 4, 4);
    return Array.from({ length: count }, (_, i) => [fill.samples[i], fill.second[i], fill.third[i]]);
  };

  test('covers the centres inside, with the weights of its corners, whichever way round it is', () => {
    expect(filled(0, 0, 2, 0, 0, 2).map(([sample]) => sample)).toEqual([0]);
    expect(filled(0, 0, 4, 0, 0, 4)).toContainEqual([5, 0.375, 0.375]);
    const turned = filled(0, 0, 0, 4, 4, 0);
    expect(turned.map(([sample]) => sample)).toEqual(filled(0, 0, 4, 0, 0, 4).map(([sample]) => sample));
    expect(turned).toContainEqual([4, 0.375, 0.125]);
  });

  test('shares no sample with its neighbour, and leaves none between', () => {
    // The diagonal runs through four centres.
    const both = [filled(0, 0, 4, 0, 4, 4), filled(0, 0, 4, 4, 0, 4)].flat().map(([sample]) => sample);
    expect(both.sort((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, i) => i));
  });

  test('without an area covers nothing', () => {
    expect(filled(0, 0, 2, 2, 4, 4)).toEqual([]);
  });
});

describe('samples', () => {
  const wall = surface(1, 1, (u, v) => [u * 4, v * 4, 0]);
  const [chart] = chartsOf(wall, 0.5);
  const grid = { columns: 8, rows: 8, step: 0.5 };
  /** Quads at some heights over the wall, 4 m high and as wide as given from the left. */
  const detail = (...layers: [height: number, width: number][]) => {
    const quads = layers.map(([height, width]) => surface(1, 1, (u, v) => [u * width, v * 4, height]));
    return {
      positions: Float32Array.from(quads.flatMap(({ positions }) => [...positions])),
      uv0: Float32Array.from(quads.flatMap((quad) => [...valuesOf(quad, 'uv0')])),
      indices: Uint32Array.from(quads.flatMap(({ indices }, i) => [...indices].map((v) => v + i * 4))),
    };
  };
  const seen = (...layers: [height: number, width: number][]) => {
    const { triangles } = new ChartSampler(detail(...layers)).sample(wall, chart, grid, 0.5);
    return [...triangles.subarray(0, 64)].map((t) => (t === NO_SAMPLE ? NO_SAMPLE : Math.floor(t / 2)));
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
    const { indices, ...rest } = detail([0, 4]);
    const { triangles } = new ChartSampler({ ...rest, indices: indices.slice().reverse() }).sample(
      wall,
      chart,
      grid,
      0.5,
    );
    expect(new Set(triangles.subarray(0, 64))).toEqual(new Set([NO_SAMPLE]));
  });

  test('of two at one height see the first', () => {
    expect(new Set(seen([0, 4], [0, 4]))).toEqual(new Set([0]));
  });

  test('have the texture coordinates of the point', () => {
    const { u, v, uvArea } = new ChartSampler(detail([0, 4])).sample(wall, chart, grid, 0.5);
    const [first] = [...u.keys()].filter((i) => u[i] < 0.1 && v[i] < 0.1);
    expect([u[first], v[first]]).toEqual([0.0625, 0.0625]);
    expect(uvArea[first]).toBeCloseTo(1 / 64, 6);
  });
});
