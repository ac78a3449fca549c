// Radiance HDR (.hdr, .pic): 32-bit RGBE in scanlines, plain or in either run-length encoding (Radiance, src/common/color.c and
// "The Radiance Picture File Format").

import { ImageFault } from './fault.ts';
import { FloatTexels } from './floatTexels.ts';
import { type CheckedImage, hasMagic, type ImageFormat, type TextureUse } from './imageFormat.ts';
import type { Pixels } from './pixels.ts';
import { sizeFault } from './sizeLimit.ts';

/** The header is text. No program writes one as long as this. */
const MAX_HEADER = 65_536;
const NEWLINE = 10;
/** Widths that the newer run-length encoding allows. */
const MIN_RUN_WIDTH = 8;
const MAX_RUN_WIDTH = 0x7fff;
/** A component of RGBE is mantissa * 2^(exponent - 128 - 8). */
const EXPONENT_BIAS = 136;

export interface CheckedHdr extends CheckedImage {
  readonly dataAt: number;
  readonly fromBottom: boolean;
  readonly fromRight: boolean;
}

/** The line that begins at `at`, and where the next one does; null if the header ends before. */
function lineAt(bytes: Uint8Array, at: number): readonly [string, number] | null {
  const end = bytes.subarray(0, MAX_HEADER).indexOf(NEWLINE, at);
  if (end < 0) return null;
  return [Buffer.from(bytes.subarray(at, end)).toString('latin1').trimEnd(), end + 1];
}

function checkHdr(bytes: Uint8Array): CheckedHdr | ImageFault {
  const cut = () =>
    bytes.length > MAX_HEADER
      ? new ImageFault('damaged', 'HDR has a header without end')
      : new ImageFault('cut', 'HDR ends within its header');
  // 1. Variables, up to an empty line.
  let line = lineAt(bytes, 0);
  while (line && line[0] !== '') {
    const format = /^FORMAT\s*=\s*(\S+)/.exec(line[0]);
    if (format && format[1] !== '32-bit_rle_rgbe') {
      return new ImageFault('unsupported', `HDR image of format ${format[1].slice(0, 40)}: only 32-bit_rle_rgbe`);
    }
    line = lineAt(bytes, line[1]);
  }
  // 2. Resolution: the axis of rows, then that of columns.
  const resolution = line && lineAt(bytes, line[1]);
  if (!resolution) return cut();
  const [text, dataAt] = resolution;
  const match = /^([-+])Y\s+(\d{1,9})\s+([-+])X\s+(\d{1,9})$/.exec(text);
  if (!match) {
    const isTurned = /^[-+]X\s+\d+\s+[-+]Y\s+\d+$/.test(text);
    return isTurned
      ? new ImageFault('unsupported', 'HDR image stored column by column')
      : new ImageFault('damaged', 'HDR has no line with its resolution');
  }
  const height = Number(match[2]);
  const width = Number(match[4]);
  const size = sizeFault(width, height);
  if (size) return size;
  // 3. Scanlines: a run of the newer encoding covers 127 bytes, one of the older encoding (1 << 8k) pixels.
  const isRunWidth = width >= MIN_RUN_WIDTH && width <= MAX_RUN_WIDTH;
  const min = isRunWidth ? height * 4 : 4;
  if (dataAt + min > bytes.length) return new ImageFault('cut', `HDR of ${width} x ${height} pixels has no pixels`);
  return {
    width,
    height,
    grey: false,
    alpha: false,
    deep: true,
    isFloat: true,
    pages: 1,
    copyable: false,
    dataAt,
    fromBottom: match[1] === '+',
    fromRight: match[3] === '-',
  };
}

/**
 * Reads the scanline at `at` into `line`, in which the four components of RGBE stand one after the other; the offset behind it,
 * or null if it is cut or overfull.
 */
