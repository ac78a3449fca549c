// AVIF (AV1 Image File Format 1.1), decoded by sharp and always converted.

import { hasMagic, type ImageFormat } from './imageFormat.ts';
import { checkWithSharp, decodeWithSharp } from './sharpImage.ts';

/** ISO 14496-12 brands in ftyp that mean AV1 images (AVIF 1.1, section 6). */
const AVIF_BRANDS: ReadonlySet<string> = new Set(['avif', 'avis']);

/** Whether the file starts with a file type box whose first 256 bytes name one of AVIF_BRANDS. */
function isAvif(bytes: Uint8Array): boolean {
  if (!hasMagic(bytes, 'ftyp', 4)) return false;
  const size = Math.min(((bytes[0] << 24) | (bytes[1] << 16) | (bytes[2] << 8) | bytes[3]) >>> 0, bytes.length, 256);
  for (let at = 8; at + 4 <= size; at += 4) {
    if (AVIF_BRANDS.has(String.fromCharCode(...bytes.subarray(at, at + 4)))) return true;
  }
  return false;
}

export const AVIF: ImageFormat = {
  names: ['avif'],
  recognises: isAvif,
  check: (bytes) => checkWithSharp(bytes, 'avif'),
  decode: (bytes, { deep }) => decodeWithSharp(bytes, 'avif', deep),
};
