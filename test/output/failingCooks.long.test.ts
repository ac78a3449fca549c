// As failingCooks.test.ts, for cooks in several threads, with levels and caches, and for every kind of output: each of the
// first 30 opens, writes, renames and syncs is refused, and every third up to 200, alone and with all that follow. Of cooks that
// start threads, which takes most of their time, each of the first three and every eleventh: eleven is prime to the calls of a tile.

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CookOptions } from '../../src/index.ts';
import { squares } from '../cook/squares.ts';
import { put } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';
import { expectAllOrNothing, failingCooks } from './failingCooks.ts';

const kinds = ['open', 'write', 'rename', 'sync'] as const;
const spans = ['one', 'rest'] as const;
const FEWER = { each: 3, step: 11 } as const;

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'untold-failing-')));
  put(folder, 'red.png', RED_PNG);
  // Nine tiles of 1152 triangles: work for two threads where levels are made.
  put(folder, 'squares.glb', squares([], 25));
  put(folder, 'town.gltf', squareGltf({ image: 'red.png' }));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each<[string, string, CookOptions, CookOptions | undefined, typeof FEWER?]>([
  [
    'tiles with levels from two threads',
    'squares.glb',
    { out: 'out', jobs: 2, lod: [0.5], lodCheck: 'geometry' },
    undefined,
    FEWER,
  ],
  ['tiles over earlier ones', 'squares.glb', { out: 'out', jobs: 1, lod: [], hlod: null }, { scale: 2 }],
  ['tiles and a cache', 'town.gltf', { out: 'out', jobs: 1, cacheDir: 'cache' }, undefined],
  ['tiles that share textures', 'town.gltf', { out: 'out', shareTextures: true, jobs: 1 }, undefined],
  ['a single file', 'town.gltf', { out: 'out/town.untold', jobs: 1 }, undefined],
  ['a pack', 'town.gltf', { out: 'out/town.untoldpack', jobs: 1 }, undefined],
  ['a GLB file', 'town.gltf', { out: 'out/town.glb', target: 'glb', jobs: 1 }, { scale: 2 }],
  ['a set of Urho3D', 'town.gltf', { out: 'out', target: 'urho3d', jobs: 1 }, { scale: 2 }],
])(
  '%s',
  async (_, source, options, earlier, which) => {
    const cooks = await failingCooks(folder, {
      source,
      options,
      ...(earlier ? { earlier } : {}),
      kinds,
      spans,
      ...which,
    });
    const withTextures = options.shareTextures === true || /\.untold(pack)?$/.test(options.out ?? '');
    expectAllOrNothing(cooks, { withTextures });
    expect(cooks.filter(({ exitCode }) => exitCode === 3).length).toBeGreaterThan(8);
  },
  1_800_000,
);

test('sources side by side fail or succeed each for itself', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f'])
    put(folder, `many/${name}.gltf`, squareGltf({ image: '../red.png' }));
  for (const cacheDir of [undefined, 'cache']) {
    const options = { out: 'out', jobs: 3, ...(cacheDir && { cacheDir }) };
    const cooks = await failingCooks(folder, { source: 'many', options, kinds, spans, ...FEWER });
    for (const { exitCode, codes, stands } of cooks) {
      if (exitCode === 0) expect(stands).toBe('new');
      else expect([exitCode, codes]).toEqual([3, ['UC4000']]);
      expect(stands).not.toMatch(/\.lock|cooking/);
    }
    expect(cooks.length).toBeGreaterThan(30);
  }
}, 1_800_000);
