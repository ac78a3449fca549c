// Photoshop documents (PSD and PSB): the composite image that Photoshop stores behind the layers, plain or in PackBits (Adobe
// Photoshop File Formats Specification). Layers are not put together here.

import { ImageFault } from './fault.ts';
import { type CheckedImage, hasMagic, type ImageFormat } from './imageFormat.ts';
import type { Pixels } from './pixels.ts';
import { sizeFault } from './sizeLimit.ts';

const HEADER_BYTES = 26;
/** Version 2 is the large document format, PSB, with longer lengths. */
const PSB = 2;
const RAW = 0;
const PACK_BITS = 1;
/** Bytes that the longest packet of PackBits covers. */
const PACKET = 128;
const PALETTE_BYTES = 768;

const INDEXED = 2;
const CMYK = 4;
/** Channels of the colour of each mode: bitmap and duotone are drawn as grey. */
const COLOR_CHANNELS: Readonly<Record<number, number>> = { 0: 1, 1: 1, [INDEXED]: 1, 3: 3, [CMYK]: 4, 8: 1 };
const MODE_NAMES: Readonly<Record<number, string>> = { 7: 'multichannel', 9: 'Lab' };

export interface CheckedPsd extends CheckedImage {
  readonly mode: number;
  readonly depth: number;
  readonly channels: number;
  readonly compression: number;
  /** Bytes of a row's length in the table of PackBits. */
  readonly lengthBytes: number;
  readonly paletteAt: number;
  readonly dataAt: number;
}

const damaged = (what: string) => new ImageFault('damaged', `PSD ${what}`);
const cut = (what: string) => new ImageFault('cut', `PSD ends ${what}`);
const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function checkPsd(bytes: Uint8Array): CheckedPsd | ImageFault {
  if (bytes.length < HEADER_BYTES + 4) return cut('within its header');
  const view = viewOf(bytes);
  // 1. Header.
  const version = view.getUint16(4);
  if (version !== 1 && version !== PSB) return new ImageFault('unsupported', `PSD of version ${version}`);
  const channels = view.getUint16(12);
  const height = view.getUint32(14);
  const width = view.getUint32(18);
  const depth = view.getUint16(22);
  const mode = view.getUint16(24);
  const size = sizeFault(width, height);
  if (size) return size;
  const colors = COLOR_CHANNELS[mode];
  if (colors === undefined) {
    return new ImageFault('unsupported', `PSD image in ${MODE_NAMES[mode] ?? `mode ${mode}`} colours`);
  }
  if (depth !== 8 && depth !== 16 && !(depth === 1 && mode === 0)) {
    return new ImageFault('unsupported', `PSD image with ${depth} bits a channel`);
  }
  if (channels < colors || channels > 56) return damaged(`has ${channels} channels in mode ${mode}`);
  // 2. Sections of colours, resources and layers, each with its length.
  let at = HEADER_BYTES;
  const paletteAt = at + 4;
  for (const section of ['colours', 'resources', 'layers'] as const) {
    const isLong = section === 'layers' && version === PSB;
    if (at + (isLong ? 8 : 4) > bytes.length) return cut(`before its ${section}`);
    const length = isLong ? view.getUint32(at) * 2 ** 32 + view.getUint32(at + 4) : view.getUint32(at);
    if (section === 'colours' && mode === INDEXED && length < PALETTE_BYTES) return damaged('has no whole palette');
    at += (isLong ? 8 : 4) + length;
    if (at > bytes.length) return cut(`within its ${section}`);
  }
  // 3. Image data.
  if (at + 2 > bytes.length) return cut('before its image');
  const compression = view.getUint16(at);
  if (compression !== RAW && compression !== PACK_BITS) {
    return new ImageFault('unsupported', `PSD image with compression ${compression}: only plain and PackBits`);
  }
  const lengthBytes = version === PSB ? 4 : 2;
  const row = Math.ceil((width * depth) / 8);
  // A packet of two bytes covers PACKET bytes at most; beside it stands the table of the rows' lengths.
  const least = compression === RAW ? row : lengthBytes + Math.ceil(row / PACKET) * 2;
  if (at + 2 + least * height * channels > bytes.length) return cut(`before its ${width} x ${height} pixels do`);
  return {
    width,
    height,
    grey: colors === 1 && mode !== INDEXED,
    alpha: channels > colors,
    deep: depth === 16,
    pages: 1,
    copyable: false,
    mode,
    depth,
    channels,
    compression,
    lengthBytes,
    paletteAt,
    dataAt: at + 2,
  };
}

