// What the fields of a crate may unpack to: in proportion to what the file takes, so that a small file costs little.

import { describe, expect, it } from 'vitest';
import { Diagnostics, SourceError } from '../../../../src/diagnostics/diagnostic.ts';
import { memoryContent } from '../../../../src/importers/content.ts';
import { readCrate } from '../../../../src/importers/usd/crate/readCrate.ts';
import { Budget, maxDecodedBytes } from '../../../../src/importers/usd/crate/source.ts';
import { array, attribute, prim, writeCrate } from '../crateWriter.ts';

/** A crate with a packed array of equal integers: a few bytes for each thousand. */
const crate = (count: number) =>
  writeCrate(
    { '/Mesh': prim('Mesh'), '/Mesh.counts': attribute('int[]', array('Int', new Int32Array(count).fill(3))) },
    { compressArrays: true },
  );

function counts(bytes: Uint8Array, storedBytes?: number): number | string {
  const layer = readCrate(memoryContent(bytes), 'a.usdc', new Diagnostics(), storedBytes);
  try {
    const value = layer.specs.get('/Mesh.counts')?.get('default')?.value;
    return value instanceof Int32Array ? value.length : 'no array';
  } catch (error) {
    if (error instanceof SourceError) return error.message;
    throw error;
  }
}

describe('a field', () => {
  it('unpacks to 16 MiB in a small file, or 64 times the file, and never to more than 512 MiB', () => {
    expect([0, 262_144, 262_145, 8_388_608, 8_388_609].map(maxDecodedBytes)).toEqual([
      16_777_216, 16_777_216, 16_777_280, 536_870_912, 536_870_912,
    ]);
  });

  it('of more is refused before it is unpacked', () => {
    // 4 bytes an integer.
    const max = crate(4_194_304);
    expect(max.length).toBeLessThan(262_144);
    expect(counts(max)).toBe(4_194_304);
    expect(counts(crate(4_194_305))).toBe(
      'UC1406 a.usdc /Mesh.counts default: a single field unpacks to more than 16777216 bytes',
    );
  });

  it('of a crate that was packed itself counts by what that takes', () => {
    const bytes = crate(4_194_305);
    expect(counts(bytes, 262_145)).toBe(4_194_305);
    expect(counts(bytes, 262_144)).toContain('UC1406');
  });
});

describe('a field of a crate on disk', () => {
  it('copies as many bytes as the file has for nothing, and spends what it copies beyond them', () => {
    const budget = new Budget(100, 50);
    budget.copy(30);
    budget.copy(30);
    budget.spend(60);
    budget.copy(30);
    expect(() => budget.copy(1)).toThrow('a single field unpacks to more than 100 bytes');
  });
});
