// Rows by number, a counting sort that keeps the order of rows with the same number; and rows picked from a list.

import { setWord, word } from './words.ts';

/**
 * Fills in `starts`, which has room for `count` + 2 numbers, and `rows`: those of number i are rows[starts[i]] up to
 * rows[starts[i + 1]], ascending. `numbers`: of each of `length` rows, below `count`. `wanted`: a byte for each number, 1
 * where its rows are asked for; address 0: all are. Gives how many rows there are.
 */
export function rowsByNumber(numbers: usize, length: u32, wanted: usize, count: u32, starts: usize, rows: usize): u32 {
  memory.fill(starts, 0, (<usize>count + 2) << 2);
  for (let i: u32 = 0; i < length; i++) {
    const number = word(numbers, i);
    if (wanted === 0 || load<u8>(wanted + number) === 1) setWord(starts, number + 2, word(starts, number + 2) + 1);
  }
  let sum: u32 = 0;
  for (let n: u32 = 2; n < count + 2; n++) {
    sum += word(starts, n);
    setWord(starts, n, sum);
  }
  // Each start is one place too far to the right until its rows are written.
  for (let i: u32 = 0; i < length; i++) {
    const number = word(numbers, i);
    if (wanted !== 0 && load<u8>(wanted + number) !== 1) continue;
    const to = word(starts, number + 1);
    setWord(starts, number + 1, to + 1);
    setWord(rows, to, i);
  }
  return sum;
}

/** Copies the listed rows, of `width` words each. `list`: their numbers. */
export function pickRows(rows: usize, width: u32, list: usize, count: u32, to: usize): void {
  const end = list + ((<usize>count) << 2);
  const size = (<usize>width) << 2;
  for (; list < end; list += 4) {
    const from = rows + <usize>load<u32>(list) * size;
    let k: usize = 0;
    for (; k + 8 <= size; k += 8) store<u64>(to + k, load<u64>(from + k));
    if (k < size) store<u32>(to + k, load<u32>(from + k));
    to += size;
  }
}
