// A palette texture: the few colours of a mesh painted as cells, for the cook, which points the vertices at them
// (scene/palette.ts says where). The engine reads textures but no vertex colours.

import { MAX_PALETTE_COLORS, paletteLayout } from '../../scene/palette.ts';
import { LINEAR_OF_SRGB_BYTE, srgbByte, UNIT_OF_BYTE, unitByte } from '../bake/color.ts';
import type { PaintedTexture, TextureFiles } from '../types.ts';
import { madeTexture } from './madeTexture.ts';

/** Texture flag of the container: colours encoded as sRGB. */
const FLAG_SRGB = 1;

/**
 * Paints 1 to 256 colours: linear rgb and straight alpha, four numbers 0..1 each. RGB becomes 8-bit sRGB; alpha is written
 * when one is not 1. Unused cells repeat the last colour. Throws RangeError for another count.
 */
export async function paletteTexture(
  colors: ArrayLike<number>,
  files: TextureFiles,
  stem = 'palette',
): Promise<PaintedTexture> {
  if (colors.length % 4 !== 0) throw new RangeError('palette colours have four components');
  const count = colors.length / 4;
  if (count > MAX_PALETTE_COLORS) throw new RangeError(`a palette holds ${MAX_PALETTE_COLORS} colours, not ${count}`);
  const { columns, cell, width, height } = paletteLayout(count);
  let alpha = false;
  for (let i = 3; i < colors.length; i += 4) if (unitByte(colors[i]) !== 255) alpha = true;
  const size = alpha ? 4 : 3;
  const data = new Uint8Array(width * height * size);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = Math.min(count - 1, Math.floor(y / cell) * columns + Math.floor(x / cell)) * 4;
      const to = (y * width + x) * size;
      for (let c = 0; c < 3; c++) data[to + c] = srgbByte(colors[i + c]);
      if (alpha) data[to + 3] = unitByte(colors[i + 3]);
    }
  }
  return madeTexture({ data, width, height, channels: size, alpha }, stem, FLAG_SRGB, files);
}

/**
 * The colours of the cells of a palette texture, row by row, in the terms that paletteTexture takes; null for an image
 * that cannot be read or has not the size of cells.
 */
export async function paletteColors(
  { bytes, width, height }: PaintedTexture,
  files: TextureFiles,
): Promise<Float64Array | null> {
  const { cell } = paletteLayout(1);
  if (width % cell !== 0 || height % cell !== 0) return null;
  const pixels = await files.decode(bytes);
  if (pixels === null || pixels.width !== width || pixels.height !== height) return null;
  const colors = new Float64Array((width / cell) * (height / cell) * 4);
  let to = 0;
  for (let y = 0; y < height; y += cell) {
    for (let x = 0; x < width; x += cell) {
      const from = (y * width + x) * 4;
      for (let c = 0; c < 3; c++) colors[to++] = LINEAR_OF_SRGB_BYTE[pixels.data[from + c]];
      colors[to++] = UNIT_OF_BYTE[pixels.data[from + 3]];
    }
  }
  return colors;
}
