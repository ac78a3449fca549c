import { describe, expect, it } from 'vitest';
import { chartSize, createChartLookup, dilate, mapCharts } from '../../src/textures/bake/charts.ts';
import { quad } from './fixture.ts';

const corners = (...quads: number[][]) => Float64Array.from(quads.flat());
const size = { width: 8, height: 8, reduction: 1 };
const source = { width: 64, height: 64, wrapS: 'repeat', wrapT: 'repeat' } as const;
const covered = (charts: { triangles: Int32Array } | null) => charts?.triangles.filter((t) => t >= 0).length;

describe('mapCharts', () => {
  const left = quad(0, 0, 0.5, 1);
  const right = quad(0.5, 0, 1, 1);

  it('covers every texel whose centre a chart holds, once', () => {
    const charts = mapCharts(corners(left, right), corners(quad(0, 0, 1, 1), quad(0, 0, 1, 1)), size, source);
    expect(covered(charts)).toBe(64);
    const lookup = createChartLookup(charts!);
    // The centre of texel (1, 0) is u 3/16, v 15/16: in the left chart, which stretches u by two.
    const [a, b, c, d, tx, ty] = lookup(charts!.triangles[1], 3 / 16, 15 / 16);
    expect([a, b, c, d, tx, ty].map((x) => Math.round(x * 1e9) / 1e9 + 0)).toEqual([2, 0, 0, 1, 0, 0]);
  });

  it('leaves texels between charts free', () => {
    expect(covered(mapCharts(corners(quad(0, 0, 0.25, 0.25)), corners(quad(0, 0, 1, 1)), size, source))).toBe(4);
  });

  it('refuses charts that overlap and want different texels', () => {
    expect(mapCharts(corners(left, left), corners(left, right), size, source)).toBeNull();
    expect(mapCharts(corners(left, quad(0.25, 0, 0.75, 1)), corners(left, left), size, source)).toBeNull();
  });

  it('accepts charts that overlap and want the same texels, whole tiles apart too', () => {
    expect(covered(mapCharts(corners(left, left), corners(right, right), size, source))).toBe(32);
    expect(covered(mapCharts(corners(left, left), corners(right, quad(3.5, 0, 4, 1)), size, source))).toBe(32);
    const clamped = { ...source, wrapS: 'clamp' } as const;
    expect(mapCharts(corners(left, left), corners(right, quad(3.5, 0, 4, 1)), size, clamped)).toBeNull();
  });

  it('counts modulo tiles: a chart over the border, another tile, overlap across tiles', () => {
    const over = quad(0.75, 0, 1.25, 1);
    const charts = mapCharts(corners(over), corners(quad(0, 0, 1, 1)), size, source);
    expect(charts!.triangles.slice(0, 8).map((t) => (t >= 0 ? 1 : 0))).toEqual(Int32Array.of(1, 1, 0, 0, 0, 0, 1, 1));
    // Texel 0 is u 1/16, seen by the chart as 17/16: (17/16 - 3/4) * 2 = 5/8.
    const map = createChartLookup(charts!)(charts!.triangles[0], 1 / 16, 15 / 16);
    expect(map[0] / 16 + (map[2] * 15) / 16 + map[4]).toBeCloseTo(5 / 8, 9);
    expect(mapCharts(corners(left, quad(5, 0, 5.5, 1)), corners(left, right), size, source)).toBeNull();
    expect(covered(mapCharts(corners(left, quad(5, 0, 5.5, 1)), corners(left, left), size, source))).toBe(32);
  });

  it('refuses a triangle of more than a tile, and charts that cover nothing', () => {
    expect(mapCharts(corners(quad(0, 0, 1.5, 1)), corners(quad(0, 0, 1, 1)), size, source)).toBeNull();
    expect(mapCharts(corners(quad(0, 0, 0, 0)), corners(quad(0, 0, 1, 1)), size, source)).toBeNull();
    const nowhere = corners(quad(0, 0, 1, 1)).fill(Number.NaN);
    expect(mapCharts(nowhere, corners(quad(0, 0, 1, 1)), size, source)).toBeNull();
    expect(mapCharts(nowhere.fill(1e300), corners(quad(0, 0, 1, 1)), size, source)).toBeNull();
  });

  it('ends early on a pile of charts', () => {
    const pile = new Float64Array(6 * 200_000);
    for (let t = 0; t < pile.length; t += 6) pile.set([0, 0, 1, 0, 1, 1], t);
    expect(mapCharts(pile, pile, { width: 512, height: 512, reduction: 1 }, source)).toBeNull();
  });
});

describe('chartSize', () => {
  it('keeps the density of the source as powers of two', () => {
    const half = corners(quad(0, 0, 0.5, 1));
    expect(chartSize(half, corners(quad(0, 0, 1, 1)), 100, 100)).toEqual({ width: 256, height: 128, reduction: 1 });
    expect(chartSize(half, corners(quad(0, 0, 0.25, 0.5)), 64, 64)).toMatchObject({ width: 32, height: 32 });
  });

  it('stays within 4 and 4096 and says how far the source must shrink', () => {
    const unit = corners(quad(0, 0, 1, 1));
    expect(chartSize(unit, unit, 1, 1)).toEqual({ width: 4, height: 4, reduction: 1 });
    expect(chartSize(unit, unit, 16384, 16384)).toEqual({ width: 4096, height: 4096, reduction: 4 });
    expect(chartSize(new Float64Array(6), unit, 64, 64)).toEqual({ width: 4, height: 4, reduction: 1 });
  });
});

describe('dilate', () => {
  it('fills every free texel with a nearest covered one, across the tile border', () => {
    const triangles = Int32Array.of(-1, 0, -1, -1, -1, -1, 0, -1);
    const data = Uint8Array.of(0, 10, 0, 0, 0, 0, 20, 0);
    const none = new Float64Array(0);
    dilate(data, 1, { width: 8, height: 1, triangles, from: none, to: none, reduction: 1 });
    // Texel 0 is next to 1, texel 7 next to 6; 4 is two from 6 and three from 1.
    expect([...data]).toEqual([10, 10, 10, 10, 20, 20, 20, 20]);
  });
});
