// The codes of a Deflate block (RFC 1951, 3.2): symbols of lengths and distances, codes by how often symbols occur (Huffman 1952), and
// the header that tells their lengths. Codes are written from their highest bit on, so they are kept reversed.

import { putBits } from './bits.ts';
import { setWord, word } from './words.ts';

/** Literals, the end of a block, and lengths: two are never used. */
export const LITERAL_SYMBOLS: u32 = 288;
export const DISTANCE_SYMBOLS: u32 = 32;
const FIRST_LENGTH: u32 = 257;
const LAST_LENGTH: u32 = 285;
const USED_LITERALS: u32 = 286;
const USED_DISTANCES: u32 = 30;
const MAX_BITS: u32 = 15;

/** Symbols that tell lengths of codes: 0 to 15, and three for repeats. */
const LENGTH_SYMBOLS: u32 = 19;
const MAX_LENGTH_BITS: u32 = 7;
const REPEAT_LAST: u32 = 16;
const FEW_ZEROS: u32 = 17;
const MANY_ZEROS: u32 = 18;

/** The order in which the lengths of their codes are told (3.2.7). */
const LENGTH_ORDER = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);

/** The symbol of a length of 3 to 258. */
export function lengthSymbol(length: u32): u32 {
  const rest = length - 3;
  if (rest < 8) return FIRST_LENGTH + rest;
  if (rest === 255) return LAST_LENGTH;
  const extra = 29 - clz(rest);
  return FIRST_LENGTH + 4 * extra + (rest >> extra);
}

/** Extra bits of a symbol of a literal or length. */
export function lengthExtra(symbol: u32): u32 {
  return symbol < FIRST_LENGTH + 8 || symbol >= LAST_LENGTH ? 0 : ((symbol - FIRST_LENGTH) >> 2) - 1;
}

/** The symbol of a distance less one. */
export function distanceSymbol(rest: u32): u32 {
  if (rest < 4) return rest;
  const extra = 30 - clz(rest);
  return 2 * extra + (rest >> extra);
}

export function distanceExtra(symbol: u32): u32 {
  return symbol < 4 ? 0 : (symbol >> 1) - 1;
}

/** The length of a code; its bits are the lower half of the word. */
export function codeBits(code: u32): u32 {
  return code >> 16;
}

/** Gives the `count` symbols whose words have a length the codes of these lengths (3.2.2). */
function assignCodes(codes: usize, count: u32): void {
  let code: u32 = 0;
  for (let length: u32 = 1; length <= MAX_BITS; length++, code <<= 1) {
    for (let i: u32 = 0; i < count; i++) {
      if (codeBits(word(codes, i)) !== length) continue;
      let reversed: u32 = 0;
      for (let k: u32 = 0; k < length; k++) reversed |= ((code >> k) & 1) << (length - 1 - k);
      setWord(codes, i, (length << 16) | reversed);
      code++;
    }
  }
}

/** The codes of a block without a header (3.2.6). */
export function fixedCodes(codes: usize): void {
  for (let i: u32 = 0; i < LITERAL_SYMBOLS; i++) {
    const length = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    setWord(codes, i, length << 16);
  }
  assignCodes(codes, LITERAL_SYMBOLS);
  const distances = codes + 4 * <usize>LITERAL_SYMBOLS;
  for (let i: u32 = 0; i < DISTANCE_SYMBOLS; i++) setWord(distances, i, 5 << 16);
  assignCodes(distances, DISTANCE_SYMBOLS);
}

/**
 * Makes the codes of `count` symbols, none longer than `limit`, as short as their counts allow; where one is too long, all counts are
 * halved until none is. `room`: 5 words a symbol.
 */
function huffman(counts: usize, count: u32, limit: u32, codes: usize, room: usize): void {
  memory.fill(codes, 0, (<usize>count) << 2);
  // Symbols by their counts, of equal ones the first first.
  const keys = room;
  let used: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const times = word(counts, i);
    if (times === 0) continue;
    const key = (times << 9) | i;
    let at = used++;
    for (; at > 0 && word(keys, at - 1) > key; at--) setWord(keys, at, word(keys, at - 1));
    setWord(keys, at, key);
  }
  if (used === 0) return;
  // Leaves come first, then the nodes above them in the order of their weights.
  const weights = keys + 4 * <usize>count;
  const parents = weights + 8 * <usize>count;
  for (let halved: u32 = 0; ; halved++) {
    for (let i: u32 = 0; i < used; i++) setWord(weights, i, max((word(keys, i) >> 9) >> halved, 1));
    let leaf: u32 = 0;
    let node = used;
    const root: u32 = 2 * used - 2;
    for (let made = used; made <= root; made++) {
      let weight: u32 = 0;
      for (let k = 0; k < 2; k++) {
        const isLeaf = leaf < used && (node >= made || word(weights, leaf) <= word(weights, node));
        const child = isLeaf ? leaf++ : node++;
        weight += word(weights, child);
        setWord(parents, child, made);
      }
      setWord(weights, made, weight);
    }
    // From here on the words of weights are depths.
    let deepest: u32 = 0;
    setWord(weights, root, 0);
    for (let i = root; i-- > 0; ) {
      const depth = word(weights, word(parents, i)) + 1;
      setWord(weights, i, depth);
      deepest = max(deepest, depth);
    }
    if (deepest <= limit) break;
  }
  for (let i: u32 = 0; i < used; i++) {
    // A symbol alone has a code of one bit.
    setWord(codes, word(keys, i) & 511, max(word(weights, i), 1) << 16);
  }
  assignCodes(codes, count);
}

