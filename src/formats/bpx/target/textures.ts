// Images as BPX textures: grey, RGB or RGBA of 8 bits, and heights of more bits as float32. Sides are powers of two from 2 to
// 65536: others are resampled to the nearest.

import { deepChannel, hasDeepChannels } from '../../../textures/decode/deepChannel.ts';
import { ImageFault } from '../../../textures/decode/fault.ts';
import { probeImage } from '../../../textures/decode/probe.ts';
import { decodeImageFile } from '../../../textures/encode/png.ts';
import { resize } from '../../../textures/mips/resize.ts';
import type { MipRole } from '../../../textures/mips/types.ts';
import type { PreparedTexture } from '../../../textures/types.ts';
import { MAX_UNPACKED_BYTES } from '../container/layout.ts';
import { fullMips } from '../kinds/texture.ts';
import { MAX_EXPONENT, type TexelFormat } from '../records.ts';
import { storedSide, writeBpxTexture } from '../write/texture.ts';

/** Bits of PreparedTexture.flags. */
const SRGB = 1;
const NORMAL_MAP = 2;

/** The side that a file can store which is nearest by its ratio. */
export function nearestSide(side: number): number {
  return 2 ** Math.min(Math.max(Math.round(Math.log2(side)), 1), MAX_EXPONENT);
}

type Size = Pick<PreparedTexture, 'width' | 'height'>;

export const fits = ({ width, height }: Size): boolean => storedSide(width) !== null && storedSide(height) !== null;

function roleOf(flags: number): MipRole {
  if ((flags & NORMAL_MAP) !== 0) return 'normal';
  return (flags & SRGB) !== 0 ? 'color' : 'data';
}

/** The texture of an image file, whose bytes are at hand. */
export async function textureOf(texture: PreparedTexture): Promise<Uint8Array> {
  const { bytes, fileName, flags } = texture;
  const floats = bytes && fits(texture) ? await floatsOf(bytes) : null;
  if (floats) return written(texture, 'float32', floats);
  const pixels = bytes && (await decodeImageFile(bytes));
  if (!pixels) throw new Error(`${fileName} cannot be read back`);
  const [width, height] = [nearestSide(pixels.width), nearestSide(pixels.height)];
  const { data } = fits(pixels) ? pixels : { data: resize(pixels, width, height, roleOf(flags)).bytes };
  const size = { width, height };
  if (!isOpaque(data)) return written(size, 'rgba8', data);
  return isGrey(data) ? written(size, 'grey8', firstChannels(data, 1)) : written(size, 'rgb8', firstChannels(data, 3));
}

/** Heights of 16 bits as numbers from 0 to 1; null: the image has eight. */
async function floatsOf(bytes: Uint8Array): Promise<Uint8Array | null> {
  const info = await probeImage(bytes);
  if (info instanceof ImageFault || !hasDeepChannels(info)) return null;
  const heights = await deepChannel(bytes, 0);
  const view = new DataView(new ArrayBuffer(heights.length * 4));
  for (const [i, height] of heights.entries()) view.setFloat32(i * 4, height / 65535, true);
  return new Uint8Array(view.buffer);
}

function written({ width, height }: Size, format: TexelFormat, image: Uint8Array): Uint8Array {
  const texture = {
    kind: 'texture',
    width,
    height,
    format,
    isArray: false,
    isCubeMap: false,
    compressOnLoad: false,
    mips: fullMips(width, height),
    images: [image],
  } as const;
  return writeBpxTexture(texture, { isPacked: image.length < MAX_UNPACKED_BYTES });
}

function isOpaque(rgba: Uint8Array): boolean {
  for (let i = 3; i < rgba.length; i += 4) if (rgba[i] !== 255) return false;
  return true;
}

/** Whether every texel is grey: the three channels are equal. */
function isGrey(rgba: Uint8Array): boolean {
  for (let i = 0; i < rgba.length; i += 4) if (rgba[i] !== rgba[i + 1] || rgba[i] !== rgba[i + 2]) return false;
  return true;
}

function firstChannels(rgba: Uint8Array, count: 1 | 3): Uint8Array {
  const out = new Uint8Array((rgba.length / 4) * count);
  if (count === 1) {
    for (let from = 0, to = 0; from < rgba.length; from += 4, to++) out[to] = rgba[from];
    return out;
  }
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
    out[to] = rgba[from];
    out[to + 1] = rgba[from + 1];
    out[to + 2] = rgba[from + 2];
  }
  return out;
}
