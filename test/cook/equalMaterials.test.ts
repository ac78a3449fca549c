// Which materials are equal, and which images are read to find that out.

import { describe, expect, it } from 'vitest';
import { firstEqualMaterials } from '../../src/cook/steps/read/equalMaterials.ts';
import { colorUse, image, material, rgb, scene, use } from '../textures/fixture.ts';

const [red, green, blue] = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
].map((texel) => rgb([texel]));

/** A scene of materials with a base colour and a roughness each, by the numbers of their images. */
function pairs(bytes: readonly Uint8Array[], looks: readonly (readonly [number, number])[]) {
  const read: number[] = [];
  const images = bytes.map((content, i) => ({
    ...image(`image${i}`, content),
    read: async () => {
      read.push(i);
      return content;
    },
  }));
  const materials = looks.map(([baseColor, roughness]) => ({
    ...material({ baseColor: colorUse(baseColor), roughness: use(roughness, { channel: 'g' }) }),
    name: 'Look',
  }));
  return { scene: scene(materials, images), read };
}

describe('equal materials', () => {
  it('have equal images in every slot', async () => {
    const bytes = [red, green, red, green, blue];
    const { scene: of } = pairs(bytes, [
      [0, 1],
      [2, 3],
      [2, 4],
      [4, 1],
      [0, 4],
    ]);
    expect(await firstEqualMaterials(of, 'named')).toEqual([0, 0, 2, 3, 2]);
  });

  it('are told apart by the images of the first slot in which all differ', async () => {
    const { scene: of, read } = pairs(
      [red, green, blue, red, green, blue],
      [
        [0, 3],
        [1, 4],
        [2, 5],
      ],
    );
    expect(await firstEqualMaterials(of, 'named')).toEqual([0, 1, 2]);
    expect(read).toEqual([0, 1, 2]);
  });
});
