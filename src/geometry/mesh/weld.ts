// Weld: rows of 32-bit words that are equal become one, exactly and in the order first seen. The hash of every verb that
// merges vertices: corners into vertices, vertices by value, packed vertices by their bytes.

import type { Address, Kernel } from '../../kernel/kernel.ts';

const EMPTY = 0xffffffff;

/** A set of rows that grows as they are added. Fill `row`, then call `add`. */
export class RowSet {
  /** The row to be added next: `width` words. */
  readonly row: Uint32Array;
  readonly #width: number;
  #rows: Uint32Array;
  #table: Uint32Array;
  #count = 0;

  /** `expected`: how many different rows to make room for; it may be exceeded. */
  constructor(width: number, expected: number) {
    const capacity = Math.max(16, expected);
    this.#width = width;
    this.row = new Uint32Array(width);
    this.#rows = new Uint32Array(capacity * width);
    this.#table = new Uint32Array(tableSize(capacity)).fill(EMPTY);
  }

  get count(): number {
    return this.#count;
  }

  /** `count` rows, a view that the next `add` may leave behind. */
  get rows(): Uint32Array {
    return this.#rows.subarray(0, this.#count * this.#width);
  }

  /** The number of `row`: that of an equal row added before, else the next. */
  add(): number {
    const { row } = this;
    const width = this.#width;
    const rows = this.#rows;
    const mask = this.#table.length - 1;
    let slot = hashRow(row, 0, width) & mask;
    for (;;) {
      const known = this.#table[slot];
      if (known === EMPTY) break;
      const at = known * width;
      let k = 0;
      while (k < width && rows[at + k] === row[k]) k++;
      if (k === width) return known;
      slot = (slot + 1) & mask;
    }
    const number = this.#count++;
    this.#table[slot] = number;
    if (this.#count * width > rows.length) this.#grow();
    this.#rows.set(row, number * width);
    return number;
  }

  /** The number of a row equal to `row`, -1 when none was added. */
  find(): number {
    const { row } = this;
    const width = this.#width;
    const rows = this.#rows;
    const mask = this.#table.length - 1;
    for (let slot = hashRow(row, 0, width) & mask; ; slot = (slot + 1) & mask) {
      const known = this.#table[slot];
      if (known === EMPTY) return -1;
      const at = known * width;
      let k = 0;
      while (k < width && rows[at + k] === row[k]) k++;
      if (k === width) return known;
    }
  }

  #grow(): void {
    const rows = new Uint32Array(this.#rows.length * 2);
    rows.set(this.#rows);
    this.#rows = rows;
    const wanted = tableSize(rows.length / this.#width);
    if (wanted <= this.#table.length) return;
    const table = new Uint32Array(wanted).fill(EMPTY);
    const mask = wanted - 1;
    // The newest row is written by add() after this; all others are in the old table.
    for (let i = 0; i < this.#count - 1; i++) {
      let slot = hashRow(rows, i * this.#width, this.#width) & mask;
      while (table[slot] !== EMPTY) slot = (slot + 1) & mask;
      table[slot] = i;
    }
    let slot = hashRow(this.row, 0, this.#width) & mask;
    while (table[slot] !== EMPTY) slot = (slot + 1) & mask;
    table[slot] = this.#count - 1;
    this.#table = table;
  }
}

/** Rows of one part: its table of slots stays in the processor's cache. */
const PART_ROWS = 8192;
const MAX_PART_BITS = 12;

/**
 * Moves the different rows in the kernel's memory to the front: how many they are, and at `first` the number among them of
 * each row before.
 */
export function closedRows(
  memory: Kernel,
  rows: Address,
  width: number,
  total: number,
): { readonly first: Address; readonly count: number } {
  const first = firstRows(memory, rows, width, total);
  return { first, count: memory.calls.closeGaps(rows, width, total, first) };
}

/**
 * Of rows whose words lie in columns: a word for each, equal for equal rows. That of a single column of one word is the
 * column itself.
 */
export function rowWords(
  memory: Kernel,
  columns: readonly { readonly address: Address; readonly size: number }[],
  total: number,
): Address {
  const width = columns.reduce((sum, { size }) => sum + size, 0);
  if (width === 1) return columns[0].address;
  const rows = memory.allocate(total * width * 4);
  let to = rows;
  for (const { address, size } of columns) {
    memory.calls.placeColumn(address, size, total, to, width);
    to += size * 4;
  }
  return firstRows(memory, rows, width, total);
}

/** Of rows in the kernel's memory: for each the number of the first that equals it, at the address that it gives. */
export function firstRows(memory: Kernel, rows: Address, width: number, total: number): Address {
  const { calls } = memory;
  let bits = 1;
  while (bits < MAX_PART_BITS && PART_ROWS * 2 ** bits < total) bits++;
  const first = memory.allocate(total * 4);
  memory.within(() => {
    const ends = memory.zeros(2 ** bits * 4);
    const numbers = memory.allocate(total * 4);
    const keys = memory.allocate(total * 4);
    const slots = memory.allocate(calls.partRows(rows, width, total, bits, ends, numbers, keys, first) * 4);
    calls.firstRows(rows, width, bits, ends, numbers, keys, slots, first);
  });
  return first;
}

/** Slots for `count` rows, a power of two at most two thirds full. */
function tableSize(count: number): number {
  let size = 32;
  while (size * 2 < count * 3) size *= 2;
  return size;
}

function hashRow(words: Uint32Array, at: number, width: number): number {
  let h = 0x9e3779b9;
  for (let k = 0; k < width; k++) {
    h = Math.imul(h ^ words[at + k], 0x85ebca6b);
    h ^= h >>> 15;
  }
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
