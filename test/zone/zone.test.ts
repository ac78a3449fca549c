// Places of eyes in a zone, and how far anything lies from it.

import { describe, expect, test } from 'vitest';
import type { Vec3 } from '../../src/scene/types.ts';
import { boxToZone, distanceToZone, FACES, innerEyes, middleOf, outerEyes, type Zone } from '../../src/zone/zone.ts';
import { cross } from '../geometry/bruteForce.ts';
import { random } from '../geometry/meshes.ts';

const BOX = { min: [-1, 0, 2], max: [3, 2, 8] } as const;
const SPHERE = { middle: [10, 1, 0], radius: 0.5 } as const;
const zone = (more: Partial<Zone>): Zone => ({ boxes: [], spheres: [], portals: [], ...more });
const both = zone({ boxes: [BOX], spheres: [SPHERE] });
const words = (places: readonly Vec3[]) => places.map((place) => place.join(' '));

test('the middle is that of all boxes and spheres', () => {
  expect(middleOf(zone({ boxes: [BOX] }))).toEqual([1, 1, 5]);
  expect(middleOf(both)).toEqual([(-1 + 10.5) / 2, 1, (-0.5 + 8) / 2]);
});

describe('distances', () => {
  test('of points to a box and to a sphere', () => {
    expect(distanceToZone(0, 1, 5, both)).toBe(0);
    expect(distanceToZone(-1, 0, 2, both)).toBe(0);
    // 3 m, 4 m and 12 m away from a corner.
    expect(distanceToZone(-4, -4, -10, zone({ boxes: [BOX] }))).toBe(13);
    expect(distanceToZone(10, 5, 0, both)).toBe(3.5);
    expect(distanceToZone(10.2, 1, 0, both)).toBe(0);
  });

  test('of boxes to a box and to a sphere', () => {
    expect(boxToZone([0, 0.5, 3], [1, 1, 4], both)).toBe(0);
    expect(boxToZone([-9, -9, -9], [99, 99, 99], both)).toBe(0);
    expect(boxToZone([-9, -9, -30], [-4, -4, -10], zone({ boxes: [BOX] }))).toBe(13);
    expect(boxToZone([9, 5, -1], [11, 6, 1], both)).toBe(3.5);
  });

  test('of a box is that of its nearest point', () => {
    const next = random(3);
    for (let i = 0; i < 50; i++) {
      const at = () => next() * 30 - 15;
      const low: Vec3 = [at(), at(), at()];
      const size: Vec3 = [next() * 4, next() * 4, next() * 4];
      const high: Vec3 = [low[0] + size[0], low[1] + size[1], low[2] + size[2]];
      let nearest = Infinity;
      for (let k = 0; k < 11 ** 3; k++) {
        const [a, b, c] = [k % 11, Math.floor(k / 11) % 11, Math.floor(k / 121)];
        const point = [a, b, c].map((step, axis) => low[axis] + (size[axis] * step) / 10);
        nearest = Math.min(nearest, distanceToZone(point[0], point[1], point[2], both));
      }
      const distance = boxToZone(low, high, both);
      expect(distance).toBeLessThanOrEqual(nearest + 1e-12);
      // No point of the box is further than this from one of those above.
      expect(distance).toBeGreaterThanOrEqual(nearest - Math.hypot(...size) / 20);
    }
  });
});

describe('eyes', () => {
  test('stand in the corners of a box, the middles of its faces and its own, each once', () => {
    const eyes = outerEyes(zone({ boxes: [BOX] }));
    expect(eyes.length).toBe(15);
    expect(new Set(words(eyes)).size).toBe(15);
    expect(words(eyes)).toEqual(
      expect.arrayContaining(['-1 0 2', '3 2 8', '3 0 2', '1 1 5', '1 1 2', '3 1 5', '1 2 5']),
    );
    expect(words(eyes)).not.toContain('1 0 2');
  });

  test('of a flat box, of a place without room, and of the same zone twice stand at each place once', () => {
    // A rectangle has 4 corners, its middle, and the middles of 4 edges, which are faces of a box without height.
    expect(outerEyes(zone({ boxes: [{ min: [0, 1, 0], max: [2, 1, 2] }] })).length).toBe(9);
    expect(outerEyes(zone({ spheres: [{ middle: [1, 2, 3], radius: 0 }] }))).toEqual([[1, 2, 3]]);
    expect(outerEyes(zone({ boxes: [BOX, BOX] })).length).toBe(15);
  });

  test('of a sphere stand in its middle and at its six ends', () => {
    expect(words(outerEyes(zone({ spheres: [SPHERE] }))).sort()).toEqual(
      ['10 1 0', '9.5 1 0', '10.5 1 0', '10 0.5 0', '10 1.5 0', '10 1 -0.5', '10 1 0.5'].sort(),
    );
  });

  test('of later rounds lie inside, differ, and are the same every time', () => {
    const eyes = innerEyes(both, 0, 500);
    for (const [x, y, z] of eyes) expect(distanceToZone(x, y, z, both)).toBeLessThan(1e-12);
    expect(new Set(words(eyes)).size).toBe(500);
    expect(innerEyes(both, 0, 500)).toEqual(eyes);
    // Rounds go on where the one before has ended.
    expect([...innerEyes(both, 0, 8), ...innerEyes(both, 8, 8)]).toEqual(eyes.slice(0, 16));
    const outer = new Set(words(outerEyes(both)));
    expect(words(eyes).filter((eye) => outer.has(eye))).toEqual([]);
  });

  test('of later rounds are spread evenly over all of the zone', () => {
    const twoBoxes = zone({ boxes: [BOX, { min: [20, 0, 0], max: [24, 2, 12] }] });
    const eyes = innerEyes(twoBoxes, 0, 900);
    // The second is twice as large.
    expect(eyes.filter(([x]) => x < 10).length / 900).toBeCloseTo(1 / 3, 1);
    for (let octant = 0; octant < 8; octant++) {
      const inside = eyes.filter(
        ([x, y, z]) => x < 10 && x > 1 === (octant & 1) > 0 && y > 1 === (octant & 2) > 0 && z > 5 === (octant & 4) > 0,
      );
      expect(inside.length).toBeGreaterThan(24);
      expect(inside.length).toBeLessThan(54);
    }
    const ball = innerEyes(zone({ spheres: [{ middle: [0, 0, 0], radius: 1 }] }), 0, 800);
    // Half of a ball lies beyond the radius 0.5 ^ (1 / 3).
    expect(ball.filter((eye) => Math.hypot(...eye) > Math.cbrt(0.5)).length / 800).toBeCloseTo(0.5, 1);
    expect(ball.filter(([, y]) => y > 0).length / 800).toBeCloseTo(0.5, 1);
  });
});

test('the six sides are right-handed, and look each its own way', () => {
  for (const { right, up, back } of FACES) expect(cross(right, up).map((value) => value + 0)).toEqual([...back]);
  expect(new Set(FACES.map(({ back }) => back.join(' '))).size).toBe(6);
});
