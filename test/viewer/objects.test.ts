// The tree of entities of the page, its search, and the distances at which levels come in.

import { expect, test } from 'vitest';
import { singleTile } from '../../src/formats/manifest/tiles.ts';
import { isFound, objectRows } from '../../src/viewer/page/objects.ts';
import { streamingDistance } from '../../src/viewer/page/shown.ts';

const NONE = 0xffffffff;
const entity = (id: number, parent: number, name: string) => ({ id, parent, name });

test('children follow their parents in the order of the file; what has no parent here is a root', () => {
  const entities = [entity(7, 9, 'leaf'), entity(9, NONE, 'tree'), entity(4, 9, 'trunk'), entity(5, 77, 'stray')];
  const meshes = [
    { name: 'm', entity: 0, material: 1 },
    { name: 'm', entity: 0, material: 1 },
    { name: 'm', entity: 2, material: 0 },
  ];
  const rows = objectRows({ entities, meshes, materials: [{ name: 'Bark' }, { name: 'Leaves' }] });
  expect(rows.map(({ name, depth, meshes: count, materials }) => [name, depth, count, materials.join()])).toEqual([
    ['tree', 0, 0, ''],
    ['leaf', 1, 2, 'Leaves'],
    ['trunk', 1, 1, 'Bark'],
    ['stray', 0, 0, ''],
  ]);
});

test('entities in a circle are listed once each', () => {
  const entities = [entity(1, 2, 'a'), entity(2, 1, 'b'), entity(3, 3, 'c')];
  const rows = objectRows({ entities, meshes: [], materials: [] });
  expect(rows.map(({ name }) => name).sort()).toEqual(['a', 'b', 'c']);
});

test('a search finds all of its words, in any case, in names and materials', () => {
  const row = { entity: 0, name: 'Church_Tower', depth: 0, meshes: 1, materials: ['Red Bricks'] };
  expect(['tower', 'TOWER brick', 'church red', 'bricks tower'].map((text) => isFound(row, text))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(['wall', 'tower wall'].map((text) => isFound(row, text))).toEqual([false, false]);
});

test('full detail comes in at the streaming radius, a level where it takes over', () => {
  const tile = {
    ...singleTile('t', 't.untold'),
    distances: { streaming: 80, unload: 100, prefetch: null, lods: [30, 50], hlod: 120, isGated: false },
    lods: [
      { path: 'a', distance: 30 },
      { path: 'b', distance: 50 },
    ],
    hlod: { path: 'c', distance: 120 },
  };
  expect(['full', 'lod1', 'lod2', 'hlod'].map((level) => streamingDistance(tile, level))).toEqual([80, 30, 50, 120]);
  expect(streamingDistance(singleTile('t', 't.untold'), 'full')).toBe(null);
});
