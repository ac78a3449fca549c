// Truevision TGA (TGA file format specification 2.0): colour-mapped, true-colour and grey images, plain or run-length
// encoded, in all four orders of rows and columns. Old files carry no mark, so that the header itself is recognised.

import { ImageFault } from './fault.ts';
import { type CheckedImage, hasMagic, type ImageFormat } from './imageFormat.ts';
import type { Pixels } from './pixels.ts';
import { sizeFault } from './sizeLimit.ts';

const HEADER_BYTES = 18;
/** The footer of version 2: two offsets, then this signature. */
const FOOTER = 'TRUEVISION-XFILE.\0';
const FOOTER_BYTES = 26;
/** Bits of the image descriptor (field 5.6). */
const ALPHA_BITS = 0x0f;
const FROM_RIGHT = 0x10;
const FROM_TOP = 0x20;
const INTERLEAVED = 0xc0;
/** Added to the image type of run-length encoded images. */
const RUN_LENGTH = 8;
/** Pixels of the longest packet. */
const PACKET = 128;

const MAPPED = 1;
const TRUE_COLOR = 2;
const GREY = 3;

/** Bits a pixel that each image type may have. */
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  [MAPPED]: [8, 16],
  [TRUE_COLOR]: [15, 16, 24, 32],
  [GREY]: [8, 16],
};
const MAP_DEPTHS: readonly number[] = [15, 16, 24, 32];

export interface CheckedTga extends CheckedImage {
  /** 1 mapped, 2 true colour, 3 grey. */
  readonly type: number;
  readonly isRunLength: boolean;
  /** Bytes of a stored pixel. */
  readonly pixelBytes: number;
  readonly descriptor: number;
  readonly map: {
    readonly at: number;
    readonly first: number;
    readonly count: number;
    readonly depth: number;
  } | null;
  readonly dataAt: number;
}

const hasFooter = (bytes: Uint8Array): boolean =>
  bytes.length >= HEADER_BYTES + FOOTER_BYTES && hasMagic(bytes, FOOTER, bytes.length - FOOTER.length);

const u16 = (bytes: Uint8Array, at: number): number => bytes[at] | (bytes[at + 1] << 8);

/** Whether every field of the header has a value that a TGA can have. */
function hasPlausibleHeader(bytes: Uint8Array): boolean {
  if (bytes.length < HEADER_BYTES) return false;
  const mapType = bytes[1];
  const type = bytes[2] & ~RUN_LENGTH;
  if (mapType > 1 || !DEPTHS[type]?.includes(bytes[16]) || (bytes[17] & INTERLEAVED) !== 0) return false;
  if (u16(bytes, 12) === 0 || u16(bytes, 14) === 0) return false;
  // Without a colour map its fields should be 0; the depth is not in some writers' files.
  if (mapType === 0) return type !== MAPPED && u16(bytes, 3) === 0 && u16(bytes, 5) === 0;
  const alphaBits = bytes[17] & ALPHA_BITS;
  return alphaBits <= 8 && u16(bytes, 5) > 0 && MAP_DEPTHS.includes(bytes[7]);
}

/** Whether a colour of this depth may hold alpha: the descriptor counts its bits. */
function holdsAlpha(depth: number, descriptor: number): boolean {
  return (descriptor & ALPHA_BITS) > 0 && (depth === 16 || depth === 32);
}

function checkTga(bytes: Uint8Array): CheckedTga | ImageFault {
  if (bytes.length < HEADER_BYTES) return new ImageFault('cut', 'TGA ends within its header');
  const [idBytes, mapType] = bytes;
  const isRunLength = (bytes[2] & RUN_LENGTH) !== 0;
  const type = bytes[2] & ~RUN_LENGTH;
  const depth = bytes[16];
  const descriptor = bytes[17];
  if (!DEPTHS[type]?.includes(depth)) {
    return new ImageFault('unsupported', `TGA image of type ${bytes[2]} with ${depth} bits a pixel`);
  }
  if ((descriptor & INTERLEAVED) !== 0) return new ImageFault('unsupported', 'TGA image with interleaved rows');
  if (mapType > 1) return new ImageFault('unsupported', `TGA image with a colour map of type ${mapType}`);
  const width = u16(bytes, 12);
  const height = u16(bytes, 14);
  const size = sizeFault(width, height);
  if (size) return size;
  const mapCount = mapType === 1 ? u16(bytes, 5) : 0;
  const mapDepth = bytes[7];
  if (mapCount > 0 && !MAP_DEPTHS.includes(mapDepth)) {
    return new ImageFault('damaged', `TGA declares a colour map of ${mapDepth} bits a colour`);
  }
  if (type === MAPPED && mapCount === 0) return new ImageFault('damaged', 'TGA of mapped colours has no colour map');
  const mapAt = HEADER_BYTES + idBytes;
  const dataAt = mapAt + mapCount * Math.ceil(mapDepth / 8);
  const pixelBytes = Math.ceil(depth / 8);
  // A packet of one pixel in a run covers PACKET pixels at most.
  const pixels = width * height;
  const min = isRunLength ? Math.ceil(pixels / PACKET) * (1 + pixelBytes) : pixels * pixelBytes;
  if (dataAt + min > bytes.length) {
    return new ImageFault('cut', `TGA of ${width} x ${height} pixels ends at byte ${bytes.length}`);
  }
  const map = type === MAPPED ? { at: mapAt, first: u16(bytes, 3), count: mapCount, depth: mapDepth } : null;
  return {
    width,
    height,
    grey: type === GREY,
    alpha: type === GREY ? depth === 16 : holdsAlpha(map ? map.depth : depth, descriptor),
    deep: false,
    pages: 1,
    copyable: false,
    type,
    isRunLength,
    pixelBytes,
    descriptor,
    map,
    dataAt,
  };
}

