// Rows by number: which vertices or corners have each position id, feature or the like, as two arrays.

/** Those of number i are rows[starts[i]] up to rows[starts[i + 1]], ascending. */
export interface Rows {
  readonly starts: Uint32Array;
  readonly rows: Uint32Array;
}

/** `numbers`: of each row, below `count`. `wanted`: 1 for each number whose rows are asked for; null: all. */
export function rowsById(numbers: Uint32Array, wanted: Uint8Array | null, count: number): Rows {
  const starts = new Uint32Array(count + 2);
  for (let i = 0; i < numbers.length; i++) {
    if (wanted === null || wanted[numbers[i]] === 1) starts[numbers[i] + 2]++;
  }
  for (let n = 2; n < starts.length; n++) starts[n] += starts[n - 1];
  const rows = new Uint32Array(starts[count + 1]);
  for (let i = 0; i < numbers.length; i++) {
    if (wanted === null || wanted[numbers[i]] === 1) rows[starts[numbers[i] + 1]++] = i;
  }
  return { starts: starts.subarray(0, count + 1), rows };
}
