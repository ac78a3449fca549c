// Literal numbers for the way from the engine's space to Urho3D's and back.

import { expect, test } from 'vitest';
import {
  flipV,
  matrixFromUrho3d,
  matrixToUrho3d,
  mirrorBox,
  mirrorZ,
  reverseWinding,
  rotationFromUrho3d,
  rotationToUrho3d,
} from '../../../src/formats/urho3d/axes.ts';

type Vector = readonly [number, number, number];
const cross = (a: Vector, b: Vector): number[] => [
  a[1] * b[2] - a[2] * b[1] + 0,
  a[2] * b[0] - a[0] * b[2] + 0,
  a[0] * b[1] - a[1] * b[0] + 0,
];
const minus = (a: ArrayLike<number>, at: number, b: ArrayLike<number>, bt: number): Vector => [
  a[3 * at] - b[3 * bt],
  a[3 * at + 1] - b[3 * bt + 1],
  a[3 * at + 2] - b[3 * bt + 2],
];

test('a triangle that faces +Z faces -Z, and its corners still turn around its normal in the numbers of the file', () => {
  // Counter-clockwise as seen from +Z.
  const positions = new Float32Array([0, 0, 5, 1, 0, 5, 0, 1, 5]);
  const there = mirrorZ(positions);
  expect([...there]).toEqual([0, 0, -5, 1, 0, -5, 0, 1, -5]);
  const normals = mirrorZ(new Float32Array([0, 0, 1]));
  expect([...normals]).toEqual([0, 0, -1]);
  const indices = reverseWinding(new Uint16Array([0, 1, 2]));
  expect([...indices]).toEqual([0, 2, 1]);
  const [a, b, c] = indices;
  expect(cross(minus(there, b, there, a), minus(there, c, there, a))).toEqual([0, 0, -1]);
  expect(mirrorZ(there)).toEqual(positions);
  expect([...reverseWinding(new Uint32Array([4, 5, 6, 7, 8, 9]))]).toEqual([4, 6, 5, 7, 9, 8]);
});

test('V counts from the top of the image instead of its bottom', () => {
  expect([...flipV(new Float32Array([0, 0, 1, 1, 0.25, 0.75]))]).toEqual([0, 1, 1, 0, 0.25, 0.25]);
});

test('the sign of a tangent stays: the bitangent, cross(T, N) there, is that of here mirrored', () => {
  const tangent = mirrorZ(new Float32Array([1, 0, 0, -1, 0, 0, 1, 1]), 4);
  expect([...tangent]).toEqual([1, 0, 0, -1, 0, 0, -1, 1]);
  // Here N = +Z, T = +X, w = 1: B = cross(N, T) = +Y, which the mirror leaves alone.
  expect(cross([0, 0, 1], [1, 0, 0])).toEqual([0, 1, 0]);
  const normal = mirrorZ(new Float32Array([0, 0, 1]));
  expect(cross([1, 0, 0], [normal[0], normal[1], normal[2]])).toEqual([0, 1, 0]);
});

test('a rotation puts w first and turns the other way about X and Y', () => {
  const half = Math.SQRT1_2;
  // A quarter about +X takes +Y to +Z here, so it takes +Y to -Z there: a quarter about -X in the same formula.
  expect(rotationToUrho3d([half, 0, 0, half])).toEqual([half, -half, 0, 0]);
  expect(rotationToUrho3d([0, half, 0, half])).toEqual([half, 0, -half, 0]);
  expect(rotationToUrho3d([0, 0, half, half])).toEqual([half, 0, 0, half]);
  expect(rotationFromUrho3d([0.5, 0.1, 0.2, 0.3])).toEqual([-0.1, -0.2, 0.3, 0.5]);
});

test('a matrix is mirrored on both sides and stored by rows', () => {
  // Columns: 1 2 3, 4 5 6, 7 8 9, translation 10 11 12.
  const matrix = [1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 10, 11, 12, 1];
  const rows = matrixToUrho3d(matrix);
  expect(rows).toEqual([1, 4, -7, 10, 2, 5, -8, 11, -3, -6, 9, -12]);
  expect([...matrixFromUrho3d(rows)]).toEqual(matrix);
});

test('a box swaps its ends along Z', () => {
  expect(mirrorBox([1, 2, 3, 4, 5, 6])).toEqual([1, 2, -6, 4, 5, -3]);
});
