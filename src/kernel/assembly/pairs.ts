// The order of triangles for LZ4 (geometry/mesh/optimise.ts): two indices in a row that stood in a row before are a match, which
// takes three bytes with what lies between two. In a closed surface no two triangles have an edge in the same direction, so such
// pairs come about where one triangle ends and the next begins. Of the next few triangles that one is taken, turned so, which gives
// most of them: the order for the vertex cache stays what it was within a few triangles.

import { setWord, word } from './words.ts';

const NONE: u32 = 0xffffffff;

/** Triangles that wait to be written: one of them is the next. */
const WAITING: u32 = 3;
const HELD: usize = memory.data(36, 16);

/** What a triangle gains by a pair that was written before, and by one that a waiting triangle could make with it. */
const WRITTEN: i32 = 8;
const POSSIBLE: i32 = 5;

/** Pairs that were written, by their hash: two words each. */
const TABLE_BITS: u32 = 10;

/** Bytes of `pairs` that orderForPairs() needs. */
export function pairBytes(): usize {
  return 8 << TABLE_BITS;
}

function placeOf(pairs: usize, a: u32, b: u32): usize {
  return pairs + ((<usize>((a * 0x9e3779b1 + b * 0x85ebca77) >> (32 - TABLE_BITS))) << 3);
}

function isWritten(pairs: usize, a: u32, b: u32): bool {
  return load<u64>(placeOf(pairs, a, b)) === (<u64>a | ((<u64>b) << 32));
}

function write(pairs: usize, a: u32, b: u32): void {
  store<u64>(placeOf(pairs, a, b), <u64>a | ((<u64>b) << 32));
}

/** What a waiting triangle could gain behind a triangle that ends with `last`; `own`: the number of that one. */
function possible(pairs: usize, last: u32, own: u32, waiting: u32): i32 {
  for (let k: u32 = 0; k < waiting; k++) {
    if (k === own) continue;
    for (let corner = 3 * k; corner < 3 * k + 3; corner++) {
      if (isWritten(pairs, last, word(HELD, corner))) return POSSIBLE - <i32>k;
    }
  }
  return 0;
}

/** Orders and turns triangles, in place. Each keeps its winding. */
export function orderForPairs(indices: usize, count: u32, pairs: usize): void {
  memory.fill(pairs, 0xff, pairBytes());
  const end = indices + ((<usize>count) << 2);
  let from = indices;
  let waiting: u32 = 0;
  let before = NONE;
  for (let to = indices; to < end; to += 12) {
    for (; waiting < WAITING && from < end; waiting++, from += 12) memory.copy(HELD + <usize>waiting * 12, from, 12);
    let best: i32 = i32.MIN_VALUE;
    let chosen: u32 = 0;
    for (let i: u32 = 0; i < waiting; i++) {
      let a = word(HELD, 3 * i);
      let b = word(HELD, 3 * i + 1);
      let c = word(HELD, 3 * i + 2);
      let ab = <i32>isWritten(pairs, a, b);
      let bc = <i32>isWritten(pairs, b, c);
      let ca = <i32>isWritten(pairs, c, a);
      for (let turn = 0; turn < 3; turn++) {
        // The earlier one of equal triangles, so that none waits for long.
        let gain = WRITTEN * (ab + bc + <i32>isWritten(pairs, before, a)) - <i32>i;
        if (gain + POSSIBLE > best) gain += possible(pairs, c, i, waiting);
        if (gain > best) {
          best = gain;
          chosen = i;
          setWord(to, 0, a);
          setWord(to, 1, b);
          setWord(to, 2, c);
        }
        const first = a;
        a = b;
        b = c;
        c = first;
        const known = ab;
        ab = bc;
        bc = ca;
        ca = known;
      }
    }
    write(pairs, before, word(to, 0));
    write(pairs, word(to, 0), word(to, 1));
    write(pairs, word(to, 1), word(to, 2));
    before = word(to, 2);
    waiting--;
    memory.copy(HELD + <usize>chosen * 12, HELD + <usize>(chosen + 1) * 12, <usize>(waiting - chosen) * 12);
  }
}
