// One channel of an image with its 16 bits a sample, for height maps: eight would show as steps.

import { MAX_TEXTURE_SIDE } from '../../engine/textures.ts';
import type { ImageInfo } from './probe.ts';
import { loadSharp } from './sharp.ts';

/** Whether an image has samples of 16 bits that deepChannel reads. */
export const hasDeepChannels = ({ format, deep, isFloat }: ImageInfo): boolean =>
  deep && !isFloat && (format === 'png' || format === 'tiff');

/** A channel, 0 to 3, of an image that was decoded once without a fault. */
export async function deepChannel(bytes: Uint8Array, channel: number): Promise<Uint16Array> {
  const sharp = await loadSharp();
  const limitInputPixels = MAX_TEXTURE_SIDE * MAX_TEXTURE_SIDE;
  const { data } = await sharp(bytes, { failOn: 'error', ignoreIcc: true, limitInputPixels, sequentialRead: true })
    .toColourspace('rgb16')
    .ensureAlpha()
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true });
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return Uint16Array.from({ length: data.length / 8 }, (_, i) => view.getUint16(i * 8 + channel * 2, true));
}
