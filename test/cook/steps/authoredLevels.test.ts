// Which nodes of a scene full detail leaves out, and which levels of an object are used.

import { expect, test } from 'vitest';
import { authoredLevels } from '../../../src/cook/steps/read/authoredLevels.ts';
import { Diagnostics } from '../../../src/diagnostics/diagnostic.ts';
import { identity } from '../../../src/scene/matrix.ts';
import type { Scene } from '../../../src/scene/types.ts';

/** A node: its name, its parent's number (-1: none) and its triangles (0: it places no mesh). */
type Node = readonly [name: string, parent: number, triangles: number];

function sceneOf(nodes: readonly Node[], lodGroups: Scene['lodGroups'] = []): Scene {
  const meshes = nodes.map(([name, , triangleCount]) => ({
    name,
    path: name,
    primitives: [{ triangleCount } as Scene['meshes'][number]['primitives'][number]],
  }));
  return {
    source: 'scene.gltf',
    kind: 'gltf',
    upAxis: 'Y',
    metersPerUnit: 1,
    nodes: nodes.map(([name, parent, triangles], i) => ({
      name,
      path: name,
      parent,
      local: identity(),
      world: identity(),
      mesh: triangles > 0 ? i : -1,
    })),
    meshes,
    materials: [],
    images: [],
    lodGroups,
  };
}

function found(scene: Scene) {
  const diagnostics = new Diagnostics();
  const { hidden, objects } = authoredLevels(scene, diagnostics);
  return {
    hidden: [...hidden].sort((a, b) => a - b),
    objects: objects.map(({ finest, coarser, coverage }) => ({ finest, coarser, coverage })),
    messages: diagnostics.list.map(({ code, path, message }) => `${code} ${path}: ${message}`),
  };
}

test('a level is all that lies below its node', () => {
  const scene = sceneOf([
    ['X_LOD0', -1, 0],
    ['body', 0, 80],
    ['roof', 0, 20],
    ['X_LOD1', -1, 40],
    ['other', -1, 7],
  ]);
  expect(found(scene)).toEqual({
    hidden: [3],
    objects: [{ finest: [1, 2], coarser: [[3]], coverage: null }],
    messages: [],
  });
});

test('a group within a level counts with its finest level', () => {
  const scene = sceneOf([
    ['House_LOD0', -1, 100],
    ['Door_LOD0', 0, 10],
    ['Door_LOD1', 0, 4],
    ['House_LOD1', -1, 50],
  ]);
  expect(found(scene)).toEqual({
    hidden: [2, 3],
    objects: [{ finest: [0, 1], coarser: [[3]], coverage: null }],
    messages: [],
  });
});

test('the finest level that is there is full detail, and gaps are named', () => {
  const scene = sceneOf([
    ['X_LOD1', -1, 50],
    ['X_LOD3', -1, 20],
    ['Y_LOD2', -1, 9],
  ]);
  expect(found(scene)).toEqual({
    hidden: [1],
    objects: [{ finest: [0], coarser: [[1]], coverage: null }],
    messages: ['UC2059 Y_LOD2: there is LOD2, but no LOD0, and 1 more'],
  });
});

test('a level with more triangles than a finer one is left out', () => {
  const scene = sceneOf([
    ['X_LOD0', -1, 50],
    ['X_LOD1', -1, 60],
    ['X_LOD2', -1, 20],
  ]);
  expect(found(scene)).toEqual({
    hidden: [1, 2],
    objects: [{ finest: [0], coarser: [[2]], coverage: null }],
    messages: ['UC2059 X_LOD0: level 1 has 60 triangles, more than the 50 of level 0'],
  });
});

test('what the source groups is not grouped by name again, and coverage is that of the finer level', () => {
  const nodes: Node[] = [
    ['X_LOD0', -1, 50],
    ['X_LOD1', -1, 20],
    ['X_LOD2', -1, 5],
  ];
  const group = { path: 'nodes/0', levels: [[0], [1], [2]], coverage: [0.5, 0.2, 0.01] };
  expect(found(sceneOf(nodes, [group])).objects).toEqual([{ finest: [0], coarser: [[1], [2]], coverage: [0.5, 0.2] }]);
});

test('coverage that cannot be is named and does not count', () => {
  const nodes: Node[] = [
    ['fine', -1, 50],
    ['middle', -1, 20],
    ['low', -1, 5],
  ];
  const withCoverage = (coverage: readonly number[]) =>
    found(sceneOf(nodes, [{ path: 'nodes/0', levels: [[0], [1], [2]], coverage }]));
  const faults = [
    { coverage: [0.5, -0.2], says: '-0.2 is no share of the screen' },
    { coverage: [50, 20, 1], says: '50 is no share of the screen' },
    { coverage: [0.2, 0.5, 0], says: '0.5 after 0.2: a coarser level covers less' },
    { coverage: [0.5, Number.NaN], says: 'it is no list of numbers' },
    { coverage: [0.5], says: '1 values for 2 levels' },
  ];
  for (const { coverage, says } of faults) {
    const { objects, messages } = withCoverage(coverage);
    expect(objects).toEqual([{ finest: [0], coarser: [[1], [2]], coverage: null }]);
    expect(messages).toEqual([`UC2098 nodes/0: ${says}`]);
  }
  expect(withCoverage([1, 1]).messages).toEqual([]);
});

test('objects that name each other as levels: the first is drawn, and the other is named', () => {
  const nodes: Node[] = [
    ['a', -1, 50],
    ['b', -1, 20],
  ];
  const groups = [
    { path: 'nodes/0', levels: [[0], [1]] },
    { path: 'nodes/1', levels: [[1], [0]] },
  ];
  expect(found(sceneOf(nodes, groups))).toEqual({
    hidden: [1],
    objects: [{ finest: [0], coarser: [[1]], coverage: null }],
    messages: ['UC2059 nodes/1: level 1 is nodes/0, of which this is a level itself'],
  });
});

test('levels of a level that comes first in the file are not drawn', () => {
  const nodes: Node[] = [
    ['low', -1, 20],
    ['lower', -1, 5],
    ['fine', -1, 50],
  ];
  const groups = [
    { path: 'nodes/0', levels: [[0], [1]] },
    { path: 'nodes/2', levels: [[2], [0]] },
  ];
  const { hidden, messages } = found(sceneOf(nodes, [...groups].reverse()));
  expect(hidden).toEqual([0, 1]);
  expect(messages).toEqual(['UC2059 nodes/0: it is a level of another object, and has levels itself']);
});
