// MSFT_lod: coarser levels of nodes, which the scene need not list.

import { expect, test } from 'vitest';
import { buildGlb, load, refusal, TRIANGLE } from './build.ts';

const lod = (ids: readonly number[]) => ({ MSFT_lod: { ids } });
const file = (nodes: readonly object[], more: object = {}, scene: readonly number[] = [0]) =>
  buildGlb({
    meshes: [0, 1, 2].map(() => ({ primitives: [TRIANGLE] })),
    nodes,
    scenes: [{ nodes: scene }],
    root: { extensionsUsed: ['MSFT_lod'], extensionsRequired: ['MSFT_lod'], ...more },
  });

test('coarser levels stand where the node does, with their own transforms, where they are asked for', async () => {
  const bytes = file([
    { name: 'group', translation: [0, 5, 0], children: [1] },
    { name: 'fine', mesh: 0, extensions: lod([3, 2]), extras: { MSFT_screencoverage: [0.5, 0.25, 0] } },
    { name: 'low', mesh: 2, translation: [1, 0, 0] },
    { name: 'middle', mesh: 1 },
  ]);
  const { scene, codes } = await load(bytes, { lodGroups: true });
  expect(codes).toEqual([]);
  expect(scene.nodes.map(({ name, parent, mesh }) => [name, parent, mesh])).toEqual([
    ['group', -1, -1],
    ['fine', 0, 0],
    ['middle', 0, 1],
    ['low', 0, 2],
  ]);
  expect([...scene.nodes[3].world.slice(12, 15)]).toEqual([1, 5, 0]);
  expect(scene.lodGroups).toEqual([{ path: 'nodes/1', levels: [[1], [2], [3]], coverage: [0.5, 0.25, 0] }]);
  const plain = await load(bytes);
  expect(plain.scene.nodes.map(({ name }) => name)).toEqual(['group', 'fine']);
  expect(plain.scene).not.toHaveProperty('lodGroups');
});

test('levels that the scene lists stay where it has them', async () => {
  const nodes = [
    { name: 'fine', mesh: 0, extensions: lod([1]) },
    { name: 'low', mesh: 1, translation: [3, 0, 0] },
  ];
  const { scene } = await load(file(nodes, {}, [1, 0]), { lodGroups: true });
  expect(scene.nodes.map(({ name }) => name)).toEqual(['low', 'fine']);
  expect(scene.lodGroups).toEqual([{ path: 'nodes/0', levels: [[1], [0]] }]);
});

test('coverage that is no list of numbers is NaN', async () => {
  const coverageOf = async (written: unknown) => {
    const nodes = [{ mesh: 0, extensions: lod([1]), extras: { MSFT_screencoverage: written } }, { mesh: 1 }];
    const { scene } = await load(file(nodes), { lodGroups: true });
    return scene.lodGroups?.[0].coverage;
  };
  expect(await coverageOf(['half', 0.5])).toEqual([NaN, 0.5]);
  expect(await coverageOf(0.5)).toEqual([NaN]);
});

test('levels of materials are left out and named', async () => {
  const materials = [{ name: 'Paint', extensions: lod([1]) }, { name: 'Plain' }];
  const { codes } = await load(file([{ mesh: 0 }], { materials }), { lodGroups: true });
  expect(codes).toContain('UC1352');
});

test('a level that is no node of the file is refused', async () => {
  expect(await refusal(load(file([{ mesh: 0, extensions: lod([7]) }])))).toMatchObject({ code: 'UC1308' });
});
