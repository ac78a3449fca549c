// The inverse of an affine matrix.

import { cofactor3, determinant3 } from './matrix.ts';
import type { Mat4 } from './types.ts';

/** Volume of the axes over the product of their lengths, below which a matrix has no usable inverse. */
const MIN_VOLUME = 1e-9;

/** The inverse of a matrix whose last row is 0 0 0 1; null where its axes span no volume. */
export function inverse(m: Mat4): Mat4 | null {
  const lengths = [0, 4, 8].map((c) => Math.sqrt(m[c] ** 2 + m[c + 1] ** 2 + m[c + 2] ** 2));
  const det = determinant3(m);
  if (!(Math.abs(det) > MIN_VOLUME * lengths[0] * lengths[1] * lengths[2])) return null;
  // The inverse is the transpose of the cofactors, by the determinant.
  const n = cofactor3(m);
  const out = new Float64Array(16);
  for (let c = 0; c < 3; c++) for (let r = 0; r < 3; r++) out[c * 4 + r] = n[r * 3 + c] / det;
  for (let r = 0; r < 3; r++) out[12 + r] = -(out[r] * m[12] + out[4 + r] * m[13] + out[8 + r] * m[14]);
  out[15] = 1;
  return out;
}
