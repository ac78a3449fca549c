// Deflate streams (RFC 1951) with the same bytes on every machine, for sections of BPX files. Matches of three bytes and more
// come from chains of equal hashes, and one gives way to a longer one that begins a byte later. Each block has the cheapest of the
// three forms. `deflateHuffman.ts` makes its codes.

import { putBits } from './bits.ts';
import {
  codeBits,
  DISTANCE_SYMBOLS,
  distanceExtra,
  distanceSymbol,
  fixedCodes,
  headerBits,
  LITERAL_SYMBOLS,
  lengthExtra,
  lengthSymbol,
  makeCodes,
  writeHeader,
} from './deflateHuffman.ts';
import { equalBytes } from './lz4.ts';
import { setWord, word } from './words.ts';

/** The longest distance and the longest match of the format. */
const WINDOW: u32 = 1 << 15;
const MAX_MATCH: u32 = 258;
const MIN_MATCH: u32 = 3;
/** What counts of the four bytes that a key is read with. */
const KEY: u32 = 0xffffff;
/** A match of three bytes from beyond this distance costs more than its literals. */
const NEAR: u32 = 1 << 12;
/** From this length on no longer match is looked for. */
const LONG_ENOUGH: u32 = 32;
/** Earlier places that are compared, and so many where a match is in hand. */
const TRIES: u32 = 6;
const LATER_TRIES: u32 = 1;
const HASH_BITS: u32 = 15;
const FACTOR: u32 = 0x9e3779b1;
/** Literals and matches of a block. A match is its length above its distance. */
const BLOCK_TOKENS: u32 = 1 << 13;
const END_OF_BLOCK: u32 = 256;
/** The most bytes of a stored block. */
const MAX_STORED: u32 = 65535;
/** No match is known, not even that there is none. */
const UNKNOWN: u32 = 0xffffffff;

/** Where things are in the room. */
const LINKS: usize = 4 << HASH_BITS;
const TOKENS: usize = LINKS + 4 * <usize>WINDOW;
const COUNTS: usize = TOKENS + 4 * <usize>BLOCK_TOKENS;
const DISTANCE_COUNTS: usize = COUNTS + 4 * <usize>LITERAL_SYMBOLS;
const CODES: usize = DISTANCE_COUNTS + 4 * <usize>DISTANCE_SYMBOLS;
const FIXED: usize = CODES + 4 * <usize>(LITERAL_SYMBOLS + DISTANCE_SYMBOLS);
/** The header of a block, and where makeCodes() sorts. Before that, the place that findTokens() gives. */
const HEADER: usize = FIXED + 4 * <usize>(LITERAL_SYMBOLS + DISTANCE_SYMBOLS);
const ROOM: usize = HEADER + (1 << 14);

/** Bytes of `room` that packDeflate() needs. */
export function deflateRoomBytes(): usize {
  return ROOM;
}

/** The most bytes that packDeflate() writes for so many. */
export function deflateMaxBytes(size: u32): u32 {
  return size + (size >> 10) + 64;
}

function headAt(room: usize, at: usize): usize {
  return room + ((<usize>(((load<u32>(at) & KEY) * FACTOR) >> (32 - HASH_BITS))) << 2);
}

/** Puts a place at the head of its chain. Words of heads and links are places from 1 on. */
function insert(input: usize, place: u32, room: usize): void {
  const head = headAt(room, input + place);
  setWord(room + LINKS, place & (WINDOW - 1), load<u32>(head));
  store<u32>(head, place + 1);
}

