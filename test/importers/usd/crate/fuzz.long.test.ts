// Damaged crates end in coded errors: seeded byte flips and truncations over the fixtures, everything decoded.

import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { Diagnostics, SourceError } from '../../../../src/diagnostics/diagnostic.ts';
import { memoryContent } from '../../../../src/importers/content.ts';
import { readCrate } from '../../../../src/importers/usd/crate/readCrate.ts';
import type { TimeSamples } from '../../../../src/importers/usd/layer.ts';

/** mulberry32: small, seeded, good enough to choose bytes. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

/** Codes thrown while the crate is opened and each of its fields decoded. */
function codes(bytes: Uint8Array): Set<string> {
  const found = new Set<string>();
  const attempt = <T>(action: () => T): T | undefined => {
    try {
      return action();
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      for (const { code, file, message, remedy } of error.diagnostics) {
        expect(file).toBe('fuzz.usdc');
        expect(message.length > 0 && remedy.length > 0).toBe(true);
        found.add(code);
      }
      return undefined;
    }
  };
  const layer = attempt(() => readCrate(memoryContent(bytes), 'fuzz.usdc', new Diagnostics()));
  for (const spec of layer?.specs.values() ?? []) {
    for (const field of spec.fieldNames()) {
      attempt(() => spec.peek(field));
      const value = attempt(() => spec.get(field));
      if (value?.type !== 'TimeSamples') continue;
      const samples = value.value as TimeSamples;
      for (let i = 0; i < samples.times.length; i++) attempt(() => samples.at(i));
    }
  }
  return found;
}

const folder = resolve(import.meta.dirname, '../../../fixtures/crate');
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.usdc'))
  .sort();
const ROUNDS = 100;
const KNOWN = ['UC1400', 'UC1401', 'UC1403', 'UC1404', 'UC1405', 'UC1406'];

it.each(names)(`${ROUNDS} damaged copies of %s end in coded errors`, (name) => {
  const sound = new Uint8Array(readFileSync(resolve(folder, name)));
  expect([...codes(sound)]).toEqual([]);
  const next = random(names.indexOf(name) + 1);
  const seen = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const bytes = round % 5 === 0 ? sound.slice(0, next(sound.length)) : sound.slice();
    const flips = round % 5 === 0 ? 0 : 1 + next(8);
    for (let i = 0; i < flips; i++) {
      // Every other flip in the last third, where the structure lies.
      const at = i % 2 === 0 ? next(bytes.length) : bytes.length - 1 - next(bytes.length / 3);
      bytes[at] = next(4) === 0 ? 255 : next(256);
    }
    for (const code of codes(bytes)) seen.add(code);
  }
  for (const code of seen) expect(KNOWN).toContain(code);
  expect(seen.size).toBeGreaterThan(2);
});
