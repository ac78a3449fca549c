// Encodes an image, or some of its rows of blocks, to ASTC blocks of the LDR profile.

import { beginRow, encodeBlockAt } from './oneBlock.ts';

/**
 * Encodes rows of blocks. `pixels`: red, green, blue and alpha of a byte each, row by row from the top. `kind` and `quality`:
 * numbers of textures/encode/astc.ts. Blocks of the right and lower edge repeat the last column and row. `loss`: a Loss to which
 * is added what the blocks lose; 0: nobody asks. `to`: room for the blocks of the rows from `firstRow` to before `endRow`, 16
 * bytes each.
 */
export function encodeAstc(
  pixels: usize,
  width: u32,
  height: u32,
  kind: u32,
  side: u32,
  quality: u32,
  firstRow: u32,
  endRow: u32,
  loss: usize,
  to: usize,
): void {
  for (let row = firstRow; row < endRow; row++) {
    beginRow();
    for (let left: u32 = 0; left < width; left += side, to += 16) {
      encodeBlockAt(pixels, width, height, kind, side, quality, left, row * side, loss, to);
    }
  }
}
