// EXT_texture_avif: a texture refers to an AVIF image.

import type { Extension } from '../extension.ts';

export const EXT_TEXTURE_AVIF: Extension = {
  name: 'EXT_texture_avif',
  support: 'full',
  effect: 'AVIF images are decoded. A GLB keeps them.',
  namesImage: true,
};
