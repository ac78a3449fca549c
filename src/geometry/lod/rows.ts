// Rows by number: which vertices or corners have each position id, feature or the like, as two arrays.

import { type Address, type Kernel, kernel } from '../../kernel/kernel.ts';

/** Those of number i are rows[starts[i]] up to rows[starts[i + 1]], ascending. */
export interface Rows {
  readonly starts: Uint32Array;
  readonly rows: Uint32Array;
}

/** `numbers`: of each row, below `count`. */
export function rowsById(numbers: Uint32Array, count: number): Rows {
  return kernel.within((memory) => {
    const { starts, rows, rowCount } = placeRowsById(memory, memory.put(numbers), numbers.length, 0, count);
    return { starts: memory.uint32(starts, count + 1).slice(), rows: memory.uint32(rows, rowCount).slice() };
  });
}

/** Rows in the kernel's memory. `wanted`: the address of a byte for each number, 1 where its rows are asked for; 0: all. */
export function placeRowsById(
  memory: Kernel,
  numbers: Address,
  length: number,
  wanted: Address,
  count: number,
): { readonly starts: Address; readonly rows: Address; readonly rowCount: number } {
  const starts = memory.allocate((count + 2) * 4);
  const rows = memory.allocate(length * 4);
  return { starts, rows, rowCount: memory.calls.rowsByNumber(numbers, length, wanted, count, starts, rows) };
}
