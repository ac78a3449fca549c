// Images as BPX textures. Sides are powers of two from 2 to 65536: others are resampled to the nearest.

import { decodeImageFile } from '../../../textures/encode/png.ts';
import { resize } from '../../../textures/mips/resize.ts';
import type { MipRole } from '../../../textures/mips/types.ts';
import type { PreparedTexture } from '../../../textures/types.ts';
import { MAX_UNPACKED_BYTES } from '../container/layout.ts';
import { fullMips } from '../kinds/texture.ts';
import { MAX_EXPONENT } from '../records.ts';
import { storedSide, writeBpxTexture } from '../write/texture.ts';

/** Bits of PreparedTexture.flags. */
const SRGB = 1;
const NORMAL_MAP = 2;

/** The side that a file can store which is nearest by its ratio. */
export function nearestSide(side: number): number {
  return 2 ** Math.min(Math.max(Math.round(Math.log2(side)), 1), MAX_EXPONENT);
}

export const fits = ({ width, height }: Pick<PreparedTexture, 'width' | 'height'>): boolean =>
  storedSide(width) !== null && storedSide(height) !== null;

function roleOf(flags: number): MipRole {
  if ((flags & NORMAL_MAP) !== 0) return 'normal';
  return (flags & SRGB) !== 0 ? 'color' : 'data';
}

/** The texture of an image file, whose bytes are at hand. */
export async function textureOf({ bytes, fileName, flags }: PreparedTexture): Promise<Uint8Array> {
  const pixels = bytes && (await decodeImageFile(bytes));
  if (!pixels) throw new Error(`${fileName} cannot be read back`);
  const [width, height] = [nearestSide(pixels.width), nearestSide(pixels.height)];
  const { data } = fits(pixels) ? pixels : { data: resize(pixels, width, height, roleOf(flags)).bytes };
  const hasAlpha = !isOpaque(data);
  const image = hasAlpha ? data : withoutAlpha(data);
  const isPacked = image.length < MAX_UNPACKED_BYTES;
  const texture = {
    kind: 'texture',
    width,
    height,
    format: hasAlpha ? 'rgba8' : 'rgb8',
    isArray: false,
    isCubeMap: false,
    compressOnLoad: false,
    mips: fullMips(width, height),
    images: [image],
  } as const;
  return writeBpxTexture(texture, { isPacked });
}

function isOpaque(rgba: Uint8Array): boolean {
  for (let i = 3; i < rgba.length; i += 4) if (rgba[i] !== 255) return false;
  return true;
}

function withoutAlpha(rgba: Uint8Array): Uint8Array {
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
    rgb[to] = rgba[from];
    rgb[to + 1] = rgba[from + 1];
    rgb[to + 2] = rgba[from + 2];
  }
  return rgb;
}
