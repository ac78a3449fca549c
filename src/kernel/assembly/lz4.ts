// Raw LZ4 blocks ("LZ4 Block Format Description") that are as small as the matches allow which are found
// (formats/untold/container/lz4.ts). A match costs the same from any distance, and what is left at a place never costs more
// further on: so each place needs its longest match alone, and one walk from the end finds the cheapest way through them.

/** A sequence has a token and two bytes of distance; shorter matches would gain nothing. */
const MIN_MATCH: u32 = 4;
const SEQUENCE_BYTES: u32 = 3;
/** The last match begins this many bytes before the end of the block, or earlier. */
const LAST_MATCH: u32 = 12;
/** The last bytes of a block are literals. */
const LAST_LITERALS: u32 = 5;
/** Lengths up to these fit the token: the rest follows in bytes of up to 255. */
const TOKEN_LITERALS: u32 = 15;
const TOKEN_MATCH: u32 = 15 + MIN_MATCH;

/** Bytes whose matches are weighed together: no match goes beyond them, and their notes stay in the cache of a core. */
const SEGMENT: u32 = 1 << 15;

/** The longest match that is noted: its length is the upper half of a word, its distance the lower one. */
const MAX_NOTED: u32 = 0xffff;
/** What a match loses for each byte that it begins later. */
const ONE_LESS: u32 = 1 << 16;

/** Where keys of 4, 8, 12 and 16 bytes were last: a table each, of the lower 16 bits of the place. */
const TABLE_BITS: u32 = 14;
const TABLE_BYTES: usize = 2 << TABLE_BITS;
const TABLES_BYTES: usize = 5 * TABLE_BYTES;
/** Where a match of this length goes on, no other is looked for. */
const LONG_ENOUGH: u32 = 16 << 16;
/** A match is tried from so many bytes earlier, too. */
const EARLIER: u32 = 3;
/** Words before the notes of a segment, where matches that begin in the one before it may be noted: nobody reads them. */
const BEFORE_NOTES: usize = 16;
/** What keys and copies of literals read beyond the input, and the latter write beyond the block. */
const BEYOND: u32 = 8;

const FACTOR32: u32 = 0x9e3779b1;
const FACTOR: u64 = ((<u64>0x9e3779b1) << 32) | 0x85ebca87;
const OTHER_FACTOR: u64 = ((<u64>0xc2b2ae3d) << 32) | 0x27d4eb4f;

/** Bytes that packLz4() reads beyond the input, which must be 0. */
export function lz4Beyond(): u32 {
  return BEYOND;
}

/** Bytes of `room` that packLz4() needs. */
export function lz4RoomBytes(size: u32): usize {
  return TABLES_BYTES + BEFORE_NOTES + ((<usize>min(size, SEGMENT)) << 3) + 4;
}

/** The most bytes that a block of so many can take. */
export function lz4MaxBytes(size: u32): u32 {
  return size + size / 255 + 8 + BEYOND;
}

/** How many bytes from `a` on are equal to those from `b` on, which comes later, up to `end`. */
export function equalBytes(a: usize, b: usize, end: usize): u32 {
  const start = b;
  while (b + 8 <= end) {
    const different = load<u64>(a) ^ load<u64>(b);
    if (different !== 0) return <u32>(b - start) + <u32>(ctz(different) >> 3);
    a += 8;
    b += 8;
  }
  while (b < end && load<u8>(a) === load<u8>(b)) {
    a++;
    b++;
  }
  return <u32>(b - start);
}

/** How far before `place` a table has the last one of the same hash, which may have another key; 0: none is known. */
function distanceOf(entry: usize, place: u32): u32 {
  const distance = (place - <u32>load<u16>(entry)) & 0xffff;
  return distance > place ? 0 : distance;
}

/**
 * The longer one of `best` and the match at `at` from `distance` before it. `place`: that of `at` in the block; `note`: where its
 * match is noted. Matches of places just before it are noted where this one makes them longer.
 */
