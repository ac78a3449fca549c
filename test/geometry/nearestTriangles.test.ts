// Nearest triangles against plain searches through all of them.

import { describe, expect, test } from 'vitest';
import { nearestTriangles } from '../../src/geometry/lod/boundingVolumeHierarchy.ts';
import type { WeldedTriangles } from '../../src/geometry/lod/deviation.ts';
import { cornersOf, cross, dot, lots, scattered, squaredDistance, sub, type Vector } from './bruteForce.ts';

const facesAlike = (surface: WeldedTriangles, t: number, normal: Vector): boolean => {
  const [a, b, c] = cornersOf(surface, t);
  return dot(normal, cross(sub(b, a), sub(c, a))) > 0;
};

/** Points in and around the box of `scattered`, neighbours in turn near and far, with a direction each. */
function asked(count: number, seed: number): { readonly points: Float64Array; readonly normals: Float64Array } {
  const random = lots(seed);
  const points = Float64Array.from({ length: count * 3 }, (_, i) => random() * (i % 3 === 1 ? 8 : 24) - 2);
  for (let i = 1; i < count; i += 2) {
    for (let k = 0; k < 3; k++) points[i * 3 + k] = points[i * 3 - 3 + k] + (random() - 0.5) * 0.1;
  }
  return { points, normals: Float64Array.from({ length: count * 3 }, () => random() - 0.5) };
}

describe('the nearest triangle', () => {
  // One leaf, a leaf more than a power of two, many.
  test.each([1, 3, 4, 5, 17, 400])('of %d is the one that looking at all of them finds', (count) => {
    const surface = scattered(count, 3);
    const { points, normals } = asked(200, 5);
    const any = nearestTriangles(surface, points);
    const facing = nearestTriangles(surface, points, normals);
    for (let i = 0; i < 200; i++) {
      const p = [...points.subarray(i * 3, i * 3 + 3)];
      const normal = [...normals.subarray(i * 3, i * 3 + 3)];
      const distance = (t: number) => squaredDistance(p, cornersOf(surface, t));
      const all = Array.from({ length: count }, (_, t) => t);
      const min = (triangles: readonly number[]) => Math.min(...triangles.map(distance));
      expect(distance(any[i])).toBeCloseTo(min(all), 9);
      const fits = all.filter((t) => facesAlike(surface, t, normal));
      if (fits.length > 0) {
        expect(fits).toContain(facing[i]);
        expect(distance(facing[i])).toBeCloseTo(min(fits), 9);
      } else expect(facing[i]).toBe(any[i]);
    }
  });

  test('does not depend on the points before it: of equal ones the same comes first', () => {
    // A box of quads: from its middle plane many are equally far.
    const positions: number[] = [];
    const indices: number[] = [];
    for (let i = 0; i <= 8; i++) for (let j = 0; j <= 8; j++) for (const y of [0, 2]) positions.push(i, y, j);
    for (let i = 0; i < 8; i++) {
      for (let j = 0; j < 8; j++) {
        for (const side of [0, 1]) {
          const a = (i * 9 + j) * 2 + side;
          indices.push(a, a + 2, a + 18, a + 18, a + 2, a + 20);
        }
      }
    }
    const surface = { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
    const points = Float64Array.from(
      Array.from({ length: 300 }, (_, i) => [(i * 0.37) % 8, i % 3, (i * 0.5) % 8]).flat(),
    );
    const alone = Array.from(
      { length: 300 },
      (_, i) => nearestTriangles(surface, points.subarray(i * 3, i * 3 + 3))[0],
    );
    expect([...nearestTriangles(surface, points)]).toEqual(alone);
  });

  test('of triangles that all lie in one point is one of them', () => {
    const surface = { positions: new Float32Array(9).fill(7), indices: Uint32Array.of(0, 1, 2, 2, 1, 0) };
    expect([...nearestTriangles(surface, Float64Array.of(7, 7, 7, 0, 0, 0, 7, 7, 7))]).toEqual([0, 0, 0]);
  });

  test('of no points is none; of no triangles it is a mistake to ask', () => {
    expect(nearestTriangles(scattered(3, 1), new Float64Array(0))).toEqual(new Uint32Array(0));
    const none = { positions: new Float32Array(0), indices: new Uint32Array(0) };
    expect(() => nearestTriangles(none, Float64Array.of(0, 0, 0))).toThrow(RangeError);
  });
});
