// Weld: rows of 32-bit words that are equal become one, exactly and in the order first seen. The hash of every verb that
// merges vertices: corners into vertices, vertices by value, packed vertices by their bytes.

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

  #grow(): void {
    const rows = new Uint32Array(this.#rows.length * 2);
    rows.set(this.#rows);
    this.#rows = rows;
    const wanted = tableSize(rows.length / this.#width);
    if (wanted <= this.#table.length) return;
    const table = new Uint32Array(wanted).fill(EMPTY);
    const mask = wanted - 1;
    // All rows but the newest, which add() writes after this, stand in the old table already.
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

export interface Weld {
  /** How many different rows there are; they stand at the front of the array now, in the order first seen. */
  readonly count: number;
  /** New number of each old row; null when all were different and nothing moved. */
  readonly remap: Uint32Array | null;
}

/** Welds rows of `width` words in place: `rows` keeps the different ones at its front. */
export function weldRows(rows: Uint32Array, width: number): Weld {
  const total = rows.length / width;
  const table = new Uint32Array(tableSize(total)).fill(EMPTY);
  const mask = table.length - 1;
  let remap: Uint32Array | null = null;
  let count = 0;
  for (let i = 0; i < total; i++) {
    const from = i * width;
    let slot = hashRow(rows, from, width) & mask;
    let same = EMPTY;
    for (;;) {
      const known = table[slot];
      if (known === EMPTY) break;
      const at = known * width;
      let k = 0;
      while (k < width && rows[at + k] === rows[from + k]) k++;
      if (k === width) {
        same = known;
        break;
      }
      slot = (slot + 1) & mask;
    }
    if (same === EMPTY) {
      table[slot] = count;
      if (remap) {
        for (let k = 0; k < width; k++) rows[count * width + k] = rows[from + k];
        remap[i] = count;
      }
      count++;
    } else {
      if (remap === null) {
        remap = new Uint32Array(total);
        for (let k = 0; k < i; k++) remap[k] = k;
      }
      remap[i] = same;
    }
  }
  return { count, remap };
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
  return h ^ (h >>> 16);
}
