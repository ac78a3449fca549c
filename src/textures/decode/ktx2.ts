// KTX 2.0 files of one 2D image: Basis Universal as KHR_texture_basisu allows it (ETC1S with BasisLZ, UASTC plain or in
// Zstandard), and plain blocks of ASTC in the LDR profile. Read in the order of the KTX 2.0 specification (section 3); every offset is checked
// against the file before a decoder (basis.ts, astc.ts) sees a byte.

import { decodeAstc } from './astc.ts';
import { transcodeKtx2 } from './basis.ts';
import { ImageFault } from './fault.ts';
import { type AstcBlocks, type CheckedImage, hasMagic, type ImageFormat } from './imageFormat.ts';

/** «KTX 20», and line ends that a transfer as text would change (KTX 2.0, 3.1). */
const KTX2_IDENTIFIER = [0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a];

const LEVEL_INDEX = 80;
const LEVEL_BYTES = 24;
/** A side has 32 bits, so a chain has 32 levels at most. */
const MAX_LEVELS = 32;
const BASIS_LZ = 1;
const ZSTD = 2;
/** Khronos Data Format 1.3, colour models. */
const ASTC = 162;
const ETC1S = 163;
const UASTC = 166;
/** The size of a block of UASTC, and of ASTC. */
const BLOCK_BYTES = 16;
/** Basic descriptor block: 4 bytes of total size, 24 of header, 16 a sample. */
const DFD_HEADER = 28;
const DFD_SAMPLE = 16;
const CHANNEL_RGBA = 3;
const CHANNEL_RRRG = 5;
const ETC1S_ALPHA = 15;
/** BasisLZ global data: header, and 20 bytes an image (KTX 2.0, annex on BasisLZ). */
const SGD_HEADER = 20;
const SGD_IMAGE = 20;
const MAX_KEY_VALUES = 1000;
/** VkFormat of ASTC: for each footprint UNORM, then SRGB, from 4x4 on. */
const VK_ASTC = 157;
const FOOTPRINTS: readonly (readonly [number, number])[] = [
  [4, 4],
  [5, 4],
  [5, 5],
  [6, 5],
  [6, 6],
  [8, 5],
  [8, 6],
  [8, 8],
  [10, 5],
  [10, 6],
  [10, 8],
  [10, 10],
  [12, 10],
  [12, 12],
];
/** Flag of the descriptor. */
const PREMULTIPLIED = 1;

export interface Ktx2Header {
  readonly width: number;
  readonly height: number;
  readonly alpha: boolean;
  readonly blocks?: AstcBlocks;
}

interface Range {
  readonly offset: number;
  readonly length: number;
}

class Reader {
  readonly #view: DataView;
  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  u8(at: number): number {
    return this.#view.getUint8(at);
  }
  u32(at: number): number {
    return this.#view.getUint32(at, true);
  }
  /** Not exact beyond 2^53, which is more than any file has. */
  u64(at: number): number {
    return this.u32(at) + this.u32(at + 4) * 2 ** 32;
  }
  has({ offset, length }: Range): boolean {
    return offset + length <= this.#view.byteLength;
  }
}

const cut = (what: string) => new ImageFault('cut', `KTX2 ends before ${what}`);
const damaged = (what: string) => new ImageFault('damaged', `KTX2 ${what}`);
const unsupported = (what: string) =>
  new ImageFault('unsupported', `KTX2 ${what}: only 2D images in ETC1S, UASTC or ASTC can be used`);

