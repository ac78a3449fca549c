// The header of an OpenEXR file (OpenEXR File Layout, version 2): its attributes, checked against each other and against the
// file. For exr.ts, which reads the chunks.

import { ImageFault } from '../fault.ts';
import { sizeFault } from '../sizeLimit.ts';

export const NO_COMPRESSION = 0;
export const RLE = 1;
export const ZIPS = 2;
export const ZIP = 3;
export const PIZ = 4;
export const PXR24 = 5;
/** Rows of a chunk, for each compression that can be read. */
const CHUNK_ROWS: Readonly<Record<number, number>> = {
  [NO_COMPRESSION]: 1,
  [RLE]: 1,
  [ZIPS]: 1,
  [ZIP]: 16,
  [PIZ]: 32,
  [PXR24]: 16,
};
const COMPRESSION_NAMES = ['none', 'RLE', 'ZIPS', 'ZIP', 'PIZ', 'PXR24', 'B44', 'B44A', 'DWAA', 'DWAB'];

export const UINT = 0;
export const HALF = 1;
export const FLOAT = 2;

/** Flags in the upper bytes of the version. */
const TILED = 0x200;
const DEEP = 0x800;
const PARTS = 0x1000;

const HEADER_AT = 8;
/** Longest name with the flag for long names. */
const MAX_NAME = 255;
/** Bytes of a chunk without compression: more than any row of 16384 pixels needs. */
const MAX_CHUNK = 2 ** 27;

export interface ExrChannel {
  readonly name: string;
  readonly type: number;
  /** Bytes of a sample. */
  readonly bytes: number;
}

export interface Box {
  readonly x0: number;
  readonly y0: number;
  readonly width: number;
  readonly height: number;
}

export interface ExrHeader {
  readonly channels: readonly ExrChannel[];
  readonly compression: number;
  /** The pixels that are stored, and those that the image shows. */
  readonly data: Box;
  readonly display: Box;
  /** Pixels of a tile; null: chunks are rows. */
  readonly tile: readonly [number, number] | null;
  readonly chunkRows: number;
  /** Bytes of a stored pixel without compression. */
  readonly pixelBytes: number;
  /** Where the table of the chunks' offsets begins, and its entries for the largest level. */
  readonly tableAt: number;
  readonly chunks: number;
}

const cut = (what: string) => new ImageFault('cut', `EXR ends ${what}`);
const damaged = (what: string) => new ImageFault('damaged', `EXR ${what}`);
const unsupported = (what: string) => new ImageFault('unsupported', `EXR ${what}`);

/** The text up to a zero, and the offset behind it; null if there is none within MAX_NAME bytes. */
function nameAt(bytes: Uint8Array, at: number): readonly [string, number] | null {
  const end = bytes.subarray(at, at + MAX_NAME + 1).indexOf(0);
  if (end < 0) return null;
  return [Buffer.from(bytes.subarray(at, at + end)).toString('latin1'), at + end + 1];
}

interface Attribute {
  readonly at: number;
  readonly size: number;
}

/** Attributes by name, and where they end. */
function readAttributes(bytes: Uint8Array): readonly [ReadonlyMap<string, Attribute>, number] | ImageFault {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const attributes = new Map<string, Attribute>();
  let at = HEADER_AT;
  for (;;) {
    const name = nameAt(bytes, at);
    if (!name)
      return bytes.length - at <= MAX_NAME ? cut('within its header') : damaged('has an attribute without name');
    if (name[0] === '') return [attributes, name[1]];
    const type = nameAt(bytes, name[1]);
    if (!type || type[1] + 4 > bytes.length) return cut(`within its attribute ${name[0]}`);
    const size = view.getInt32(type[1], true);
    at = type[1] + 4;
    if (size < 0) return damaged(`declares ${size} bytes for its attribute ${name[0]}`);
    if (at + size > bytes.length) return cut(`within its attribute ${name[0]}`);
    attributes.set(name[0], { at, size });
    at += size;
  }
}

