// An image and smaller ones of it, averaged in linear light: what proxies take their colours from, and atlases have as mips.

import { shrink } from '../bake/sample.ts';
import type { Pixels } from '../decode/pixels.ts';
import type { TextureFiles } from '../types.ts';

/** Each level has half the sides of the one before, rounded up; the last is one pixel. */
export type Mips = readonly Pixels[];

export function mipsOf(pixels: Pixels, isSrgb = true): Mips {
  const levels = [pixels];
  for (let last = pixels; last.width > 1 || last.height > 1; levels.push(last)) {
    last = shrink(last, Math.ceil(last.width / 2), Math.ceil(last.height / 2), isSrgb);
  }
  return levels;
}

/** Decodes a colour texture with the longer side at most `side`; null if it is broken. */
export async function decodeMips(bytes: Uint8Array, side: number, files: TextureFiles): Promise<Mips | null> {
  const pixels = await files.decode(bytes, side);
  if (pixels === null) return null;
  const scale = Math.min(1, side / Math.max(pixels.width, pixels.height));
  const sized = (length: number) => Math.max(1, Math.round(length * scale));
  return mipsOf(shrink(pixels, sized(pixels.width), sized(pixels.height), true));
}
