// EXT_texture_webp: a texture refers to a WebP image.

import type { Extension } from '../extension.ts';

export const EXT_TEXTURE_WEBP: Extension = {
  name: 'EXT_texture_webp',
  support: 'full',
  effect: 'WebP images are decoded. A GLB keeps them.',
  namesImage: true,
};
