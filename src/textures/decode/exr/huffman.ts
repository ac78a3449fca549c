// The Huffman code of PIZ (OpenEXR, ImfHuf.cpp): canonical codes for 16-bit values, of which one stands for a repetition.
// Of two codes the shorter one is the larger number.

/** Header: first and last symbol, bytes of the table, bits of the data, and a word that is not used. */
const HEADER_BYTES = 20;
const MAX_SYMBOL = 65_536;
/** Code lengths in the table have six bits; these stand for runs of symbols without a code. */
const LONG_RUN = 63;
const SHORT_RUN = 59;
const SHORTEST_LONG_RUN = 6;
/** Longer ones cannot be told apart in a double, and need more samples than a chunk has. */
const LONGEST_CODE = 52;
const REPEAT_BITS = 8;
/** Codes of so many bits are found by one look into a table. */
const LOOKUP_BITS = 14;
const NO_CODE = 0;

/** Reads bits from the highest one down; zeros behind the end. */
class Bits {
  at: number;
  readonly end: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, begin: number, end: number) {
    this.#bytes = bytes;
    this.at = begin * 8;
    this.end = end;
  }

  /** The next bits, at most 16, without going on. */
  peek(count: number): number {
    const byte = this.at >> 3;
    const word = (this.#bytes[byte] << 16) | (this.#bytes[byte + 1] << 8) | this.#bytes[byte + 2];
    return (word >> (24 - count - (this.at & 7))) & ((1 << count) - 1);
  }

  read(count: number): number {
    const value = this.peek(count);
    this.at += count;
    return value;
  }
}

interface Code {
  /** By length: the first code, how many there are, and the place of the first one's symbol in `symbols`. */
  readonly first: Float64Array;
  readonly count: Float64Array;
  readonly place: Float64Array;
  readonly symbols: Uint32Array;
  /** symbol * 64 + length by the next LOOK_BITS bits; NO_CODE where the code is longer. */
  readonly lookup: Uint32Array;
}

/** The lengths of all codes; null if the table is broken. */
function readLengths(bits: Bits, first: number, last: number): Uint8Array | null {
  const lengths = new Uint8Array(MAX_SYMBOL + 1);
  for (let symbol = first; symbol <= last; symbol++) {
    if (bits.at + 6 > bits.end) return null;
    const length = bits.read(6);
    if (length < SHORT_RUN) {
      lengths[symbol] = length;
      continue;
    }
    if (length === LONG_RUN && bits.at + 8 > bits.end) return null;
    const run = length === LONG_RUN ? bits.read(8) + SHORTEST_LONG_RUN : length - SHORT_RUN + 2;
    if (symbol + run > last + 1) return null;
    symbol += run - 1;
  }
  return lengths;
}

function buildCode(lengths: Uint8Array): Code | null {
  const count = new Float64Array(60);
  for (const length of lengths) count[length]++;
  const total = lengths.length - count[0];
  count[0] = 0;
  for (let length = LONGEST_CODE + 1; length < count.length; length++) if (count[length] > 0) return null;
  // 1. First codes, from the longest ones, which are the smallest numbers.
  const first = new Float64Array(60);
  let code = 0;
  for (let length = LONGEST_CODE; length > 0; length--) {
    first[length] = code;
    if (code + count[length] > 2 ** length) return null;
    code = Math.floor((code + count[length]) / 2);
  }
  // 2. Symbols by length, then by value.
  const place = new Float64Array(60);
  for (let length = 1, at = 0; length <= LONGEST_CODE; length++) {
    place[length] = at;
    at += count[length];
  }
  const symbols = new Uint32Array(total);
  const next = place.slice();
  const lookup = new Uint32Array(1 << LOOKUP_BITS);
  lengths.forEach((length, symbol) => {
    if (length === 0) return;
    const at = next[length]++;
    symbols[at] = symbol;
    if (length > LOOKUP_BITS) return;
    const begin = (first[length] + at - place[length]) * 2 ** (LOOKUP_BITS - length);
    lookup.fill(symbol * 64 + length, begin, begin + 2 ** (LOOKUP_BITS - length));
  });
  return { first, count, place, symbols, lookup };
}

/** The next symbol; -1 if no code begins with the next bits. */
function readSymbol(bits: Bits, { first, count, place, symbols, lookup }: Code): number {
  const found = lookup[bits.peek(LOOKUP_BITS)];
  if (found !== NO_CODE) {
    bits.at += found & 63;
    return bits.at <= bits.end ? found >>> 6 : -1;
  }
  let code = bits.read(LOOKUP_BITS);
  for (let length = LOOKUP_BITS + 1; length <= LONGEST_CODE && bits.at < bits.end; length++) {
    code = code * 2 + bits.read(1);
    const index = code - first[length];
    if (index >= 0 && index < count[length]) return symbols[place[length] + index];
  }
  return -1;
}

/** Decodes exactly `out.length` values; false if the data is broken or has other values. */
export function decodeHuffman(bytes: Uint8Array, out: Uint16Array): boolean {
  if (bytes.length < HEADER_BYTES) return out.length === 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const firstSymbol = view.getUint32(0, true);
  const lastSymbol = view.getUint32(4, true);
  const dataBits = view.getUint32(12, true);
  // The last symbol stands for a repetition of the value before.
  if (firstSymbol > lastSymbol || lastSymbol > MAX_SYMBOL) return false;
  const table = new Bits(bytes, HEADER_BYTES, bytes.length * 8);
  const lengths = readLengths(table, firstSymbol, lastSymbol);
  const code = lengths && buildCode(lengths);
  if (!code) return false;
  const begin = Math.ceil(table.at / 8);
  if (begin * 8 + dataBits > bytes.length * 8) return false;
  const bits = new Bits(bytes, begin, begin * 8 + dataBits);
  let to = 0;
  while (to < out.length) {
    const symbol = readSymbol(bits, code);
    if (symbol < 0) return false;
    if (symbol !== lastSymbol) {
      out[to++] = symbol;
      continue;
    }
    if (to === 0 || bits.at + REPEAT_BITS > bits.end) return false;
    const count = bits.read(REPEAT_BITS);
    if (count === 0 || to + count > out.length) return false;
    out.fill(out[to - 1], to, to + count);
    to += count;
  }
  return true;
}
