// Packing for the crate writer of tests, samples and benches: raw LZ4 blocks, the integer coding and halves. Plain and
// small rather than tight; no platform features.

const MIN_MATCH = 4;
/** The format asks for five last literals, and for no match that starts within the last twelve bytes. */
const LAST_LITERALS = 5;
const MATCH_LIMIT = 12;
const HASH_BITS = 14;

function writeLength(out: number[], length: number): void {
  let left = length - 15;
  for (; left >= 255; left -= 255) out.push(255);
  out.push(left);
}

/** One raw LZ4 block, found greedily with a hash of the next four bytes. */
export function lz4Block(src: Uint8Array): Uint8Array {
  const blocks: Uint8Array[] = [];
  const table = new Int32Array(1 << HASH_BITS).fill(-1);
  const head: number[] = [];
  const emit = (from: number, to: number, offset: number, length: number): void => {
    const literals = to - from;
    const code = length - MIN_MATCH;
    head.length = 0;
    head.push((Math.min(literals, 15) << 4) | (offset ? Math.min(code, 15) : 0));
    if (literals >= 15) writeLength(head, literals);
    blocks.push(Uint8Array.from(head), src.subarray(from, to));
    if (offset === 0) return;
    head.length = 0;
    head.push(offset & 0xff, offset >> 8);
    if (code >= 15) writeLength(head, code);
    blocks.push(Uint8Array.from(head));
  };
  let anchor = 0;
  for (let i = 0; i + MATCH_LIMIT < src.length; ) {
    const word = src[i] | (src[i + 1] << 8) | (src[i + 2] << 16) | (src[i + 3] << 24);
    const slot = Math.imul(word, 0x9e3779b1) >>> (32 - HASH_BITS);
    const seen = table[slot];
    table[slot] = i;
    let length = 0;
    if (seen >= 0 && i - seen < 0x10000) {
      const max = src.length - LAST_LITERALS - i;
      while (length < max && src[seen + length] === src[i + length]) length++;
    }
    if (length < MIN_MATCH) {
      i++;
    } else {
      emit(anchor, i, i - seen, length);
      i += length;
      anchor = i;
    }
  }
  emit(anchor, src.length, 0, 0);
  return concat(blocks);
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((n, part) => n + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** A compressed block of a crate: one chunk, hence a leading 0. */
export function crateBlock(src: Uint8Array): Uint8Array {
  return concat([Uint8Array.of(0), lz4Block(src)]);
}

/** The integer coding before compression: common delta, 2-bit codes, payload. `values` as 32-bit patterns. */
export function codeInt32(values: Int32Array | Uint32Array): Uint8Array {
  const n = values.length;
  const counts = new Map<number, number>();
  let previous = 0;
  for (const value of values) {
    const delta = (value - previous) | 0;
    previous = value;
    counts.set(delta, (counts.get(delta) ?? 0) + 1);
  }
  let common = 0;
  for (const [delta, count] of counts) if (count > (counts.get(common) ?? 0)) common = delta;
  const out = new Uint8Array(4 + Math.ceil(n / 4) + 4 * n);
  const view = new DataView(out.buffer);
  view.setInt32(0, common, true);
  let at = 4 + Math.ceil(n / 4);
  previous = 0;
  for (let i = 0; i < n; i++) {
    const delta = (values[i] - previous) | 0;
    previous = values[i];
    let code = 0;
    if (delta === common) code = 0;
    else if (delta >= -0x80 && delta < 0x80) {
      code = 1;
      view.setInt8(at, delta);
      at += 1;
    } else if (delta >= -0x8000 && delta < 0x8000) {
      code = 2;
      view.setInt16(at, delta, true);
      at += 2;
    } else {
      code = 3;
      view.setInt32(at, delta, true);
      at += 4;
    }
    out[4 + (i >> 2)] |= code << (2 * (i & 3));
  }
  return out.subarray(0, at);
}

/** As codeInt32, for 64-bit integers. */
export function codeInt64(values: BigInt64Array | BigUint64Array): Uint8Array {
  const n = values.length;
  const deltas = new BigInt64Array(n);
  const counts = new Map<bigint, number>();
  for (let i = 0; i < n; i++) {
    deltas[i] = BigInt.asIntN(64, values[i] - (i > 0 ? values[i - 1] : 0n));
    counts.set(deltas[i], (counts.get(deltas[i]) ?? 0) + 1);
  }
  let common = 0n;
  for (const [delta, count] of counts) if (count > (counts.get(common) ?? 0)) common = delta;
  const out = new Uint8Array(8 + Math.ceil(n / 4) + 8 * n);
  const view = new DataView(out.buffer);
  view.setBigInt64(0, common, true);
  let at = 8 + Math.ceil(n / 4);
  for (let i = 0; i < n; i++) {
    const delta = deltas[i];
    let code = 0;
    if (delta === common) code = 0;
    else if (delta === BigInt.asIntN(16, delta)) {
      code = 1;
      view.setInt16(at, Number(delta), true);
      at += 2;
    } else if (delta === BigInt.asIntN(32, delta)) {
      code = 2;
      view.setInt32(at, Number(delta), true);
      at += 4;
    } else {
      code = 3;
      view.setBigInt64(at, delta, true);
      at += 8;
    }
    out[8 + (i >> 2)] |= code << (2 * (i & 3));
  }
  return out.subarray(0, at);
}

/** Bits of the half nearest to `value`, ties to even. */
export function halfBits(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size === 0) return sign;
  if (size >= 65520) return sign | 0x7c00;
  const exponent = Math.max(-14, Math.floor(Math.log2(size)));
  // In steps of the exponent's last place; rounding up may carry into the next exponent, which the sum below allows.
  const steps = size / 2 ** (exponent - 10);
  const floor = Math.floor(steps);
  const rest = steps - floor;
  const rounded = floor + (rest > 0.5 || (rest === 0.5 && (floor & 1) === 1) ? 1 : 0);
  return sign | (((exponent + 14) << 10) + rounded);
}
