// Small sources cooked side by side give what one thread gives: files, document and exit code. The long test of the same
// name adds every message, and processes that end in the middle.

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { put, RED_PNG, squareGltf, temporaryFolder, untold } from './run.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Every file below the output, and what the document says of each source. */
function cooked(jobs: number) {
  const { code, stdout } = untold(folder, ['cook', 'art', '--out', 'tiles', '--jobs', String(jobs), '--json']);
  const tiles = join(folder, 'tiles');
  const paths = readdirSync(tiles, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const files = paths.map((path) => [path, readFileSync(path, 'latin1')]);
  rmSync(tiles, { recursive: true });
  return { code, files, results: (JSON.parse(stdout) as { results: unknown[] }).results };
}

test('three threads write what one writes, broken sources among them', () => {
  put(folder, 'art/red.png', RED_PNG);
  for (let i = 0; i < 12; i++) {
    put(folder, `art/prop${i}.gltf`, i === 5 ? '{' : squareGltf({ at: i, size: 1 + i, image: 'red.png' }));
  }
  const one = cooked(1);
  expect([one.code, one.results.length]).toEqual([1, 12]);
  expect(one.files.length).toBeGreaterThan(22);
  expect(cooked(3)).toEqual(one);
});
