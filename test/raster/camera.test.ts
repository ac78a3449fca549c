import { describe, expect, test } from 'vitest';
import {
  givenCamera,
  JUDGED_DIRECTIONS,
  lookAt,
  orbitCamera,
  overviewCamera,
  PIXELS_PER_TANGENT,
  viewsOf,
} from '../../src/raster/camera.ts';
import { distanceToBounds } from '../../src/scene/bounds.ts';
import type { Bounds } from '../../src/scene/types.ts';
import { distanceOfError } from '../../src/tiling/streaming/ladder.ts';
import { BLACK, draw, glowing, rectangle, rows, triangles } from './shapes.ts';

const BOX: Bounds = { min: [-10, 0, -20], max: [10, 5, 20] };

/** The corner points of a box as tiny triangles. */
function cornerMarks({ min, max }: Bounds) {
  const points: number[] = [];
  for (const x of [min[0], max[0]]) {
    for (const y of [min[1], max[1]]) for (const z of [min[2], max[2]]) points.push(x, y, z, x, y, z, x, y, z);
  }
  return points;
}

describe('lookAt', () => {
  test('gives right-handed axes with up in the picture', () => {
    expect(lookAt([0, 0, 5], [0, 0, 0])).toEqual({
      position: [0, 0, 5],
      right: [1, 0, 0],
      up: [0, 1, 0],
      back: [0, 0, 1],
    });
    expect(lookAt([1, 2, 3], [1, 2, 3])).toBeNull();
  });

  test('has north (-Z) up when it looks straight down', () => {
    const axes = lookAt([0, 9, 0], [0, 0, 0])!;
    expect([axes.right, axes.up].flat().map((value) => value + 0)).toEqual([1, 0, 0, 0, 0, -1]);
  });
});

describe('viewsOf', () => {
  test('looks from all sides and from above, each from the distance at which the loader switches', () => {
    const views = viewsOf(BOX, 50);
    expect(views).toHaveLength(JUDGED_DIRECTIONS.length);
    expect(views.length).toBeGreaterThanOrEqual(6);
    expect(views.length).toBeLessThanOrEqual(14);
    for (const { position } of views) expect(distanceToBounds(position, BOX)).toBeCloseTo(50, 9);
    expect(new Set(JUDGED_DIRECTIONS.map((direction) => direction.join())).size).toBe(views.length);
    for (const [x, y, z] of JUDGED_DIRECTIONS) expect(x * x + y * y + z * z).toBeCloseTo(1, 12);
  });

  test('draws at the scale of a screen of 1080 rows and 60 degrees, cropped to the box', () => {
    // From +Z at 50 m the front of the box, 20 m wide, is seen nearly level.
    const [front] = viewsOf(BOX, 50);
    const metre = PIXELS_PER_TANGENT / 50;
    expect(metre).toBeCloseTo(18.7, 1);
    expect(front.width).toBeGreaterThan(20 * metre * 0.95);
    expect(front.width).toBeLessThan(20 * metre * 1.05 + 8);
    for (const camera of viewsOf(BOX, 50)) {
      expect((camera.rightEdge - camera.left) / camera.width).toBeCloseTo(1 / PIXELS_PER_TANGENT, 12);
      expect((camera.top - camera.bottom) / camera.height).toBeCloseTo(1 / PIXELS_PER_TANGENT, 12);
    }
    // Twice as far, about half as wide.
    expect(viewsOf(BOX, 200)[0].width).toBeLessThan(front.width * 0.35);
  });

  test('has the scale by which switch distances are reckoned', () => {
    // From there a metre covers the two pixels that an error may.
    expect(PIXELS_PER_TANGENT / distanceOfError(1)).toBeCloseTo(2, 12);
  });

  test('a box larger than the screen is cropped to it', () => {
    for (const { width, height } of viewsOf({ min: [-500, 0, -500], max: [500, 5, 500] }, 1)) {
      expect(width).toBeLessThanOrEqual(1920);
      expect(height).toBeLessThanOrEqual(1080);
      expect(Math.min(width, height)).toBeGreaterThan(0);
    }
    expect(() => viewsOf(BOX, 0)).toThrow('a view from 0 m');
  });

  test('no corner of the box is outside of its picture', () => {
    for (const camera of viewsOf(BOX, 60)) {
      const { position, right, up, back } = camera;
      const marks = cornerMarks(BOX);
      for (let i = 0; i < marks.length; i += 9) {
        const offset = [0, 1, 2].map((k) => marks[i + k] - position[k]);
        const dot = (axis: readonly number[]) => axis[0] * offset[0] + axis[1] * offset[1] + axis[2] * offset[2];
        const x = dot(right) / -dot(back);
        const y = dot(up) / -dot(back);
        expect(x > camera.left && x < camera.rightEdge && y > camera.bottom && y < camera.top).toBe(true);
      }
    }
  });
});

describe('cameras of pictures', () => {
  const red = glowing([1, 0, 0]);
  const green = glowing([0, 1, 0]);

  test('orbit and overview frame all that there is', () => {
    const marks = cornerMarks(BOX).map((value, i) => value + (i % 9 >= 3 && i % 9 < 6 && i % 3 === 0 ? 0.4 : 0));
    for (const camera of [orbitCamera(BOX, 160, 90), overviewCamera(BOX, 160, 90), orbitCamera(BOX, 60, 90)]) {
      const { position, right, up, back } = camera;
      const across: number[] = [];
      const upwards: number[] = [];
      for (let i = 0; i < marks.length; i += 9) {
        const offset = [0, 1, 2].map((k) => cornerMarks(BOX)[i + k] - position[k]);
        const dot = (axis: readonly number[]) => axis[0] * offset[0] + axis[1] * offset[1] + axis[2] * offset[2];
        across.push(dot(right) / -dot(back) / camera.rightEdge);
        upwards.push(dot(up) / -dot(back) / camera.top);
      }
      for (const shares of [across, upwards]) {
        expect(Math.max(...shares)).toBeLessThan(1);
        // As much room on either side.
        expect(Math.max(...shares) + Math.min(...shares)).toBeCloseTo(0, 9);
      }
      expect(Math.max(...across, ...upwards)).toBeGreaterThan(0.9);
    }
  });

  test('the overview has north up and east to the right', () => {
    // North-east red, south-west green, on a floor of 4 x 4 m.
    const floor = (x: number, z: number, surface: typeof red) =>
      triangles([x, 0, z, x + 1, 0, z, x + 1, 0, z + 1, x, 0, z, x + 1, 0, z + 1, x, 0, z + 1], surface);
    const bounds: Bounds = { min: [0, 0, 0], max: [2, 0, 2] };
    const picture = draw([floor(1, 0, red), floor(0, 1, green)], overviewCamera(bounds, 4, 4), BLACK);
    expect(rows(picture, { '255 0 0': 'r', '0 255 0': 'g' })).toEqual(['..rr', '..rr', 'gg..', 'gg..']);
  });

  test('a given camera looks from its position to its target', () => {
    const camera = givenCamera([0, 1, 10, 0, 1, 0], 3, 3)!;
    const picture = draw([rectangle([-20, -20, 0, 20], 0, green), rectangle([0, -20, 20, 20], 0, red)], camera, BLACK);
    expect(rows(picture, { '255 0 0': 'r', '0 255 0': 'g' })[0]).toMatch(/^g.r$/);
    expect(givenCamera([1, 1, 1, 1, 1, 1], 3, 3)).toBeNull();
  });
});