function readChannels(bytes: Uint8Array, { at: begin, size }: Attribute): ExrChannel[] | ImageFault {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = begin + size;
  const channels: ExrChannel[] = [];
  let at = begin;
  while (at < end && bytes[at] !== 0) {
    const name = nameAt(bytes, at);
    if (!name || name[1] + 16 > end) return damaged('has a broken list of channels');
    const type = view.getInt32(name[1], true);
    if (type !== UINT && type !== HALF && type !== FLOAT) return damaged(`has channel ${name[0]} of type ${type}`);
    if (view.getInt32(name[1] + 8, true) !== 1 || view.getInt32(name[1] + 12, true) !== 1) {
      return unsupported(`channel ${name[0]} has fewer samples than the image has pixels`);
    }
    channels.push({ name: name[0], type, bytes: type === HALF ? 2 : 4 });
    at = name[1] + 16;
  }
  return channels.length === 0 ? damaged('has no channels') : channels;
}

/** Reads the header of a file that begins with the magic number. */
export function readHeader(bytes: Uint8Array): ExrHeader | ImageFault {
  if (bytes.length < HEADER_AT) return cut('within its header');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // 1. Version and flags.
  const version = view.getUint32(4, true);
  if ((version & 0xff) !== 2) return unsupported(`of version ${version & 0xff}`);
  if ((version & (DEEP | PARTS)) !== 0) return unsupported('with several parts or deep pixels');
  // 2. Attributes.
  const read = readAttributes(bytes);
  if (read instanceof ImageFault) return read;
  const [attributes, tableAt] = read;
  const find = (name: string, size: number): number | ImageFault => {
    const attribute = attributes.get(name);
    return attribute && attribute.size >= size ? attribute.at : damaged(`has no whole attribute ${name}`);
  };
  const compressionAt = find('compression', 1);
  const data = boxAt('dataWindow');
  const display = boxAt('displayWindow');
  if (compressionAt instanceof ImageFault) return compressionAt;
  if (data instanceof ImageFault) return data;
  if (display instanceof ImageFault) return display;
  const list = attributes.get('channels');
  if (!list) return damaged('has no list of channels');
  const channels = readChannels(bytes, list);
  if (channels instanceof ImageFault) return channels;
  // 3. Compression.
  const compression = bytes[compressionAt];
  const chunkRows = CHUNK_ROWS[compression];
  if (chunkRows === undefined) {
    const name = COMPRESSION_NAMES[compression] ?? `compression ${compression}`;
    return unsupported(`image in ${name}: those that can be read are none, RLE, ZIPS, ZIP, PIZ and PXR24`);
  }
  // 4. Chunks: tiles or rows.
  let tile: readonly [number, number] | null = null;
  if ((version & TILED) !== 0) {
    const at = find('tiles', 9);
    if (at instanceof ImageFault) return at;
    tile = [view.getUint32(at, true), view.getUint32(at + 4, true)];
    if (tile[0] === 0 || tile[1] === 0) return damaged(`has tiles of ${tile[0]} x ${tile[1]} pixels`);
    tile = [Math.min(tile[0], data.width), Math.min(tile[1], data.height)];
  }
  const pixelBytes = channels.reduce((sum, channel) => sum + channel.bytes, 0);
  const chunkPixels = tile ? tile[0] * tile[1] : data.width * Math.min(chunkRows, data.height);
  if (chunkPixels * pixelBytes > MAX_CHUNK) {
    return new ImageFault('large', `EXR has chunks of ${chunkPixels * pixelBytes} bytes, the limit is ${MAX_CHUNK}`);
  }
  const chunks = tile
    ? Math.ceil(data.width / tile[0]) * Math.ceil(data.height / tile[1])
    : Math.ceil(data.height / chunkRows);
  if (tableAt + chunks * 8 > bytes.length) return cut('within its table of offsets');
  return { channels, compression, data, display, tile, chunkRows, pixelBytes, tableAt, chunks };

  function boxAt(name: string): Box | ImageFault {
    const at = find(name, 16);
    if (at instanceof ImageFault) return at;
    const [x0, y0, x1, y1] = [0, 4, 8, 12].map((offset) => view.getInt32(at + offset, true));
    if (x1 < x0 || y1 < y0) return damaged(`has an empty ${name}`);
    const box = { x0, y0, width: x1 - x0 + 1, height: y1 - y0 + 1 };
    return sizeFault(box.width, box.height) ?? box;
  }
}
