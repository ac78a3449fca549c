// KHR_texture_basisu: a texture refers to a KTX2 image with a Basis Universal texture.

import type { Extension } from '../extension.ts';

export const KHR_TEXTURE_BASISU: Extension = {
  name: 'KHR_texture_basisu',
  support: 'full',
  effect:
    'KTX2 images with Basis Universal textures are decoded. A GLB keeps them. A texture that also names an image of another format is read from that one.',
  namesImage: true,
};
