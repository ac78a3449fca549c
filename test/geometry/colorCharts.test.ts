// Vertex colours as charts: corners lie where their colours are, and edges between colours part charts.

import { describe, expect, test } from 'vitest';
import { drawnTriangles } from '../../src/geometry/polygons/drawnTriangles.ts';
import { type ColorChart, colorCharts, mapsOf, withBakedColors } from '../../src/geometry/uv/colorCharts.ts';
import { attribute, square } from './meshes.ts';

const CORNERS = [
  [0, 0, 0],
  [1, 0, 0],
  [1, 1, 0],
  [0, 1, 0],
];

/** Each corner's colour by its place in the chart. */
const shown = ({ points, colors }: ColorChart) =>
  Array.from({ length: points.length / 2 }, (_, i) => [
    ...points.slice(i * 2, i * 2 + 2),
    ...colors.slice(i * 3, i * 3 + 3),
  ]);

describe('a square whose colours are its points', () => {
  const mesh = square({ colors: attribute(CORNERS, 'vertex') });

  test('is one chart, which 4096 texels show', () => {
    const { charts, endAtEdges, hasAlpha, texel } = colorCharts(mesh, -1, true)!;
    expect([charts.length, endAtEdges, hasAlpha]).toEqual([1, false, false]);
    // Two triangles of 1024 texels at most each, half a square metre.
    expect(texel).toBeCloseTo(1 / Math.sqrt(2048), 12);
    expect(charts[0].texel).toBe(texel);
    expect(charts[0].chart.size).toEqual([1, 1]);
    // Distances within the chart are those of the colours, whichever way it lies.
    const corners = shown(charts[0]);
    for (const [x, y, r, g] of corners) {
      for (const [x2, y2, r2, g2] of corners) {
        expect(Math.hypot(x2 - x, y2 - y)).toBeCloseTo(Math.hypot(r2 - r, g2 - g), 6);
      }
    }
  });

  test('gets coordinates by the map of its chart', async () => {
    const { triangles } = drawnTriangles(mesh, -1);
    const { texel, endAtEdges, charts } = colorCharts(mesh, -1, true)!;
    const maps = mapsOf([{ origin: [0.25, 0.75], scale: [0.5, -0.5] }]);
    expect([...maps]).toEqual([0.25, 0.75, 0.5, -0.5]);
    const built = {
      vertexCount: 4,
      positions: mesh.points,
      attributes: { normal: Float32Array.from(CORNERS.flatMap(() => [0, 0, 1])) },
      indices: Uint32Array.of(0, 1, 2, 0, 2, 3),
    };
    const made = withBakedColors(built, mesh, triangles, { texel, endAtEdges, maps });
    const { indices, attributes } = made;
    const expected = [...charts[0].points].map((along, i) => (i % 2 === 0 ? 0.25 + along / 2 : 0.75 - along / 2));
    expect([...indices].flatMap((v) => [...attributes.uv0!.slice(v * 2, v * 2 + 2)])).toEqual(expected);
    expect(() => withBakedColors(built, mesh, triangles, { texel, endAtEdges, maps: mapsOf([]) })).toThrow(/charts/);
  });
});

describe('a square of two triangles in colours of their own', () => {
  const colors = attribute(
    [
      [1, 0, 0],
      [0.9, 0, 0],
      [0, 0, 1],
    ],
    'faceVarying',
    [0, 1, 0, 2, 2, 2],
  );
  const mesh = { ...square({ colors }), faceCounts: null, corners: Uint32Array.of(0, 1, 2, 0, 2, 3) };

  test('is two charts: the edge between them is sharp', () => {
    const { charts, endAtEdges } = colorCharts(mesh, -1, true)!;
    expect(endAtEdges).toBe(true);
    expect(charts.map(({ chart }) => [...chart.triangles])).toEqual([[0], [1]]);
    expect(charts.map((chart) => shown(chart).map(([, , r, , b]) => [Number(r.toFixed(4)), b]))).toEqual([
      [
        [1, 0],
        [0.9, 0],
        [1, 0],
      ],
      [
        [0, 1],
        [0, 1],
        [0, 1],
      ],
    ]);
    // Each part begins where its own triangle does.
    for (const { points, chart } of charts) {
      expect(Math.min(...points)).toBe(0);
      expect([0, 1].map((k) => Math.max(...points.filter((_, i) => i % 2 === k)))).toEqual([...chart.size]);
    }
  });

  test('is one chart where there is no room for more', () => {
    const { charts, endAtEdges } = colorCharts(mesh, -1, false)!;
    expect([charts.length, endAtEdges]).toEqual([1, false]);
  });
});

test('alpha counts where a byte of it shows', () => {
  const of = (alpha: number) =>
    square({
      colors: attribute(
        CORNERS.map(([x, y]) => [x, y, 0, alpha]),
        'vertex',
      ),
    });
  expect([1, 0.999, 0.9].map((alpha) => colorCharts(of(alpha), -1, true)!.hasAlpha)).toEqual([false, false, true]);
});
