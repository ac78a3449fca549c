// The placeholder for an image that cannot be used (--missing-texture placeholder), 4 x 4 pixels: the texels that the table
// of slots has (scene/materialSlots.ts). A lost base colour is to be seen: magenta and black squares of one pixel. Others are
// neutral.

import type { slotKind } from '../scene/materialSlots.ts';
import type { TexelImage } from './types.ts';

const SIDE = 4;

type Placeholder = ReturnType<typeof slotKind>['placeholder'];

/** The placeholder's texels. */
export function placeholderTexels(placeholder: Placeholder): TexelImage {
  if (placeholder === null) throw new Error('a slot without a placeholder');
  const data = new Uint8Array(SIDE * SIDE * 3);
  for (let i = 0; i < SIDE * SIDE; i++) {
    const odd = (i + Math.floor(i / SIDE)) % 2 === 1;
    const texel = placeholder !== 'pattern' ? placeholder : odd ? [0, 0, 0] : [255, 0, 255];
    data.set(texel, i * 3);
  }
  return { width: SIDE, height: SIDE, data, channels: 3, alpha: false };
}
