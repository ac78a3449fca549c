// Texels of textures that the cook has made, palettes and atlases: each is decoded once, however many attempts at a level
// are painted from it and judged.

import { decodeMips, type Mips } from '../../textures/atlas/mips.ts';
import type { PaintedTexture, TextureFiles } from '../../textures/types.ts';

/** The largest side of a palette or an atlas. */
const MADE_SIDE = 1024;

const decoded = new WeakMap<PaintedTexture, Promise<Mips | null>>();

/** Null: it cannot be read. */
export function mipsOfMade(texture: PaintedTexture, files: TextureFiles): Promise<Mips | null> {
  let mips = decoded.get(texture);
  if (mips === undefined) {
    mips = decodeMips(texture.bytes, MADE_SIDE, files);
    decoded.set(texture, mips);
  }
  return mips;
}
