// The one WebP writer: sharp with fixed settings and no metadata. Colours may lose what eyes do not see; all other texels are
// numbers and stay as they are.

import { loadSharp } from '../decode/sharp.ts';
import type { TexelImage, TextureRole } from '../types.ts';

/** The longest side that WebP has room for (RFC 9649, 14 bits). */
export const MAX_WEBP_SIDE = 16_383;

/** Of 100, for colours: their alpha loses nothing. */
const QUALITY = 90;

/** Colours with the quality above, or without loss where that file is no larger: few flat colours, as palettes have them. */
export async function encodeWebp(
  { data, width, height, channels, alpha }: TexelImage,
  role: TextureRole,
): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const encode = async (options: object): Promise<Uint8Array> => {
    const image = sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
    if (channels === 4 && !alpha) image.removeAlpha();
    // Texels that are transparent keep their colours: alpha may be a number of another kind.
    return new Uint8Array(await image.webp({ ...options, exact: true }).toBuffer());
  };
  const exact = await encode({ lossless: true });
  if (role !== 'color') return exact;
  const rounded = await encode({ quality: QUALITY });
  return rounded.length < exact.length ? rounded : exact;
}
