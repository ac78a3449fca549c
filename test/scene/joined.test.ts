// Several scenes as one: roots, indices and paths.

import { expect, test } from 'vitest';
import { joinedScene, splitJoinedPath } from '../../src/scene/joined.ts';
import { DEFAULT_FACTORS } from '../../src/scene/materialSlots.ts';
import { identity, translation } from '../../src/scene/matrix.ts';
import type { PolygonMesh, Scene, SceneMaterial, ScenePrimitive } from '../../src/scene/types.ts';
import { withLevels } from '../../src/scene/withLevels.ts';

const polygons = {} as PolygonMesh;

const material = (path: string, image: number): SceneMaterial => ({
  name: 'paint',
  path,
  alphaMode: 'opaque',
  alphaCutoff: 0.5,
  doubleSided: false,
  ...DEFAULT_FACTORS,
  textures: {
    baseColor: {
      image,
      uvSet: 'st',
      transform: null,
      wrapS: 'repeat',
      wrapT: 'repeat',
      channel: 'rgb',
      scale: [1, 1, 1, 1],
      bias: [0, 0, 0, 0],
      colorSpace: 'srgb',
    },
  },
  transmissionTexture: {
    image,
    uvSet: 'st',
    transform: null,
    wrapS: 'repeat',
    wrapT: 'repeat',
    channel: 'r',
    scale: [1, 1, 1, 1],
    bias: [0, 0, 0, 0],
    colorSpace: 'linear',
  },
  usesVertexColors: false,
});

function scene(source: string, more: Partial<Scene> = {}): Scene {
  const primitive: ScenePrimitive = {
    path: '/m/p',
    type: 'Mesh',
    vertexCount: 3,
    triangleCount: 1,
    bounds: null,
    material: -1,
    subsets: [{ path: '/m/p/s', material: 1, triangleCount: 1 }],
    read: async () => polygons,
  };
  const at = translation(1, 2, 3);
  return {
    source,
    kind: 'usda',
    upAxis: 'Z',
    metersPerUnit: 0.01,
    nodes: [
      { name: 'r', path: '/r', parent: -1, local: at, world: at, mesh: -1 },
      { name: 'm', path: '/m', parent: 0, local: identity(), world: at, mesh: 0 },
    ],
    meshes: [{ name: 'm', path: '/m', primitives: [primitive] }],
    materials: [material('/a', 0), material('/b', 1)],
    images: ['', '/found/b.png'].map((file, i) => ({
      path: `/b${i}`,
      uri: 'b.png',
      stem: 'b',
      file,
      read: async () => new Uint8Array(0),
    })),
    ...more,
  };
}

test('nodes stand below a root for each scene, and all indices are those of the whole', async () => {
  const joined = joinedScene('town', [
    { name: 'east', scene: scene('/art/east.usda') },
    { name: 'west', scene: scene('/art/west.usda') },
  ]);
  expect([joined.source, joined.upAxis, joined.metersPerUnit]).toEqual(['town', 'Y', 1]);
  expect(joined.nodes.map(({ name, path, parent, mesh }) => [name, path, parent, mesh])).toEqual([
    ['east', 'east:', -1, -1],
    ['r', 'east:/r', 0, -1],
    ['m', 'east:/m', 1, 0],
    ['west', 'west:', -1, -1],
    ['r', 'west:/r', 3, -1],
    ['m', 'west:/m', 4, 1],
  ]);
  const { nodes } = scene('');
  expect(joined.nodes[4].world).toEqual(nodes[0].world);
  expect(joined.nodes[3].world).toEqual(identity());
  const [primitive] = joined.meshes[1].primitives;
  expect([primitive.path, primitive.material]).toEqual(['west:/m/p', -1]);
  expect(primitive.subsets).toEqual([{ path: 'west:/m/p/s', material: 3, triangleCount: 1 }]);
  expect(await primitive.read()).toBe(polygons);
  expect(joined.materials.map(({ path, textures }) => [path, textures.baseColor?.image])).toEqual([
    ['east:/a', 0],
    ['east:/b', 1],
    ['west:/a', 2],
    ['west:/b', 3],
  ]);
  expect(joined.materials.map(({ transmissionTexture }) => transmissionTexture?.image)).toEqual([0, 1, 2, 3]);
  expect(joined.images.map(({ path, file }) => [path, file])).toEqual([
    ['/b0', '/art/east.usda'],
    ['/b1', '/found/b.png'],
    ['/b0', '/art/west.usda'],
    ['/b1', '/found/b.png'],
  ]);
});

test('copyrights are listed, and what else sources note of themselves is named as lost', () => {
  const noted = (asset: Scene['asset']) => ({ name: 'a', scene: scene('/a.usda', asset ? { asset } : {}) });
  const parts = [
    noted({ copyright: 'A', extras: { title: 'east' }, lost: ['1 material'] }),
    noted({ copyright: 'B', lost: ['2 meshes'] }),
    noted(undefined),
  ];
  expect(joinedScene('town', parts).asset).toEqual({ copyright: 'A; B', lost: ['asset', '1 material', '2 meshes'] });
  expect(joinedScene('town', [noted(undefined)])).not.toHaveProperty('asset');
});

test('levels that a source groups are those of its nodes in the whole', () => {
  const grouped = (coverage?: readonly number[]) =>
    scene('/art/a.usda', { lodGroups: [{ path: '/m', levels: [[1], [0]], ...(coverage ? { coverage } : {}) }] });
  const joined = joinedScene('town', [
    { name: 'east', scene: grouped() },
    { name: 'none', scene: scene('/art/b.usda') },
    { name: 'west', scene: grouped([0.5]) },
  ]);
  expect(joined.lodGroups).toEqual([
    { path: 'east:/m', levels: [[2], [1]] },
    { path: 'west:/m', levels: [[8], [7]], coverage: [0.5] },
  ]);
  expect(joinedScene('town', [{ name: 'none', scene: scene('/art/b.usda') }])).not.toHaveProperty('lodGroups');
});

test('another reading of a source brings its nodes and meshes, and what both have is one', () => {
  const base = scene('/art/a.usda');
  const level = scene('/art/a.usda', { materials: [material('/b', 1), material('/c', 0)] });
  const whole = withLevels(base, level);
  expect(whole.nodes.map(({ parent, mesh }) => [parent, mesh])).toEqual([
    [-1, -1],
    [0, 0],
    [-1, -1],
    [2, 1],
  ]);
  expect(whole.images.length).toBe(2);
  expect(whole.materials.map(({ path, textures }) => [path, textures.baseColor?.image])).toEqual([
    ['/a', 0],
    ['/b', 1],
    ['/c', 0],
  ]);
  // The second material of the level is the third of the whole.
  expect(whole.meshes[1].primitives[0].subsets[0].material).toBe(2);
});

test('a path of the whole says which root it is below', () => {
  expect(splitJoinedPath('west:/m/p')).toEqual({ name: 'west', path: '/m/p' });
  expect(splitJoinedPath('west:nodes/0')).toEqual({ name: 'west', path: 'nodes/0' });
  // Properties of USD have colons too: the first one counts.
  expect(splitJoinedPath('west:/Looks/a.inputs:file')).toEqual({ name: 'west', path: '/Looks/a.inputs:file' });
  expect(splitJoinedPath('tile_0_0_0')).toBeNull();
});
