// OpenEXR images of one part, in rows or tiles (of which the largest level is read): red, green, blue and alpha, or one channel
// as grey. exr/ reads the header and unpacks the chunks.

import { type Box, type ExrChannel, type ExrHeader, HALF, readHeader, UINT } from './exr/header.ts';
import { unpackChunk } from './exr/unpack.ts';
import { ImageFault } from './fault.ts';
import { FloatTexels } from './floatTexels.ts';
import { type CheckedImage, hasMagic, type ImageFormat, type TextureUse } from './imageFormat.ts';
import type { Pixels } from './pixels.ts';

const MAGIC = [0x76, 0x2f, 0x31, 0x01];
/** In front of a chunk: its first row and size; of a tile its place, level and size. */
const ROW_CHUNK = 8;
const TILE_CHUNK = 20;

export interface CheckedExr extends CheckedImage {
  readonly header: ExrHeader;
  /** Channels of red, green, blue and alpha; alpha may be -1. */
  readonly planes: readonly number[];
}

/** The channels that are drawn, by their usual names. A single channel is grey, whatever its name. */
function planesOf(channels: readonly ExrChannel[]): number[] | ImageFault {
  const index = (name: string) => channels.findIndex((channel) => channel.name === name);
  const alpha = index('A');
  const colors = ['R', 'G', 'B'].map(index);
  if (colors.every((c) => c >= 0)) return [...colors, alpha];
  const grey = channels.length === 1 ? 0 : index('Y');
  const isOnlyGrey = grey >= 0 && channels.length === (alpha >= 0 && alpha !== grey ? 2 : 1);
  if (isOnlyGrey) return [grey, grey, grey, alpha === grey ? -1 : alpha];
  const names = channels.slice(0, 8).map(({ name }) => JSON.stringify(name));
  return new ImageFault('unsupported', `EXR image with channels ${names.join(', ')}: only R, G, B, A or one alone`);
}

function checkExr(bytes: Uint8Array): CheckedExr | ImageFault {
  const header = readHeader(bytes);
  if (header instanceof ImageFault) return header;
  const planes = planesOf(header.channels);
  if (planes instanceof ImageFault) return planes;
  // Pixels of the image that are not stored are transparent black.
  const { data, display } = header;
  const isWhole =
    data.x0 <= display.x0 &&
    data.y0 <= display.y0 &&
    data.x0 + data.width >= display.x0 + display.width &&
    data.y0 + data.height >= display.y0 + display.height;
  return {
    width: header.display.width,
    height: header.display.height,
    grey: planes[0] === planes[1],
    alpha: planes[3] >= 0 || !isWhole,
    deep: true,
    isFloat: true,
    pages: 1,
    copyable: false,
    header,
    planes,
  };
}

/** The value of a half (IEEE 754 binary16) by its bits; infinities and NaN as they are. */
function halfValue(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const mantissa = bits & 1023;
  const sign = bits >= 0x8000 ? -1 : 1;
  if (exponent === 31) return mantissa === 0 ? sign * Infinity : NaN;
  return sign * (exponent === 0 ? mantissa * 2 ** -24 : (1 + mantissa / 1024) * 2 ** (exponent - 15));
}

/** The byte of each half, and 1 for each that is clamped: a table is faster than arithmetic on every sample. */
interface HalfBytes {
  readonly bytes: Uint8Array;
  readonly clamped: Uint8Array;
}

/** By what the samples are: made once. */
const halfTables = new Map<string, HalfBytes>();

function halfBytes(use: TextureUse, isAlpha: boolean): HalfBytes {
  const key = isAlpha ? 'alpha' : use;
  const known = halfTables.get(key);
  if (known) return known;
  const texels = new FloatTexels(use);
  const bytes = new Uint8Array(65_536);
  const clamped = new Uint8Array(65_536);
  for (let bits = 0; bits < bytes.length; bits++) {
    const value = halfValue(bits);
    texels.clamped = false;
    bytes[bits] = isAlpha ? texels.alpha(value) : texels.color(value);
    clamped[bits] = texels.clamped ? 1 : 0;
  }
  const table = { bytes, clamped };
  halfTables.set(key, table);
  return table;
}

/** Writes samples to every fourth byte of a row of pixels. */
interface SampleWriter {
  /** A value was clamped. */
  readonly clamped: boolean;
  write(samples: DataView, from: number, data: Uint8Array, to: number, count: number): void;
}