function readScanline(bytes: Uint8Array, at: number, line: Uint8Array, width: number): number | null {
  if (at + 4 > bytes.length) return null;
  const isRunWidth = width >= MIN_RUN_WIDTH && width <= MAX_RUN_WIDTH;
  if (isRunWidth && bytes[at] === 2 && bytes[at + 1] === 2 && bytes[at + 2] < 0x80) {
    if (bytes[at + 2] * 256 + bytes[at + 3] !== width) return null;
    return readComponents(bytes, at + 4, line, width);
  }
  return readPixels(bytes, at, line, width);
}

/** The newer encoding: each component in runs of its own. */
function readComponents(bytes: Uint8Array, begin: number, line: Uint8Array, width: number): number | null {
  let at = begin;
  for (let c = 0; c < 4; c++) {
    const end = (c + 1) * width;
    for (let to = c * width; to < end; ) {
      if (at + 2 > bytes.length) return null;
      const head = bytes[at++];
      const isRun = head > 128;
      const count = isRun ? head - 128 : head;
      if (count === 0 || to + count > end || (!isRun && at + count > bytes.length)) return null;
      if (isRun) line.fill(bytes[at++], to, to + count);
      else {
        line.set(bytes.subarray(at, at + count), to);
        at += count;
      }
      to += count;
    }
  }
  return at;
}

/** Plain pixels, of which (1, 1, 1, n) repeats the one before n times, and n * 256 times right after another one. */
function readPixels(bytes: Uint8Array, begin: number, line: Uint8Array, width: number): number | null {
  let at = begin;
  let shift = 0;
  for (let x = 0; x < width; at += 4) {
    if (at + 4 > bytes.length) return null;
    if (bytes[at] === 1 && bytes[at + 1] === 1 && bytes[at + 2] === 1) {
      const count = bytes[at + 3] * 2 ** shift;
      if (x === 0 || x + count > width || shift > 16) return null;
      for (let c = 0; c < 4; c++) line.fill(line[c * width + x - 1], c * width + x, c * width + x + count);
      x += count;
      shift += 8;
      continue;
    }
    for (let c = 0; c < 4; c++) line[c * width + x] = bytes[at + c];
    x++;
    shift = 0;
  }
  return at;
}

async function decodeHdr(bytes: Uint8Array, checked: CheckedHdr, use: TextureUse): Promise<Pixels | ImageFault> {
  const { width, height, dataAt, fromBottom, fromRight } = checked;
  const texels = new FloatTexels(use);
  const line = new Uint8Array(width * 4);
  const data = new Uint8Array(width * height * 4);
  const scales = Float64Array.from({ length: 256 }, (_, e) => (e === 0 ? 0 : 2 ** (e - EXPONENT_BIAS)));
  let at: number | null = dataAt;
  for (let row = 0; row < height; row++) {
    at = readScanline(bytes, at, line, width);
    if (at === null) {
      // A scanline that the file does not hold to its end, or one with another number of pixels.
      const isCut = bytes.length - dataAt < width * height;
      return new ImageFault(isCut ? 'cut' : 'damaged', `HDR scanline ${row} is broken or ends early`);
    }
    const y = fromBottom ? height - 1 - row : row;
    for (let x = 0; x < width; x++) {
      const scale = scales[line[3 * width + x]];
      const to = (y * width + (fromRight ? width - 1 - x : x)) * 4;
      data[to] = texels.color(line[x] * scale);
      data[to + 1] = texels.color(line[width + x] * scale);
      data[to + 2] = texels.color(line[2 * width + x] * scale);
      data[to + 3] = 255;
    }
  }
  return { width, height, data, clamped: texels.clamped };
}

export const HDR: ImageFormat<CheckedHdr> = {
  names: ['hdr', 'pic'],
  recognises: (bytes) => hasMagic(bytes, '#?RADIANCE') || hasMagic(bytes, '#?RGBE'),
  check: checkHdr,
  decode: decodeHdr,
};
