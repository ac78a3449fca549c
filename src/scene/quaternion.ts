// Rotations as quaternions x, y, z, w, and matrices taken apart into translation, rotation and scale.

import { multiply, rotation, scaling } from './matrix.ts';
import type { Mat4 } from './types.ts';

/** a · b: b turns first. */
export function multiplyQuaternions(a: ArrayLike<number>, b: ArrayLike<number>): [number, number, number, number] {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

/** Lengths of the three axes. */
export function axisLengths(m: Mat4): [number, number, number] {
  const length = (c: number) => Math.sqrt(m[c] * m[c] + m[c + 1] * m[c + 1] + m[c + 2] * m[c + 2]);
  return [length(0), length(4), length(8)];
}

/**
 * The rotation of a matrix whose axes, divided by their lengths, are at right angles and right-handed; of others one near
 * it. The identity where an axis has no length.
 */
export function quaternionOf(m: Mat4): [number, number, number, number] {
  const [x, y, z] = axisLengths(m);
  if (!(x > 0 && y > 0 && z > 0)) return [0, 0, 0, 1];
  const [a, b, c] = [m[0] / x, m[5] / y, m[10] / z];
  const trace = a + b + c;
  // The largest of the four is found first, so that nothing is divided by a number near 0.
  let q: [number, number, number, number];
  if (trace > 0) q = [m[6] / y - m[9] / z, m[8] / z - m[2] / x, m[1] / x - m[4] / y, 1 + trace];
  else if (a >= b && a >= c) q = [1 + a - b - c, m[4] / y + m[1] / x, m[8] / z + m[2] / x, m[6] / y - m[9] / z];
  else if (b >= c) q = [m[4] / y + m[1] / x, 1 + b - a - c, m[9] / z + m[6] / y, m[8] / z - m[2] / x];
  else q = [m[8] / z + m[2] / x, m[9] / z + m[6] / y, 1 + c - a - b, m[1] / x - m[4] / y];
  normalizeQuaternion(q, 0);
  return q;
}

/** Makes the quaternion at `at` unit length; one without length becomes the identity. */
export function normalizeQuaternion(q: number[] | Float64Array, at: number): void {
  const length = Math.sqrt(q[at] ** 2 + q[at + 1] ** 2 + q[at + 2] ** 2 + q[at + 3] ** 2);
  for (let k = 0; k < 4; k++) q[at + k] = length > 0 ? q[at + k] / length : k === 3 ? 1 : 0;
}

/** How far lengths may be off 1: what rounding to eight bits does to a quaternion is less. */
const LENGTH_TOLERANCE = 0.01;

/** Whether the quaternion at `at` has the length of a rotation. */
export const isUnitQuaternion = (q: ArrayLike<number>, at: number): boolean =>
  Math.abs(Math.hypot(q[at], q[at + 1], q[at + 2], q[at + 3]) - 1) <= LENGTH_TOLERANCE;

/** Below this angle between two quaternions a straight line is taken: the sine has no digits left. */
const SMALL = 1e-9;

/** The rotation a part of the way from one unit quaternion to another, by the shorter arc. Writes to `out` from `at` on. */
export function slerp(
  a: ArrayLike<number>,
  atA: number,
  b: ArrayLike<number>,
  atB: number,
  share: number,
  out: Float64Array,
  at: number,
): void {
  let cos = 0;
  for (let k = 0; k < 4; k++) cos += a[atA + k] * b[atB + k];
  const sign = cos < 0 ? -1 : 1;
  const angle = Math.acos(Math.min(1, Math.abs(cos)));
  const sin = Math.sin(angle);
  const ofA = angle < SMALL ? 1 - share : Math.sin((1 - share) * angle) / sin;
  const ofB = (angle < SMALL ? share : Math.sin(share * angle) / sin) * sign;
  for (let k = 0; k < 4; k++) out[at + k] = a[atA + k] * ofA + b[atB + k] * ofB;
  normalizeQuaternion(out, at);
}

/** The angle in radians by which two unit quaternions differ. */
export function angleBetween(a: ArrayLike<number>, atA: number, b: ArrayLike<number>, atB: number): number {
  // By the chord: the cosine of a small angle has lost its digits.
  let plus = 0;
  let minus = 0;
  for (let k = 0; k < 4; k++) {
    plus += (a[atA + k] + b[atB + k]) ** 2;
    minus += (a[atA + k] - b[atB + k]) ** 2;
  }
  return 4 * Math.asin(Math.min(1, Math.sqrt(Math.min(plus, minus)) / 2));
}

export interface Parts {
  readonly translation: readonly [number, number, number];
  readonly rotation: readonly [number, number, number, number];
  readonly scale: readonly [number, number, number];
}

/** Translation, rotation and the lengths of the axes: all of a matrix without mirror and shear. */
export function partsOf(m: Mat4): Parts {
  return { translation: [m[12], m[13], m[14]], rotation: quaternionOf(m), scale: axisLengths(m) };
}

/** translation · rotation · scale. */
export function fromParts(t: ArrayLike<number>, q: ArrayLike<number>, s: ArrayLike<number>): Mat4 {
  const m = multiply(rotation(q[0], q[1], q[2], q[3]), scaling(s[0], s[1], s[2]));
  m[12] = t[0];
  m[13] = t[1];
  m[14] = t[2];
  return m;
}
