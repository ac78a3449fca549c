// PIZ compression (OpenEXR, ImfPizCompressor.cpp and ImfWav.cpp): the values that occur are numbered, a Haar wavelet is applied
// to each channel, and the result is Huffman coded.

import { decodeHuffman } from './huffman.ts';

const BITMAP_BYTES = 8192;
/** Numbers of fewer than so many values go through a wavelet that cannot overflow. */
const SMALL = 1 << 14;

/** The values by number, and how many there are; null if the table is broken. `at`: behind it. */
function readValues(bytes: Uint8Array): { values: Uint16Array; count: number; at: number } | null {
  if (bytes.length < 4) return null;
  const first = bytes[0] | (bytes[1] << 8);
  const last = bytes[2] | (bytes[3] << 8);
  let at = 4;
  const bitmap = new Uint8Array(BITMAP_BYTES);
  if (first <= last) {
    if (last >= BITMAP_BYTES || at + last - first + 1 > bytes.length) return null;
    bitmap.set(bytes.subarray(at, at + last - first + 1), first);
    at += last - first + 1;
  }
  const values = new Uint16Array(65_536);
  // 0 is always a value.
  let count = 1;
  for (let value = 1; value < 65_536; value++) {
    if ((bitmap[value >> 3] & (1 << (value & 7))) !== 0) values[count++] = value;
  }
  return { values, count, at };
}

/**
 * Takes back the wavelet of `nx` by `ny` numbers, which stand `ox` and `oy` numbers apart from `begin` on; `max` is the
 * largest one. From the coarsest step to the finest, each 2 x 2 numbers are an average and three differences.
 */
function unwave(data: Uint16Array, begin: number, nx: number, ox: number, ny: number, oy: number, max: number): void {
  const isSmall = max < SMALL;
  let low = 0;
  let high = 0;
  const undo = (l: number, h: number): void => {
    if (isSmall) {
      const difference = (h << 16) >> 16;
      const sum = ((l << 16) >> 16) + (difference & 1) + (difference >> 1);
      low = sum;
      high = sum - difference;
    } else {
      high = (l - (h >> 1)) & 0xffff;
      low = (h + high - 0x8000) & 0xffff;
    }
  };
  const min = Math.min(nx, ny);
  let step = 1;
  while (step <= min) step *= 2;
  let twice = step / 2;
  for (step = twice / 2; step >= 1; twice = step, step /= 2) {
    let y = 0;
    for (; y + twice <= ny; y += twice) {
      const row = begin + y * oy;
      let x = 0;
      for (; x + twice <= nx; x += twice) {
        const p00 = row + x * ox;
        const p01 = p00 + step * ox;
        const p10 = p00 + step * oy;
        const p11 = p10 + step * ox;
        undo(data[p00], data[p10]);
        const i00 = low;
        const i10 = high;
        undo(data[p01], data[p11]);
        const i01 = low;
        const i11 = high;
        undo(i00 & 0xffff, i01 & 0xffff);
        data[p00] = low;
        data[p01] = high;
        undo(i10 & 0xffff, i11 & 0xffff);
        data[p10] = low;
        data[p11] = high;
      }
      if ((nx & step) !== 0) {
        const p00 = row + x * ox;
        undo(data[p00], data[p00 + step * oy]);
        data[p00] = low;
        data[p00 + step * oy] = high;
      }
    }
    if ((ny & step) === 0) continue;
    const row = begin + y * oy;
    for (let x = 0; x + twice <= nx; x += twice) {
      const p00 = row + x * ox;
      undo(data[p00], data[p00 + step * ox]);
      data[p00] = low;
      data[p00 + step * ox] = high;
    }
  }
}

/**
 * Unpacks a chunk of `width` by `height` pixels to rows of samples, in each row channel after channel. `sizes`: the
 * 16-bit words of a sample of each channel. Null if the chunk is broken.
 */
export function unpackPiz(
  bytes: Uint8Array,
  width: number,
  height: number,
  sizes: readonly number[],
): Uint8Array | null {
  // 1. Values, then the Huffman code of their numbers, channel after channel.
  const table = readValues(bytes);
  if (!table || table.at + 4 > bytes.length) return null;
  const { values, count } = table;
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(table.at, true);
  const at = table.at + 4;
  if (at + length > bytes.length) return null;
  const words = sizes.reduce((sum, size) => sum + size, 0);
  const data = new Uint16Array(width * height * words);
  if (!decodeHuffman(bytes.subarray(at, at + length), data)) return null;
  // 2. Wavelets: the words of 32-bit samples are planes of their own.
  let begin = 0;
  for (const size of sizes) {
    for (let word = 0; word < size; word++) unwave(data, begin + word, width, size, height, width * size, count - 1);
    begin += width * height * size;
  }
  // 3. Rows of values.
  const out = new Uint8Array(data.length * 2);
  let to = 0;
  for (let y = 0; y < height; y++) {
    let plane = 0;
    for (const size of sizes) {
      const row = plane + y * width * size;
      for (let i = row; i < row + width * size; i++, to += 2) {
        const value = values[data[i]];
        out[to] = value & 0xff;
        out[to + 1] = value >> 8;
      }
      plane += width * height * size;
    }
  }
  return out;
}
