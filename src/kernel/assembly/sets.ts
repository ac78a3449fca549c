// Disjoint sets (union-find): what triangles or equal values join.

import { setWord, word } from './words.ts';

/** Makes a set of its own of each of `count` numbers. */
export function separate(parent: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i++) setWord(parent, i, i);
}

/** The root of the set that `i` is in; the path there is halved for later searches. */
export function rootOf(parent: usize, i: u32): u32 {
  let above = word(parent, i);
  while (above !== i) {
    const next = word(parent, above);
    setWord(parent, i, next);
    i = next;
    above = word(parent, i);
  }
  return i;
}

/**
 * Writes the number of its set for each member, and gives how many sets there are: they are numbered in the
 * order of their first members. `numbers`: room for one word a member.
 */
export function numberSets(parent: usize, count: u32, numbers: usize, setOf: usize): u32 {
  memory.fill(numbers, 0, (<usize>count) << 2);
  let made: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const root = rootOf(parent, i);
    let number = word(numbers, root);
    if (number === 0) {
      // From 1, so that 0 says unseen.
      number = ++made;
      setWord(numbers, root, number);
    }
    setWord(setOf, i, number - 1);
  }
  return made;
}
