// Distances and errors against plain searches through all triangles, over triangles drawn by lot; what deviates is listed.

import { describe, expect, test } from 'vitest';
import { BoundingVolumeHierarchy, NONE } from '../../src/geometry/lod/boundingVolumeHierarchy.ts';
import { DeviationFrom, type MeasuredSurface } from '../../src/geometry/lod/deviation.ts';

function lots(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** Triangles of all sizes in a flat box, each with corners of its own; one in ten is without area. */
function scattered(count: number, seed: number): MeasuredSurface {
  const random = lots(seed);
  const positions = new Float32Array(count * 9);
  for (let t = 0; t < count; t++) {
    const middle = [random() * 20, random() * 3, random() * 20];
    const size = 3 ** (random() * 4 - 2.5);
    for (let i = 0; i < 9; i++) positions[t * 9 + i] = middle[i % 3] + size * (random() - 0.5);
    if (t % 10 === 0) positions.copyWithin(t * 9 + 6, t * 9, t * 9 + 3);
  }
  const indices = Uint32Array.from({ length: count * 3 }, (_, i) => i);
  return { positions, indices, ids: indices };
}

type Vector = readonly number[];
const sub = (a: Vector, b: Vector): Vector => a.map((x, k) => x - b[k]);
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** By projecting on the plane and on the edges. */
function squaredDistance(p: Vector, corners: readonly Vector[]): number {
  const [a, b, c] = corners;
  const n = cross(sub(b, a), sub(c, a));
  const edges = [
    [a, b],
    [b, c],
    [c, a],
  ];
  const inside = edges.every(([from, to]) => dot(cross(sub(to, from), sub(p, from)), n) >= 0);
  if (inside && dot(n, n) > 0) return dot(sub(p, a), n) ** 2 / dot(n, n);
  return Math.min(
    ...edges.map(([from, to]) => {
      const d = sub(to, from);
      const t = dot(d, d) > 0 ? Math.max(0, Math.min(1, dot(sub(p, from), d) / dot(d, d))) : 0;
      const way = sub(
        p,
        from.map((x, k) => x + t * d[k]),
      );
      return dot(way, way);
    }),
  );
}

const cornersOf = ({ positions, indices }: MeasuredSurface, t: number): Vector[] =>
  [0, 1, 2].map((k) => [...positions.subarray(indices[t * 3 + k] * 3, indices[t * 3 + k] * 3 + 3)]);

function nearest(surface: MeasuredSurface, p: Vector): number {
  let least = Infinity;
  for (let t = 0; t < surface.indices.length / 3; t++) {
    least = Math.min(least, squaredDistance(p, cornersOf(surface, t)));
  }
  return least;
}

describe('a tree of triangles', () => {
  // One leaf, a leaf more than a power of two, many.
  test.each([1, 3, 17, 400])('of %d finds the nearest, wherever the last search ended', (count) => {
    const surface = scattered(count, 3);
    const tree = new BoundingVolumeHierarchy(surface.positions, surface.indices);
    const fans = tree.fans(surface, count * 3);
    const random = lots(5);
    for (let i = 0; i < 200; i++) {
      const p = Float64Array.from([random() * 24 - 2, random() * 8 - 2, random() * 24 - 2]);
      const expected = nearest(surface, [...p]);
      // A id far away, a hint that misleads.
      const id = Math.floor(random() * count * 3);
      expect(tree.squaredDistance(p, 0, 0, null, NONE)).toBeCloseTo(expected, 9);
      expect(tree.squaredDistance(p, 0, 0, fans, id)).toBeCloseTo(expected, 9);
    }
  });

  test('gives what is enough only where something is that near', () => {
    const surface = scattered(300, 9);
    const tree = new BoundingVolumeHierarchy(surface.positions, surface.indices);
    const random = lots(11);
    let enough = 0;
    for (let i = 0; i < 300; i++) {
      const p = Float64Array.from([random() * 20, random() * 3, random() * 20]);
      const expected = nearest(surface, [...p]);
      const found = tree.squaredDistance(p, 0, 0.5, null, NONE);
      expect(found).toBeGreaterThanOrEqual(expected - 1e-9);
      if (found > 0.5) expect(found).toBeCloseTo(expected, 9);
      else enough++;
    }
    expect(enough).toBeGreaterThan(20);
    expect(enough).toBeLessThan(280);
  });

  test('knows the triangles around a position id', () => {
    // Two triangles of a quad and one by itself, far away.
    const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 9, 9, 9, 10, 9, 9, 9, 10, 9);
    const indices = Uint32Array.of(0, 1, 2, 0, 2, 3, 4, 5, 6);
    const ids = Uint32Array.of(0, 1, 2, 3, 5, 6, 7);
    const { begins, triangles } = new BoundingVolumeHierarchy(positions, indices).fans({ indices, ids }, 9);
    const sizes = Array.from({ length: 9 }, (_, id) => begins[id + 1] - begins[id]);
    expect(sizes).toEqual([2, 1, 2, 1, 0, 1, 1, 1, 0]);
    const around = (id: number) => [...triangles.subarray(begins[id], begins[id + 1])].sort();
    expect(around(0)).toEqual(around(2));
    expect(around(5)).toEqual(around(6));
    expect(around(0)).not.toContain(around(5)[0]);
  });
});

describe('the deviation', () => {
  /** A flat sheet of 8 x 8 quads of 1 m, with position ids by their corner. */
  function sheet(lift: (x: number, z: number) => number): MeasuredSurface {
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
    let most = 0;
    for (let t = 1; t < 200; t += 2) {
      const [a, b, c] = cornersOf(tile, t);
      for (let i = 0; i < 40; i++) {
        let [s, u] = [random(), random()];
        if (s + u > 1) [s, u] = [1 - s, 1 - u];
        const p = a.map((x, k) => x + s * (b[k] - x) + u * (c[k] - x));
        most = Math.max(most, nearest(level, p));
      }
    }
    expect(error).toBeGreaterThanOrEqual(0.9 * Math.sqrt(most));
    expect(error).toBeLessThan(2 * Math.sqrt(most));
  });
});
