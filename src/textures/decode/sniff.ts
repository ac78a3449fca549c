// Which image format some bytes are, by their content alone; what cannot be cooked is named for the message. For probing.

import { KTX2_IDENTIFIER } from './ktx2.ts';
import { PNG_SIGNATURE } from './png.ts';

export type ImageFormat = 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff' | 'avif' | 'ktx2';

export type Sniffed =
  | { readonly format: ImageFormat }
  /** The format's usual name. */
  | { readonly unsupported: string };

function starts(bytes: Uint8Array, magic: string | readonly number[], at = 0): boolean {
  if (bytes.length < at + magic.length) return false;
  for (let i = 0; i < magic.length; i++) {
    if (bytes[at + i] !== (typeof magic === 'string' ? magic.charCodeAt(i) : magic[i])) return false;
  }
  return true;
}

/** Magic numbers of formats that engines and tools write textures in, and that cannot be cooked. */
const UNSUPPORTED: readonly (readonly [string | readonly number[], string])[] = [
  [[0x76, 0x2f, 0x31, 0x01], 'OpenEXR'],
  ['#?RADIANCE', 'Radiance HDR'],
  ['#?RGBE', 'Radiance HDR'],
  [[0xab, 0x4b, 0x54, 0x58, 0x20, 0x31, 0x31, 0xbb], 'KTX'],
  ['DDS ', 'DDS'],
  ['8BPS', 'Photoshop'],
  ['sB', 'Basis Universal'],
  ['BM', 'BMP'],
  ['SDPX', 'DPX'],
  ['XPDS', 'DPX'],
  [[0x13, 0xab, 0xa1, 0x5c], 'ASTC'],
  [[0, 0, 0, 0x0c, 0x6a, 0x50, 0x20, 0x20], 'JPEG 2000'],
  [[0, 0, 0, 0x0c, 0x4a, 0x58, 0x4c, 0x20], 'JPEG XL'],
  [[0xff, 0x0a], 'JPEG XL'],
  ['UTEX', 'cooked engine texture (.utex)'],
  ['%PDF', 'PDF'],
];

const TGA_FOOTER = 'TRUEVISION-XFILE.\0';

/** ISO 14496-12 brands in ftyp that mean AV1 images (AVIF 1.1, section 6). */
const AVIF_BRANDS: ReadonlySet<string> = new Set(['avif', 'avis']);

function sniffHeif(bytes: Uint8Array): Sniffed {
  const size = Math.min(((bytes[0] << 24) | (bytes[1] << 16) | (bytes[2] << 8) | bytes[3]) >>> 0, bytes.length, 256);
  for (let at = 8; at + 4 <= size; at += 4) {
    if (AVIF_BRANDS.has(String.fromCharCode(...bytes.subarray(at, at + 4)))) return { format: 'avif' };
  }
  return { unsupported: 'HEIF or another ISO media file' };
}

/** True for bytes that read as text: SVG, HTML of a failed download, a path … */
function isText(bytes: Uint8Array): boolean {
  const n = Math.min(bytes.length, 64);
  for (let i = 0; i < n; i++) {
    const b = bytes[i];
    if (b < 0x20 && b !== 0x09 && b !== 0x0a && b !== 0x0d) return false;
  }
  return n > 0;
}

/** Recognises an image of at least one byte. */
export function sniffImage(bytes: Uint8Array): Sniffed {
  if (starts(bytes, PNG_SIGNATURE)) return { format: 'png' };
  if (starts(bytes, [0xff, 0xd8, 0xff])) return { format: 'jpeg' };
  if (starts(bytes, 'RIFF') && starts(bytes, 'WEBP', 8)) return { format: 'webp' };
  if (starts(bytes, 'GIF87a') || starts(bytes, 'GIF89a')) return { format: 'gif' };
  if (starts(bytes, [0x49, 0x49, 0x2a, 0]) || starts(bytes, [0x4d, 0x4d, 0, 0x2a])) return { format: 'tiff' };
  if (starts(bytes, [0x49, 0x49, 0x2b, 0]) || starts(bytes, [0x4d, 0x4d, 0, 0x2b])) return { format: 'tiff' };
  if (starts(bytes, KTX2_IDENTIFIER)) return { format: 'ktx2' };
  if (starts(bytes, 'ftyp', 4)) return sniffHeif(bytes);
  for (const [magic, name] of UNSUPPORTED) if (starts(bytes, magic)) return { unsupported: name };
  if (bytes.length > 44 && starts(bytes, TGA_FOOTER, bytes.length - TGA_FOOTER.length)) return { unsupported: 'TGA' };
  if (isText(bytes)) return { unsupported: starts(bytes, '<') ? 'XML, SVG or HTML text' : 'text' };
  return { unsupported: 'unknown (TGA and raw images carry no mark)' };
}

const EXTENSIONS: Readonly<Record<string, ImageFormat>> = {
  png: 'png',
  jpg: 'jpeg',
  jpeg: 'jpeg',
  jpe: 'jpeg',
  webp: 'webp',
  gif: 'gif',
  tif: 'tiff',
  tiff: 'tiff',
  avif: 'avif',
  ktx2: 'ktx2',
};

/** The format that a path's extension or a data URI's media type promises, null when it promises none that we know. */
export function promisedFormat(uri: string): ImageFormat | null {
  const media = /^data:image\/([a-z0-9.+-]+)/i.exec(uri);
  const word = media ? media[1] : /\.([A-Za-z0-9]+)\]?$/.exec(uri)?.[1];
  return (word && EXTENSIONS[word.toLowerCase()]) || null;
}
