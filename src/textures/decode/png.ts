// PNG at byte level (W3C PNG, third edition): header, chunk structure with CRCs, the check of the compressed data, and
// chunks taken out without touching the pixels. sharp decodes the pixels of what cannot be copied.

import { createInflate } from 'node:zlib';
import { crc32 as crc32Of } from '../../bytes/crc32.ts';
import { ImageFault } from './fault.ts';
import { type CheckedImage, hasMagic, type ImageFormat, type TextureUse } from './imageFormat.ts';
import { decodeWithSharp } from './sharpImage.ts';

export const PNG_SIGNATURE: readonly number[] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

export interface PngHeader {
  readonly width: number;
  readonly height: number;
  readonly bitDepth: number;
  /** 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA. */
  readonly colorType: number;
  readonly interlaced: boolean;
  readonly hasTransparency: boolean;
  /** Chunk types of the file, each once. */
  readonly chunks: ReadonlySet<string>;
}

/** Section 11.2.1, table 11.1: bit depths that each colour type allows. */
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** Samples a pixel for each colour type. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** CRC-32 of PNG's appendix D over bytes from start to end. */
export function crc32(bytes: Uint8Array, start: number, end: number): number {
  return crc32Of(bytes.subarray(start, end));
}

function u32(bytes: Uint8Array, at: number): number {
  return ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0;
}

interface Chunk {
  readonly type: string;
  /** Offset of the length field; data starts 8 further. */
  readonly at: number;
  readonly length: number;
}

/** The chunks up to IEND, with their CRCs checked; a fault if lengths, types or CRCs are wrong. */
function readChunks(bytes: Uint8Array): Chunk[] | ImageFault {
  const chunks: Chunk[] = [];
  let at = PNG_SIGNATURE.length;
  for (;;) {
    if (at + 12 > bytes.length) return new ImageFault('cut', `PNG ends at byte ${bytes.length}, before its IEND chunk`);
    const length = u32(bytes, at);
    const type = String.fromCharCode(bytes[at + 4], bytes[at + 5], bytes[at + 6], bytes[at + 7]);
    if (!/^[A-Za-z]{4}$/.test(type)) return new ImageFault('damaged', `PNG has no chunk type at byte ${at + 4}`);
    if (length > bytes.length - at - 12) {
      return new ImageFault('cut', `PNG chunk ${type} at byte ${at} declares ${length} bytes, the file ends before`);
    }
    if (crc32(bytes, at + 4, at + 8 + length) !== u32(bytes, at + 8 + length)) {
      return new ImageFault('damaged', `PNG chunk ${type} at byte ${at} has a wrong CRC`);
    }
    chunks.push({ type, at, length });
    if (type === 'IEND') return chunks;
    at += 12 + length;
  }
}

/** Checks the structure of a PNG (signature seen already) and reads its header. */
export function readPng(bytes: Uint8Array): PngHeader | ImageFault {
  const chunks = readChunks(bytes);
  if (chunks instanceof ImageFault) return chunks;
  const first = chunks[0];
  if (first.type !== 'IHDR' || first.length !== 13) return new ImageFault('damaged', 'PNG does not start with IHDR');
  const at = first.at + 8;
  const bitDepth = bytes[at + 8];
  const colorType = bytes[at + 9];
  if (!DEPTHS[colorType]?.includes(bitDepth)) {
    return new ImageFault('damaged', `PNG of colour type ${colorType} cannot have bit depth ${bitDepth}`);
  }
  if (bytes[at + 10] !== 0 || bytes[at + 11] !== 0 || bytes[at + 12] > 1) {
    return new ImageFault('damaged', 'PNG names an unknown compression, filter or interlace method');
  }
  const types = new Set(chunks.map((c) => c.type));
  if (!types.has('IDAT')) return new ImageFault('damaged', 'PNG has no IDAT chunk');
  if (colorType === 3 && !types.has('PLTE')) return new ImageFault('damaged', 'palette PNG has no PLTE chunk');
  return {
    width: u32(bytes, at),
    height: u32(bytes, at + 4),
    bitDepth,
    colorType,
    interlaced: bytes[at + 12] === 1,
    hasTransparency: colorType === 4 || colorType === 6 || types.has('tRNS'),
    chunks: types,
  };
}

/** Colour space chunks that a loader may apply to texels. */
const COLOR_CHUNKS: ReadonlySet<string> = new Set(['sRGB', 'gAMA', 'cHRM', 'iCCP', 'cICP', 'mDCV', 'cLLI']);
/** Chunks that declare another space than sRGB. glTF 2.0 (3.8.3) demands to ignore them, but a loader may apply them. */
const FOREIGN_COLOR_CHUNKS: ReadonlySet<string> = new Set(['gAMA', 'cHRM', 'iCCP', 'cICP', 'mDCV', 'cLLI']);

/**
 * A PNG without the chunks by which a colour-managed loader would change its texels: for linear data all colour space
 * chunks, for colour those that declare another space than sRGB. The same array if there is nothing to drop.
 */
