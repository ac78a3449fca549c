// The integer coding of crates (OpenUSD, usd/integerCoding.h). Each value is stored as the difference to the previous
// one: the most common difference in two bits, others in 1, 2 or 4 bytes (2, 4 or 8 for 64-bit integers). The result is
// compressed as one block.
//
//     intW common · ceil(n / 4) bytes of 2-bit codes, lowest bits first · payload in order of the elements
//     code 0: common   1: small   2: medium   3: full width        value = previous + delta, modulo 2^(8 W)

import { type Address, type Kernel, kernel } from '../../../../kernel/kernel.ts';
import { corrupt } from '../fault.ts';
import type { Cursor } from './cursor.ts';
import { decompress, LZ4_MAX_RATIO } from './lz4Block.ts';

/** The payload bytes of the four codes in a code byte, for a width of 4. For a width of 8 there are twice as many. */
const PAYLOAD_OF_CODES = /* @__PURE__ */ (() => {
  const size = [0, 1, 2, 4];
  const table = new Uint8Array(256);
  for (let b = 0; b < 256; b++) table[b] = size[b & 3] + size[(b >> 2) & 3] + size[(b >> 4) & 3] + size[b >> 6];
  return table;
})();

/** The offset of the payload of `n` coded integers of `width` bytes, before which the block does not end. */
function codesEnd(coded: Uint8Array, n: number, width: 4 | 8): number {
  const start = width + Math.ceil(n / 4);
  if (start > coded.length) corrupt(`${n} integers declared, but their codes alone exceed ${coded.length} bytes`);
  return start;
}

const cutOff = (n: number): never => corrupt(`the payload of ${n} integers is cut off`);

/**
 * Checks that `n` coded integers of `width` bytes fit in the decompressed block and returns the offset of their
 * payload. After this check, the decoding loops need no checks.
 */
function payloadStart(coded: Uint8Array, n: number, width: 4 | 8): number {
  const start = codesEnd(coded, n, width);
  let payload = 0;
  const whole = width + (n >> 2);
  for (let i = width; i < whole; i++) payload += PAYLOAD_OF_CODES[coded[i]];
  const rest = n & 3;
  if (rest !== 0) payload += PAYLOAD_OF_CODES[coded[whole] & ((1 << (2 * rest)) - 1)];
  if (start + payload * (width / 4) > coded.length) cutOff(n);
  return start;
}

/** Runs of this many integers or more are read by the kernel, which is not loaded for shorter ones. */
export const KERNEL_COUNT = 2 ** 14;
/** Longer runs are read here: the kernel's memory would have to grow for them, and might not. */
const MAX_KERNEL_COUNT = 2 ** 23;

/** Integers of one call of the kernel, which V8 compiles well only after some calls: a multiple of 4. */
const CALL_COUNT = 2 ** 13;
/** What the kernel keeps between the calls. */
const STATE_BYTES = 8;

export const isKernelCount = (n: number): boolean => n >= KERNEL_COUNT && n <= MAX_KERNEL_COUNT;

/**
 * Puts the block of `n` coded 32-bit integers into the kernel's memory, and checks that it has all of them. The kernel
 * reads 16 bytes at a time, also at the end of the payload.
 */
function putCoded(memory: Kernel, coded: Uint8Array, n: number): Address {
  const start = codesEnd(coded, n, 4);
  const at = memory.allocate(coded.length + 16);
  memory.uint8(at, coded.length).set(coded);
  if (start + memory.calls.integerPayload(at, n) > coded.length) cutOff(n);
  return at;
}

