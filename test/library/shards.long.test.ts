// Sets of several shards, of grids and trees, with levels and HLOD clusters, are the bytes of one cook.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CookOptions, cook, merge } from '../../src/index.ts';
import { CELL } from '../cook/farTown.ts';
import { gltf } from '../cook/things.ts';
import { contents, put } from '../support/files.ts';
import { expectSameMerged, fresh, LEVELS, MATERIALS, ownFolder, parts, smallTown, whole } from './shardedTown.ts';

ownFolder();

test.each([
  ['a grid with HLOD clusters and a shared bucket', { ...LEVELS, hlodLevels: 2 }],
  ['a tree with HLOD clusters', { ...LEVELS, partition: 'quadtree', hlodLevels: 2 }],
] as const)('%s: 1, 3 and 8 shards', (_, options) => expectSameMerged(options, [1, 3, 8]));

test('shards of a warm cache, over a set of an earlier state', async () => {
  const place = fresh('art');
  const source = put(place, 'town.gltf', gltf(smallTown(), MATERIALS));
  const options: CookOptions = { ...LEVELS, hlodLevels: 2 };
  const { out } = await whole(source, options);
  const cacheDir = fresh('cache');
  const target = fresh('out');
  await cook(source, { ...options, tileSize: 3 * CELL, out: target });
  await cook(source, { ...options, cacheDir, out: fresh('warm') });
  const shards = await parts(source, 3, options, { cacheDir });
  expect((await merge(shards, { out: target })).exitCode).toBe(0);
  expect(contents(target)).toEqual(contents(out));
  // Once more: nothing is in the way, and a shard is replaced in its own folder.
  await cook(source, { ...options, cacheDir, out: join(shards, 's1'), shard: '1/3' });
  expect((await merge([join(shards, 's1'), shards], { out: target })).exitCode).toBe(0);
  expect(contents(target)).toEqual(contents(out));
});
