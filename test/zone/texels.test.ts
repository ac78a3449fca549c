// How many pixels a unit of UVs covers where eyes are nearest.

import { expect, test } from 'vitest';
import { pixelsOfUv } from '../../src/zone/texels.ts';
import type { Zone } from '../../src/zone/zone.ts';
import { triangleMesh } from '../geometry/meshes.ts';

const POINT: Zone = { boxes: [], spheres: [{ middle: [0, 0, 0], radius: 0 }], portals: [] };
/** Pixels that a metre covers at a metre's distance. */
const SCALE = 1000;

/** A rectangle at a depth ahead, straight in front of the eye, with UVs from 0 to (u, v). */
function rectangle(width: number, height: number, depth: number, u = 1, v = 1, turn = 0) {
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const corners = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ];
  const points = corners.map(([a, b]) => [(a - 0.5) * width, (b - 0.5) * height, -depth]);
  const uv0 = Float32Array.from(corners.flatMap(([a, b]) => [c * a * u - s * b * v, s * a * u + c * b * v]));
  return triangleMesh(points, [0, 1, 2, 0, 2, 3], { uv0 });
}

test('a metre at 4 m covers a quarter of the pixels of one at 1 m', () => {
  expect(pixelsOfUv(rectangle(1, 1, 1), POINT, SCALE)).toBeCloseTo(1000, 3);
  expect(pixelsOfUv(rectangle(1, 1, 4), POINT, SCALE)).toBeCloseTo(250, 3);
});

test('the direction counts in which a unit of UVs covers most, however the UVs are turned', () => {
  // 3 m along one unit of u, half a metre along one of v.
  expect(pixelsOfUv(rectangle(3, 1, 2, 1, 2), POINT, SCALE)).toBeCloseTo(1500, 2);
  expect(pixelsOfUv(rectangle(3, 1, 2, 1, 2, 0.7), POINT, SCALE)).toBeCloseTo(1500, 2);
  expect(pixelsOfUv(rectangle(1, 3, 2, 2, 1, 2.1), POINT, SCALE)).toBeCloseTo(1500, 2);
});

test('where UVs repeat, a unit of them covers less', () => {
  expect(pixelsOfUv(rectangle(2, 2, 2, 8, 8), POINT, SCALE)).toBeCloseTo(125, 3);
});

test('nearer than 25 cm nothing is looked at more sharply, and never less sharply than further off', () => {
  const at = (depth: number) => pixelsOfUv(rectangle(1, 1, depth), POINT, SCALE);
  expect(at(0.25)).toBeCloseTo(4000, 3);
  expect([at(0.1), at(0.001), at(0)].map(Math.round)).toEqual([4000, 4000, 4000]);
});

test('nothing is said of triangles below a pixel, of those whose UVs have no area, and where there are no UVs', () => {
  expect(pixelsOfUv(rectangle(0.001, 0.001, 1), POINT, SCALE)).toBe(0);
  expect(pixelsOfUv(rectangle(1, 1, 1, 1, 0), POINT, SCALE)).toBe(0);
  expect(
    pixelsOfUv(
      triangleMesh(
        [
          [0, 0, -1],
          [1, 0, -1],
          [0, 1, -1],
        ],
        [0, 1, 2],
      ),
      POINT,
      SCALE,
    ),
  ).toBe(0);
});