/** Decodes `n` 32-bit integers from a decompressed block. Unsigned integers have the same coding. */
export function decodeInt32(coded: Uint8Array, n: number): Int32Array {
  if (isKernelCount(n)) {
    return kernel.within((memory) => {
      const at = putCoded(memory, coded, n);
      const to = memory.allocate(4 * CALL_COUNT);
      const state = memory.allocate(STATE_BYTES);
      const out = new Int32Array(n);
      for (let i = 0; i < n; i += CALL_COUNT) {
        const until = Math.min(i + CALL_COUNT, n);
        memory.calls.decodeIntegers(at, n, i, until, to, state);
        out.set(memory.int32(to, until - i), i);
      }
      return out;
    });
  }
  const out = new Int32Array(n);
  if (n === 0) return out;
  let at = payloadStart(coded, n, 4);
  const view = new DataView(coded.buffer, coded.byteOffset, coded.byteLength);
  const common = view.getInt32(0, true);
  let previous = 0;
  for (let i = 0; i < n; ) {
    let codes = coded[4 + (i >> 2)];
    const end = Math.min(n, i + 4);
    if (codes === 0 && end - i === 4) {
      // Four times the common difference: counts of faces are little else.
      out[i] = previous + common;
      out[i + 1] = previous + 2 * common;
      out[i + 2] = previous + 3 * common;
      previous = (previous + 4 * common) | 0;
      out[i + 3] = previous;
      i += 4;
      continue;
    }
    for (; i < end; i++, codes >>= 2) {
      switch (codes & 3) {
        case 0:
          previous = (previous + common) | 0;
          break;
        case 1:
          previous = (previous + ((coded[at] << 24) >> 24)) | 0;
          at += 1;
          break;
        case 2:
          previous = (previous + (((coded[at] | (coded[at + 1] << 8)) << 16) >> 16)) | 0;
          at += 2;
          break;
        default:
          previous = (previous + view.getInt32(at, true)) | 0;
          at += 4;
      }
      out[i] = previous;
    }
  }
  return out;
}

/** Facts of a run of integers, none of which is kept. */
export interface RunFacts {
  readonly count: number;
  /** Exact below 2^53, and rounded beyond. */
  readonly sum: number;
  readonly min: number;
  readonly max: number;
}

/** What is known of `n` coded signed 32-bit integers, for which isKernelCount holds, without a copy of them. */
export function factsOfInt32(coded: Uint8Array, n: number): RunFacts {
  return kernel.within((memory) => {
    const at = putCoded(memory, coded, n);
    const to = memory.allocate(16);
    const state = memory.allocate(STATE_BYTES);
    let sum = 0;
    let min = Infinity;
    let max = -Infinity;
    for (let i = 0; i < n; i += CALL_COUNT) {
      memory.calls.integerFacts(at, n, i, Math.min(i + CALL_COUNT, n), to, state);
      sum += memory.float64(to, 1)[0];
      const [low, high] = memory.int32(to + 8, 2);
      min = Math.min(min, low);
      max = Math.max(max, high);
    }
    return { count: n, sum, min, max };
  });
}

/** The first and the last of `n` coded 32-bit integers, at least one; nothing between them is written anywhere. */
export function endsOfInt32(coded: Uint8Array, n: number): Int32Array {
  let at = payloadStart(coded, n, 4);
  const view = new DataView(coded.buffer, coded.byteOffset, coded.byteLength);
  const common = view.getInt32(0, true);
  let first = 0;
  let sum = 0;
  for (let i = 0; i < n; i += 4) {
    let codes = coded[4 + (i >> 2)];
    const max = Math.min(4, n - i);
    if (codes === 0) {
      sum = (sum + max * common) | 0;
      if (i === 0) first = common;
      continue;
    }
    for (let k = 0; k < max; k++, codes >>= 2) {
      const code = codes & 3;
      if (code === 0) sum += common;
      else if (code === 1) sum += (coded[at] << 24) >> 24;
      else if (code === 2) sum += ((coded[at] | (coded[at + 1] << 8)) << 16) >> 16;
      else sum += view.getInt32(at, true);
      at += code === 3 ? 4 : code;
      sum |= 0;
      if (i + k === 0) first = sum;
    }
  }
  return Int32Array.of(first, sum);
}

