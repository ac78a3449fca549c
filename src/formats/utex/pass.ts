// Takes blocks of a source image into a .utex file as they are, where they are what encode.ts would make: 4x4 blocks of sRGB
// colours, sides and a whole chain of mips as the settings ask for. They are decoded only to be checked.

import { type Kernel, kernel } from '../../kernel/kernel.ts';
import { fitSize } from '../../textures/mips/fitSize.ts';
import type { AstcImage, TextureFile, TextureSettings } from '../../textures/types.ts';
import { fullMipCount, mipBytes, mipSide, PIXEL_FORMATS, UTEX_FLAGS } from './layout.ts';
import { writeUtex } from './write.ts';

const ASTC_4X4_SRGB = 186;

const isPowerOfTwo = (side: number): boolean => (side & (side - 1)) === 0;

/** Null where the image has to be decoded and encoded. `alpha`: whether alpha is drawn. */
export function passBlocks(image: AstcImage, alpha: boolean, settings: TextureSettings): TextureFile | null {
  const format = PIXEL_FORMATS.get(ASTC_4X4_SRGB);
  if (!format) throw new Error('the layout lacks the pixel format of colours');
  const { width, height, levels, srgb, blockWidth, blockHeight } = image;
  if (!srgb || blockWidth !== format.blockWidth || blockHeight !== format.blockHeight) return null;
  if (!isPowerOfTwo(width) || !isPowerOfTwo(height) || levels.length !== fullMipCount(width, height)) return null;
  const [fitWidth, fitHeight] = fitSize(width, height, { pot: settings.pot, max: settings.maxSize });
  if (fitWidth !== width || fitHeight !== height) return null;
  const mips = levels.map((bytes, level) => {
    const mip = { width: mipSide(width, level), height: mipSide(height, level), bytes };
    if (bytes.length !== mipBytes(format, mip.width, mip.height)) throw new Error(`level ${level} was not checked`);
    return mip;
  });
  let isTranslucent = false;
  for (const mip of mips) {
    const found = kernel.within((memory) => alphaOf(memory, mip));
    // An opaque material ignores the alpha of its texels, and may not make smaller mips darker by it.
    if (found === null || (found && !alpha)) return null;
    isTranslucent ||= found;
  }
  return {
    bytes: writeUtex({ pixelFormat: ASTC_4X4_SRGB, flags: isTranslucent ? UTEX_FLAGS.hasAlpha : 0, mips }),
    extension: 'utex',
    width,
    height,
    format: format.recordFormat ?? 0,
    mipCount: mips.length,
  };
}

/** Whether a texel is not opaque; null if a block is one that no GPU draws in the LDR profile. */
function alphaOf(
  memory: Kernel,
  { width, height, bytes }: { readonly width: number; readonly height: number; readonly bytes: Uint8Array },
): boolean | null {
  const blocks = memory.put(bytes);
  const count = bytes.length / 16;
  if (memory.calls.firstIllegalBlock(blocks, count, 4, 4) < count) return null;
  const to = memory.allocate(width * height * 4);
  memory.calls.decodeAstc(blocks, width, height, 4, 4, true, to);
  const texels = memory.uint8(to, width * height * 4);
  for (let i = 3; i < texels.length; i += 4) if (texels[i] !== 255) return true;
  return false;
}
