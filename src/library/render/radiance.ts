// Reads Radiance pictures (.hdr): a text header, then rows of pixels of four bytes, red, green, blue and a shared exponent, plain
// or run-length encoded in either of two ways (G. Ward, "Real Pixels", Graphics Gems II, 1991, and the Radiance file formats).

import { fail } from '../../diagnostics/diagnostic.ts';

export interface RadiancePicture {
  readonly width: number;
  readonly height: number;
  /** Four bytes a pixel, rows from the top. */
  readonly rgbe: Uint8Array;
  /** What radiance was multiplied by before it was stored. */
  readonly exposure: number;
}

const MAX_SIDE = 16384;
const MAX_PIXELS = 2 ** 25;
/** Bytes of a header, and of one line of it. */
const MAX_HEADER = 65536;
/** Widths that rows of the newer encoding can have. */
const MIN_ENCODED = 8;
const MAX_ENCODED = 32767;
/** A longer count stands for a run of count - 128 equal bytes. */
const RUN = 128;

/** Reads bytes, and fails where there are none. */
class Cursor {
  readonly #bytes: Uint8Array;
  readonly #file: string;
  at = 0;

  constructor(bytes: Uint8Array, file: string) {
    this.#bytes = bytes;
    this.#file = file;
  }

  /** A line without its end; null at the end of the header's limit. */
  line(): string | null {
    const begin = this.at;
    const limit = Math.min(this.#bytes.length, MAX_HEADER);
    for (let i = begin; i < limit; i++) {
      if (this.#bytes[i] !== 10) continue;
      this.at = i + 1;
      return Buffer.from(this.#bytes.subarray(begin, i)).toString('latin1').replace(/\r$/, '');
    }
    return null;
  }

  byte(row: number): number {
    if (this.at >= this.#bytes.length) this.damaged(row, 'the file ends there');
    return this.#bytes[this.at++];
  }

  peek(offset: number): number {
    return this.#bytes[this.at + offset] ?? -1;
  }

  /** Copies bytes that must be there. */
  take(count: number, to: Uint8Array, at: number, step: number, row: number): void {
    if (this.at + count > this.#bytes.length) this.damaged(row, 'the file ends there');
    for (let i = 0; i < count; i++) to[at + i * step] = this.#bytes[this.at + i];
    this.at += count;
  }

  damaged(row: number, what: string): never {
    return fail('UC2442', this.#file, `row ${row}`, what);
  }

  get left(): number {
    return this.#bytes.length - this.at;
  }
}

type Header = Pick<RadiancePicture, 'width' | 'height' | 'exposure'>;

function readHeader(cursor: Cursor, file: string): Header {
  const no = (element: string, what: string): never => fail('UC2440', file, element, what);
  const first = cursor.line();
  if (first === null || !/^#\?(RADIANCE|RGBE)\b/.test(first)) no('', 'it begins with neither #?RADIANCE nor #?RGBE');
  let exposure = 1;
  for (let line = cursor.line(); line !== ''; line = cursor.line()) {
    if (line === null) return no('', 'its header has no end');
    const [, name, value] = /^([A-Z]+)=\s*(\S+)\s*$/.exec(line) ?? [];
    if (name === 'FORMAT' && value !== '32-bit_rle_rgbe') no('FORMAT', `the format is ${value}, not 32-bit_rle_rgbe`);
    if (name !== 'EXPOSURE') continue;
    // Each program that changed the exposure has written a line.
    exposure *= Number(value);
    if (!(exposure > 0 && exposure < Infinity)) no('EXPOSURE', `the exposure is ${value}`);
  }
  const size = cursor.line();
  const match = /^-Y (\d{1,9}) \+X (\d{1,9})$/.exec(size ?? '');
  if (!match)
    return no('size', size === null ? 'the line of the size is missing' : `the line of the size is "${size}"`);
  const [height, width] = [Number(match[1]), Number(match[2])];
  if (width === 0 || height === 0) no('size', `it has ${width} x ${height} pixels`);
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS) {
    fail('UC2441', file, 'size', `it has ${width} x ${height} pixels`);
  }
  return { width, height, exposure };
}

/** A row of the newer encoding: each of the four bytes of all pixels by itself. Its first four bytes were looked at. */
function readChannels(cursor: Cursor, width: number, rgbe: Uint8Array, row: number): void {
  cursor.at += 4;
  const start = row * width * 4;
  for (let channel = 0; channel < 4; channel++) {
    for (let column = 0; column < width; ) {
      const count = cursor.byte(row);
      const length = count > RUN ? count - RUN : count;
      if (length === 0) cursor.damaged(row, 'a run has no length');
      if (column + length > width) cursor.damaged(row, `a run of ${length} begins at pixel ${column} of ${width}`);
      const at = start + column * 4 + channel;
      if (count > RUN) {
        const value = cursor.byte(row);
        for (let i = 0; i < length; i++) rgbe[at + i * 4] = value;
      } else {
        cursor.take(length, rgbe, at, 4, row);
      }
      column += length;
    }
  }
}

/** A row of whole pixels, where one of 1, 1, 1, n repeats the pixel before it n times, and several such are digits of a number. */
function readPixels(cursor: Cursor, width: number, rgbe: Uint8Array, row: number): void {
  const start = row * width * 4;
  let shift = 0;
  for (let column = 0; column < width; ) {
    const at = start + column * 4;
    cursor.take(4, rgbe, at, 1, row);
    if (rgbe[at] !== 1 || rgbe[at + 1] !== 1 || rgbe[at + 2] !== 1) {
      column++;
      shift = 0;
      continue;
    }
    const length = rgbe[at + 3] * 2 ** shift;
    shift += 8;
    if (column === 0 || shift > 24) cursor.damaged(row, 'a run has no pixel before it');
    if (column + length > width) cursor.damaged(row, `a run of ${length} begins at pixel ${column} of ${width}`);
    rgbe.copyWithin(at, at - 4, at);
    for (let i = 1; i < length; i++) rgbe.copyWithin(at + i * 4, at - 4, at);
    column += length;
  }
}

/** Throws UC2440, UC2441 and UC2442. `file`: for messages. */
export function readRadiance(bytes: Uint8Array, file: string): RadiancePicture {
  const cursor = new Cursor(bytes, file);
  const { width, height, exposure } = readHeader(cursor, file);
  const canBeEncoded = width >= MIN_ENCODED && width <= MAX_ENCODED;
  const isEncoded = () =>
    canBeEncoded && cursor.peek(0) === 2 && cursor.peek(1) === 2 && cursor.peek(2) * 256 + cursor.peek(3) === width;
  // The shortest row: runs of 127, two bytes each, in four channels; or of whole pixels one, and one that repeats it.
  const shortest = isEncoded() ? 4 + 8 * Math.ceil(width / 127) : 4;
  if (cursor.left < shortest * height) {
    cursor.damaged(0, `${cursor.left} bytes are no ${height} rows of ${width} pixels`);
  }
  const rgbe = new Uint8Array(width * height * 4);
  for (let row = 0; row < height; row++) {
    if (isEncoded()) readChannels(cursor, width, rgbe, row);
    else readPixels(cursor, width, rgbe, row);
  }
  return { width, height, rgbe, exposure };
}