export function dropColorChunks(bytes: Uint8Array, header: PngHeader, use: TextureUse): Uint8Array {
  // An sRGB chunk overrules gAMA, cHRM and iCCP (11.3.2.5), so a colour image that has one is neutral, but for cICP.
  const neutral = use === 'color' && header.chunks.has('sRGB') && !header.chunks.has('cICP');
  const drop = neutral ? new Set<string>() : use === 'color' ? FOREIGN_COLOR_CHUNKS : COLOR_CHUNKS;
  const isNeutral = [...drop].every((type) => !header.chunks.has(type));
  return isNeutral ? bytes : dropChunks(bytes, (type) => drop.has(type));
}

/** A checked PNG without the chunks that `drop` names; the same array when it names none. Bytes after IEND are cut. */
export function dropChunks(bytes: Uint8Array, drop: (type: string) => boolean): Uint8Array {
  const chunks = readChunks(bytes);
  if (chunks instanceof ImageFault) throw new Error(`not a checked PNG: ${chunks.message}`);
  const kept = chunks.filter((c) => !drop(c.type));
  if (kept.length === chunks.length) return bytes;
  const out = new Uint8Array(kept.reduce((sum, c) => sum + 12 + c.length, PNG_SIGNATURE.length));
  out.set(PNG_SIGNATURE);
  let at = PNG_SIGNATURE.length;
  for (const c of kept) {
    out.set(bytes.subarray(c.at, c.at + 12 + c.length), at);
    at += 12 + c.length;
  }
  return out;
}

/** Bytes of the scanlines before compression: filter byte and packed samples (7.2), over Adam7's passes (8.1). */
function scanlineBytes(header: PngHeader): number {
  const bits = SAMPLES[header.colorType] * header.bitDepth;
  const pass = (w: number, h: number) => (w === 0 || h === 0 ? 0 : h * (1 + Math.ceil((w * bits) / 8)));
  if (!header.interlaced) return pass(header.width, header.height);
  let sum = 0;
  for (const [x0, y0, dx, dy] of ADAM7) {
    sum += pass(Math.ceil((header.width - x0) / dx), Math.ceil((header.height - y0) / dy));
  }
  return sum;
}

const ADAM7: readonly (readonly [number, number, number, number])[] = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
];

/** Compressed bytes that are given to zlib at once: each call waits for a thread, and encoders write chunks of a few kilobytes. */
const INFLATED_AT_ONCE = 2 ** 20;

/** The data of IDAT chunks that follow one another, joined to pieces of about INFLATED_AT_ONCE bytes. */
function joinedData(bytes: Uint8Array, chunks: readonly Chunk[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let parts: Uint8Array[] = [];
  let size = 0;
  const join = () => {
    if (parts.length > 0) pieces.push(parts.length === 1 ? parts[0] : Buffer.concat(parts));
    parts = [];
    size = 0;
  };
  for (const { type, at, length } of chunks) {
    if (type !== 'IDAT') continue;
    parts.push(bytes.subarray(at + 8, at + 8 + length));
    size += length;
    if (size >= INFLATED_AT_ONCE) join();
  }
  join();
  return pieces;
}

/**
 * Inflates the image data of a PNG and counts its bytes, without keeping them. CRCs show that the file is as it was
 * written; this shows that it was written to the end.
 */
export function checkPngData(bytes: Uint8Array, header: PngHeader): Promise<ImageFault | null> {
  const chunks = readChunks(bytes);
  if (chunks instanceof ImageFault) return Promise.resolve(chunks);
  const expected = scanlineBytes(header);
  return new Promise((resolve) => {
    const inflate = createInflate({ chunkSize: 1 << 18 });
    let count = 0;
    const finish = (fault: ImageFault | null) => {
      inflate.destroy();
      resolve(fault);
    };
    const verdict = () =>
      count < expected ? new ImageFault('cut', `PNG holds ${count} of ${expected} bytes of pixels`) : null;
    inflate.on('data', (chunk: Buffer) => {
      count += chunk.length;
      // Decoders ignore what follows the last scanline.
      if (count >= expected) finish(null);
    });
    inflate.on('end', () => finish(verdict()));
    inflate.on('error', (error: NodeJS.ErrnoException) => {
      const early = error.code === 'Z_BUF_ERROR';
      finish(verdict() && new ImageFault(early ? 'cut' : 'damaged', `PNG pixel data: ${error.message}`));
    });
    for (const piece of joinedData(bytes, chunks)) inflate.write(piece);
    inflate.end();
  });
}

export interface CheckedPng extends CheckedImage {
  readonly header: PngHeader;
}

function checkPng(bytes: Uint8Array): CheckedPng | ImageFault {
  const header = readPng(bytes);
  if (header instanceof ImageFault) return header;
  const grey = header.colorType === 0 || header.colorType === 4;
  return {
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

export const PNG: ImageFormat<CheckedPng> = {
  names: ['png'],
  recognises: (bytes) => hasMagic(bytes, PNG_SIGNATURE),
  check: checkPng,
  decode: (bytes, { deep }) => decodeWithSharp(bytes, 'png', deep),
  copy: async (bytes, { header }, use) => (await checkPngData(bytes, header)) ?? dropColorChunks(bytes, header, use),
};
