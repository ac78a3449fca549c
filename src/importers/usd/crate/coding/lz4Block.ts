// The compression of crates: raw LZ4 blocks (lz4.org, "LZ4 Block Format Description") in the chunk framing of OpenUSD
// (tf/fastCompression.cpp). A crate declares only an upper bound of the decompressed size; the package lz4-napi needs
// the exact size, so it cannot decode these blocks.

import { corrupt } from '../fault.ts';

/** One input byte gives at most 255 output bytes: a length byte of 255 adds as many. */
export const LZ4_MAX_RATIO = 255;

/** Copies shorter than this many bytes are faster in a loop than with a call. */
const SHORT_COPY = 24;

/**
 * Decodes the raw LZ4 block in `src[from, to)` into `dst` from `at` on. Returns the offset after the last byte written.
 * Throws CrateFault if the input is not one whole block or decodes to bytes at or beyond `limit`.
 */
export function decodeLz4Block(
  src: Uint8Array,
  from: number,
  to: number,
  dst: Uint8Array,
  at: number,
  limit: number,
): number {
  let ip = from;
  let op = at;
  while (ip < to) {
    const token = src[ip++];

    let literals = token >>> 4;
    if (literals === 15) {
      let more: number;
      do {
        if (ip >= to) corrupt('LZ4 block ends inside a literal length');
        more = src[ip++];
        literals += more;
      } while (more === 255);
    }
    if (literals > to - ip) corrupt('LZ4 block ends inside its literals');
    if (literals > limit - op) corrupt('LZ4 block unpacks to more than declared');
    if (literals < SHORT_COPY) {
      for (let n = literals; n > 0; n--) dst[op++] = src[ip++];
    } else {
      dst.set(src.subarray(ip, ip + literals), op);
      ip += literals;
      op += literals;
    }
    // The last sequence of a block has literals only.
    if (ip === to) return op;

    if (to - ip < 2) corrupt('LZ4 block ends inside a match offset');
    const offset = src[ip] | (src[ip + 1] << 8);
    ip += 2;
    if (offset === 0 || offset > op - at) corrupt('LZ4 match points before its block');
    let length = token & 15;
    if (length === 15) {
      let more: number;
      do {
        if (ip >= to) corrupt('LZ4 block ends inside a match length');
        more = src[ip++];
        length += more;
      } while (more === 255);
    }
    length += 4;
    if (length > limit - op) corrupt('LZ4 block unpacks to more than declared');
    if (length < SHORT_COPY) {
      for (let n = length; n > 0; n--, op++) dst[op] = dst[op - offset];
    } else if (offset === 1) {
      dst.fill(dst[op - 1], op, op + length);
      op += length;
    } else {
      // A match may overlap its own output. Copy the bytes that exist already; their count doubles with each step.
      const start = op - offset;
      const end = op + length;
      while (op < end) {
        const n = Math.min(op - start, end - op);
        dst.copyWithin(op, start, start + n);
        op += n;
      }
    }
  }
  return corrupt('LZ4 block ends after a match, without the final literals');
}

/**
 * Decompresses one block of a crate, with its framing, into `dst` and returns the number of bytes written. The block
 * starts with `u8 chunks`. If that is 0, the rest is one LZ4 block; else that many independent chunks follow, each an
 * `i32 size` and an LZ4 block. Throws CrateFault if bytes are left over or the output exceeds `dst`.
 */
export function decompress(block: Uint8Array, dst: Uint8Array): number {
  if (block.length < 2) corrupt('compressed block is empty');
  const chunks = block[0];
  if (chunks === 0) return decodeLz4Block(block, 1, block.length, dst, 0, dst.length);
  let ip = 1;
  let op = 0;
  for (let i = 0; i < chunks; i++) {
    if (block.length - ip < 4) corrupt(`compressed block ends before chunk ${i} of ${chunks}`);
    const size = block[ip] | (block[ip + 1] << 8) | (block[ip + 2] << 16) | (block[ip + 3] << 24);
    ip += 4;
    if (size <= 0 || size > block.length - ip) corrupt(`chunk ${i} of ${chunks} has ${size} bytes`);
    op = decodeLz4Block(block, ip, ip + size, dst, op, dst.length);
    ip += size;
  }
  if (ip !== block.length) corrupt(`${block.length - ip} bytes are left after the last chunk`);
  return op;
}
