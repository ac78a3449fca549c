// Matrices of skeletons. USD's row vectors and row-major matrices are the same sixteen numbers as the Scene's column
// vectors and column-major matrices, so they are copied unchanged.

import type { Mat4 } from '../../../scene/types.ts';
import type { StageAttribute } from '../compose/stage/stage.ts';
import { tupleOf } from '../compose/values/values.ts';

/** How far the last column of a matrix may be from (0, 0, 0, 1): exporters that compute in floats leave such remains. */
const AFFINE = 1e-6;
/** A matrix counts as singular if its determinant is this small beside the lengths of its axes. */
const SINGULAR = 1e-12;

/** The numbers of a matrix that a fault is in, or what is wrong with it. */
type Fault = string;

/** What is wrong with sixteen numbers as an affine matrix; null if nothing. Sets the last column of a sound one exactly. */
function makeAffine(data: Float64Array, at: number): Fault | null {
  for (let i = 0; i < 16; i++) if (!Number.isFinite(data[at + i])) return 'is not finite';
  for (let i = 3; i < 16; i += 4) if (Math.abs(data[at + i] - (i === 15 ? 1 : 0)) > AFFINE) return 'is projective';
  data[at + 3] = 0;
  data[at + 7] = 0;
  data[at + 11] = 0;
  data[at + 15] = 1;
  return null;
}

/** A matrix4d; null if there is none of that type. A text says what is wrong with it. */
export function readMatrix(attribute: StageAttribute | null): Mat4 | Fault | null {
  const value = attribute?.get()?.value;
  const numbers = value?.type === 'Matrix4d' ? tupleOf(value, 16) : null;
  if (numbers === null) return null;
  const matrix = Float64Array.from(numbers);
  const fault = makeAffine(matrix, 0);
  return fault === null ? matrix : fault;
}

/** `count` matrices of a matrix4d[], one after another; null if there are none of that type. A text says what is wrong. */
export function readMatrices(attribute: StageAttribute | null, count: number): Float64Array | Fault | null {
  const peeked = attribute?.peek();
  if (!attribute || peeked?.type !== 'Matrix4d' || peeked.count < 0) return null;
  const has = `${attribute.name} has`;
  if (peeked.count !== count) return `${has} ${peeked.count} matrices for ${count} joints`;
  const value = attribute.get()?.value;
  if (value?.type !== 'Matrix4d' || !value.array) return null;
  const data = Float64Array.from(value.value as Float64Array);
  if (data.length !== count * 16) return `${has} ${data.length} numbers for ${count} joints`;
  for (let i = 0; i < count; i++) {
    const fault = makeAffine(data, i * 16);
    if (fault !== null) return `matrix ${i} of ${attribute.name} ${fault}`;
  }
  return data;
}

/** Whether an affine matrix, the sixteen numbers from `at` on, has an inverse that is worth something. */
export function isInvertible(m: Float64Array, at: number): boolean {
  const [ax, ay, az] = [m[at], m[at + 1], m[at + 2]];
  const [bx, by, bz] = [m[at + 4], m[at + 5], m[at + 6]];
  const [cx, cy, cz] = [m[at + 8], m[at + 9], m[at + 10]];
  const determinant = ax * (by * cz - bz * cy) - bx * (ay * cz - az * cy) + cx * (ay * bz - az * by);
  const max = Math.hypot(ax, ay, az) * Math.hypot(bx, by, bz) * Math.hypot(cx, cy, cz);
  return Math.abs(determinant) > SINGULAR * max && Number.isFinite(1 / determinant);
}
