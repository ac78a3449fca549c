// Position ids: two vertices have the same id exactly if their positions are equal bit for bit. So vertices of a tile and
// of its levels can be compared by position, even if their materials and attributes differ.

import { type Address, type Kernel, kernel } from '../../kernel/kernel.ts';
import type { Vec3 } from '../../scene/types.ts';

/** Bits of a float32 -0. */
const NEGATIVE_ZERO = 0x80000000;

/** Writes the bits of the position at `bits[at]` to `row`, -0 as +0. */
export function writePositionRow(bits: Uint32Array, at: number, row: Uint32Array): void {
  const x = bits[at];
  const y = bits[at + 1];
  const z = bits[at + 2];
  row[0] = x === NEGATIVE_ZERO ? 0 : x;
  row[1] = y === NEGATIVE_ZERO ? 0 : y;
  row[2] = z === NEGATIVE_ZERO ? 0 : z;
}

/** Slots of a table without a row. */
const EMPTY = 0xff;

export class PositionIds {
  /** Three words for each position, and a table of the numbers of rows (kernel/assembly/weld.ts). */
  #rows = new Uint32Array(0);
  #table = new Uint32Array(0);

  /** Ids go from 0 to below this. */
  get count(): number {
    return this.#rows.length / 3;
  }

  /** The id of each vertex; positions that were not seen before get the next ids. */
  of(positions: Float32Array): Uint32Array {
    const length = positions.length / 3;
    return kernel.within((memory) => {
      const known = this.count;
      const rows = memory.allocate((known + length + 1) * 12);
      memory.uint32(rows, known * 3).set(this.#rows);
      const { table, size } = this.#placeTable(memory, rows, known + length);
      const ids = memory.allocate(length * 4);
      const count = memory.calls.numberPositions(memory.put(positions), length, rows, known, table, size, ids);
      if (count > known || size > this.#table.length) {
        this.#rows = memory.uint32(rows, count * 3).slice();
        this.#table = memory.uint32(table, size).slice();
      }
      return memory.uint32(ids, length).slice();
    });
  }

  /** The table, with room for `max` rows. */
  #placeTable(memory: Kernel, rows: Address, max: number): { readonly table: Address; readonly size: number } {
    const size = memory.calls.tableSize(max);
    if (size <= this.#table.length) return { table: memory.put(this.#table), size: this.#table.length };
    const table = memory.allocate(size * 4);
    memory.uint8(table, size * 4).fill(EMPTY);
    memory.calls.fillTable(rows, this.count, table, size);
    return { table, size };
  }

  position(id: number): Vec3 {
    const [x, y, z] = new Float32Array(this.#rows.buffer, this.#rows.byteOffset + id * 12, 3);
    return [x, y, z];
  }
}