/** Decodes `n` 64-bit integers from a decompressed block. It adds 32-bit halves; BigInt would be ten times slower. */
export function decodeInt64(coded: Uint8Array, n: number): BigInt64Array {
  const out = new BigInt64Array(n);
  if (n === 0) return out;
  const halves = new Uint32Array(out.buffer);
  let at = payloadStart(coded, n, 8);
  const view = new DataView(coded.buffer, coded.byteOffset, coded.byteLength);
  const commonLow = view.getUint32(0, true);
  const commonHigh = view.getInt32(4, true);
  let low = 0;
  let high = 0;
  let codes = 0;
  for (let i = 0; i < n; i++) {
    codes = (i & 3) === 0 ? coded[8 + (i >> 2)] : codes >> 2;
    let deltaLow = commonLow;
    let deltaHigh = commonHigh;
    switch (codes & 3) {
      case 0:
        break;
      case 1: {
        const delta = view.getInt16(at, true);
        at += 2;
        deltaLow = delta >>> 0;
        deltaHigh = delta >> 31;
        break;
      }
      case 2: {
        const delta = view.getInt32(at, true);
        at += 4;
        deltaLow = delta >>> 0;
        deltaHigh = delta >> 31;
        break;
      }
      default:
        deltaLow = view.getUint32(at, true);
        deltaHigh = view.getInt32(at + 4, true);
        at += 8;
    }
    const sum = low + deltaLow;
    low = sum >>> 0;
    high = (high + deltaHigh + (sum > 0xffffffff ? 1 : 0)) | 0;
    halves[2 * i] = low;
    halves[2 * i + 1] = high >>> 0;
  }
  return out;
}

/** A buffer for decompressed short runs, reused to save allocations: a scene of small meshes has very many of them. */
const scratch = new Uint8Array(2 ** 16);

/**
 * Reads `u64 compressedSize` and the block, and decompresses it for `n` integers of `width` bytes. The next call may
 * overwrite the result.
 */
function unpack(cursor: Cursor, n: number, width: 4 | 8): Uint8Array {
  const block = cursor.slice(cursor.u64());
  const min = width + Math.ceil(n / 4);
  if (min > block.length * LZ4_MAX_RATIO) corrupt(`${n} integers cannot come from ${block.length} packed bytes`);
  const max = Math.min(min + n * width, block.length * LZ4_MAX_RATIO);
  const coded = max <= scratch.length ? scratch.subarray(0, max) : new Uint8Array(max);
  return coded.subarray(0, decompress(block, coded));
}

/** Reads a run of `n` coded 32-bit integers. The caller must limit `n`. */
export function readInt32Run(cursor: Cursor, n: number): Int32Array {
  if (n === 0) {
    cursor.take(cursor.u64());
    return new Int32Array(0);
  }
  return decodeInt32(unpack(cursor, n, 4), n);
}

/** Reads the first and the last of a run of `n` coded 32-bit integers, at least one. The caller must limit `n`. */
export function readInt32Ends(cursor: Cursor, n: number): Int32Array {
  return endsOfInt32(unpack(cursor, n, 4), n);
}

/** Reads what is known of a run of `n` coded 32-bit integers, for which isKernelCount holds. */
export function readInt32Facts(cursor: Cursor, n: number): RunFacts {
  return factsOfInt32(unpack(cursor, n, 4), n);
}

/** Reads a run of `n` coded 64-bit integers. The caller must limit `n`. */
export function readInt64Run(cursor: Cursor, n: number): BigInt64Array {
  if (n === 0) {
    cursor.take(cursor.u64());
    return new BigInt64Array(0);
  }
  return decodeInt64(unpack(cursor, n, 8), n);
}

/** Reads a run of `n` coded unsigned 32-bit integers. The caller must limit `n`. */
export function readUint32Run(cursor: Cursor, n: number): Uint32Array {
  return new Uint32Array(readInt32Run(cursor, n).buffer);
}
