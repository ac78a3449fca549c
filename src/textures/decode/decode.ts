// Pixels out of encoded images. Takes images that probe.ts has checked; each format's decoder is loaded when an image first
// needs it.

import { ImageFault } from './fault.ts';
import type { TextureUse } from './imageFormat.ts';
import type { Pixels } from './pixels.ts';
import type { ImageInfo } from './probe.ts';
import { imageFormat } from './registry.ts';
import { MAX_DECODED_PIXELS } from './sizeLimit.ts';

/**
 * Decodes a checked image to RGBA, 16-bit samples rounded to 8; a fault when it fails or has more than `max` pixels. `use`:
 * how the texels are read afterwards, which decides how floating-point samples are encoded. Throws UC1101 and UC1102.
 */
export async function decodeImage(
  bytes: Uint8Array,
  info: ImageInfo,
  use: TextureUse = 'color',
  max = MAX_DECODED_PIXELS,
): Promise<Pixels | ImageFault> {
  if (info.width * info.height > max) {
    const size = `${info.width} x ${info.height}`;
    return new ImageFault(
      'large',
      `image of ${size} pixels has to be decoded; the limit for that is ${max} pixels (--max-pixels)`,
    );
  }
  return imageFormat(info.format).decode(bytes, info, use);
}
