// Small sources cooked side by side give what one thread gives: files, document and exit code. The long test of the same
// name adds every message, and processes that end in the middle.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { contents, put, temporaryFolder } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Every file below the output, and what the document says of each source. */
async function cooked(jobs: number) {
  const { code, stdout } = await untold(folder, ['cook', 'art', '--out', 'tiles', '--jobs', String(jobs), '--json']);
  const tiles = join(folder, 'tiles');
  const files = contents(tiles);
  rmSync(tiles, { recursive: true });
  return { code, files, results: (JSON.parse(stdout) as { results: unknown[] }).results };
}

test('three threads write what one writes, broken sources among them', async () => {
  put(folder, 'art/red.png', RED_PNG);
  for (let i = 0; i < 12; i++) {
    put(folder, `art/prop${i}.gltf`, i === 5 ? '{' : squareGltf({ at: i, size: 1 + i, image: 'red.png' }));
  }
  const one = await cooked(1);
  expect([one.code, one.results.length]).toEqual([1, 12]);
  expect(Object.keys(one.files).length).toBeGreaterThan(22);
  expect(await cooked(3)).toEqual(one);
});
