// Finds equal rows of 32-bit words, for every verb that welds (geometry/mesh/weld.ts). Rows are first split by the upper
// bits of their hashes, so that each part is looked through in a table that stays in the processor's cache; a row itself is
// read again only where the whole hash agrees.

import { setWord, word } from './words.ts';

const EMPTY: u32 = 0xffffffff;

function hashRow(row: usize, width: u32): u32 {
  let h: u32 = 0x9e3779b9;
  const end = row + ((<usize>width) << 2);
  for (let at = row; at < end; at += 4) {
    h = (h ^ load<u32>(at)) * 0x85ebca6b;
    h ^= h >>> 15;
  }
  h *= 0xc2b2ae35;
  return h ^ (h >>> 16);
}

function isSameRow(a: usize, b: usize, width: u32): bool {
  const end = a + ((<usize>width) << 2);
  for (; a < end; a += 4, b += 4) if (load<u32>(a) !== load<u32>(b)) return false;
  return true;
}

/** Slots for `count` rows, a power of two at most two thirds full. */
export function tableSize(count: u32): u32 {
  let size: u32 = 32;
  while (<u64>size * 2 < <u64>count * 3) size *= 2;
  return size;
}

/**
 * Parts the numbers of `total` rows by the upper `bits` of their hashes, in their own order within each part. Writes the
 * end of each part to `ends` (zeros), the numbers to `numbers`, their hashes to `keys`; `hashes` is room for a word a row.
 * Gives how many slots firstRows() needs.
 */
export function partRows(
  rows: usize,
  width: u32,
  total: u32,
  bits: u32,
  ends: usize,
  numbers: usize,
  keys: usize,
  hashes: usize,
): u32 {
  const shift = 32 - bits;
  const rowBytes = (<usize>width) << 2;
  for (let i: u32 = 0, at = rows; i < total; i++, at += rowBytes) {
    const h = hashRow(at, width);
    setWord(hashes, i, h);
    const part = h >>> shift;
    setWord(ends, part, word(ends, part) + 1);
  }
  let highest: u32 = 0;
  let start: u32 = 0;
  for (let part: u32 = 0; part < 1 << bits; part++) {
    const size = word(ends, part);
    highest = max(highest, size);
    setWord(ends, part, start);
    start += size;
  }
  for (let i: u32 = 0; i < total; i++) {
    const h = word(hashes, i);
    const to = word(ends, h >>> shift);
    setWord(ends, h >>> shift, to + 1);
    setWord(numbers, to, i);
    setWord(keys, to, h);
  }
  return tableSize(highest);
}

/** Writes for each row the number of the first that equals it. The arrays are those of partRows(). */
export function firstRows(
  rows: usize,
  width: u32,
  bits: u32,
  ends: usize,
  numbers: usize,
  keys: usize,
  slots: usize,
  first: usize,
): void {
  const rowBytes = (<usize>width) << 2;
  let k: u32 = 0;
  for (let part: u32 = 0; part < 1 << bits; part++) {
    const end = word(ends, part);
    if (k === end) continue;
    const size = tableSize(end - k);
    memory.fill(slots, 0xff, (<usize>size) << 2);
    for (; k < end; k++) {
      const row = word(numbers, k);
      const key = word(keys, k);
      let same = row;
      for (let slot = key & (size - 1); ; slot = (slot + 1) & (size - 1)) {
        const known = word(slots, slot);
        if (known === EMPTY) {
          setWord(slots, slot, k);
          break;
        }
        if (word(keys, known) !== key) continue;
        const other = word(numbers, known);
        if (!isSameRow(rows + <usize>other * rowBytes, rows + <usize>row * rowBytes, width)) continue;
        same = other;
        break;
      }
      setWord(first, row, same);
    }
  }
}

/**
 * Moves the rows that are the first of their kind to the front, in place, and turns `first` into each row's number among
 * them. Gives how many there are.
 */
