// 4x4 matrices in float64: column-major, column vectors. Only what importers and the cook need.

import type { Bounds, Mat4, Vec3 } from './types.ts';

export function identity(): Mat4 {
  const m = new Float64Array(16);
  m[0] = m[5] = m[10] = m[15] = 1;
  return m;
}

export function translation(x: number, y: number, z: number): Mat4 {
  const m = identity();
  m[12] = x;
  m[13] = y;
  m[14] = z;
  return m;
}

export function scaling(x: number, y: number, z: number): Mat4 {
  const m = identity();
  m[0] = x;
  m[5] = y;
  m[10] = z;
  return m;
}

/** Rotation by a quaternion (x, y, z, w), normalised here; a zero quaternion gives the identity. */
export function rotation(x: number, y: number, z: number, w: number): Mat4 {
  const length = Math.hypot(x, y, z, w);
  if (length === 0) return identity();
  const s = 1 / length;
  const qx = x * s;
  const qy = y * s;
  const qz = z * s;
  const qw = w * s;
  const m = identity();
  m[0] = 1 - 2 * (qy * qy + qz * qz);
  m[1] = 2 * (qx * qy + qz * qw);
  m[2] = 2 * (qx * qz - qy * qw);
  m[4] = 2 * (qx * qy - qz * qw);
  m[5] = 1 - 2 * (qx * qx + qz * qz);
  m[6] = 2 * (qy * qz + qx * qw);
  m[8] = 2 * (qx * qz + qy * qw);
  m[9] = 2 * (qy * qz - qx * qw);
  m[10] = 1 - 2 * (qx * qx + qy * qy);
  return m;
}

/** Turns about an axis (0: X, 1: Y, 2: Z), counter-clockwise seen from its end, by the angle with this cosine and sine. */
export function axisTurn(axis: number, cos: number, sin: number): Mat4 {
  const a = (axis + 1) % 3;
  const b = (axis + 2) % 3;
  const m = identity();
  m[a * 4 + a] = cos;
  m[a * 4 + b] = sin;
  m[b * 4 + a] = -sin;
  m[b * 4 + b] = cos;
  return m;
}

/** a · b: b is applied to the point first. */
export function multiply(a: Mat4, b: Mat4): Mat4 {
  const m = new Float64Array(16);
  for (let c = 0; c < 4; c++) {
    for (let r = 0; r < 4; r++) {
      m[c * 4 + r] = a[r] * b[c * 4] + a[4 + r] * b[c * 4 + 1] + a[8 + r] * b[c * 4 + 2] + a[12 + r] * b[c * 4 + 3];
    }
  }
  return m;
}

/** Determinant of the upper 3x3; negative for a mirrored transform. */
export function determinant3(m: Mat4): number {
  return m[0] * (m[5] * m[10] - m[9] * m[6]) - m[4] * (m[1] * m[10] - m[9] * m[2]) + m[8] * (m[1] * m[6] - m[5] * m[2]);
}

/**
 * Cofactors of the upper 3x3, column-major 9: det · inverse-transpose. Transforms normals (normalise after) and stays
 * defined for singular matrices; its sign follows the determinant's.
 */
export function cofactor3(m: Mat4): Float64Array {
  const n = new Float64Array(9);
  n[0] = m[5] * m[10] - m[9] * m[6];
  n[1] = m[8] * m[6] - m[4] * m[10];
  n[2] = m[4] * m[9] - m[8] * m[5];
  n[3] = m[9] * m[2] - m[1] * m[10];
  n[4] = m[0] * m[10] - m[8] * m[2];
  n[5] = m[8] * m[1] - m[0] * m[9];
  n[6] = m[1] * m[6] - m[5] * m[2];
  n[7] = m[4] * m[2] - m[0] * m[6];
  n[8] = m[0] * m[5] - m[4] * m[1];
  return n;
}

export function transformPoint(m: Mat4, p: Vec3): Vec3 {
  return [
    m[0] * p[0] + m[4] * p[1] + m[8] * p[2] + m[12],
    m[1] * p[0] + m[5] * p[1] + m[9] * p[2] + m[13],
    m[2] * p[0] + m[6] * p[1] + m[10] * p[2] + m[14],
  ];
}

/** The box of a box's eight transformed corners (Arvo 1990): tight for axis-aligned transforms, never too small. */
export function transformBounds(m: Mat4, b: Bounds): Bounds {
  const min: [number, number, number] = [m[12], m[13], m[14]];
  const max: [number, number, number] = [m[12], m[13], m[14]];
  for (let c = 0; c < 3; c++) {
    for (let r = 0; r < 3; r++) {
      const lo = m[c * 4 + r] * b.min[c];
      const hi = m[c * 4 + r] * b.max[c];
      min[r] += Math.min(lo, hi);
      max[r] += Math.max(lo, hi);
    }
  }
  return { min, max };
}

export function isIdentity(m: Mat4): boolean {
  for (let i = 0; i < 16; i++) if (m[i] !== (i % 5 === 0 ? 1 : 0)) return false;
  return true;
}

export function isFiniteMatrix(m: Mat4): boolean {
  for (let i = 0; i < 16; i++) if (!Number.isFinite(m[i])) return false;
  return true;
}

type Axis = readonly [number, number, number];

const lengthOf = (v: Axis): number => Math.hypot(v[0], v[1], v[2]);
const cross = (a: Axis, b: Axis): Axis => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** The unit vector along `v`; null when it has no direction. Scaled first, so that tiny and huge axes keep theirs. */
function unit(v: Axis): Axis | null {
  const highest = Math.max(Math.abs(v[0]), Math.abs(v[1]), Math.abs(v[2]));
  if (!(highest > 0) || highest === Infinity) return null;
  const scaled: Axis = [v[0] / highest, v[1] / highest, v[2] / highest];
  const length = lengthOf(scaled);
  return [scaled[0] / length, scaled[1] / length, scaled[2] / length];
}

/**
 * The frame of a light or camera with the matrix `m`: unit axes at right angles, right-handed, no scale. Z keeps its
 * direction exactly, as that is where lights and cameras point; Y is turned square to it, X follows. A mirrored matrix
 * gives X the other way; axes that a zero scale has lost come from those that are left.
 */
export function rigidFrame(m: Mat4): Mat4 {
  const column = (c: number): Axis => [m[c * 4], m[c * 4 + 1], m[c * 4 + 2]];
  const ux = unit(column(0));
  const uy = unit(column(1));
  const z = unit(column(2)) ?? (ux && uy && unit(cross(ux, uy))) ?? [0, 0, 1];
  const sideways = (up: Axis | null): Axis | null => (up && lengthOf(cross(up, z)) > 1e-9 ? unit(cross(up, z)) : null);
  const fromX = ux && lengthOf(cross(z, ux)) > 1e-9 ? unit(cross(z, ux)) : null;
  // Without X and Y any pair will do: the world axis that Z is farthest from is up.
  const spare: Axis = Math.abs(z[1]) < 0.9 ? [0, 1, 0] : [0, 0, 1];
  const x = sideways(uy) ?? sideways(fromX) ?? sideways(spare) ?? [1, 0, 0];
  const y = cross(z, x);
  return Float64Array.of(x[0], x[1], x[2], 0, y[0], y[1], y[2], 0, z[0], z[1], z[2], 0, m[12], m[13], m[14], 1);
}
