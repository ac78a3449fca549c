// Names for images that cannot be cooked, so that the message says what the file is. For probe.ts.

import { hasMagic } from './imageFormat.ts';

/** Magic numbers of formats that engines and tools write textures in and that nothing here decodes. */
const UNSUPPORTED: readonly (readonly [string | readonly number[], string])[] = [
  [[0xab, 0x4b, 0x54, 0x58, 0x20, 0x31, 0x31, 0xbb], 'KTX'],
  ['sB', 'Basis Universal'],
  ['BM', 'BMP with a header that is not of Windows'],
  ['8BPS', 'Photoshop document (PSD)'],
  ['SDPX', 'DPX'],
  ['XPDS', 'DPX'],
  [[0x13, 0xab, 0xa1, 0x5c], 'ASTC'],
  [[0, 0, 0, 0x0c, 0x6a, 0x50, 0x20, 0x20], 'JPEG 2000'],
  [[0, 0, 0, 0x0c, 0x4a, 0x58, 0x4c, 0x20], 'JPEG XL'],
  [[0xff, 0x0a], 'JPEG XL'],
  ['UTEX', 'cooked engine texture (.utex)'],
  ['%PDF', 'PDF'],
];

/** True for bytes that read as text: SVG, HTML of a failed download, a path … */
function isText(bytes: Uint8Array): boolean {
  const n = Math.min(bytes.length, 64);
  for (let i = 0; i < n; i++) {
    const b = bytes[i];
    if (b < 0x20 && b !== 0x09 && b !== 0x0a && b !== 0x0d) return false;
  }
  return n > 0;
}

/** The usual name of the format of an image that no registered format recognises; at least one byte. */
export function unsupportedName(bytes: Uint8Array): string {
  if (hasMagic(bytes, 'ftyp', 4)) return 'HEIF or another ISO media file';
  for (const [magic, name] of UNSUPPORTED) if (hasMagic(bytes, magic)) return name;
  if (isText(bytes)) return hasMagic(bytes, '<') ? 'XML, SVG or HTML text' : 'text';
  return 'unknown (raw images carry no mark)';
}
