// Windows bitmaps (BMP): the headers of Windows versions 3 to 5, 1 to 32 bits a pixel, and bit fields (Windows GDI
// documentation, "Bitmap Storage" and BITMAPV5HEADER). Headers of OS/2 and run lengths are not read (docs/decisions.md).

import { ImageFault } from './fault.ts';
import { type CheckedImage, hasMagic, type ImageFormat } from './imageFormat.ts';
import type { Pixels } from './pixels.ts';
import { sizeFault } from './sizeLimit.ts';

const FILE_HEADER = 14;
const INFO_HEADER = 40;
/** From this header on the masks of red, green and blue are fields of it, from the next one on that of alpha too. */
const MASKS_HEADER = 52;
const ALPHA_HEADER = 56;
const HEADERS: readonly number[] = [INFO_HEADER, MASKS_HEADER, ALPHA_HEADER, 108, 124];

const RGB = 0;
const RLE8 = 1;
const RLE4 = 2;
const BITFIELDS = 3;
const ALPHA_BITFIELDS = 6;

/** Bits a pixel that each compression may have. */
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  [RGB]: [1, 4, 8, 16, 24, 32],
  [BITFIELDS]: [16, 32],
  [ALPHA_BITFIELDS]: [16, 32],
};

/** Blue, green, red, and one that is not used. */
const COLOR_BYTES = 4;

/** Masks of red, green, blue and alpha where the file names none. */
const MASKS_16 = [0x7c00, 0x03e0, 0x001f, 0];
const MASKS_32 = [0xff0000, 0xff00, 0xff, 0];

export interface CheckedBmp extends CheckedImage {
  readonly depth: number;
  readonly topDown: boolean;
  /** Red, green, blue and alpha, for 16 and 32 bits. */
  readonly masks: readonly number[];
  readonly palette: { readonly at: number; readonly count: number };
  readonly dataAt: number;
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const damaged = (what: string) => new ImageFault('damaged', `BMP ${what}`);
const cut = (bytes: Uint8Array, what: string) => new ImageFault('cut', `BMP ends at byte ${bytes.length}, ${what}`);

/** Bytes of a row of plain pixels: a multiple of four. */
const rowBytes = (width: number, depth: number): number => Math.ceil((width * depth) / 32) * 4;

function checkBmp(bytes: Uint8Array): CheckedBmp | ImageFault {
  const view = viewOf(bytes);
  const header = view.getUint32(FILE_HEADER, true);
  if (bytes.length < FILE_HEADER + header) return cut(bytes, 'within its header');
  const dataAt = view.getUint32(10, true);
  // 1. Size. A negative height means rows from the top.
  const width = view.getInt32(18, true);
  const stored = view.getInt32(22, true);
  const depth = view.getUint16(28, true);
  if (width < 0) return damaged(`declares ${width} pixels a row`);
  const height = Math.abs(stored);
  const size = sizeFault(width, height);
  if (size) return size;
  // 2. Compression.
  const compression = view.getUint32(30, true);
  if (!DEPTHS[compression]?.includes(depth)) {
    const how = compression === RLE8 || compression === RLE4 ? 'run lengths' : `compression ${compression}`;
    return new ImageFault('unsupported', `BMP of ${depth} bits a pixel with ${how}`);
  }
  // 3. Masks: in the header, or behind the oldest one that names none.
  const isMasked = compression === BITFIELDS || compression === ALPHA_BITFIELDS;
  const after = FILE_HEADER + header;
  const isBehind = isMasked && header < MASKS_HEADER;
  const behind = isBehind ? (compression === ALPHA_BITFIELDS ? 16 : 12) : 0;
  if (after + behind > bytes.length) return cut(bytes, 'within its masks');
  let masks: readonly number[] = depth === 16 ? MASKS_16 : MASKS_32;
  if (isMasked) {
    const hasAlpha = isBehind ? compression === ALPHA_BITFIELDS : header >= ALPHA_HEADER;
    masks = [54, 58, 62, 66].map((at, c) => (c < 3 || hasAlpha ? view.getUint32(at, true) : 0));
    if (masks.some((mask) => !isMask(mask))) return damaged('has masks with gaps');
  }
  // 4. Palette: as many colours as the depth has, or as the header says.
  const max = depth <= 8 ? 2 ** depth : 0;
  const declared = view.getUint32(46, true);
  const count = depth <= 8 ? (declared === 0 ? max : declared) : 0;
  if (count > max) return damaged(`declares ${count} colours for ${depth} bits a pixel`);
  const at = after + behind;
  const fits = Math.max(0, Math.floor((Math.min(dataAt, bytes.length) - at) / COLOR_BYTES));
  // A file without a count may hold fewer colours than its depth has.
  const held = declared === 0 ? Math.min(count, fits) : count;
  if (held > fits || (depth <= 8 && held === 0)) return damaged(`has no room for ${count} colours before its pixels`);
  // 5. Pixels.
  if (dataAt < after + behind) return damaged(`has pixels at byte ${dataAt}, within its header`);
  if (dataAt + rowBytes(width, depth) * height > bytes.length)
    return cut(bytes, `before its ${width} x ${height} pixels do`);
  return {
    width,
    height,
    grey: false,
    alpha: depth > 8 && depth !== 24 && masks[3] !== 0,
    deep: false,
    pages: 1,
    copyable: false,
    depth,
    topDown: stored < 0,
    masks,
    palette: { at, count: held },
    dataAt,
  };
}

/** Whether the bits of a mask are neighbours; 0 is a mask of no bits. */
function isMask(mask: number): boolean {
  if (mask === 0) return true;
  const bits = mask >>> (31 - Math.clz32(mask & -mask));
  return (bits & (bits + 1)) === 0;
}

/** Palette indices of plain pixels, rows from the bottom or the top as stored. */
function unpackIndices(bytes: Uint8Array, { width, height, depth, dataAt }: CheckedBmp): Uint8Array {
  const out = new Uint8Array(width * height);
  const row = rowBytes(width, depth);
  const perByte = 8 / depth;
  const mask = 2 ** depth - 1;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const byte = bytes[dataAt + y * row + Math.floor(x / perByte)];
      out[y * width + x] = (byte >> (8 - depth - (x % perByte) * depth)) & mask;
    }
  }
  return out;
}

