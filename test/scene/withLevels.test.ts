// What another reading of a source adds to a scene: images that both have are one, wherever a material reads them.

import { expect, test } from 'vitest';
import type { Scene } from '../../src/scene/types.ts';
import { withLevels } from '../../src/scene/withLevels.ts';

const image = (path: string) => ({ path, uri: path, file: 's.usda' });
const use = (index: number) => ({ image: index });

function sceneOf(images: readonly string[], color: number, transmission: number): Scene {
  const material = { name: 'glass', textures: { baseColor: use(color) }, transmissionTexture: use(transmission) };
  return {
    source: 's.usda',
    nodes: [],
    meshes: [{ primitives: [{ material: 0, subsets: [] }] }],
    materials: [material],
    images: images.map(image),
  } as unknown as Scene;
}

test('the image of a transmission texture moves with the others, and equal materials are one', () => {
  const scene = withLevels(sceneOf(['t', 'a'], 1, 0), sceneOf(['a', 'b', 't'], 0, 2));
  expect(scene.images.map(({ path }) => path)).toEqual(['t', 'a', 'b']);
  expect(scene.materials.length).toBe(1);
  expect(scene.meshes.map(({ primitives }) => primitives[0].material)).toEqual([0, 0]);
  const other = withLevels(sceneOf(['t'], 0, 0), sceneOf(['a', 't'], 0, 1));
  expect(
    other.materials.map(({ textures, transmissionTexture }) => [textures.baseColor?.image, transmissionTexture?.image]),
  ).toEqual([
    [0, 0],
    [1, 0],
  ]);
});