/** Checks a file that begins with the identifier. */
export function readKtx2(bytes: Uint8Array): Ktx2Header | ImageFault {
  const reader = new Reader(bytes);
  if (bytes.length < LEVEL_INDEX) return cut('its header does');
  // 1. Header (3.2 to 3.10).
  const format = reader.u32(12);
  const footprint = FOOTPRINTS[(format - VK_ASTC) >> 1];
  if (format !== 0 && !footprint) return unsupported(`holds texels of Vulkan format ${format}`);
  const [width, height, depth, layers, faces, levels] = [20, 24, 28, 32, 36, 40].map((at) => reader.u32(at));
  if (depth !== 0 || layers !== 0 || faces !== 1) {
    return unsupported(`holds ${faces} faces, ${layers} layers and a depth of ${depth}`);
  }
  if (levels > MAX_LEVELS || levels > 32 - Math.clz32(Math.max(width, height))) {
    return damaged(`declares ${levels} levels for ${width} x ${height} pixels`);
  }
  const scheme = reader.u32(44);
  // 2. Index (3.11): descriptor, key/value data, global data.
  const dfd = { offset: reader.u32(48), length: reader.u32(52) };
  const kvd = { offset: reader.u32(56), length: reader.u32(60) };
  const sgd = { offset: reader.u64(64), length: reader.u64(72) };
  for (const [range, name] of [
    [dfd, 'data format descriptor'],
    [kvd, 'key/value data'],
    [sgd, 'global data'],
  ] as const) {
    if (!reader.has(range)) return cut(`its ${name} does`);
  }
  // 3. Level index (3.12).
  const count = Math.max(1, levels);
  const [blockWidth, blockHeight] = footprint ?? [4, 4];
  const ranges: Range[] = [];
  if (!reader.has({ offset: LEVEL_INDEX, length: count * LEVEL_BYTES })) return cut('its level index does');
  for (let level = 0; level < count; level++) {
    const at = LEVEL_INDEX + level * LEVEL_BYTES;
    const range = { offset: reader.u64(at), length: reader.u64(at + 8) };
    if (!reader.has(range)) return cut(`level ${level} does`);
    const blocks = blocksAlong(width >>> level, blockWidth) * blocksAlong(height >>> level, blockHeight);
    const fault = checkLevel(scheme, range.length, reader.u64(at + 16), blocks, level);
    if (fault) return fault;
    ranges.push(range);
  }
  // 4. Descriptor (3.13): the colour model says what the blocks are.
  if (dfd.length < DFD_HEADER + DFD_SAMPLE) return damaged('has a data format descriptor without samples');
  const model = reader.u8(dfd.offset + 12);
  if (footprint && (model !== ASTC || scheme !== 0)) {
    return unsupported(`holds ASTC in supercompression scheme ${scheme}, colour model ${model}`);
  }
  if (!footprint && model !== ETC1S && model !== UASTC) return unsupported(`holds texels of colour model ${model}`);
  if (model === ETC1S ? scheme !== BASIS_LZ : scheme !== 0 && scheme !== ZSTD) {
    return unsupported(`holds colour model ${model} in supercompression scheme ${scheme}`);
  }
  const samples = Math.floor((dfd.length - DFD_HEADER) / DFD_SAMPLE);
  const channel = (sample: number) => reader.u8(dfd.offset + DFD_HEADER + sample * DFD_SAMPLE + 3) & 0x0f;
  const alpha =
    model === UASTC
      ? channel(0) === CHANNEL_RGBA || channel(0) === CHANNEL_RRRG
      : samples > 1 && channel(1) === ETC1S_ALPHA;
  // 5. Key/value data (3.14): an orientation or swizzle that glTF does not allow.
  if (footprint) {
    const srgb = (format - VK_ASTC) % 2 === 1;
    const premultiplied = (reader.u8(dfd.offset + 15) & PREMULTIPLIED) !== 0;
    const blocks = { blockWidth, blockHeight, srgb, premultiplied, levels: ranges };
    return checkKeyValues(bytes, reader, kvd) ?? { width, height, alpha: true, blocks };
  }
  const fault = checkKeyValues(bytes, reader, kvd) ?? (model === ETC1S ? checkGlobalData(reader, sgd, count) : null);
  return fault ?? { width, height, alpha };
}

const blocksAlong = (side: number, block: number): number => Math.ceil(Math.max(1, side) / block);

/** A level of blocks declares their size before Zstandard, which is known; a level of BasisLZ declares none. */
function checkLevel(scheme: number, stored: number, unpacked: number, blocks: number, level: number) {
  if (scheme === BASIS_LZ) return null;
  if (unpacked !== blocks * BLOCK_BYTES || (scheme === 0 && stored !== unpacked)) {
    return damaged(`level ${level} has ${unpacked} bytes for ${blocks} blocks`);
  }
  return null;
}

/** KHR_texture_basisu: an orientation must be rd and a swizzle rgba; both may be absent. */
function checkKeyValues(bytes: Uint8Array, reader: Reader, { offset, length }: Range): ImageFault | null {
  const end = offset + length;
  let at = offset;
  for (let n = 0; n < MAX_KEY_VALUES && at + 4 <= end; n++) {
    const size = reader.u32(at);
    if (at + 4 + size > end) return damaged('has key/value data that overlap its end');
    const text = Buffer.from(bytes.subarray(at + 4, at + 4 + Math.min(size, 256))).toString('latin1');
    const [key, value] = text.split('\0');
    if ((key === 'KTXorientation' && value !== 'rd') || (key === 'KTXswizzle' && value !== 'rgba')) {
      return new ImageFault('unsupported', `KTX2 has ${key} ${JSON.stringify(value)}, which glTF does not allow`);
    }
    at += 4 + ((size + 3) & ~3);
  }
  return null;
}

/** Codebooks of all ETC1S levels: header, image descriptors and three tables fill the global data. */
function checkGlobalData(reader: Reader, { offset, length }: Range, images: number): ImageFault | null {
  if (length < SGD_HEADER + images * SGD_IMAGE) return damaged('has no room for the codebooks of its levels');
  const tables = [4, 8, 12, 16].reduce((sum, at) => sum + reader.u32(offset + at), 0);
  if (SGD_HEADER + images * SGD_IMAGE + tables > length)
    return damaged('declares codebooks larger than its global data');
  for (let image = 0; image < images; image++) {
    const at = offset + SGD_HEADER + image * SGD_IMAGE;
    const level = LEVEL_INDEX + image * LEVEL_BYTES;
    const stored = reader.u64(level + 8);
    for (const slice of [4, 12]) {
      if (reader.u32(at + slice) + reader.u32(at + slice + 4) > stored) return cut(`a slice of level ${image} does`);
    }
  }
  return null;
}

function checkKtx2(bytes: Uint8Array): CheckedImage | ImageFault {
  const header = readKtx2(bytes);
  if (header instanceof ImageFault) return header;
  return { ...header, grey: false, deep: false, pages: 1, copyable: false };
}

export const KTX2: ImageFormat = {
  names: ['ktx2'],
  recognises: (bytes) => hasMagic(bytes, KTX2_IDENTIFIER),
  check: checkKtx2,
  decode: async (bytes, { width, height, blocks }) =>
    blocks ? decodeAstc(bytes, width, height, blocks) : transcodeKtx2(bytes, width, height),
};
