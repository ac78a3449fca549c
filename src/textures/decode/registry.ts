// The image formats that textures may have: the only list of them. Recognition goes through it in this order.

import { AVIF } from './avif.ts';
import { BMP } from './bmp.ts';
import { DDS } from './dds.ts';
import { EXR } from './exr.ts';
import { GIF } from './gif.ts';
import { HDR } from './hdr.ts';
import type { ImageFormat } from './imageFormat.ts';
import { JPEG } from './jpeg.ts';
import { KTX2 } from './ktx2.ts';
import { PNG } from './png.ts';
import { TGA } from './tga.ts';
import { TIFF } from './tiff.ts';
import { WEBP } from './webp.ts';

const IMAGE_FORMATS = {
  png: PNG,
  jpeg: JPEG,
  webp: WEBP,
  gif: GIF,
  tiff: TIFF,
  ktx2: KTX2,
  dds: DDS,
  avif: AVIF,
  exr: EXR,
  hdr: HDR,
  bmp: BMP,
  // The last one, because it has no mark of its own.
  tga: TGA,
} as const;

export type ImageFormatId = keyof typeof IMAGE_FORMATS;

export const IMAGE_FORMAT_IDS = Object.keys(IMAGE_FORMATS) as readonly ImageFormatId[];

/** A format whose `decode` and `copy` take what its own `check` gave. */
export function imageFormat(id: ImageFormatId): ImageFormat {
  return IMAGE_FORMATS[id] as ImageFormat;
}

/** The format of an image by its content; null for none of these. */
export function recogniseImage(bytes: Uint8Array): ImageFormatId | null {
  return IMAGE_FORMAT_IDS.find((id) => imageFormat(id).recognises(bytes)) ?? null;
}

/** The format that a path's extension or a data URI's media type names; null when it names none of these. */
export function promisedFormat(uri: string): ImageFormatId | null {
  const media = /^data:image\/([a-z0-9.+-]+)/i.exec(uri);
  const word = (media ? media[1] : /\.([A-Za-z0-9]+)\]?$/.exec(uri)?.[1])?.toLowerCase();
  if (word === undefined) return null;
  return IMAGE_FORMAT_IDS.find((id) => imageFormat(id).names.includes(word)) ?? null;
}

/** The extension, without a dot, of an image whose format is known. */
export function imageExtension(bytes: Uint8Array): string {
  const format = recogniseImage(bytes);
  if (format === null) throw new Error('bytes to be written are no image');
  return imageFormat(format).names[0];
}
