// Deviations against plain searches through all triangles, over triangles drawn by lot; what deviates is listed.

import { describe, expect, test } from 'vitest';
import { DeviationFrom, type WeldedTriangles } from '../../src/geometry/lod/deviation.ts';
import { kernel } from '../../src/kernel/kernel.ts';
import { cornersOf, deviation, lots, nearest, scattered } from './bruteForce.ts';

describe('the deviation', () => {
  /** A flat sheet of 8 x 8 quads of 1 m, with position ids by their corner. */
  function sheet(lift: (x: number, z: number) => number): WeldedTriangles {
    const positions = new Float32Array(81 * 3);
    for (let i = 0; i < 81; i++) positions.set([i % 9, lift(i % 9, Math.floor(i / 9)), Math.floor(i / 9)], i * 3);
    const indices: number[] = [];
    for (let z = 0; z < 8; z++) {
      for (let x = 0; x < 8; x++) {
        const a = z * 9 + x;
        indices.push(a, a + 9, a + 1, a + 1, a + 9, a + 10);
      }
    }
    const ids = Uint32Array.from({ length: 81 }, (_, i) => i);
    return { positions, indices: Uint32Array.from(indices), ids };
  }
  const peaks = sheet((x, z) => (x === 2 && z === 3 ? 0.5 : x === 6 && z === 6 ? 0.2 : 0));
  const flat = { positions: peaks.positions, ids: peaks.ids, indices: Uint32Array.of(0, 72, 8, 8, 72, 80) };

  test('is the height of what is gone, and of two surfaces that are the same 0', () => {
    expect(new DeviationFrom(peaks).measure(flat)).toEqual({ error: 0.5, beyond: null });
    expect(new DeviationFrom(peaks).measure(peaks).error).toBeCloseTo(0, 12);
  });

  test('is found in the middle of a triangle of which only the corners are left', () => {
    // Equilateral, 10 m a side: its centre is 10 / sqrt(3) from the corners.
    const h = Math.sqrt(75);
    const positions = Float32Array.of(0, 0, 0, 10, 0, 0, 5, 0, h, 0, 0, 1e-5, 10, 0, 1e-5, 5, 0, h - 1e-5);
    const ids = Uint32Array.of(0, 1, 2, 3, 4, 5);
    const tile = { positions, ids, indices: Uint32Array.of(0, 1, 2) };
    const level = { positions, ids, indices: Uint32Array.of(0, 3, 0, 1, 4, 1, 2, 5, 2) };
    expect(new DeviationFrom(tile).measure(level).error).toBeCloseTo(10 / Math.sqrt(3), 4);
  });

  test('counts both ways', () => {
    // Seen from the flat sheet, the tip of a level that has a peak of its own is as far.
    const ground = sheet(() => 0);
    const peak = sheet((x, z) => (x === 4 && z === 4 ? 3 : 0));
    const own = { ...peak, ids: peak.ids.map((id) => (id === 40 ? 81 : id)) };
    expect(new DeviationFrom(ground).measure(own).error).toBeCloseTo(3, 6);
  });

  test('lists what deviates by more than allowed, and how far', () => {
    const { error, beyond } = new DeviationFrom(peaks).measure(flat, 0.3);
    expect(error).toBe(0.5);
    const far = beyond as Float64Array;
    const ids = [...far].flatMap((distance, id) => (distance > 0 ? [id] : []));
    expect(far[29]).toBe(0.5);
    // The high peak is at id 29 and deviates; what lies more than a quad away does not, nor does the low one at 60.
    expect(ids).toContain(29);
    expect(ids).not.toContain(60);
    for (const id of ids) {
      expect(Math.abs((id % 9) - 2)).toBeLessThanOrEqual(1);
      expect(Math.abs(Math.floor(id / 9) - 3)).toBeLessThanOrEqual(1);
    }
    expect((new DeviationFrom(peaks).measure(flat, 0.1).beyond as Float64Array)[60]).toBeCloseTo(0.2, 6);
    expect(new DeviationFrom(peaks).measure(flat, 0.5).beyond).toBeNull();
  });

  test('does not depend on what was measured before', () => {
    const deviation = new DeviationFrom(peaks);
    const first = deviation.measure(flat, 0.3);
    deviation.measure(peaks, 0.1);
    expect(deviation.measure(flat, 0.3)).toEqual(first);
  });

  test('of an empty level is infinite, of an empty tile nothing', () => {
    const none = { ...peaks, indices: new Uint32Array(0) };
    expect(new DeviationFrom(peaks).measure(none)).toEqual({ error: Infinity, beyond: null });
    expect(new DeviationFrom(none).measure(peaks)).toEqual({ error: 0, beyond: null });
  });

  test.each([1, 2, 3])('between scattered triangles is near what asking all points finds (%d)', (seed) => {
    const tile = scattered(200, seed);
    // Every second triangle is left.
    const level = { ...tile, indices: tile.indices.filter((_, i) => i % 6 < 3) };
    const { error } = new DeviationFrom(tile).measure(level);
    const random = lots(seed + 50);
    let max = 0;
    for (let t = 1; t < 200; t += 2) {
      const [a, b, c] = cornersOf(tile, t);
      for (let i = 0; i < 40; i++) {
        let [s, u] = [random(), random()];
        if (s + u > 1) [s, u] = [1 - s, 1 - u];
        const p = a.map((x, k) => x + s * (b[k] - x) + u * (c[k] - x));
        max = Math.max(max, nearest(level, p));
      }
    }
    expect(error).toBeGreaterThanOrEqual(0.9 * Math.sqrt(max));
    expect(error).toBeLessThan(2 * Math.sqrt(max));
  });

  test.each([
    [40, 1, Infinity],
    [40, 2, 2],
    [61, 3, 0.5],
  ])('of %d triangles is what asking all points of all triangles finds (%d)', (count, seed, allowed) => {
    const tile = scattered(count, seed);
    const level = { ...tile, indices: tile.indices.filter((_, i) => i % 9 < 3) };
    const measured = new DeviationFrom(tile).measure(level, allowed);
    const expected = deviation(tile, level, allowed);
    expect(measured.error).toBeCloseTo(expected.error, 9);
    expect(measured.beyond === null).toBe(expected.beyond === null);
    expect(measured.beyond === null).toBe(allowed === Infinity);
    const listed = measured.beyond ?? [];
    listed.forEach((distance, id) => {
      expect(distance).toBeCloseTo(expected.beyond?.[id] ?? Number.NaN, 9);
    });
  });

  test('of surfaces without area is that of their vertices', () => {
    const point = (x: number) => Float32Array.of(x, 0, 0, x, 0, 0, x, 0, 0);
    const indices = Uint32Array.of(0, 1, 2);
    const at = (x: number, id: number) => ({ positions: point(x), indices, ids: Uint32Array.of(id, id, id) });
    expect(new DeviationFrom(at(0, 0)).measure(at(4, 1), 1)).toEqual({ error: 4, beyond: Float64Array.of(4) });
    expect(new DeviationFrom(at(0, 0)).measure(at(0, 0)).error).toBe(0);
    const line = { positions: Float32Array.of(0, 0, 0, 2, 0, 0, 6, 0, 0), indices, ids: Uint32Array.of(0, 1, 2) };
    expect(new DeviationFrom(line).measure(at(0, 0)).error).toBe(6);
  });

  test('of several tiles that take turns is that of each alone', () => {
    const pairs = [1, 2, 3].map((seed) => {
      const tile = scattered(300, seed);
      return { tile, level: { ...tile, indices: tile.indices.filter((_, i) => i % 6 < 3) } };
    });
    const alone = pairs.map(({ tile, level }) => new DeviationFrom(tile).measure(level, 0.5));
    const deviations = pairs.map(({ tile }) => new DeviationFrom(tile));
    for (let turn = 0; turn < 2; turn++) {
      deviations.forEach((of, i) => {
        expect(of.measure(pairs[i].level, 0.5)).toEqual(alone[i]);
      });
    }
  });

  test('is the same when the memory grows while a tile is kept there', () => {
    const tile = scattered(200, 4);
    const level = { ...tile, indices: tile.indices.filter((_, i) => i % 6 < 3) };
    const of = new DeviationFrom(tile);
    // Memory beyond what is kept goes back after use, so that what tests before this one took is no part of it.
    kernel.within((memory) => memory.allocate(2 ** 26));
    const first = of.measure(level, 0.5);
    const before = kernel.bytes;
    // As many vertices as the memory has bytes for, which no triangle of this level uses.
    const positions = new Float32Array(Math.ceil(before / 12) * 3 + tile.positions.length);
    positions.set(tile.positions);
    const ids = new Uint32Array(positions.length / 3);
    ids.set(tile.ids);
    expect(of.measure({ positions, ids, indices: level.indices }, 0.5)).toEqual(first);
    expect(kernel.bytes).toBeGreaterThan(before);
    expect(of.measure(level, 0.5)).toEqual(first);
  });
});
