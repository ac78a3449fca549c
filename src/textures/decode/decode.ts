// Pixels out of encoded images: through sharp, and for KTX2 through Basis (basis.ts), each loaded when the first image
// needs it. Takes checked images only (probe.ts). Ignores colour profiles: texels are what the file stores.

import type { Sharp } from 'sharp';
import { transcodeKtx2 } from './basis.ts';
import { decoderFault, ImageFault } from './fault.ts';
import type { Pixels } from './pixels.ts';
import { type ImageInfo, MAX_DECODED_PIXELS } from './probe.ts';
import { loadSharp } from './sharp.ts';

/** Decodes a probed image to RGBA, 16-bit samples rounded to 8 (sharp itself would cut them); a fault when it fails. */
export async function decodeImage(bytes: Uint8Array, info: ImageInfo): Promise<Pixels | ImageFault> {
  if (info.width * info.height > MAX_DECODED_PIXELS) {
    const size = `${info.width} x ${info.height}`;
    return new ImageFault(
      'large',
      `image of ${size} pixels has to be converted; the limit for that is 67 million pixels`,
    );
  }
  if (info.format === 'ktx2') return transcodeKtx2(bytes, info.width, info.height);
  const sharp = await loadSharp();
  try {
    const image = sharp(bytes, {
      failOn: 'error',
      ignoreIcc: true,
      limitInputPixels: MAX_DECODED_PIXELS,
      sequentialRead: true,
    });
    const isWide = info.deep && !(await roundsToBytes(image));
    const { data, info: out } = await image
      .toColourspace(info.deep ? 'rgb16' : 'srgb')
      .ensureAlpha()
      .raw({ depth: isWide ? 'ushort' : 'uchar' })
      .toBuffer({ resolveWithObject: true });
    const samples = out.width * out.height * 4;
    if (out.channels !== 4 || data.length !== samples * (isWide ? 2 : 1)) {
      return new ImageFault('damaged', `${info.format} image decodes to ${out.channels} channels`);
    }
    return { width: out.width, height: out.height, data: isWide ? toBytes(data, samples) : data };
  } catch (error) {
    return decoderFault(info.format, error);
  }
}

/**
 * Lets the decoder itself make the nearest byte of each 16-bit sample, floor((v + 128) / 257), strip by strip, so that no
 * 16-bit copy of the image is ever in memory; false for samples that become RGB only later (CMYK). The quarter above 128
 * keeps the decoder's float32 away from whole numbers, from which all samples are a 257th apart.
 */
async function roundsToBytes(image: Sharp): Promise<boolean> {
  const { channels, space } = await image.metadata();
  if (space !== 'rgb16' && space !== 'grey16') return false;
  // A factor for each channel: a single one would leave the alpha as it is.
  image.linear(Array(channels).fill(1 / 257), Array(channels).fill(128.25 / 257));
  return true;
}

/** The same for 16-bit samples in memory. */
function toBytes(data: Uint8Array, samples: number): Uint8Array {
  // sharp gives a Buffer: its slice() would be another view at the same address.
  const aligned = data.byteOffset % 2 === 0 ? data : new Uint8Array(data);
  const deep = new Uint16Array(aligned.buffer, aligned.byteOffset, samples);
  const out = new Uint8Array(samples);
  for (let i = 0; i < samples; i++) out[i] = (deep[i] + 128) / 257;
  return out;
}
