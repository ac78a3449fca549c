// Images that sharp decodes, for the formats that are not decoded here: their properties and their pixels. Colour profiles
// are ignored: texels are what the file stores.

import type { Sharp } from 'sharp';
import { MAX_TEXTURE_SIDE } from '../../engine/textures.ts';
import { decoderFault, ImageFault } from './fault.ts';
import type { CheckedImage } from './imageFormat.ts';
import type { Pixels } from './pixels.ts';
import { loadSharp } from './sharp.ts';
import { sizeFault } from './sizeLimit.ts';

/**
 * The properties of an image that is always converted, as sharp reads them from its header. `format` is for messages.
 * `declared`: the size that our own reader found in the header, which is checked before sharp sees the file.
 */
export async function checkWithSharp(
  bytes: Uint8Array,
  format: string,
  declared: readonly [number, number] | ImageFault | null = null,
): Promise<CheckedImage | ImageFault> {
  if (declared instanceof ImageFault) return declared;
  const fault = declared && sizeFault(...declared);
  if (fault) return fault;
  const sharp = await loadSharp();
  try {
    const meta = await sharp(bytes, {
      failOn: 'error',
      limitInputPixels: MAX_TEXTURE_SIDE * MAX_TEXTURE_SIDE,
    }).metadata();
    const deep = meta.depth === 'ushort';
    if (meta.format === undefined || (meta.depth !== 'uchar' && !deep)) {
      return new ImageFault('unsupported', `${format} image with ${meta.depth} samples`);
    }
    return {
      width: meta.width,
      height: meta.height,
      grey: meta.space === 'b-w' || meta.space === 'grey16',
      alpha: meta.hasAlpha,
      deep,
      pages: meta.pages ?? 1,
      copyable: false,
    };
  } catch (error) {
    return decoderFault(format, error);
  }
}

/**
 * Decodes a checked image to RGBA. 16-bit samples are rounded to the nearest byte; sharp itself would drop their low byte.
 * `format` is for messages.
 */
export async function decodeWithSharp(bytes: Uint8Array, format: string, deep: boolean): Promise<Pixels | ImageFault> {
  const sharp = await loadSharp();
  try {
    const image = sharp(bytes, {
      failOn: 'error',
      ignoreIcc: true,
      limitInputPixels: MAX_TEXTURE_SIDE * MAX_TEXTURE_SIDE,
      sequentialRead: true,
    });
    const isWide = deep && !(await roundsToBytes(image));
    const { data, info: out } = await image
      .toColourspace(deep ? 'rgb16' : 'srgb')
      .ensureAlpha()
      .raw({ depth: isWide ? 'ushort' : 'uchar' })
      .toBuffer({ resolveWithObject: true });
    const samples = out.width * out.height * 4;
    if (out.channels !== 4 || data.length !== samples * (isWide ? 2 : 1)) {
      return new ImageFault('damaged', `${format} image decodes to ${out.channels} channels`);
    }
    return { width: out.width, height: out.height, data: isWide ? toBytes(data, samples) : data };
  } catch (error) {
    return decoderFault(format, error);
  }
}

/**
 * Adds a step to the image that rounds each 16-bit sample to the nearest byte, floor((v + 128) / 257), so that sharp works
 * strip by strip and no 16-bit copy of the image is ever in memory. False, with nothing added, for images that become RGB
 * only later (CMYK). An exact quotient is a multiple of 1/257; the quarter added to 128 keeps it off whole numbers, where
 * rounding of sharp's float32 could change the result.
 */
async function roundsToBytes(image: Sharp): Promise<boolean> {
  const { channels, space } = await image.metadata();
  if (space !== 'rgb16' && space !== 'grey16') return false;
  // A factor for each channel: a single one would leave the alpha as it is.
  image.linear(Array(channels).fill(1 / 257), Array(channels).fill(128.25 / 257));
  return true;
}

/** Rounds 16-bit samples in memory as roundsToBytes rounds them in sharp. */
function toBytes(data: Uint8Array, samples: number): Uint8Array {
  // sharp gives a Buffer: its slice() would be another view at the same address.
  const aligned = data.byteOffset % 2 === 0 ? data : new Uint8Array(data);
  const deep = new Uint16Array(aligned.buffer, aligned.byteOffset, samples);
  const out = new Uint8Array(samples);
  for (let i = 0; i < samples; i++) out[i] = (deep[i] + 128) / 257;
  return out;
}
