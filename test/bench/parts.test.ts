// The commands that the bench times, in parts: the long test of the same name runs each of them.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleImporter, importOnce } from '../../bench/importer.ts';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'untold bench parts-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a failed import in a process of its own says why', async () => {
  const source = join(folder, 'broken.usda');
  writeFileSync(source, '#usda 1.0\ndef Mesh {');
  const importer = await bundleImporter(folder);
  expect(() => importOnce(importer, source)).toThrow('UC1501');
});
