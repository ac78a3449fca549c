// The one PNG writer: sharp with fixed settings and no metadata, so that equal texels give equal bytes.

import { dropChunks } from '../decode/png.ts';
import { loadSharp } from '../decode/sharp.ts';

/** PNG with IHDR, IDAT and IEND only: RGB, or RGBA with `alpha`. `data` has 3 or 4 bytes a pixel accordingly. */
export async function encodePng(data: Uint8Array, width: number, height: number, alpha: boolean): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const png = await sharp(data, { raw: { width, height, channels: alpha ? 4 : 3 }, limitInputPixels: false })
    .png({ compressionLevel: 9, adaptiveFiltering: true, palette: false })
    .toBuffer();
  return dropChunks(png, (type) => type !== 'IHDR' && type !== 'IDAT' && type !== 'IEND');
}
