// Some damaged inputs for each reader, always the same (`npm run fuzz` makes others); and whether fuzzing finds what it looks for,
// by readers with faults of their own.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { READERS } from './readers.ts';
import { type Limits, PROMISED, runOne, runSession } from './session.ts';

let keep: string;
beforeAll(() => {
  keep = mkdtempSync(join(tmpdir(), 'untold-faults-'));
});
afterAll(() => rmSync(keep, { recursive: true, force: true }));

const NAMES = READERS.map(({ name }) => name);
/** Inputs of readers that cook take milliseconds, the others less than one. */
const SLOW = [
  'usdc',
  'usda',
  'usdz',
  'mtlx',
  'gltf',
  'glb',
  'gltf-bin',
  'gali-source',
  'mdl-source',
  'bpx-source',
  'mdl-list',
  'mdl-material',
  'scene-source',
  'prefab-source',
];

describe('every reader ends in success or in coded errors', () => {
  test.each(NAMES)('%s', async (reader) => {
    const cases = SLOW.includes(reader) ? 40 : 150;
    const outcome = await runSession({ reader, seed: 20, cases });
    expect({ faults: outcome.faults, unsound: outcome.unsound }).toEqual({ faults: [], unsound: [] });
    expect(outcome.cases).toBe(cases);
    // Damage that never gets past the first check shows nothing; sound input that stays sound neither.
    expect(outcome.codes.ok).toBeGreaterThan(0);
    expect(Object.keys(outcome.codes).length).toBeGreaterThan(1);
  });
});

// Most of these wait for a limit, and do so side by side.
describe.concurrent('a planted fault is found', () => {
  const BRIEF: Limits = { ...PROMISED, seconds: 0.5 };

  test.each([
    ['planted-loop', /^time$/],
    ['planted-wasm-loop', /^time$/],
    ['planted-wait', /^hang$/],
    ['planted-memory', /^memory$/],
    ['planted-heap', /^memory$/],
    ['planted-exception', /^TypeError: Cannot read properties of undefined/],
    ['planted-late-exception', /^Error: late/],
    ['planted-code', /^ended in UC1102$/],
    ['planted-end', /^the process ended with SIGKILL/],
  ])('%s', async (reader, reason) => {
    // Taking memory takes time as well. One that computes may wait for the others on a busy machine.
    const seconds = /memory/.test(String(reason)) ? 10 : BRIEF.seconds;
    const limits = { ...BRIEF, seconds, patience: reader === 'planted-wait' ? 3 : 120 };
    const outcome = await runSession({ reader, seed: 1, cases: 60, limits, keep, maxFaults: 1 });
    expect(outcome.faults).toHaveLength(1);
    const [{ file, number, reason: found }] = outcome.faults;
    expect(found).toMatch(reason);
    // The kept input alone shows it again.
    const about = JSON.parse(readFileSync(`${file}.json`, 'utf8'));
    expect(about).toMatchObject({ reader, number, seedName: 'sound' });
    const bytes = new Uint8Array(readFileSync(file as string));
    expect(await runOne(reader, { bytes, seedName: 'sound', number }, limits)).toMatch(reason);
    expect(await runOne(reader, { bytes: new Uint8Array(8), seedName: 'sound', number }, limits)).toBeNull();
  });

  test('and the cases after it run all the same', async () => {
    const outcome = await runSession({
      reader: 'planted-loop',
      seed: 1,
      cases: 18,
      limits: { ...BRIEF, seconds: 0.2, patience: 120 },
    });
    expect(outcome.cases).toBe(18);
    expect(outcome.faults.length).toBeGreaterThan(1);
  });
});
