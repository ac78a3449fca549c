// From where an object covers a share of the screen, worked out by hand.

import { expect, test } from 'vitest';
import { distanceOfCoverage } from '../../../src/tiling/streaming/coverage.ts';

test('the disc of the sphere around a box has the share of a picture that is 16 to 9 and 60 degrees high', () => {
  // A sphere of 1 m: at a distance d the disc is √3 / d of half the height, and the picture 4 * 16 / 9 of its square.
  const side = 2 / Math.sqrt(3);
  const box = { min: [0, 0, 0], max: [side, side, side] } as const;
  expect(distanceOfCoverage(box, 0.25)).toBeCloseTo(Math.sqrt((3 * Math.PI * 9) / (64 * 0.25)), 12);
  // A quarter of the share is twice as far away.
  expect(distanceOfCoverage(box, 0.01) / distanceOfCoverage(box, 0.04)).toBeCloseTo(2, 12);
});

test('nothing ever covers none of the screen', () => {
  expect(distanceOfCoverage({ min: [0, 0, 0], max: [1, 1, 1] }, 0)).toBe(Infinity);
});