/** Of the header: counts of symbols, then words. */
const LITERALS_TOLD: usize = 4;
const DISTANCES_TOLD: usize = 8;
const LENGTHS_TOLD: usize = 12;
const SEQUENCE_LENGTH: usize = 16;
const BITS: usize = 20;
const LENGTH_COUNTS: usize = 24;
const LENGTH_CODES: usize = LENGTH_COUNTS + 4 * <usize>LENGTH_SYMBOLS;
const SEQUENCE: usize = LENGTH_CODES + 4 * <usize>LENGTH_SYMBOLS;
const SCRATCH: usize = SEQUENCE + 4 * <usize>(LITERAL_SYMBOLS + DISTANCE_SYMBOLS);

/** Adds a symbol of the sequence of lengths, with its repeats less the least. */
function tell(header: usize, symbol: u32, more: u32): void {
  const length = load<u32>(header, SEQUENCE_LENGTH);
  setWord(header + SEQUENCE, length, (more << 8) | symbol);
  store<u32>(header, length + 1, SEQUENCE_LENGTH);
  setWord(header + LENGTH_COUNTS, symbol, word(header + LENGTH_COUNTS, symbol) + 1);
}

function repeatBits(symbol: u32): u32 {
  return symbol < REPEAT_LAST ? 0 : symbol === REPEAT_LAST ? 2 : symbol === FEW_ZEROS ? 3 : 7;
}

/** The length of the i-th code that a header tells: those of literals, then those of distances. */
function toldLength(codes: usize, i: u32, literals: u32): u32 {
  return codeBits(word(codes, i < literals ? i : LITERAL_SYMBOLS + i - literals));
}

/** The sequence of lengths, with repeats (3.2.7). */
function tellLengths(codes: usize, literals: u32, count: u32, header: usize): void {
  for (let i: u32 = 0; i < count; ) {
    const length = toldLength(codes, i, literals);
    let run: u32 = 1;
    while (i + run < count && toldLength(codes, i + run, literals) === length) run++;
    i += run;
    if (length === 0) {
      for (; run >= 11; run -= min(run, 138)) tell(header, MANY_ZEROS, min(run, 138) - 11);
      if (run >= 3) {
        tell(header, FEW_ZEROS, run - 3);
        run = 0;
      }
    } else {
      tell(header, length, 0);
      run--;
      for (; run >= 3; run -= min(run, 6)) tell(header, REPEAT_LAST, min(run, 6) - 3);
    }
    for (; run > 0; run--) tell(header, length, 0);
  }
}

/** Makes the codes of a block and its header. The counts of distances follow those of literals, and so do the codes. */
export function makeCodes(counts: usize, codes: usize, header: usize): void {
  const distances = 4 * <usize>LITERAL_SYMBOLS;
  huffman(counts, LITERAL_SYMBOLS, MAX_BITS, codes, header + SCRATCH);
  huffman(counts + distances, DISTANCE_SYMBOLS, MAX_BITS, codes + distances, header + SCRATCH);
  // Without a distance the header tells one code of a bit, which not every reader could do without.
  let farthest = USED_DISTANCES;
  while (farthest > 0 && word(codes + distances, farthest - 1) === 0) farthest--;
  if (farthest === 0) {
    setWord(codes + distances, 0, 1 << 16);
    farthest = 1;
  }
  let literals = USED_LITERALS;
  while (word(codes, literals - 1) === 0) literals--;
  memory.fill(header + SEQUENCE_LENGTH, 0, SEQUENCE - SEQUENCE_LENGTH);
  tellLengths(codes, literals, literals + farthest, header);
  huffman(header + LENGTH_COUNTS, LENGTH_SYMBOLS, MAX_LENGTH_BITS, header + LENGTH_CODES, header + SCRATCH);
  let lengths = LENGTH_SYMBOLS;
  while (word(header + LENGTH_CODES, load<u8>(LENGTH_ORDER + lengths - 1)) === 0) lengths--;
  let bits: u32 = 14 + 3 * lengths;
  for (let i: u32 = 0; i < LENGTH_SYMBOLS; i++) {
    bits += word(header + LENGTH_COUNTS, i) * (codeBits(word(header + LENGTH_CODES, i)) + repeatBits(i));
  }
  store<u32>(header, literals, LITERALS_TOLD);
  store<u32>(header, farthest, DISTANCES_TOLD);
  store<u32>(header, lengths, LENGTHS_TOLD);
  store<u32>(header, bits, BITS);
}

export function headerBits(header: usize): u32 {
  return load<u32>(header, BITS);
}

/** Writes the header behind the first three bits of its block. */
export function writeHeader(header: usize, to: usize, bits: u32): u32 {
  const lengths = load<u32>(header, LENGTHS_TOLD);
  bits = putBits(to, bits, load<u32>(header, LITERALS_TOLD) - FIRST_LENGTH, 5);
  bits = putBits(to, bits, load<u32>(header, DISTANCES_TOLD) - 1, 5);
  bits = putBits(to, bits, lengths - 4, 4);
  for (let i: u32 = 0; i < lengths; i++) {
    bits = putBits(to, bits, codeBits(word(header + LENGTH_CODES, load<u8>(LENGTH_ORDER + i))), 3);
  }
  const count = load<u32>(header, SEQUENCE_LENGTH);
  for (let i: u32 = 0; i < count; i++) {
    const told = word(header + SEQUENCE, i);
    const symbol = told & 255;
    const code = word(header + LENGTH_CODES, symbol);
    bits = putBits(to, bits, code & 0xffff, codeBits(code));
    bits = putBits(to, bits, told >> 8, repeatBits(symbol));
  }
  return bits;
}