/** The longest match at a place, whose key lies before `end`; 0: there is none. */
function matchAt(input: usize, place: u32, end: u32, room: usize, tries: u32): u32 {
  const at = input + place;
  const most = min(end - place, MAX_MATCH);
  const key = load<u32>(at);
  const least = place > WINDOW ? place - WINDOW : 0;
  let length: u32 = MIN_MATCH - 1;
  let distance: u32 = 0;
  let other = load<u32>(headAt(room, at));
  for (; other > least && tries > 0; tries--) {
    const from = input + other - 1;
    if (((load<u32>(from) ^ key) & KEY) === 0 && load<u8>(from + length) === load<u8>(at + length)) {
      const equal = equalBytes(from, at, at + most);
      const back = place + 1 - other;
      if (equal > length && (equal > MIN_MATCH || back <= NEAR)) {
        length = equal;
        distance = back;
        if (length >= LONG_ENOUGH || length === most) break;
      }
    }
    other = word(room + LINKS, (other - 1) & (WINDOW - 1));
  }
  return distance === 0 ? 0 : (length << 16) | distance;
}

function countUp(counts: usize, symbol: u32): void {
  setWord(counts, symbol, word(counts, symbol) + 1);
}

/** Bits of a whole block with the codes at `codes`, without its header. */
function blockBits(room: usize, codes: usize): u32 {
  let bits: u32 = 0;
  for (let i: u32 = 0; i < LITERAL_SYMBOLS; i++) {
    const count = word(room + COUNTS, i);
    if (count > 0) bits += count * (codeBits(word(codes, i)) + lengthExtra(i));
  }
  for (let i: u32 = 0; i < DISTANCE_SYMBOLS; i++) {
    const count = word(room + DISTANCE_COUNTS, i);
    if (count > 0) bits += count * (codeBits(word(codes, LITERAL_SYMBOLS + i)) + distanceExtra(i));
  }
  return bits;
}

/** Writes bytes as stored blocks. */
function writeStored(from: usize, size: u32, isLast: u32, to: usize, bits: u32): u32 {
  do {
    const count = min(size, MAX_STORED);
    bits = putBits(to, bits, size === count ? isLast : 0, 3);
    bits = (bits + 7) & ~7;
    bits = putBits(to, bits, ((count ^ 0xffff) << 16) | count, 32);
    memory.copy(to + (bits >> 3), from, count);
    bits += count << 3;
    from += count;
    size -= count;
  } while (size > 0);
  return bits;
}

/** Writes literals, matches and the end of a block. */
function writeTokens(tokens: usize, count: u32, codes: usize, to: usize, bits: u32): u32 {
  const distances = codes + 4 * <usize>LITERAL_SYMBOLS;
  for (let i: u32 = 0; i < count; i++) {
    const token = word(tokens, i);
    const length = token >> 16;
    if (length === 0) {
      const code = word(codes, token);
      bits = putBits(to, bits, code & 0xffff, codeBits(code));
      continue;
    }
    const symbol = lengthSymbol(length);
    let code = word(codes, symbol);
    let value: u64 = code & 0xffff;
    let width = codeBits(code);
    const extra = lengthExtra(symbol);
    value |= (<u64>((length - 3) & ((1 << extra) - 1))) << width;
    width += extra;
    const distance = (token & 0xffff) - 1;
    const far = distanceSymbol(distance);
    code = word(distances, far);
    value |= (<u64>(code & 0xffff)) << width;
    width += codeBits(code);
    const rest = distanceExtra(far);
    value |= (<u64>(distance & ((1 << rest) - 1))) << width;
    bits = putBits(to, bits, value, width + rest);
  }
  const end = word(codes, END_OF_BLOCK);
  return putBits(to, bits, end & 0xffff, codeBits(end));
}

/** Writes the block of the tokens in the room, which stand for `size` bytes from `from` on, in its cheapest form. */
function writeBlock(from: usize, size: u32, count: u32, isLast: u32, room: usize, to: usize, bits: u32): u32 {
  countUp(room + COUNTS, END_OF_BLOCK);
  makeCodes(room + COUNTS, room + CODES, room + HEADER);
  const dynamic = headerBits(room + HEADER) + blockBits(room, room + CODES);
  const fixed = blockBits(room, room + FIXED);
  const blocks = size / MAX_STORED + 1;
  if ((size << 3) + blocks * 42 < min(dynamic, fixed)) return writeStored(from, size, isLast, to, bits);
  if (fixed <= dynamic) {
    bits = putBits(to, bits, isLast | (1 << 1), 3);
    return writeTokens(room + TOKENS, count, room + FIXED, to, bits);
  }
  bits = putBits(to, bits, isLast | (2 << 1), 3);
  bits = writeHeader(room + HEADER, to, bits);
  return writeTokens(room + TOKENS, count, room + CODES, to, bits);
}

