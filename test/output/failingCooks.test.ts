// A disk that refuses a write ends a cook with exit code 3, whichever write it is: the target is as before, nothing is left
// behind, and nothing waits for what never comes. failingCooks.long.test.ts goes through more kinds of cooks.

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { put } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';
import { expectAllOrNothing, failingCooks } from './failingCooks.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'untold-failing-')));
  put(folder, 'red.png', RED_PNG);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a set over an earlier one', async () => {
  const source = put(folder, 'town.gltf', squareGltf({ image: 'red.png' }));
  const options = { out: 'out', jobs: 1 };
  const kinds = ['open', 'write', 'rename', 'sync'] as const;
  const cooks = await failingCooks(folder, { source, options, earlier: { scale: 2 }, kinds, spans: ['one'] });
  expectAllOrNothing(cooks);
  // Journal, payload, plan map and manifest; the lock is written and linked.
  for (const kind of kinds) expect(cooks.filter((cook) => cook.kind === kind).length).toBeGreaterThan(2);
});

test('sources side by side', async () => {
  for (const name of ['a', 'b', 'c']) put(folder, `many/${name}.gltf`, squareGltf({ image: '../red.png' }));
  const options = { out: 'out', jobs: 2 };
  const cooks = await failingCooks(folder, { source: 'many', options, kinds: ['write'], spans: ['rest'] });
  for (const { exitCode, codes } of cooks) expect([exitCode, codes]).toEqual([3, ['UC4000']]);
  expect(cooks.length).toBeGreaterThan(8);
});
