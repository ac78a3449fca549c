// Textures that the cook paints itself: cells and charts at multiples of four pixels, in sRGB.

import { sha256Hex } from '../../bytes/sha256.ts';
import { textureName } from '../name.ts';
import type { PaintedTexture, TexelImage, TexelUse, TextureFiles } from '../types.ts';

const PARTED: TexelUse = { role: 'color', alphaCutoff: null, split: true, roughness: null };

/** The texture of painted texels. `flags`: those of the container. */
export async function madeTexture(
  image: TexelImage,
  stem: string,
  flags: number,
  files: TextureFiles,
): Promise<PaintedTexture> {
  const { extension, ...file } = await files.encode(image, PARTED);
  const sha256 = sha256Hex(file.bytes);
  return { ...file, fileName: textureName(stem, sha256, extension, new Set()), sha256, flags };
}
