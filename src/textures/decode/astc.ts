// Texels of the ASTC blocks in an image file, decoded in the kernel. Takes files that ktx2.ts has checked.

import { kernel } from '../../kernel/kernel.ts';
import { ImageFault } from './fault.ts';
import type { AstcBlocks } from './imageFormat.ts';
import type { Pixels } from './pixels.ts';

const BLOCK_BYTES = 16;

/** The largest level, as the blocks store it; a fault if a block is illegal or of the HDR profile. */
export function decodeAstc(
  bytes: Uint8Array,
  width: number,
  height: number,
  { blockWidth, blockHeight, srgb, levels }: AstcBlocks,
): Pixels | ImageFault {
  const [{ offset, length }] = levels;
  return kernel.within((memory) => {
    const { calls } = memory;
    const blocks = memory.put(bytes.subarray(offset, offset + length));
    const count = length / BLOCK_BYTES;
    const first = calls.firstIllegalBlock(blocks, count, blockWidth, blockHeight);
    if (first < count) return new ImageFault('damaged', `ASTC block ${first} is none of the LDR profile`);
    const to = memory.allocate(width * height * 4);
    calls.decodeAstc(blocks, width, height, blockWidth, blockHeight, srgb, to);
    return { width, height, data: memory.uint8(to, width * height * 4).slice() };
  });
}
