// Radiance HDR (.hdr, .pic): 32-bit RGBE in scanlines, plain or in either run-length encoding (Radiance, src/common/color.c and
// "The Radiance Picture File Format").

import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import { FAULT_CODES, ImageFault } from './fault.ts';
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
  return [new TextDecoder('latin1').decode(bytes.subarray(at, end)).trimEnd(), end + 1];
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

/**
 * Calls `onRow` with each row, from the top where it is 0, and its light, linear: three numbers a pixel, which the next call writes
 * over.
 */
function eachRow(
  bytes: Uint8Array,
  { width, height, dataAt, fromBottom, fromRight }: CheckedHdr,
  onRow: (row: number, light: Float32Array) => void,
): ImageFault | null {
  const line = new Uint8Array(width * 4);
  // Eight bits times a power of two: float32 holds them exactly.
  const light = new Float32Array(width * 3);
  const scales = Float64Array.from({ length: 256 }, (_, e) => (e === 0 ? 0 : 2 ** (e - EXPONENT_BIAS)));
  let at: number | null = dataAt;
  for (let row = 0; row < height; row++) {
    at = readScanline(bytes, at, line, width);
    if (at === null) {
      // A scanline that the file does not hold to its end, or one with another number of pixels.
      const isCut = bytes.length - dataAt < width * height;
      return new ImageFault(isCut ? 'cut' : 'damaged', `HDR scanline ${row} is broken or ends early`);
    }
    for (let x = 0; x < width; x++) {
      const scale = scales[line[3 * width + x]];
      const to = (fromRight ? width - 1 - x : x) * 3;
      light[to] = line[x] * scale;
      light[to + 1] = line[width + x] * scale;
      light[to + 2] = line[2 * width + x] * scale;
    }
    onRow(fromBottom ? height - 1 - row : row, light);
  }
  return null;
}

async function decodeHdr(bytes: Uint8Array, checked: CheckedHdr, use: TextureUse): Promise<Pixels | ImageFault> {
  const { width, height } = checked;
  const texels = new FloatTexels(use);
  const data = new Uint8Array(width * height * 4).fill(255);
  const fault = eachRow(bytes, checked, (row, light) => {
    for (let from = 0, to = row * width * 4; from < width * 3; from += 3, to += 4) {
      data[to] = texels.color(light[from]);
      data[to + 1] = texels.color(light[from + 1]);
      data[to + 2] = texels.color(light[from + 2]);
    }
  });
  return fault ?? { width, height, data, clamped: texels.clamped };
}

/** The light of a Radiance picture, row by row: `begin` is told its size before the first, and gives what takes them. */
export function readRadiance(
  bytes: Uint8Array,
  begin: (width: number, height: number) => (row: number, light: Float32Array) => void,
): ImageFault | null {
  if (!HDR.recognises(bytes)) return new ImageFault('unsupported', 'it begins with neither #?RADIANCE nor #?RGBE');
  const checked = checkHdr(bytes);
  return checked instanceof ImageFault ? checked : eachRow(bytes, checked, begin(checked.width, checked.height));
}

/** Why a file is no environment. */
export function radianceFault({ kind, message }: ImageFault, file: string, path: string): Diagnostic {
  const remedy = kind === 'unsupported' ? 'save the environment as Radiance HDR (.hdr), row by row' : undefined;
  return diagnostic(FAULT_CODES[kind], file, path, message, remedy);
}

export const HDR: ImageFormat<CheckedHdr> = {
  names: ['hdr', 'pic'],
  recognises: (bytes) => hasMagic(bytes, '#?RADIANCE') || hasMagic(bytes, '#?RGBE'),
  check: checkHdr,
  decode: decodeHdr,
};
