// A whole image of ASTC blocks as pixels.

import { decodeBlock } from './block.ts';

/** The texels of one block, the largest being 12 by 12. */
const TEXELS: usize = memory.data(144 * 4, 16);

/**
 * Decodes an image to red, green, blue and alpha of a byte each, row by row from the top. Blocks stand row by row; those at the right and lower edge reach beyond the image. Gives
 * the number of blocks that are not of the LDR profile, whose texels are magenta.
 */
export function decodeAstc(
  blocks: usize,
  width: u32,
  height: u32,
  blockWidth: u32,
  blockHeight: u32,
  isSrgb: bool,
  to: usize,
): u32 {
  let illegal: u32 = 0;
  for (let top: u32 = 0; top < height; top += blockHeight) {
    const rows = min(blockHeight, height - top);
    for (let left: u32 = 0; left < width; left += blockWidth, blocks += 16) {
      if (!decodeBlock(blocks, blockWidth, blockHeight, isSrgb, TEXELS)) illegal++;
      const bytes = (<usize>min(blockWidth, width - left)) << 2;
      for (let row: u32 = 0; row < rows; row++) {
        const target = to + ((<usize>(top + row) * width + left) << 2);
        memory.copy(target, TEXELS + ((<usize>(row * blockWidth)) << 2), bytes);
      }
    }
  }
  return illegal;
}
