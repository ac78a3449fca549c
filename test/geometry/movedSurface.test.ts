// What a level has moved, against a search through all triangles for every point.

import { expect, test } from 'vitest';
import { ColorFeatures, MAX_POINTS, POINT } from '../../src/geometry/lod/features.ts';
import { minOfOwn, minOfTile } from '../../src/geometry/lod/movedSurface.ts';
import type { Float32Mesh } from '../../src/geometry/mesh/mesh.ts';
import { uniteMeshes } from '../../src/geometry/mesh/united.ts';
import { cross, dot, lots, squaredDistance, sub, type Vector } from './bruteForce.ts';

const at = (values: ArrayLike<number>, i: number): Vector => [values[i * 3], values[i * 3 + 1], values[i * 3 + 2]];

/** Panels of 2 x 2 quads that lie about; each is a feature. */
function panels(count: number, random: () => number): Float32Mesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let p = 0; p < count; p++) {
    const [middle, u, v] = [9, 2, 2].map((size) => [0, 1, 2].map(() => (random() - 0.5) * size));
    for (let i = 0; i < 9; i++) {
      positions.push(...middle.map((x, k) => x + u[k] * (i % 3) + v[k] * Math.floor(i / 3)));
    }
    for (const c of [0, 1, 3, 4]) indices.push(...[c, c + 1, c + 4, c, c + 4, c + 3].map((i) => p * 9 + i));
  }
  const normal = new Float32Array(positions.length).fill(0.5);
  const vertexCount = positions.length / 3;
  return {
    vertexCount,
    positions: Float32Array.from(positions),
    attributes: { normal },
    indices: Uint32Array.from(indices),
  };
}

test('a level keeps the points that a triangle comes within reach of', () => {
  const random = lots(4242);
  const surface = uniteMeshes([panels(30, random)]);
  const ids = Uint32Array.from({ length: surface.vertexCount }, (_, v) => v);
  const features = new ColorFeatures(surface, ids, surface.vertexCount, Uint8Array.of(0));
  // Some triangles are gone, and some have corners of the panel's other vertices.
  const level = surface.indices.filter((_, i) => (Math.floor(i / 3) * 7) % 5 > 0);
  for (let i = 0; i < level.length; i += 11) level[i] = level[i] - (level[i] % 9) + Math.floor(random() * 9);
  const cornersOf = (indices: Uint32Array, t: number) =>
    [0, 1, 2].map((k) => at(surface.positions, indices[t * 3 + k]));
  const panelOf = (indices: Uint32Array, t: number) => Math.floor(indices[t * 3] / 9);

  // The points: as many as there may be, in triangles of their features, facing as those do, and once each.
  const wide = features.wider(0.4);
  expect(wide.length).toBeGreaterThan(10);
  expect(wide.length).toBeLessThan(30);
  features.pointsOf(wide.subarray(0, 3));
  const { points, begins, counts } = features.pointsOf(wide);
  expect(points.length).toBe(wide.length * MAX_POINTS * POINT);
  for (const f of wide) {
    expect(counts[f]).toBe(MAX_POINTS);
    for (let i = 0; i < MAX_POINTS; i++) {
      const point = points.subarray((begins[f] + i) * POINT, (begins[f] + i + 1) * POINT);
      const corners = cornersOf(surface.indices, point[6]);
      expect(panelOf(surface.indices, point[6])).toBe(f);
      expect(squaredDistance(at(point, 0), corners)).toBeLessThan(1e-12);
      const normal = cross(sub(corners[1], corners[0]), sub(corners[2], corners[0]));
      expect(dot(normal, at(point, 1))).toBeCloseTo(Math.hypot(...normal), 9);
    }
  }

  let marked = 0;
  for (const [reach, kept] of [
    [0.02, 0.9],
    [0.2, 0.7],
    [1, 0.99],
  ]) {
    for (const [measure, stride] of [
      [minOfOwn, 1],
      [minOfTile, 2],
    ] as const) {
      const wanted = new Uint8Array(surface.indices.length / 3);
      let min = 1;
      for (const f of wide) {
        const lost: number[] = [];
        for (let i = 0; i < MAX_POINTS; i += stride) {
          const point = points.subarray((begins[f] + i) * POINT, (begins[f] + i + 1) * POINT);
          const isKept = Array.from({ length: level.length / 3 }, (_, t) => t).some((t) => {
            const corners = cornersOf(level, t);
            const normal = cross(sub(corners[1], corners[0]), sub(corners[2], corners[0]));
            return (
              (measure === minOfTile || panelOf(level, t) === f) &&
              dot(normal, at(point, 1)) > 0 &&
              squaredDistance(at(point, 0), corners) <= reach * reach
            );
          });
          if (!isKept) lost.push(point[6]);
        }
        const share = 1 - (lost.length * stride) / MAX_POINTS;
        min = Math.min(min, share);
        if (share < kept) for (const t of lost) wanted[t] = 1;
      }
      const moved = new Uint8Array(wanted.length);
      const surfaceOf = { positions: surface.positions, indices: level, ids };
      expect(measure(features, surfaceOf, { seen: 0.4, reach, kept }, moved)).toBeCloseTo(min, 12);
      expect([...moved]).toEqual([...wanted]);
      marked += wanted.filter((is) => is === 1).length;
    }
  }
  expect(marked).toBeGreaterThan(100);
  const moved = Uint8Array.of(1, 0);
  expect(minOfTile(features, { ...surface, ids }, { seen: 99, reach: 1, kept: 0.9 }, moved)).toBe(1);
  expect([...moved]).toEqual([1, 0]);
});
