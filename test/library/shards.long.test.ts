// Sets of several shards, of grids and trees, with levels and HLOD clusters, are the bytes of one cook.

import { test } from 'vitest';
import { expectSameMerged, LEVELS, ownFolder } from './shardedTown.ts';

ownFolder();

test.each([
  ['a grid with HLOD clusters and a shared bucket', { ...LEVELS, hlodLevels: 2 }],
  ['a tree with HLOD clusters', { ...LEVELS, partition: 'quadtree', hlodLevels: 2 }],
] as const)('%s: 1, 3 and 8 shards', (_, options) => expectSameMerged(options, [1, 3, 8]));
