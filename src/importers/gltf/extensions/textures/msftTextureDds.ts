// MSFT_texture_dds: a texture refers to a DDS image.

import type { Extension } from '../extension.ts';

export const MSFT_TEXTURE_DDS: Extension = {
  name: 'MSFT_texture_dds',
  support: 'full',
  effect:
    'DDS images are decoded: BC1 to BC5, BC7 and plain texels. A texture that also names an image of another format is read from that one.',
  namesImage: true,
};
