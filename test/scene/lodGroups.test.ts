// Which siblings are levels of one object, by their names.

import { expect, test } from 'vitest';
import { namedLodGroups } from '../../src/scene/lodGroups.ts';
import { identity } from '../../src/scene/matrix.ts';
import type { SceneNode } from '../../src/scene/types.ts';

const nodes = (names: readonly string[], parents: readonly number[] = []): SceneNode[] =>
  names.map((name, i) => ({
    name,
    path: `/${name}`,
    parent: parents[i] ?? -1,
    local: identity(),
    world: identity(),
    mesh: i,
  }));
const groups = (names: readonly string[], parents?: readonly number[]) =>
  namedLodGroups(nodes(names, parents)).map(({ levels, numbers }) => [levels, numbers]);

test.each([
  [['X_LOD0', 'X_LOD1']],
  [['X_lod0', 'X_lod1']],
  [['X_LOD_0', 'X_LOD_1']],
  [['X.LOD0', 'X.LOD1']],
  [['X-Lod-0', 'X-Lod-1']],
  [['LOD0', 'LOD1']],
  [['X_LOD0.001', 'X_LOD1.001']],
])('%s are two levels', (names) => {
  expect(groups(names)).toEqual([
    [
      [[0], [1]],
      [0, 1],
    ],
  ]);
});

test('numbers of three digits are levels too', () => {
  expect(groups(['X_LOD0', 'X_LOD100'])).toEqual([
    [
      [[0], [1]],
      [0, 100],
    ],
  ]);
});

test('the numbers order levels, whatever the order of the nodes', () => {
  expect(groups(['X_LOD10', 'X_LOD2', 'X_LOD0'])).toEqual([
    [
      [[2], [1], [0]],
      [0, 2, 10],
    ],
  ]);
});

test('names that only contain the letters are none of levels', () => {
  expect(groups(['Explode0', 'Clod1', 'X_LOD', 'LODGE_1', 'X_LOD1_door'])).toEqual([]);
});

test('levels of other parents, of other names and of copies are other objects', () => {
  expect(groups(['X_LOD0', 'Y_LOD1'])).toEqual([
    [[[0]], [0]],
    [[[1]], [1]],
  ]);
  expect(groups(['a', 'X_LOD0', 'b', 'X_LOD1'], [-1, 0, -1, 2])).toEqual([
    [[[1]], [0]],
    [[[3]], [1]],
  ]);
  expect(groups(['X_LOD0', 'X_LOD0.001', 'X_LOD1.001'])).toEqual([
    [[[0]], [0]],
    [
      [[1], [2]],
      [0, 1],
    ],
  ]);
});

test('as many nodes of one name at each level are as many objects, otherwise one', () => {
  expect(groups(['X_LOD0', 'X_LOD0', 'X_LOD1', 'X_LOD1'])).toEqual([
    [
      [[0], [2]],
      [0, 1],
    ],
    [
      [[1], [3]],
      [0, 1],
    ],
  ]);
  expect(groups(['X_LOD0', 'X_LOD0', 'X_LOD1'])).toEqual([
    [
      [[0, 1], [2]],
      [0, 1],
    ],
  ]);
});
