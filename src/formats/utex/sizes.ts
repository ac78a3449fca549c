// How large .utex files are at most: sides, mips and blocks decide it, and blocks of 4 by 4 texels are the smallest that a cook makes.

import type { TextureRole } from '../../textures/types.ts';
import { pixelFormatOf } from './encode.ts';
import { aligned, fullMipCount, HEADER_BYTES, MIP_RECORD_BYTES, mipBytes, mipSide } from './layout.ts';
import { MIN_SMALLER_SIDE } from './smaller.ts';

/** The bytes of a file with a whole chain of mips, at most. */
export function utexBytes(role: TextureRole, width: number, height: number): number {
  return chainBytes(role, width, height, 0);
}

function chainBytes(role: TextureRole, width: number, height: number, first: number): number {
  const format = pixelFormatOf(role, 4);
  let bytes = HEADER_BYTES;
  for (let level = first; level < fullMipCount(width, height); level++) {
    bytes += MIP_RECORD_BYTES + aligned(mipBytes(format, mipSide(width, level), mipSide(height, level)));
  }
  return bytes;
}

/** What a texture with a whole chain of mips takes on the GPU, at most. */
export function utexGpuBytes(role: TextureRole, width: number, height: number): number {
  const format = pixelFormatOf(role, 4);
  let bytes = 0;
  for (let level = 0; level < fullMipCount(width, height); level++) {
    bytes += mipBytes(format, mipSide(width, level), mipSide(height, level));
  }
  return bytes;
}

/** The bytes of the files that go without the first mip, the first two, and so on, at most. */
export function smallerUtexSizes(role: TextureRole, width: number, height: number): number[] {
  const sizes: number[] = [];
  for (let first = 1; first < fullMipCount(width, height); first++) {
    if (Math.max(mipSide(width, first), mipSide(height, first)) < MIN_SMALLER_SIDE) break;
    sizes.push(chainBytes(role, width, height, first));
  }
  return sizes;
}
