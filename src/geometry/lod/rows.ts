// Rows by number: which vertices or corners have each position id, feature or the like, as two arrays.

import { kernel } from '../../kernel/kernel.ts';

/** Those of number i are rows[starts[i]] up to rows[starts[i + 1]], ascending. */
export interface Rows {
  readonly starts: Uint32Array;
  readonly rows: Uint32Array;
}

/** `numbers`: of each row, below `count`. `wanted`: 1 for each number whose rows are asked for; null: all. */
export function rowsById(numbers: Uint32Array, wanted: Uint8Array | null, count: number): Rows {
  return kernel.within((memory) => {
    const placed = memory.put(numbers);
    const placedWanted = wanted === null ? 0 : memory.put(wanted);
    const starts = memory.allocate((count + 2) * 4);
    const rows = memory.allocate(numbers.length * 4);
    const rowCount = memory.calls.rowsByNumber(placed, numbers.length, placedWanted, count, starts, rows);
    return { starts: memory.uint32(starts, count + 1).slice(), rows: memory.uint32(rows, rowCount).slice() };
  });
}
