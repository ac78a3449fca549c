// The one PNG writer: sharp with fixed settings and no metadata, so that equal texels give equal bytes.

import { decodeImage } from '../decode/decode.ts';
import { ImageFault } from '../decode/fault.ts';
import type { Pixels } from '../decode/pixels.ts';
import { dropChunks } from '../decode/png.ts';
import { probeImage } from '../decode/probe.ts';
import { loadSharp } from '../decode/sharp.ts';
import type { TexelImage, TexelUse, TextureFile, TextureFiles } from '../types.ts';
import { encodeKtx2, fitsKtx2 } from './ktx2.ts';
import { encodeWebp, MAX_WEBP_SIDE } from './webp.ts';

/**
 * From so many pixels on the last bytes are not worth the time. For photographs of 2048 x 2048 pixels level 9 takes fifteen
 * times as long as level 2, and level 3 without filters half as long as level 2 with them, for files between 7 % smaller and
 * 15 % larger.
 */
const LARGE = 2 ** 20;

/** PNG with IHDR, IDAT and IEND only: RGB, or RGBA with `alpha`. `data` has 3 or 4 bytes a pixel accordingly. */
export function encodePng(data: Uint8Array, width: number, height: number, alpha: boolean): Promise<Uint8Array> {
  return encodeImage({ data, width, height, channels: alpha ? 4 : 3, alpha });
}

/**
 * PNG as encodePng's, of RGB, for pages with many pictures. Drawn pictures, which have no noise, take a sixth of the time
 * for files between 10 % smaller and 9 % larger.
 */
export async function encodeQuickPng(data: Uint8Array, width: number, height: number): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const image = sharp(data, { raw: { width, height, channels: 3 }, limitInputPixels: false });
  return onlyPixels(await image.png({ compressionLevel: 6, adaptiveFiltering: false, palette: false }).toBuffer());
}

const onlyPixels = (png: Uint8Array): Uint8Array =>
  dropChunks(png, (type) => type !== 'IHDR' && type !== 'IDAT' && type !== 'IEND');

async function encodeImage(
  { data, width, height, channels, alpha, deep }: TexelImage,
  isPacked = true,
): Promise<Uint8Array> {
  // Formats that pack texels themselves may have room for more than eight bits.
  if (deep && !isPacked) return encodeDeepPng(deep, width, height);
  const sharp = await loadSharp();
  const image = sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
  if (channels === 4 && !alpha) image.removeAlpha();
  const isThorough = isPacked && width * height < LARGE;
  const compressionLevel = isThorough ? 9 : isPacked ? 3 : 0;
  const png = await image.png({ compressionLevel, adaptiveFiltering: isThorough, palette: false }).toBuffer();
  return onlyPixels(png);
}

/** PNG of one channel with 16 bits a pixel. */
export async function encodeDeepPng(data: Uint16Array, width: number, height: number): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const image = sharp(data, { raw: { width, height, channels: 1 }, limitInputPixels: false });
  const png = await image
    .toColourspace('grey16')
    .png({ compressionLevel: 0, adaptiveFiltering: false, palette: false })
    .toBuffer();
  return onlyPixels(png);
}

/**
 * Texture files that are images: new ones are WebP or KTX2 where that is asked for and has room for them, and PNG otherwise,
 * without compression where `isPacked` is false.
 */
export function imageFiles(mode: 'png' | 'webp' | 'ktx2' | 'keep', isPacked = true): TextureFiles {
  return {
    mode,
    encode: async (image: TexelImage, use: TexelUse): Promise<TextureFile> => {
      const { width, height } = image;
      const { role } = use;
      // Height maps are in no file that holds KTX2.
      if (mode === 'ktx2' && role !== 'height' && fitsKtx2(width, height)) return encodeKtx2(image, use);
      if (mode === 'webp' && Math.max(width, height) <= MAX_WEBP_SIDE) {
        const bytes = await encodeWebp(image, role);
        return { bytes, extension: 'webp', width, height, format: 0, mipCount: 1 };
      }
      const bytes = await encodeImage(image, isPacked);
      return { bytes, extension: 'png', width, height, format: 0, mipCount: 1 };
    },
    decode: decodeImageFile,
    smaller: async () => [],
  };
}

/** The texels of an image file; null: it is broken. */
export async function decodeImageFile(bytes: Uint8Array): Promise<Pixels | null> {
  const info = await probeImage(bytes);
  if (info instanceof ImageFault) return null;
  const pixels = await decodeImage(bytes, info);
  return pixels instanceof ImageFault ? null : pixels;
}