function longer(at: usize, place: u32, distance: u32, end: usize, note: usize, best: u32): u32 {
  const from = at - distance;
  const length = min(equalBytes(from, at, end), MAX_NOTED - EARLIER);
  if (length > best >> 16) best = (length << 16) | distance;
  for (let k: u32 = 1; k <= EARLIER; k++) {
    if (distance + k > place || load<u8>(from - k) !== load<u8>(at - k)) break;
    const earlier = note - ((<usize>k) << 2);
    if (length + k > load<u32>(earlier) >> 16) store<u32>(earlier, ((length + k) << 16) | distance);
  }
  return best;
}

/**
 * Notes the longest match that the tables have for each place from `start` to below `stop`. None goes beyond `end`. What
 * repeats mostly lies an even number of bytes apart: at odd places only keys of 4 bytes are looked up.
 */
function findMatches(input: usize, start: u32, stop: u32, end: usize, tables: usize, notes: usize): void {
  const odd4 = tables + TABLE_BYTES;
  const tables8 = odd4 + TABLE_BYTES;
  const tables12 = tables8 + TABLE_BYTES;
  const tables16 = tables12 + TABLE_BYTES;
  let best: u32 = 0;
  let note = notes;
  for (let place = start; place < stop; place++, note += 4) {
    let at = input + place;
    // The match before goes on here, one byte shorter.
    best = best >= (MIN_MATCH + 1) << 16 ? best - ONE_LESS : 0;
    const low = load<u64>(at);
    const high = load<u64>(at, 8);
    const mixed = low * FACTOR;
    const folded = mixed ^ (mixed >> 32);
    let of4 = tables + ((<usize>((<u32>low * FACTOR32) >> (32 - TABLE_BITS))) << 1);
    const of8 = tables8 + ((<usize>(mixed >> (64 - TABLE_BITS))) << 1);
    const of12 = tables12 + ((<usize>(((folded ^ (high << 32)) * OTHER_FACTOR) >> (64 - TABLE_BITS))) << 1);
    const of16 = tables16 + ((<usize>(((folded + high) * OTHER_FACTOR) >> (64 - TABLE_BITS))) << 1);
    if (best < LONG_ENOUGH) {
      const by4 = distanceOf(of4, place);
      if (by4 !== 0 && load<u32>(at - by4) === <u32>low) {
        // A longer key that was found makes shorter ones needless.
        const by8 = distanceOf(of8, place);
        if (by8 !== 0 && load<u64>(at - by8) === low) {
          const by16 = distanceOf(of16, place);
          if (by16 !== 0) best = longer(at, place, by16, end, note, best);
          if (best < 16 << 16) {
            const by12 = distanceOf(of12, place);
            if (by12 !== 0 && by12 !== by16) best = longer(at, place, by12, end, note, best);
            if (best < 12 << 16) best = longer(at, place, by8, end, note, best);
          }
        } else if (best < 8 << 16) best = longer(at, place, by4, end, note, best);
      }
    }
    store<u32>(note, best);
    store<u16>(of4, place);
    store<u16>(of8, place);
    store<u16>(of12, place);
    store<u16>(of16, place);

    if (++place === stop) break;
    at++;
    note += 4;
    best = best >= (MIN_MATCH + 1) << 16 ? best - ONE_LESS : 0;
    const key = <u32>(low >> 8);
    of4 = odd4 + ((<usize>((key * FACTOR32) >> (32 - TABLE_BITS))) << 1);
    if (best < 8 << 16) {
      const by4 = distanceOf(of4, place);
      if (by4 !== 0 && load<u32>(at - by4) === key) best = longer(at, place, by4, end, note, best);
    }
    store<u32>(note, best);
    store<u16>(of4, place);
  }
}

/** Bytes that tell the rest of a length that does not fit the token. */
function restBytes(length: u32, inToken: u32): u32 {
  return length < inToken ? 0 : 1 + (length - inToken) / 255;
}

