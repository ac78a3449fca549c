// The check in front of every decoder: format by content, size, limits, and whether the file is whole. For prepare.ts,
// which decides from it what can be copied; bytes that fail here never reach a decoder.

import { MAX_TEXTURE_SIDE } from '../../engine/textures.ts';
import { decoderFault, ImageFault } from './fault.ts';
import { dropJpegProfiles, type JpegHeader, readJpeg } from './jpeg.ts';
import { readKtx2 } from './ktx2.ts';
import { checkPngData, dropColorChunks, type PngHeader, readPng } from './png.ts';
import { loadSharp } from './sharp.ts';
import { type ImageFormat, sniffImage } from './sniff.ts';

/** Pixels of an image that has to be decoded: 256 MiB as RGBA. Larger ones can only be copied. */
export const MAX_DECODED_PIXELS = 2 ** 26;

export interface ImageInfo {
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  /** Red, green and blue are equal everywhere. */
  readonly grey: boolean;
  /** It may hold alpha other than 1. */
  readonly alpha: boolean;
  /** More than 8 bits a channel. */
  readonly deep: boolean;
  /** Frames or pages. */
  readonly pages: number;
  /** The engine loads it as it is: 8-bit PNG (RGB, RGBA, palette) or three-component JPEG; see also copyImage. */
  readonly copyable: boolean;
  readonly header: PngHeader | JpegHeader | null;
}

function sized(width: number, height: number): ImageFault | null {
  if (width === 0 || height === 0) return new ImageFault('damaged', `image declares ${width} x ${height} pixels`);
  if (width > MAX_TEXTURE_SIDE || height > MAX_TEXTURE_SIDE) {
    return new ImageFault(
      'large',
      `image declares ${width} x ${height} pixels, the limit is ${MAX_TEXTURE_SIDE} a side`,
    );
  }
  return null;
}

function probePng(bytes: Uint8Array): ImageInfo | ImageFault {
  const header = readPng(bytes);
  if (header instanceof ImageFault) return header;
  const grey = header.colorType === 0 || header.colorType === 4;
  return {
    format: 'png',
    width: header.width,
    height: header.height,
    grey,
    alpha: header.hasTransparency,
    deep: header.bitDepth === 16,
    pages: 1,
    // Older loaders expand neither grey nor 16 bits as the slots need (untold format text, practical PNG rules).
    copyable: !grey && header.bitDepth <= 8,
    header,
  };
}

function probeJpeg(bytes: Uint8Array): ImageInfo | ImageFault {
  const header = readJpeg(bytes);
  if (header instanceof ImageFault) return header;
  const { frame, precision, components } = header;
  if (frame > 0xc2 || precision !== 8 || ![1, 3, 4].includes(components)) {
    const what = `JPEG process ${frame - 0xc0} with ${precision} bits and ${components} components`;
    return new ImageFault('unsupported', `${what}: only 8-bit baseline and progressive JPEG can be used`);
  }
  return {
    format: 'jpeg',
    width: header.width,
    height: header.height,
    grey: components === 1,
    alpha: false,
    deep: false,
    pages: 1,
    copyable: components === 3,
    header,
  };
}

function probeKtx2(bytes: Uint8Array): ImageInfo | ImageFault {
  const header = readKtx2(bytes);
  if (header instanceof ImageFault) return header;
  const { width, height, alpha } = header;
  return { format: 'ktx2', width, height, grey: false, alpha, deep: false, pages: 1, copyable: false, header: null };
}

/** WebP container (RFC 9649): RIFF size and the canvas of the first chunk, VP8, VP8L or VP8X. */
function webpSize(bytes: Uint8Array): [number, number] | ImageFault {
  const cut = new ImageFault('cut', 'WebP ends before the size that it declares');
  if (bytes.length < 30) return cut;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(4, true) > bytes.length - 8) return cut;
  switch (view.getUint32(12, false)) {
    case 0x56503820: // 'VP8 ', section 9.1 of RFC 6386
      return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
    case 0x5650384c: {
      // 'VP8L'
      const bits = view.getUint32(21, true);
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
    }
    case 0x56503858: // 'VP8X'
      return [(view.getUint32(24, true) & 0xffffff) + 1, (view.getUint32(26, true) >>> 8) + 1];
    default:
      return new ImageFault('damaged', 'WebP starts with an unknown chunk');
  }
}

function gifSize(bytes: Uint8Array): [number, number] | ImageFault {
  if (bytes.length < 13) return new ImageFault('cut', 'GIF ends within its header');
  return [bytes[6] | (bytes[7] << 8), bytes[8] | (bytes[9] << 8)];
}

/** Formats that are converted in any case: the size from our own look where that is easy, the rest from the decoder. */
async function probeOther(bytes: Uint8Array, format: ImageFormat): Promise<ImageInfo | ImageFault> {
  if (format === 'webp' || format === 'gif') {
    const size = format === 'webp' ? webpSize(bytes) : gifSize(bytes);
    if (size instanceof ImageFault) return size;
    const fault = sized(size[0], size[1]);
    if (fault) return fault;
  }
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
      format,
      width: meta.width,
      height: meta.height,
      grey: meta.space === 'b-w' || meta.space === 'grey16',
      alpha: meta.hasAlpha,
      deep,
      pages: meta.pages ?? 1,
      copyable: false,
      header: null,
    };
  } catch (error) {
    return decoderFault(format, error);
  }
}

function probeFormat(bytes: Uint8Array, format: ImageFormat): ImageInfo | ImageFault | Promise<ImageInfo | ImageFault> {
  if (format === 'png') return probePng(bytes);
  if (format === 'jpeg') return probeJpeg(bytes);
  if (format === 'ktx2') return probeKtx2(bytes);
  return probeOther(bytes, format);
}

/** Recognises and checks an image without decoding it. */
export async function probeImage(bytes: Uint8Array): Promise<ImageInfo | ImageFault> {
  if (bytes.length === 0) return new ImageFault('cut', 'image file is empty');
  const sniffed = sniffImage(bytes);
  if ('unsupported' in sniffed) return new ImageFault('unsupported', `image format is ${sniffed.unsupported}`);
  const { format } = sniffed;
  const info = await probeFormat(bytes, format);
  return info instanceof ImageFault ? info : (sized(info.width, info.height) ?? info);
}

/**
 * The bytes of a copyable image for a slot that the engine loads as sRGB (`color`) or linear (`data`): as they are, or
 * without colour space chunks and profiles that a loader might apply to the texels.
 */
export async function copyImage(bytes: Uint8Array, info: ImageInfo, use: 'color' | 'data') {
  const { header } = info;
  if (header === null || !info.copyable) throw new Error('image cannot be copied');
  if ('frame' in header) return dropJpegProfiles(bytes, header);
  return (await checkPngData(bytes, header)) ?? dropColorChunks(bytes, header, use);
}
