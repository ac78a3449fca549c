// `--explain-rebuild` of many tiles and of many sources: what they have alike is told once, with how many.

import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rebuildLines } from '../../src/cli/documents/rebuilds.ts';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  for (let i = 0; i < 5; i++) put(folder, `art/${i}.gltf`, squareGltf());
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const cook = (...args: string[]) =>
  untold(folder, ['cook', 'art', '--out', 'tiles', '--cache-dir', 'cache', '--explain-rebuild', ...args]);

test('sources with the same reasons are told of three times, then counted', async () => {
  await cook();
  const { stderr } = await cook('--tile-size', '40');
  expect(stderr.match(/^ {2}--tile-size 40, before 25$/gm)).toHaveLength(3);
  expect(stderr).toContain('\n5 sources cooked again: --tile-size 40, before 25\n');
  put(folder, 'art/0.gltf', squareGltf({ size: 2 }));
  const one = (await cook('--tile-size', '40')).stderr;
  expect([one.includes('  input art/0.gltf changed\n'), one.includes('cooked again')]).toEqual([true, false]);
  const all = (await cook('--tile-size', '30', '--verbose')).stderr;
  expect(all.match(/^ {2}--tile-size 30, before 40$/gm)).toHaveLength(5);
  const events = (await cook('--tile-size', '20', '--log-format', 'json')).stderr;
  expect(events.match(/"reason":"--tile-size 20, before 30"/g)).toHaveLength(5);
});

test('tiles with the same reason are one line from the sixth on', () => {
  const tiles = (count: number, why: string) => Array.from({ length: count }, (_, i) => `tile_${i}_0_0: ${why}`);
  expect(rebuildLines(['input a.glb changed', ...tiles(5, 'settings')])).toEqual([
    'input a.glb changed',
    ...tiles(5, 'settings'),
  ]);
  const levels = tiles(7, 'full detail').map((line) => line.replace(':', ' levels:'));
  expect(
    rebuildLines(['input a.glb changed', ...tiles(6, 'material Blue'), 'tile_9_0_0: object /C', ...levels]),
  ).toEqual([
    'input a.glb changed',
    'tile_0_0_0, tile_1_0_0, tile_2_0_0 and 3 more: material Blue',
    'tile_9_0_0: object /C',
    'tile_0_0_0 levels, tile_1_0_0 levels, tile_2_0_0 levels and 4 more: full detail',
  ]);
});
