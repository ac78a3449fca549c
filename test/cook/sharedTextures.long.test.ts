// Sets whose textures lie in a folder for several sets have the same textures and pictures as others, in levels, HLODs and
// clusters too, and parts of them become the same bytes.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CookOptions, cook, validate } from '../../src/index.ts';
import { fresh, LEVELS, MATERIALS, merged, ownFolder, parts, smallTown } from '../library/shardedTown.ts';
import { contents, put } from '../support/files.ts';
import { RED_PNG } from '../support/squareGltf.ts';
import { rgb } from '../textures/fixture.ts';
import { gltf } from './things.ts';

ownFolder();

/** The town with two textures. */
function source(): string {
  const place = fresh('art');
  const document = JSON.parse(gltf(smallTown(), MATERIALS));
  document.images = [{ uri: 'red.png' }, { uri: 'blue.png' }];
  document.textures = [{ source: 0 }, { source: 1 }];
  for (const [i, material] of document.materials.slice(0, 2).entries()) {
    material.pbrMetallicRoughness.baseColorTexture = { index: i };
  }
  put(place, 'red.png', RED_PNG);
  put(place, 'blue.png', rgb([[0, 0, 255]]));
  return put(place, 'town.gltf', JSON.stringify(document));
}

test('levels, atlases and clusters of a set that shares its textures', async () => {
  const town = source();
  const options: CookOptions = { ...LEVELS, hlodLevels: 2, textures: 'png', cache: false };
  const [own, all] = [fresh('own'), fresh('all')];
  const plain = await cook(town, { ...options, out: own });
  const shared = await cook(town, { ...options, out: all, shareTextures: true });
  expect([plain.exitCode, shared.exitCode]).toEqual([0, 0]);
  const texturesOf = (folder: string) =>
    Object.entries(contents(folder))
      .filter(([path]) => path.includes('Textures/'))
      .map(([, sha256]) => sha256)
      .sort();
  expect(texturesOf(own).length).toBeGreaterThan(3);
  expect(texturesOf(all)).toEqual(texturesOf(own));
  const { bytes: _, ...totals } = shared.results[0].totals ?? { bytes: 0 };
  expect(plain.results[0].totals).toMatchObject(totals);
  expect((await validate(all, { strict: true })).exitCode).toBe(0);

  // A tile alone: its cluster is made of what the others' levels name.
  const whole = contents(all);
  const { tiles } = JSON.parse(readFileSync(join(all, 'town.json'), 'utf8'));
  const one = await cook(town, { ...options, out: all, shareTextures: true, only: tiles[0].tile_id });
  expect([one.exitCode, contents(all)]).toEqual([0, whole]);

  const shards = await parts(town, 3, { ...options, shareTextures: true });
  const done = await merged(shards);
  expect([done.exitCode, contents(done.out)]).toEqual([0, whole]);
  expect(done.sets[0].totals).toEqual(shared.results[0].totals);
});