/** The row of the file that holds row `y` of the image. */
const storedRow = (y: number, { height, topDown }: CheckedBmp): number => (topDown ? y : height - 1 - y);

function fromPalette(bytes: Uint8Array, indices: Uint8Array, checked: CheckedBmp): Uint8Array | ImageFault {
  const { width, height, palette } = checked;
  const data = new Uint8Array(width * height * 4);
  for (let y = 0, to = 0; y < height; y++) {
    const first = storedRow(y, checked) * width;
    for (let x = 0; x < width; x++, to += 4) {
      const index = indices[first + x];
      if (index >= palette.count) return damaged(`names colour ${index} of a palette of ${palette.count}`);
      const from = palette.at + index * COLOR_BYTES;
      data[to] = bytes[from + 2];
      data[to + 1] = bytes[from + 1];
      data[to + 2] = bytes[from];
      data[to + 3] = 255;
    }
  }
  return data;
}

/** Bytes of the values of a mask, by their bits from the lowest; a mask wider than 8 bits keeps its upper ones. */
interface Field {
  readonly mask: number;
  readonly shift: number;
  readonly table: Uint8Array;
}

const FIELD_BITS = 8;

function fieldOf(mask: number): Field {
  const low = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask);
  const bits = mask === 0 ? 0 : 32 - Math.clz32(mask) - low;
  const kept = Math.min(bits, FIELD_BITS);
  const top = 2 ** kept - 1;
  const table = Uint8Array.from({ length: top + 1 }, (_, v) => (top === 0 ? 0 : Math.round((v * 255) / top)));
  return { mask, shift: low + bits - kept, table };
}

function fromPixels(bytes: Uint8Array, checked: CheckedBmp): Uint8Array {
  const { width, height, depth, masks, dataAt, alpha } = checked;
  const view = viewOf(bytes);
  const fields = masks.map(fieldOf);
  const step = depth / 8;
  const row = rowBytes(width, depth);
  const data = new Uint8Array(width * height * 4);
  for (let y = 0, to = 0; y < height; y++) {
    let from = dataAt + storedRow(y, checked) * row;
    for (let x = 0; x < width; x++, from += step, to += 4) {
      if (depth === 24) {
        data[to] = bytes[from + 2];
        data[to + 1] = bytes[from + 1];
        data[to + 2] = bytes[from];
      } else {
        const bits = depth === 16 ? view.getUint16(from, true) : view.getUint32(from, true);
        for (let c = 0; c < 4; c++) {
          const { mask, shift, table } = fields[c];
          data[to + c] = table[(bits & mask) >>> shift];
        }
      }
      if (!alpha) data[to + 3] = 255;
    }
  }
  return data;
}

async function decodeBmp(bytes: Uint8Array, checked: CheckedBmp): Promise<Pixels | ImageFault> {
  const { width, height, depth } = checked;
  const data = depth > 8 ? fromPixels(bytes, checked) : fromPalette(bytes, unpackIndices(bytes, checked), checked);
  return data instanceof ImageFault ? data : { width, height, data };
}

/** Text may begin with BM too: the size of a known header must follow. */
function isBmp(bytes: Uint8Array): boolean {
  if (!hasMagic(bytes, 'BM') || bytes.length < FILE_HEADER + 4) return false;
  return HEADERS.includes(viewOf(bytes).getUint32(FILE_HEADER, true));
}

export const BMP: ImageFormat<CheckedBmp> = {
  names: ['bmp', 'dib'],
  recognises: isBmp,
  check: checkBmp,
  decode: decodeBmp,
};
