// What ASTC blocks lose of an image: of all of them, or of some that are made for nothing else.

import { beginRow, encodeBlockAt } from './encode/oneBlock.ts';
import { addBlock, Loss } from './loss.ts';

const BLOCK: usize = memory.data(16, 16);

/**
 * Adds up what blocks of `side` by `side` texels lose of an image: `pixels`, `kind`: as in encodeAstc. `blocks`: those of the
 * whole image. `to`: room for four float64, the fields of Loss.
 */
export function measureAstc(
  pixels: usize,
  width: u32,
  height: u32,
  kind: u32,
  side: u32,
  blocks: usize,
  to: usize,
): void {
  memory.fill(to, 0, offsetof<Loss>());
  for (let top: u32 = 0; top < height; top += side) {
    for (let left: u32 = 0; left < width; left += side, blocks += 16) {
      addBlock(blocks, pixels, width, height, left, top, kind, side, changetype<Loss>(to));
    }
  }
}

/** The same of every `step`-th block, encoded with a quality. Each row of blocks begins elsewhere, so that no pattern hides. */
export function sampleAstc(
  pixels: usize,
  width: u32,
  height: u32,
  kind: u32,
  side: u32,
  quality: u32,
  step: u32,
  to: usize,
): void {
  memory.fill(to, 0, offsetof<Loss>());
  const columns = (width + side - 1) / side;
  const rows = (height + side - 1) / side;
  for (let row: u32 = 0; row < rows; row++) {
    for (let column = (row * 37) % step; column < columns; column += step) {
      beginRow();
      encodeBlockAt(pixels, width, height, kind, side, quality, column * side, row * side, 0, BLOCK);
      addBlock(BLOCK, pixels, width, height, column * side, row * side, kind, side, changetype<Loss>(to));
    }
  }
}
