// How many triangles a level needs, from how another one looks.

import { expect, test } from 'vitest';
import { stepsBeyond, trianglesForSteps } from '../../../src/workers/jobs/finerLevel.ts';

const limits = { ssim: 0.96, psnr: 36, meanColor: 3 };
const of = (ssim: number, psnr: number) => stepsBeyond({ ssim, psnr, meanColor: 0 }, limits);

test('a decibel is four steps, and the worse of two measures counts', () => {
  expect(of(1, 36)).toBe(0);
  expect(of(1, 35)).toBe(4);
  expect(of(1, 40)).toBe(-16);
  // Twice the error of 0.04: a step is 1.0593 times, and 1.0593 ** 12 is 1.996.
  expect(of(0.92, 40)).toBe(13);
  expect(of(0.92, 30)).toBe(24);
});

test('pictures that are equal, or have nothing in common, give as many steps as there are', () => {
  expect(of(1, Infinity)).toBe(-60);
  expect(of(-1, 3)).toBe(60);
});

test('triangles grow by the 2.3rd root of the error', () => {
  expect(trianglesForSteps(0)).toBe(1);
  // Ten times the error is 40 steps.
  expect(trianglesForSteps(40)).toBeCloseTo(10 ** (1 / 2.3), 1);
  expect(trianglesForSteps(7) * trianglesForSteps(-7)).toBeCloseTo(1, 12);
});
