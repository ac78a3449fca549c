// The compression of crates: raw LZ4 blocks in OpenUSD's chunk framing. Written here because a crate states only an upper
// bound of the unpacked size, so that a decoder which must be told the exact size (lz4-napi) cannot read these blocks.
// LZ4: lz4.org, "LZ4 Block Format Description". Framing: OpenUSD, TfFastCompression.

import { corrupt } from '../fault.ts';

/** One input byte yields fewer than 255 output bytes (a length byte of 255 is the best case). */
export const LZ4_MAX_RATIO = 255;

/** Copies shorter than this are quicker as a loop than as a call. */
const SHORT_COPY = 24;

/**
 * Decodes the raw LZ4 block in `src[from, to)` into `dst` from `at` on and returns the offset after the last byte
 * written. Uses the input exactly and never writes at or beyond `limit`. Throws CrateFault on any other input.
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
      // A match may overlap what it writes: copy what is there, which doubles with every step.
      const start = op - offset;
      const end = op + length;
      while (op < end) {
        const n = Math.min(op - start, end - op);
        dst.copyWithin(op, start, start + n);
        op += n;
      }
    }
  }
  return corrupt('LZ4 block ends after a match, without last literals');
}

/**
 * Unpacks one compressed block of a crate, framing included, into `dst` and returns the number of bytes written. The
 * block is `u8 chunks`; 0: the rest is one LZ4 block; else so many `i32 size` + LZ4 block, each for itself. Throws
 * CrateFault when the block is not used up exactly or unpacks to more than `dst` holds.
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
