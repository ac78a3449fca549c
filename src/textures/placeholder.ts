// What stands in for an image that cannot be used under --missing-texture placeholder: 4 x 4 pixels, magenta and black
// squares of one pixel for colours, (128, 128, 255) for normals, white for data.

import type { TextureSlot } from '../scene/types.ts';
import { encodePng } from './decode.ts';

const SIDE = 4;

type Look = 'color' | 'normal' | 'data';

export function placeholderLook(slot: TextureSlot): Look {
  if (slot === 'baseColor' || slot === 'emissive') return 'color';
  return slot === 'normal' ? 'normal' : 'data';
}

/** The placeholder's PNG. */
export function placeholderPng(look: Look): Promise<Uint8Array> {
  const data = new Uint8Array(SIDE * SIDE * 3);
  for (let i = 0; i < SIDE * SIDE; i++) {
    const odd = (i + Math.floor(i / SIDE)) % 2 === 1;
    const texel =
      look === 'normal' ? [128, 128, 255] : look === 'data' ? [255, 255, 255] : odd ? [0, 0, 0] : [255, 0, 255];
    data.set(texel, i * 3);
  }
  return encodePng(data, SIDE, SIDE, false);
}

export const PLACEHOLDER_SIDE = SIDE;