/**
 * Fills `out` with the stored pixels of a run-length encoded image; packets may cross rows. False: the file ends before the
 * last pixel.
 */
function unpackRuns(bytes: Uint8Array, dataAt: number, out: Uint8Array, pixelBytes: number): boolean {
  let at = dataAt;
  let to = 0;
  while (to < out.length) {
    if (at >= bytes.length) return false;
    const head = bytes[at++];
    const count = Math.min(((head & 0x7f) + 1) * pixelBytes, out.length - to);
    const stored = head >= 0x80 ? pixelBytes : count;
    if (at + stored > bytes.length) return false;
    if (head >= 0x80) {
      for (let i = 0; i < count; i++) out[to + i] = bytes[at + (i % pixelBytes)];
    } else {
      out.set(bytes.subarray(at, at + count), to);
    }
    at += stored;
    to += count;
  }
  return true;
}

/** Five bits to eight, so that 31 becomes 255. */
const five = (v: number): number => (v << 3) | (v >> 2);

/**
 * Stored colours (blue first) as RGBA. They may stand at the end of `out` itself: each is read before anything is written over
 * it. The same holds for greys and indices.
 */
function colors(stored: Uint8Array, out: Uint8Array, depth: number, isAlpha: boolean): Uint8Array {
  const step = Math.ceil(depth / 8);
  for (let from = 0, to = 0; to < out.length; from += step, to += 4) {
    if (step === 2) {
      const bits = u16(stored, from);
      out[to] = five((bits >> 10) & 31);
      out[to + 1] = five((bits >> 5) & 31);
      out[to + 2] = five(bits & 31);
      out[to + 3] = isAlpha && bits < 0x8000 ? 0 : 255;
      continue;
    }
    const blue = stored[from];
    const green = stored[from + 1];
    const red = stored[from + 2];
    const alpha = isAlpha ? stored[from + 3] : 255;
    out[to] = red;
    out[to + 1] = green;
    out[to + 2] = blue;
    out[to + 3] = alpha;
  }
  return out;
}

function greys(stored: Uint8Array, out: Uint8Array, hasAlpha: boolean): Uint8Array {
  const step = hasAlpha ? 2 : 1;
  for (let from = 0, to = 0; to < out.length; from += step, to += 4) {
    const grey = stored[from];
    const alpha = hasAlpha ? stored[from + 1] : 255;
    out.fill(grey, to, to + 3);
    out[to + 3] = alpha;
  }
  return out;
}

function mapped(
  bytes: Uint8Array,
  stored: Uint8Array,
  out: Uint8Array,
  { map, pixelBytes, alpha }: CheckedTga,
): Uint8Array | ImageFault {
  if (!map) throw new Error('a TGA of mapped colours was not checked');
  const table = colors(bytes.subarray(map.at), new Uint8Array(map.count * 4), map.depth, alpha);
  for (let i = 0; i * 4 < out.length; i++) {
    const index = (pixelBytes === 2 ? u16(stored, i * 2) : stored[i]) - map.first;
    if (index < 0 || index >= map.count) {
      return new ImageFault('damaged', `TGA pixel ${i} has a colour that its map of ${map.count} colours lacks`);
    }
    for (let c = 0; c < 4; c++) out[i * 4 + c] = table[index * 4 + c];
  }
  return out;
}

/** Turns columns and rows so that the first pixel is the upper left one. */
function orient(data: Uint8Array, width: number, height: number, descriptor: number): void {
  const texels = new Uint32Array(data.buffer, data.byteOffset, width * height);
  if ((descriptor & FROM_RIGHT) !== 0) {
    for (let y = 0; y < height; y++) texels.subarray(y * width, (y + 1) * width).reverse();
  }
  if ((descriptor & FROM_TOP) !== 0) return;
  for (let top = 0, bottom = height - 1; top < bottom; top++, bottom--) {
    const row = texels.slice(top * width, (top + 1) * width);
    texels.copyWithin(top * width, bottom * width, (bottom + 1) * width);
    texels.set(row, bottom * width);
  }
}

async function decodeTga(bytes: Uint8Array, checked: CheckedTga): Promise<Pixels | ImageFault> {
  const { width, height, type, isRunLength, pixelBytes, descriptor, alpha, dataAt } = checked;
  const count = width * height;
  const out = new Uint8Array(count * 4);
  // Runs are unpacked into the end of the result, so that a large image is in memory once.
  const stored = isRunLength
    ? out.subarray(out.length - count * pixelBytes)
    : bytes.subarray(dataAt, dataAt + count * pixelBytes);
  if (isRunLength && !unpackRuns(bytes, dataAt, stored, pixelBytes)) {
    return new ImageFault('cut', `TGA ends at byte ${bytes.length}, before its last pixel`);
  }
  let data: Uint8Array | ImageFault;
  if (type === MAPPED) data = mapped(bytes, stored, out, checked);
  else if (type === GREY) data = greys(stored, out, alpha);
  else data = colors(stored, out, pixelBytes * 8, alpha);
  if (data instanceof ImageFault) return data;
  orient(data, width, height, descriptor);
  return { width, height, data };
}

export const TGA: ImageFormat<CheckedTga> = {
  names: ['tga', 'targa', 'icb', 'vda', 'vst'],
  recognises: (bytes) => hasPlausibleHeader(bytes) || hasFooter(bytes),
  check: checkTga,
  decode: decodeTga,
};
