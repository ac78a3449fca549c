import { expect, test } from 'vitest';
import { determinant3, multiply, rigidFrame, rotation, scaling, translation } from '../../src/scene/matrix.ts';

const rows = (m: Float64Array) => Array.from(m, (v) => Math.round(v * 1e9) / 1e9 + 0);

test('a scaled, turned and moved frame loses its scale only', () => {
  const turned = rotation(0, Math.SQRT1_2, 0, Math.SQRT1_2);
  const m = multiply(translation(5, 6, 7), multiply(turned, scaling(2, 3, 4)));
  expect(rows(rigidFrame(m))).toEqual([0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 5, 6, 7, 1]);
});

test('mirrors turn X round: Y and Z point where they did', () => {
  expect(rows(rigidFrame(scaling(-1, 1, 1)))).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
  expect(rows(rigidFrame(scaling(1, 1, -1)))).toEqual([-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1]);
});

test('shear: Z stays, Y is turned square to it', () => {
  const sheared = Float64Array.of(1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  expect(rows(rigidFrame(sheared))).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
});

test.each([
  ['no Z', scaling(1, 1, 0)],
  ['no Y', scaling(1, 0, 1)],
  ['no X', scaling(0, 1, 1)],
  ['only Z', scaling(0, 0, 1)],
  ['only Y', scaling(0, 1, 0)],
  ['nothing', scaling(0, 0, 0)],
  ['tiny', scaling(1e-200, 1e-200, 1e-200)],
  ['huge', scaling(1e200, 1e200, 1e200)],
])('%s: the axes that are left, or a frame of the world', (_, m) => {
  expect(rows(rigidFrame(m))).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
});

test('Y along Z gives a right-handed frame all the same', () => {
  const m = Float64Array.of(0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1);
  const frame = rigidFrame(m);
  expect(Array.from(frame.subarray(8, 11))).toEqual([0, 1, 0]);
  expect(determinant3(frame)).toBeCloseTo(1, 12);
});
