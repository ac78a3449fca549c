// The placeholder for an image that cannot be used (--missing-texture placeholder), 4 x 4 pixels. A lost base colour is to be
// seen: magenta and black squares of one pixel. Others are neutral: black for emission, (128, 128, 255) for normals, white
// for data.

import type { TextureSlot } from '../scene/types.ts';
import type { TexelImage } from './types.ts';

const SIDE = 4;

type Look = 'color' | 'dark' | 'normal' | 'data';

const TEXELS: Readonly<Record<Exclude<Look, 'color'>, readonly number[]>> = {
  dark: [0, 0, 0],
  normal: [128, 128, 255],
  data: [255, 255, 255],
};

export function placeholderLook(slot: TextureSlot): Look {
  if (slot === 'baseColor') return 'color';
  if (slot === 'emissive') return 'dark';
  return slot === 'normal' ? 'normal' : 'data';
}

/** The placeholder's texels. */
export function placeholderTexels(look: Look): TexelImage {
  const data = new Uint8Array(SIDE * SIDE * 3);
  for (let i = 0; i < SIDE * SIDE; i++) {
    const odd = (i + Math.floor(i / SIDE)) % 2 === 1;
    const texel = look !== 'color' ? TEXELS[look] : odd ? [0, 0, 0] : [255, 0, 255];
    data.set(texel, i * 3);
  }
  return { width: SIDE, height: SIDE, data, channels: 3, alpha: false };
}
