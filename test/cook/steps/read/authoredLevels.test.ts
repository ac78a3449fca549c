// Which nodes are levels made by hand where groups overlap, nest or hold what a skin places.

import { describe, expect, test } from 'vitest';
import { authoredLevels } from '../../../../src/cook/steps/read/authoredLevels.ts';
import { Diagnostics } from '../../../../src/diagnostics/diagnostic.ts';
import { identity } from '../../../../src/scene/matrix.ts';
import type { LodGroup, Scene, SceneNode } from '../../../../src/scene/types.ts';

/** A scene of nodes, each with a mesh of so many triangles; null: with none. */
function sceneOf(
  nodes: readonly { name?: string; parent?: number; below?: number; path?: string; triangles?: number | null }[],
  lodGroups: readonly LodGroup[] = [],
): Scene {
  const placed = nodes.map(
    ({ name = '', parent = -1, path, triangles = 10, ...rest }, i): SceneNode => ({
      name,
      path: path ?? `nodes/${i}`,
      parent,
      local: identity(),
      world: identity(),
      mesh: triangles === null ? -1 : i,
      ...rest,
    }),
  );
  const meshes = nodes.map(({ triangles = 10 }) => ({ primitives: [{ triangleCount: triangles ?? 0 }] }));
  return { source: 's.gltf', nodes: placed, meshes, lodGroups } as unknown as Scene;
}

function read(scene: Scene) {
  const diagnostics = new Diagnostics();
  const { hidden, objects } = authoredLevels(scene, diagnostics);
  return {
    hidden: [...hidden].sort((a, b) => a - b),
    objects: objects.map(({ finest, coarser }) => [finest, ...coarser]),
    said: diagnostics.list.map(({ code, message }) => `${code} ${message}`),
  };
}

const group = (...levels: number[][]): LodGroup => ({ path: 'nodes/0', levels });

describe('a stated group', () => {
  test('that names the object itself as a level draws it all the same, and says so', () => {
    expect(read(sceneOf([{}, { triangles: 4 }], [group([0], [0], [1])]))).toEqual({
      hidden: [1],
      objects: [[[0], [1]]],
      said: ['UC2059 level 1 is the object itself, or holds it'],
    });
  });

  test('whose level holds the object draws the object', () => {
    const { hidden, objects, said } = read(sceneOf([{ triangles: null }, { parent: 0 }], [group([1], [0])]));
    expect([hidden, objects, said.length]).toEqual([[], [], 1]);
  });

  test('whose level lies below the object has that level apart', () => {
    const scene = sceneOf([{}, { parent: 0, triangles: 4 }], [group([0], [1])]);
    expect(read(scene)).toEqual({ hidden: [1], objects: [[[0], [1]]], said: [] });
  });

  test('within a coarser level that stands first in the file is read first', () => {
    // 0 is the coarse level of 3, and holds a group of its own: 1 with 2.
    const nodes = [{ triangles: null }, { parent: 0, triangles: 6 }, { parent: 0, triangles: 5 }, { triangles: 10 }];
    const { hidden, said } = read(sceneOf(nodes, [group([3], [0]), group([1], [2])]));
    expect([hidden, said]).toEqual([[1, 2], []]);
  });
});

describe('named levels', () => {
  test('hold what a skin places, which is a root of its own', () => {
    const nodes = [
      { name: 'Hero_LOD0', triangles: null },
      { name: 'skin', below: 0 },
      { name: 'Hero_LOD1', triangles: null },
      { name: 'skin', below: 2, triangles: 4 },
    ];
    expect(read(sceneOf(nodes))).toEqual({ hidden: [3], objects: [[[1], [3]]], said: [] });
  });

  test('a node with a mesh that a skin places and with children is one level', () => {
    const nodes = [
      { name: 'Hero_LOD0', triangles: null, path: 'nodes/0' },
      { name: 'Hero_LOD0', below: 0, path: 'nodes/0' },
      { name: 'Hero_LOD1', triangles: null, path: 'nodes/1' },
      { name: 'Hero_LOD1', below: 2, path: 'nodes/1', triangles: 4 },
    ];
    expect(read(sceneOf(nodes))).toEqual({ hidden: [3], objects: [[[1], [3]]], said: [] });
  });

  test('of a name with a number and of a copy with that number are two objects', () => {
    const names = ['Tree_LOD0.001', 'Tree_LOD1.001', 'Tree.001_LOD0', 'Tree.001_LOD1'];
    const { objects } = read(sceneOf(names.map((name, i) => ({ name, triangles: 10 - i }))));
    expect(objects.sort()).toEqual([
      [[0], [1]],
      [[2], [3]],
    ]);
  });
});