/** Leaves the notes of the matches that the cheapest way takes, and 0 for all other places. `costs`: a word more than notes. */
function chooseMatches(notes: usize, count: u32, costs: usize): void {
  // Literals up to the next match, and what a place costs with all that follows.
  let literals: u32 = 0;
  let cost: u32 = 0;
  store<u32>(costs + ((<usize>count) << 2), 0);
  for (let i = count; i-- > 0; ) {
    const note = notes + ((<usize>i) << 2);
    const at = costs + ((<usize>i) << 2);
    literals++;
    cost++;
    if (literals >= TOKEN_LITERALS && (literals - TOKEN_LITERALS) % 255 === 0) cost++;
    let match = load<u32>(note);
    const length = match >> 16;
    if (length >= MIN_MATCH) {
      let taken = SEQUENCE_BYTES + restBytes(length, TOKEN_MATCH) + load<u32>(at + ((<usize>length) << 2));
      if (length >= TOKEN_MATCH) {
        // The longest match that needs no further byte may be cheaper.
        const short = SEQUENCE_BYTES + load<u32>(at + ((<usize>(TOKEN_MATCH - 1)) << 2));
        if (short < taken) {
          taken = short;
          match = ((TOKEN_MATCH - 1) << 16) | (match & 0xffff);
        }
      }
      if (taken <= cost) {
        cost = taken;
        literals = 0;
      }
    }
    store<u32>(note, literals === 0 ? match : 0);
    store<u32>(at, cost);
  }
}

function writeRest(rest: u32, to: usize): usize {
  for (; rest >= 255; rest -= 255) store<u8>(to++, 255);
  store<u8>(to++, rest);
  return to;
}

/** Writes a token with literals, and with the length of a match: 0 for the last sequence, which has none. */
function writeLiterals(from: usize, count: u32, length: u32, to: usize): usize {
  const high = min(count, TOKEN_LITERALS);
  const low = length === 0 ? 0 : min(length - MIN_MATCH, 15);
  store<u8>(to++, (high << 4) | low);
  if (high === TOKEN_LITERALS) to = writeRest(count - TOKEN_LITERALS, to);
  const end = to + count;
  for (; to < end; to += 8, from += 8) store<u64>(to, load<u64>(from));
  return end;
}

/**
 * Packs `size` bytes, which lz4Beyond() zeros follow, as a block at `to`, which has lz4MaxBytes(); gives how many it takes.
 * `room` has lz4RoomBytes().
 */
export function packLz4(input: usize, size: u32, room: usize, to: usize): u32 {
  const tables = room;
  const notes = room + TABLES_BYTES + BEFORE_NOTES;
  const costs = notes + ((<usize>min(size, SEGMENT)) << 2);
  memory.fill(tables, 0, TABLES_BYTES);
  const lastStart = size > LAST_MATCH ? size - LAST_MATCH + 1 : 0;
  const begin = to;
  let literals: u32 = 0;
  for (let start: u32 = 0; start < size; start += SEGMENT) {
    const count = min(size - start, SEGMENT);
    const stop = min(start + count, lastStart);
    const searched = stop > start ? stop - start : 0;
    if (searched > 0) {
      const end = input + min(start + count, size - LAST_LITERALS);
      findMatches(input, start, stop, end, tables, notes);
    }
    memory.fill(notes + ((<usize>searched) << 2), 0, (<usize>(count - searched)) << 2);
    chooseMatches(notes, count, costs);
    for (let i: u32 = 0; i < count; ) {
      const match = load<u32>(notes + ((<usize>i) << 2));
      if (match === 0) {
        literals++;
        i++;
        continue;
      }
      const length = match >> 16;
      to = writeLiterals(input + start + i - literals, literals, length, to);
      store<u16>(to, match);
      to += 2;
      if (length >= TOKEN_MATCH) to = writeRest(length - TOKEN_MATCH, to);
      literals = 0;
      i += length;
    }
  }
  to = writeLiterals(input + size - literals, literals, 0, to);
  return <u32>(to - begin);
}