export function closeGaps(rows: usize, width: u32, total: u32, first: usize): u32 {
  const rowBytes = (<usize>width) << 2;
  let count: u32 = 0;
  for (let i: u32 = 0; i < total; i++) {
    const same = word(first, i);
    if (same !== i) {
      setWord(first, i, word(first, same));
      continue;
    }
    if (count < i) memory.copy(rows + <usize>count * rowBytes, rows + <usize>i * rowBytes, rowBytes);
    setWord(first, i, count++);
  }
  return count;
}

/** Places `count` times `size` words in the rows of `width` words: `to` is where the first of them go. */
export function placeColumn(from: usize, size: u32, count: u32, to: usize, width: u32): void {
  const bytes = (<usize>size) << 2;
  const rowBytes = (<usize>width) << 2;
  for (let v: u32 = 0; v < count; v++, from += bytes, to += rowBytes) {
    for (let k: usize = 0; k < bytes; k += 4) store<u32>(to + k, load<u32>(from + k));
  }
}

/** Writes for each number from 0 up the first row that has it. `numbers`: of `total` rows, each number's first in ascending order. */
export function firstOfEach(numbers: usize, total: u32, first: usize): void {
  let next: u32 = 0;
  for (let i: u32 = 0; i < total; i++) if (word(numbers, i) === next) setWord(first, next++, i);
}

/** The bits of a coordinate; -0 as +0. */
function bitsOf(at: usize): u32 {
  const bits = load<u32>(at);
  return bits === 0x80000000 ? 0 : bits;
}

/** Puts the first `count` rows of three words into a table of `size` slots, all empty. */
export function fillTable(rows: usize, count: u32, table: usize, size: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    let slot = hashRow(rows + <usize>i * 12, 3) & (size - 1);
    while (word(table, slot) !== EMPTY) slot = (slot + 1) & (size - 1);
    setWord(table, slot, i);
  }
}

/**
 * Writes a row of three words for each position that lies in one of some boxes or touches it; gives how many. `boxes`: six
 * float64 each, least and greatest corner.
 */
export function rowsInBoxes(positions: usize, count: u32, boxes: usize, boxCount: u32, rows: usize): u32 {
  const end = boxes + <usize>boxCount * 48;
  let found: u32 = 0;
  for (let i: u32 = 0, at = positions; i < count; i++, at += 12) {
    const x = <f64>load<f32>(at);
    const y = <f64>load<f32>(at, 4);
    const z = <f64>load<f32>(at, 8);
    for (let box = boxes; box < end; box += 48) {
      if (!(x >= load<f64>(box) && x <= load<f64>(box, 24))) continue;
      if (!(y >= load<f64>(box, 8) && y <= load<f64>(box, 32))) continue;
      if (!(z >= load<f64>(box, 16) && z <= load<f64>(box, 40))) continue;
      store<u32>(rows, bitsOf(at));
      store<u32>(rows, bitsOf(at + 4), 4);
      store<u32>(rows, bitsOf(at + 8), 8);
      rows += 12;
      found++;
      break;
    }
  }
  return found;
}

/**
 * Writes the number of each position (three float32): that of an equal one among the `known` rows in the table, else the
 * next, and adds its row. Gives how many rows there are then. `table`: of `size` slots, tableSize() of all rows or more.
 */
export function numberPositions(
  positions: usize,
  count: u32,
  rows: usize,
  known: u32,
  table: usize,
  size: u32,
  numbers: usize,
): u32 {
  for (let i: u32 = 0, at = positions; i < count; i++, at += 12) {
    // In the place of the next row, where it stays if it is a new one.
    const row = rows + <usize>known * 12;
    store<u32>(row, bitsOf(at));
    store<u32>(row, bitsOf(at + 4), 4);
    store<u32>(row, bitsOf(at + 8), 8);
    let number = known;
    for (let slot = hashRow(row, 3) & (size - 1); ; slot = (slot + 1) & (size - 1)) {
      const other = word(table, slot);
      if (other === EMPTY) {
        setWord(table, slot, known++);
        break;
      }
      if (!isSameRow(rows + <usize>other * 12, row, 3)) continue;
      number = other;
      break;
    }
    setWord(numbers, i, number);
  }
  return known;
}
