// Exact conversion between sRGB bytes and linear light of float32, for the kernel (kernel/assembly/mips/encode.ts).

import { LINEAR_OF_SRGB_BYTE, srgbToLinear } from '../bake/color.ts';

/** Entries of the table are the upper 16 bits of float32 from 2^-13, whose bits are the first number, to 1. */
const FIRST = (127 - 13) << 7;
const COUNT = 13 * 128 + 1;

/** The linear light of each byte. */
export function linearTable(): Float32Array {
  return Float32Array.from(LINEAR_OF_SRGB_BYTE);
}

/**
 * For each byte from 1 on the least float32 that rounds to it: light whose sRGB value lies in the middle between two bytes
 * rounds up.
 */
export function minLight(): Float32Array {
  return Float32Array.from({ length: 256 }, (_, byte) => (byte === 0 ? 0 : above(srgbToLinear((byte - 0.5) / 255))));
}

/** The least float32 that is at least x, which is positive. */
function above(x: number): number {
  const nearest = new Float32Array([x]);
  if (nearest[0] < x) new Uint32Array(nearest.buffer)[0]++;
  return nearest[0];
}

/** The table: a float32 and a uint32 in each entry. */
export function byteTable(): Uint32Array {
  const min = minLight();
  const table = new Uint32Array(COUNT * 2);
  const floats = new Float32Array(table.buffer);
  const begin = new Float32Array(1);
  const bits = new Uint32Array(begin.buffer);
  let byte = 0;
  for (let i = 0; i < COUNT; i++) {
    bits[0] = (FIRST + i) << 16;
    while (byte < 255 && min[byte + 1] <= begin[0]) byte++;
    floats[i * 2] = byte < 255 ? min[byte + 1] : Number.POSITIVE_INFINITY;
    table[i * 2 + 1] = byte;
    bits[0] = (FIRST + i + 1) << 16;
    if (byte < 254 && min[byte + 2] < begin[0]) throw new Error('two bytes begin in one entry of the table');
  }
  return table;
}
