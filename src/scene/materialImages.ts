// The images that a material reads, where a list of images has moved.

import { mapLayers } from './gltfMaterial.ts';
import { texturesFrom } from './materialSlots.ts';
import type { SceneMaterial, TextureUse } from './types.ts';

/** The material with other indices of images. */
export function withImages<T extends SceneMaterial>(material: T, indexOf: (image: number) => number): T {
  const moved = (use: TextureUse): TextureUse => ({ ...use, image: indexOf(use.image) });
  const { textures, transmissionTexture, layers } = material;
  return {
    ...material,
    textures: texturesFrom((slot) => {
      const use = textures[slot];
      return use && moved(use);
    }),
    ...(transmissionTexture && { transmissionTexture: moved(transmissionTexture) }),
    ...(layers && { layers: mapLayers(layers, ({ image }) => indexOf(image)) }),
  };
}
