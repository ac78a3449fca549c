// sRGB, linear light and Oklab for the renderer and its metrics. Only additions, multiplications, divisions and square
// roots: IEEE 754 fixes their results, while powers and roots of Math may differ in the last bit between machines.

/** The real cube root, by Newton's method from above; x not negative. */
export function cubeRoot(x: number): number {
  if (x === 0) return 0;
  let root = x < 1 ? 1 : x;
  for (let i = 0; i < 60; i++) {
    const next = (2 * root + x / (root * root)) / 3;
    if (next >= root) break;
    root = next;
  }
  return root;
}

/** The real fifth root, by Newton's method from above; x from 0 to 1. */
function fifthRoot(x: number): number {
  if (x === 0) return 0;
  let root = 1;
  for (let i = 0; i < 200; i++) {
    const square = root * root;
    const next = (4 * root + x / (square * square)) / 5;
    if (next >= root) break;
    root = next;
  }
  return root;
}

/** The sRGB transfer function (IEC 61966-2-1): x^2.4 is x^2 times the fifth root of x^2. */
function decoded(s: number): number {
  if (s <= 0.04045) return s / 12.92;
  const base = (s + 0.055) / 1.055;
  const square = base * base;
  return square * fifthRoot(square);
}

/** sRGB byte to linear light, 0 to 1. */
export const LINEAR_OF_BYTE: Float64Array = Float64Array.from({ length: 256 }, (_, i) => decoded(i / 255));

/** Steps of BYTE_OF_LINEAR: the darkest sRGB bytes are still 19 steps apart. */
const STEPS = 65535;

/** Index linear * STEPS, rounded, to the sRGB byte whose encoding is nearest. */
export const BYTE_OF_LINEAR: Uint8Array = (() => {
  const table = new Uint8Array(STEPS + 1);
  let byte = 0;
  let limit = decoded(0.5 / 255);
  for (let i = 0; i <= STEPS; i++) {
    while (byte < 255 && i / STEPS >= limit) {
      byte++;
      limit = decoded((byte + 0.5) / 255);
    }
    table[i] = byte;
  }
  return table;
})();

/** Linear light to an sRGB byte, clamped. */
export function byteOfLinear(linear: number): number {
  const clamped = linear > 0 ? (linear < 1 ? linear : 1) : 0;
  return BYTE_OF_LINEAR[(clamped * STEPS + 0.5) | 0];
}

/**
 * The Oklab coordinates of sRGB bytes (Björn Ottosson, "A perceptual color space for image processing", 2020), L 0 to 1,
 * written to `out`.
 */
export function oklabOfBytes(r: number, g: number, b: number, out: Float64Array): void {
  const lr = LINEAR_OF_BYTE[r];
  const lg = LINEAR_OF_BYTE[g];
  const lb = LINEAR_OF_BYTE[b];
  const l = cubeRoot(0.4122214708 * lr + 0.5363325363 * lg + 0.0514459929 * lb);
  const m = cubeRoot(0.2119034982 * lr + 0.6806995451 * lg + 0.1073969566 * lb);
  const s = cubeRoot(0.0883024619 * lr + 0.2817188376 * lg + 0.6299787005 * lb);
  out[0] = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  out[1] = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  out[2] = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
}
