// What fuzzing does: cases come of a seed alone, sound input passes, and a fault is found and kept. The long test of the same
// name damages the input of every reader by the hundred, and plants faults of every kind.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { damaged, MAX_INPUT_BYTES } from './reader.ts';
import { readerOf } from './readerOf.ts';
import { READERS } from './readers.ts';
import { PROMISED, runSession } from './session.ts';

let keep: string;
beforeAll(() => {
  keep = mkdtempSync(join(tmpdir(), 'untold-faults-'));
});
afterAll(() => rmSync(keep, { recursive: true, force: true }));

const NAMES = READERS.map(({ name }) => name);

describe('cases', () => {
  test.each(NAMES)('of %s depend on the seed and their number alone', async (name) => {
    const reader = await readerOf(name);
    const [first, second] = [await reader.seeds(), await reader.seeds()];
    // Of tens of thousands of bytes toEqual() takes a hundred times as long as isDeepStrictEqual().
    const sound = first.map(({ bytes }) => bytes.slice());
    for (let number = 0; number < 20; number++) {
      const { bytes } = damaged(reader, first, 3, number);
      expect(bytes.length).toBeLessThanOrEqual(MAX_INPUT_BYTES);
      // Records name the code that wrote them, which is another one in each process that runs from sources.
      if (name !== 'cook-record') expect(isDeepStrictEqual(damaged(reader, second, 3, number).bytes, bytes)).toBe(true);
    }
    expect(
      isDeepStrictEqual(
        first.map(({ bytes }) => bytes),
        sound,
      ),
    ).toBe(true);
    const other = Array.from({ length: 20 }, (_, i) => damaged(reader, first, 4, i).bytes);
    const same = Array.from({ length: 20 }, (_, i) => damaged(reader, first, 3, i).bytes);
    expect(isDeepStrictEqual(other, same)).toBe(false);
  });
});

test('damaged input of untold ends in success or in coded errors', async () => {
  // The memory of the process that starts the cases is not counted as theirs.
  const held = new Uint8Array(PROMISED.bytes).fill(1);
  const { cases, codes, ...found } = await runSession({ reader: 'untold', seed: 20, cases: 40 });
  expect([cases, found.faults, found.unsound]).toEqual([40, [], []]);
  expect(Object.keys(codes).length).toBeGreaterThan(1);
  expect(held.at(-1)).toBe(1);
});

test('an exception of a reader is found, and its input is kept', async () => {
  const { faults } = await runSession({ reader: 'planted-exception', seed: 1, cases: 60, keep, maxFaults: 1 });
  expect(faults).toHaveLength(1);
  expect(faults[0].reason).toMatch(/^TypeError: Cannot read properties of undefined/);
  expect(JSON.parse(readFileSync(`${faults[0].file}.json`, 'utf8'))).toMatchObject({ seedName: 'sound' });
});