/** Unpacks PackBits into `row`; false if the packets do not fill it exactly. */
function unpackRow(bytes: Uint8Array, begin: number, end: number, row: Uint8Array): boolean {
  let at = begin;
  let to = 0;
  while (to < row.length) {
    if (at >= end) return false;
    const head = bytes[at++];
    // 128 is passed over.
    if (head === 128) continue;
    const count = head < 128 ? head + 1 : 257 - head;
    const stored = head < 128 ? count : 1;
    if (to + count > row.length || at + stored > end) return false;
    if (head < 128) row.set(bytes.subarray(at, at + count), to);
    else row.fill(bytes[at], to, to + count);
    at += stored;
    to += count;
  }
  return true;
}

/** Samples of a row as bytes: 16 bits are rounded, of one bit 0 is white. */
function samplesOf(row: Uint8Array, depth: number, samples: Uint8Array): void {
  for (let x = 0; x < samples.length; x++) {
    if (depth === 8) samples[x] = row[x];
    else if (depth === 16) samples[x] = (row[x * 2] * 256 + row[x * 2 + 1] + 128) / 257;
    else samples[x] = (row[x >> 3] >> (7 - (x & 7))) & 1 ? 0 : 255;
  }
}

async function decodePsd(bytes: Uint8Array, checked: CheckedPsd): Promise<Pixels | ImageFault> {
  const { width, height, mode, depth, compression, lengthBytes, dataAt } = checked;
  const colors = COLOR_CHANNELS[mode];
  const view = viewOf(bytes);
  const row = new Uint8Array(Math.ceil((width * depth) / 8));
  const samples = new Uint8Array(width);
  const data = new Uint8Array(width * height * 4).fill(255);
  let at = dataAt;
  if (compression === PACK_BITS) at += checked.channels * height * lengthBytes;
  // Planes of colours, then the first one of alpha. Further ones are masks that nothing draws.
  const planes = colors + (checked.alpha ? 1 : 0);
  for (let plane = 0; plane < planes; plane++) {
    for (let y = 0; y < height; y++) {
      let stored = row.length;
      if (compression === PACK_BITS) {
        const entry = dataAt + (plane * height + y) * lengthBytes;
        stored = lengthBytes === 4 ? view.getUint32(entry) : view.getUint16(entry);
      }
      if (at + stored > bytes.length) return cut(`within row ${y} of channel ${plane}`);
      if (compression === RAW) row.set(bytes.subarray(at, at + stored));
      else if (!unpackRow(bytes, at, at + stored, row)) return damaged(`has a broken row ${y} of channel ${plane}`);
      at += stored;
      samplesOf(row, depth, samples);
      putPlane(data, y * width * 4, samples, plane, colors);
    }
  }
  if (mode === INDEXED) applyPalette(data, bytes.subarray(checked.paletteAt, checked.paletteAt + PALETTE_BYTES));
  return { width, height, data };
}

/** Puts a row of one channel into RGBA. */
function putPlane(data: Uint8Array, first: number, samples: Uint8Array, plane: number, colors: number): void {
  for (let x = 0, to = first; x < samples.length; x++, to += 4) {
    const value = samples[x];
    if (plane === colors) data[to + 3] = value;
    else if (colors === 1) data.fill(value, to, to + 3);
    else if (plane < 3) data[to + plane] = value;
    // Cyan, magenta and yellow are stored as what they leave of the light; black, which comes last, leaves its part of that.
    else for (let c = 0; c < 3; c++) data[to + c] = Math.round((data[to + c] * value) / 255);
  }
}

/** All reds, then all greens, then all blues. */
function applyPalette(data: Uint8Array, palette: Uint8Array): void {
  for (let at = 0; at < data.length; at += 4) {
    const index = data[at];
    for (let c = 0; c < 3; c++) data[at + c] = palette[c * 256 + index];
  }
}

export const PSD: ImageFormat<CheckedPsd> = {
  names: ['psd', 'psb'],
  recognises: (bytes) => hasMagic(bytes, '8BPS'),
  check: checkPsd,
  decode: decodePsd,
};
