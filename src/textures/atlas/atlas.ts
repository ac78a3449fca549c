// An atlas: small images and plain colours in one texture, for surfaces that are seen from afar only, where a draw call
// costs more than sharpness is worth.

import { ENCODE_STEPS, LINEAR_OF_SRGB_BYTE, srgbByte, srgbEncodeTable } from '../bake/color.ts';
import { shrink } from '../bake/sample.ts';
import type { Pixels } from '../decode/pixels.ts';
import type { PaintedTexture, TextureFiles } from '../types.ts';
import { type AtlasLayout, GUTTER } from './atlasLayout.ts';
import { madeTexture } from './madeTexture.ts';

/** Texture flag of the container: colours encoded as sRGB. */
const FLAG_SRGB = 1;

/** The largest side of an image in an atlas (atlasLayout.ts). */
const SIDE = 128;

/** An image for an atlas. */
export interface TintedImage {
  /** sRGB. */
  readonly pixels: Pixels;
  /** Linear rgb that its texels are multiplied by. */
  readonly factor: readonly [number, number, number];
}

/** The image side by side `across` times and on top of itself `down` times, made smaller so that its sides stay within 128. */
export function repeated(pixels: Pixels, across: number, down: number): Pixels {
  if (across === 1 && down === 1) return pixels;
  const one = shrink(
    pixels,
    Math.max(1, Math.min(pixels.width, Math.floor(SIDE / across))),
    Math.max(1, Math.min(pixels.height, Math.floor(SIDE / down))),
    true,
  );
  const [width, height] = [one.width * across, one.height * down];
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    const from = (y % one.height) * one.width * 4;
    const row = one.data.subarray(from, from + one.width * 4);
    for (let i = 0; i < across; i++) data.set(row, (y * width + i * one.width) * 4);
  }
  return { width, height, data };
}

/** The mean of an image, linear. */
export function meanColor({ width, height, data }: Pixels): [number, number, number] {
  const sums = [0, 0, 0];
  for (let i = 0; i < data.length; i += 4) for (let c = 0; c < 3; c++) sums[c] += LINEAR_OF_SRGB_BYTE[data[i + c]];
  const count = width * height;
  return [sums[0] / count, sums[1] / count, sums[2] / count];
}

/**
 * Paints an atlas: images in the order of the layout, those without room left out, and linear rgb colours, each 0 to 1, as
 * cells of the layout's palette. Alpha is dropped.
 */
export async function atlasTexture(
  layout: AtlasLayout,
  images: readonly TintedImage[],
  colors: readonly (readonly [number, number, number])[],
  files: TextureFiles,
): Promise<PaintedTexture> {
  const { width, height, palette } = layout;
  const data = new Uint8Array(width * height * 3);
  for (const [i, { pixels, factor }] of images.entries()) {
    const rect = layout.images[i];
    if (!rect) continue;
    const small = shrink(pixels, rect.width, rect.height, true);
    const tables = factor.map(multiplied);
    const clamped = (at: number, length: number) => Math.max(0, Math.min(length - 1, at));
    for (let y = -GUTTER; y < rect.height + GUTTER; y++) {
      for (let x = -GUTTER; x < rect.width + GUTTER; x++) {
        const from = (clamped(y, rect.height) * rect.width + clamped(x, rect.width)) * 4;
        const to = ((rect.y + y) * width + rect.x + x) * 3;
        for (let c = 0; c < 3; c++) data[to + c] = tables[c][small.data[from + c]];
      }
    }
  }
  if (palette) {
    const { columns, cell, width: across, height: down } = palette.layout;
    for (let y = 0; y < down; y++) {
      for (let x = 0; x < across; x++) {
        const i = Math.min(colors.length - 1, Math.floor(y / cell) * columns + Math.floor(x / cell));
        const to = ((palette.y + y) * width + palette.x + x) * 3;
        for (let c = 0; c < 3; c++) data[to + c] = srgbByte(colors[i][c]);
      }
    }
  }
  return madeTexture({ data, width, height, channels: 3, alpha: false }, 'atlas', FLAG_SRGB, files);
}

/** sRGB bytes times a linear factor. */
function multiplied(factor: number): Uint8Array {
  const encode = srgbEncodeTable();
  return Uint8Array.from(LINEAR_OF_SRGB_BYTE, (value) => {
    const light = Math.max(0, Math.min(1, value * factor));
    return encode[Math.round(light * ENCODE_STEPS)];
  });
}
