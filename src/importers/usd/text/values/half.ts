// Rounding to half precision (IEEE 754 binary16, nearest even), for values of type half in text.

const DOUBLE = new Float64Array(1);
const WORDS = new Uint32Array(DOUBLE.buffer);
const HIGH = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 1 : 0;

const MAX_HALF = 65504;
/** Halfway between the largest half and 2^16: numbers from here on round to infinity. */
const OVERFLOW = 65520;
/** Smallest step between halves: 2^-24. */
const SUBNORMAL_STEP = 2 ** -24;

/** The nearest integer to `x`, ties to even; |x| must be below 2^52. */
function roundEven(x: number): number {
  const SHIFT = 2 ** 52;
  return x < 0 ? x - SHIFT + SHIFT : x + SHIFT - SHIFT;
}

/** The half nearest to a float32 number, as a number. Keeps NaN, infinities and the sign of zero. */
export function roundToHalf(x: number): number {
  if (x === 0 || Number.isNaN(x)) return x;
  const size = Math.abs(x);
  if (size >= OVERFLOW) return x < 0 ? -Infinity : Infinity;
  if (size > MAX_HALF) return x < 0 ? -MAX_HALF : MAX_HALF;
  DOUBLE[0] = size;
  const exponent = ((WORDS[HIGH] as number) >>> 20) - 1023;
  // A half has 10 fraction bits; below 2^-14 its step stays 2^-24.
  const step = exponent < -14 ? SUBNORMAL_STEP : 2 ** (exponent - 10);
  const rounded = roundEven(size / step) * step;
  return x < 0 ? -rounded : rounded;
}