/**
 * Literals and matches from `place` on, until a block is full. Gives their number. The place that follows is the first word at
 * HEADER, where it is to be read before makeCodes() uses that room.
 */
function findTokens(input: usize, place: u32, end: u32, room: usize): u32 {
  const tokens = room + TOKENS;
  // Below this a place has all bytes of a key.
  const keys = end >= MIN_MATCH ? end - MIN_MATCH + 1 : 0;
  let count: u32 = 0;
  let known = UNKNOWN;
  while (place < end && count < BLOCK_TOKENS) {
    let match = known;
    known = UNKNOWN;
    if (match === UNKNOWN) {
      match = 0;
      if (place < keys) {
        match = matchAt(input, place, end, room, TRIES);
        insert(input, place, room);
      }
    }
    const length = match >> 16;
    let inserted = place + 1;
    if (length > 0 && length < LONG_ENOUGH && inserted < keys && count + 1 < BLOCK_TOKENS) {
      const later = matchAt(input, inserted, end, room, LATER_TRIES);
      insert(input, inserted, room);
      inserted++;
      if (later >> 16 > length) {
        known = later;
        match = 0;
      }
    }
    if (match === 0) {
      const literal = <u32>load<u8>(input + place);
      setWord(tokens, count++, literal);
      countUp(room + COUNTS, literal);
      place++;
      continue;
    }
    setWord(tokens, count++, match);
    countUp(room + COUNTS, lengthSymbol(length));
    countUp(room + DISTANCE_COUNTS, distanceSymbol((match & 0xffff) - 1));
    place += length;
    for (const last = min(place, keys); inserted < last; inserted++) insert(input, inserted, room);
  }
  store<u32>(room + HEADER, place);
  return count;
}

/**
 * Packs the bytes from `from` to below `end`; those before them may be referred to, and one behind them is read. Begins behind
 * the `bits` bits that the byte at `to` has, fewer than eight, and gives how many there are then. `to` has deflateMaxBytes(),
 * `room` deflateRoomBytes().
 */
export function packDeflate(input: usize, from: u32, end: u32, isLast: u32, room: usize, to: usize, bits: u32): u32 {
  memory.fill(room, 0, LINKS);
  fixedCodes(room + FIXED);
  for (let place = from > WINDOW ? from - WINDOW : 0; place < from && place + MIN_MATCH <= end; place++) {
    insert(input, place, room);
  }
  do {
    memory.fill(room + COUNTS, 0, CODES - COUNTS);
    const count = findTokens(input, from, end, room);
    const next = load<u32>(room + HEADER);
    bits = writeBlock(input + from, next - from, count, next === end ? isLast : 0, room, to, bits);
    from = next;
  } while (from < end);
  return bits;
}

/** The most bytes whose sums stay below 2^32 (RFC 1950, 8.2; zlib's NMAX). */
const SUMMED: u32 = 5552;

/** Adler-32 (RFC 1950) of bytes; `before`: that of the bytes before them, 1 for none. */
export function adler32(bytes: usize, size: u32, before: u32): u32 {
  let low = before & 0xffff;
  let high = before >> 16;
  for (let at = bytes, left = size; left > 0; ) {
    const count = min(left, SUMMED);
    for (const end = at + count; at < end; at++) {
      low += <u32>load<u8>(at);
      high += low;
    }
    low %= 65521;
    high %= 65521;
    left -= count;
  }
  return (high << 16) | low;
}
