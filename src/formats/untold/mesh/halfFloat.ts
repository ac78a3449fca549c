// IEEE 754 binary16, which UVs are stored in: bits of a value and value of bits.

import type { UvLimits } from '../../../geometry/uv/limits.ts';

/** Largest finite half float. */
export const MAX_HALF = 65504;

const INFINITY = 0x7c00;
const LARGEST = 0x7bff;
/** Step of the numbers below 2^-14. */
const SUBNORMAL = 2 ** -24;

export const HALF_UVS: UvLimits = { largest: MAX_HALF, fractionBits: 10, minStep: SUBNORMAL };

const scratchFloat = new Float32Array(1);
const scratchBits = new Uint32Array(scratchFloat.buffer);

/** Half-precision bits of the float32 next to `value`, rounded to nearest even; overflow gives infinity. */
export function halfBits(value: number): number {
  scratchFloat[0] = value;
  return halfFromFloat32(scratchBits[0]);
}

/** Like halfBits, from the bits of a float32. */
function halfFromFloat32(bits: number): number {
  const sign = (bits >>> 16) & 0x8000;
  const size = bits & 0x7fffffff;
  // NaN stays NaN; 65520 and above, half a step beyond the largest, is infinity.
  if (size > 0x7f800000) return sign | 0x7e00;
  if (size >= 0x477ff000) return sign | INFINITY;
  if (size < 0x38800000) {
    // Subnormal: at 0.5 a float32 steps by 2^-24, as subnormal halves do, so adding 0.5 rounds.
    scratchBits[0] = size;
    scratchFloat[0] += 0.5;
    return sign | (scratchBits[0] - 0x3f000000);
  }
  // Exponents from bias 127 to bias 15, then 13 bits fewer: just under half a step, plus the last bit kept, makes it even.
  return sign | ((size - 0x38000000 + 0xfff + ((size >>> 13) & 1)) >>> 13);
}

/** Half bits from those of a float32, with the largest finite value in place of infinity and 0 in place of NaN. */
export function finiteHalfBits(bits: number): number {
  const half = halfFromFloat32(bits);
  if ((half & 0x7fff) < INFINITY) return half;
  return (half & 0x7fff) === INFINITY ? (half & 0x8000) | LARGEST : 0;
}

/** The value of half-precision bits that are finite, as all that are stored are. */
export function halfValue(bits: number): number {
  let size = (bits & 0x3ff) * SUBNORMAL;
  if (bits & 0x7c00) {
    scratchBits[0] = ((bits & 0x7fff) << 13) + 0x38000000;
    size = scratchFloat[0];
  }
  return bits & 0x8000 ? -size : size;
}