function sampleWriter(type: number, use: TextureUse, isAlpha: boolean): SampleWriter {
  if (type === HALF) {
    const { bytes, clamped } = halfBytes(use, isAlpha);
    let any = 0;
    return {
      get clamped() {
        return any !== 0;
      },
      write: (samples, from, data, to, count) => {
        for (let i = 0; i < count; i++) {
          const bits = samples.getUint16(from + i * 2, true);
          data[to + i * 4] = bytes[bits];
          any |= clamped[bits];
        }
      },
    };
  }
  const texels = new FloatTexels(use);
  return {
    get clamped() {
      return texels.clamped;
    },
    write: (samples, from, data, to, count) => {
      for (let i = 0; i < count; i++) {
        const at = from + i * 4;
        const value = type === UINT ? samples.getUint32(at, true) : samples.getFloat32(at, true);
        data[to + i * 4] = isAlpha ? texels.alpha(value) : texels.color(value);
      }
    },
  };
}

/** The chunk that an entry of the table names: its pixels and its bytes. */
function chunkAt(
  bytes: Uint8Array,
  { tableAt, tile, data, chunkRows }: ExrHeader,
  entry: number,
): { box: Box; stored: Uint8Array } | ImageFault {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = view.getUint32(tableAt + entry * 8, true) + view.getUint32(tableAt + entry * 8 + 4, true) * 2 ** 32;
  const head = tile ? TILE_CHUNK : ROW_CHUNK;
  const name = `chunk ${entry}`;
  // A program that was stopped while it wrote left zeros.
  if (at === 0 || at + head > bytes.length) return new ImageFault('cut', `EXR ends before its ${name}`);
  const size = view.getInt32(at + head - 4, true);
  if (size < 0) return new ImageFault('damaged', `EXR declares ${size} bytes for its ${name}`);
  if (at + head + size > bytes.length) return new ImageFault('cut', `EXR ends within its ${name}`);
  const across = tile ? Math.ceil(data.width / tile[0]) : 1;
  const x = tile ? (entry % across) * tile[0] : 0;
  const y = tile ? Math.floor(entry / across) * tile[1] : entry * chunkRows;
  const isThere = tile
    ? view.getInt32(at, true) === entry % across &&
      view.getInt32(at + 4, true) === Math.floor(entry / across) &&
      view.getInt32(at + 8, true) === 0 &&
      view.getInt32(at + 12, true) === 0
    : view.getInt32(at, true) === data.y0 + y;
  if (!isThere) return new ImageFault('damaged', `EXR has its ${name} at another place than its table says`);
  const width = tile ? Math.min(tile[0], data.width - x) : data.width;
  const height = Math.min(tile ? tile[1] : chunkRows, data.height - y);
  const box = { x0: data.x0 + x, y0: data.y0 + y, width, height };
  return { box, stored: bytes.subarray(at + head, at + head + size) };
}

async function decodeExr(bytes: Uint8Array, checked: CheckedExr, use: TextureUse): Promise<Pixels | ImageFault> {
  const { header, planes, width, height } = checked;
  const { channels, compression, chunks, display, pixelBytes } = header;
  const data = new Uint8Array(width * height * 4);
  const writers = planes.map((plane, c) => (plane < 0 ? null : sampleWriter(channels[plane].type, use, c === 3)));
  /** Bytes of a pixel of the channels before each one: they stand in front of it in a row, each for the whole width. */
  const before = channels.map((_, i) => channels.slice(0, i).reduce((sum, channel) => sum + channel.bytes, 0));
  for (let entry = 0; entry < chunks; entry++) {
    const chunk = chunkAt(bytes, header, entry);
    if (chunk instanceof ImageFault) return chunk;
    const { box, stored } = chunk;
    const samples = unpackChunk(stored, compression, box.width, box.height, channels);
    if (!samples) return new ImageFault('damaged', `EXR chunk ${entry} cannot be unpacked`);
    const view = new DataView(samples.buffer, samples.byteOffset, samples.byteLength);
    const firstX = Math.max(0, display.x0 - box.x0);
    const endX = Math.min(box.width, display.x0 + display.width - box.x0);
    const firstY = Math.max(0, display.y0 - box.y0);
    const endY = Math.min(box.height, display.y0 + display.height - box.y0);
    for (let y = firstY; y < endY && firstX < endX; y++) {
      const to = ((y + box.y0 - display.y0) * width + firstX + box.x0 - display.x0) * 4;
      for (let c = 0; c < 4; c++) {
        const plane = planes[c];
        if (plane < 0) {
          for (let i = to + c; i < to + (endX - firstX) * 4; i += 4) data[i] = 255;
          continue;
        }
        const from = y * box.width * pixelBytes + before[plane] * box.width + firstX * channels[plane].bytes;
        writers[c]?.write(view, from, data, to + c, endX - firstX);
      }
    }
  }
  return { width, height, data, clamped: writers.some((writer) => writer?.clamped === true) };
}

export const EXR: ImageFormat<CheckedExr> = {
  names: ['exr'],
  recognises: (bytes) => hasMagic(bytes, MAGIC),
  check: checkExr,
  decode: decodeExr,
};
