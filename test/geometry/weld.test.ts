import { expect, test } from 'vitest';
import { closedRows, RowSet, rowWords } from '../../src/geometry/mesh/weld.ts';
import { kernel } from '../../src/kernel/kernel.ts';
import { random } from './meshes.ts';

/** Moves the different rows to the front; `remap`: the number among them of each row before. */
function weldRows(rows: Uint32Array, width: number): { readonly count: number; readonly remap: Uint32Array } {
  const total = rows.length / width;
  return kernel.within((memory) => {
    const at = memory.put(rows);
    const { first, count } = closedRows(memory, at, width, total);
    rows.set(memory.uint32(at, count * width));
    return { count, remap: memory.uint32(first, total).slice() };
  });
}

test('equal rows become one, in the order first seen', () => {
  const rows = Uint32Array.of(7, 1, 7, 2, 7, 1, 0, 0, 7, 2);
  const { count, remap } = weldRows(rows, 2);
  expect(count).toBe(3);
  expect([...remap]).toEqual([0, 1, 0, 2, 1]);
  expect([...rows.subarray(0, 6)]).toEqual([7, 1, 7, 2, 0, 0]);
});

test('different rows stay where they are', () => {
  const rows = Uint32Array.of(3, 1, 2);
  expect(weldRows(rows, 1)).toEqual({ count: 3, remap: Uint32Array.of(0, 1, 2) });
  expect([...rows]).toEqual([3, 1, 2]);
  expect(weldRows(new Uint32Array(0), 8)).toEqual({ count: 0, remap: new Uint32Array(0) });
});

test('columns of one row each give words that are equal for equal rows', () => {
  kernel.within((memory) => {
    const one = memory.put(Uint32Array.of(7, 7, 7, 8));
    const two = memory.put(Uint32Array.of(1, 2, 1, 2, 3, 4, 1, 2));
    const words = rowWords(
      memory,
      [
        { address: one, size: 1 },
        { address: two, size: 2 },
      ],
      4,
    );
    // Row 2 differs from row 0 in the second column, row 3 in the first.
    const [a, b, c, d] = memory.uint32(words, 4);
    expect(a === b).toBe(true);
    expect([c, d].includes(a)).toBe(false);
    expect(c === d).toBe(false);
    expect(rowWords(memory, [{ address: one, size: 1 }], 4)).toBe(one);
  });
});

test('expanding a weld gives every row back; the set agrees', () => {
  const next = random(3);
  for (const width of [1, 3, 8]) {
    const original = Uint32Array.from({ length: 5000 * width }, () => Math.floor(next() * (width === 1 ? 700 : 3)));
    const rows = original.slice();
    const { count, remap } = weldRows(rows, width);
    // Small expectations make the set grow.
    const set = new RowSet(width, 1);
    const known = new Map<string, number>();
    for (let i = 0; i < 5000; i++) {
      const row = original.subarray(i * width, (i + 1) * width);
      expect(rows.subarray(remap[i] * width, (remap[i] + 1) * width)).toEqual(row);
      const key = row.join();
      if (!known.has(key)) known.set(key, known.size);
      set.row.set(row);
      expect(set.add()).toBe(known.get(key));
      expect(remap[i]).toBe(known.get(key));
    }
    expect(count).toBe(known.size);
    expect(set.count).toBe(known.size);
    expect(set.rows).toEqual(rows.subarray(0, count * width));
  }
});

test('many rows, in parts: the first of equal ones stays, whatever part they fall into', () => {
  const next = random(11);
  const total = 40000;
  // Nine of ten are new, the others equal an earlier one far away.
  const original = new Uint32Array(total * 2);
  for (let i = 0; i < total; i++) {
    const from = i > 0 && next() < 0.1 ? Math.floor(next() * i) : -1;
    original[i * 2] = from < 0 ? i : original[from * 2];
    original[i * 2 + 1] = from < 0 ? Math.floor(next() * 2 ** 32) : original[from * 2 + 1];
  }
  const rows = original.slice();
  const { count, remap } = weldRows(rows, 2);
  const known = new Map<number, number>();
  for (let i = 0; i < total; i++) {
    const key = original[i * 2];
    if (!known.has(key)) known.set(key, known.size);
    if (remap[i] !== known.get(key)) throw new Error(`row ${i} is ${remap[i]}, not ${known.get(key)}`);
  }
  expect(count).toBe(known.size);
  expect([...rows.subarray(0, count * 2)].filter((_, i) => i % 2 === 0)).toEqual([...known.keys()]);
});
