// Writes .utex files, in the order of the layout. Equal mips give equal bytes.

import {
  aligned,
  fullMipCount,
  HEADER,
  HEADER_BYTES,
  MAGIC,
  MAX_SIDE,
  MIP_RECORD,
  MIP_RECORD_BYTES,
  mipBytes,
  mipSide,
  PIXEL_FORMATS,
  VERSION,
} from './layout.ts';

export interface WrittenMip {
  readonly width: number;
  readonly height: number;
  /** Blocks or texels row by row from the top, without padding. */
  readonly bytes: Uint8Array;
}

export interface UtexContent {
  /** The raw value of MTLPixelFormat. */
  readonly pixelFormat: number;
  /** Bits of UTEX_FLAGS. */
  readonly flags: number;
  /** From the largest; each side is half of that of the mip before, rounded down, and at least 1. */
  readonly mips: readonly WrittenMip[];
}

/** Throws an Error, which is a bug of the caller, for content that no valid file can hold. */
export function writeUtex({ pixelFormat, flags, mips }: UtexContent): Uint8Array {
  const format = PIXEL_FORMATS.get(pixelFormat);
  if (!format) throw new Error(`no texture has pixel format ${pixelFormat}`);
  const [largest] = mips;
  if (!largest) throw new Error('a texture without mips');
  const { width, height } = largest;
  if (width < 1 || height < 1 || Math.max(width, height) > MAX_SIDE || mips.length > fullMipCount(width, height)) {
    throw new Error(`a texture of ${width} x ${height} texels with ${mips.length} mips`);
  }
  for (const [level, mip] of mips.entries()) {
    const isHalf = mip.width === mipSide(width, level) && mip.height === mipSide(height, level);
    if (isHalf && mip.bytes.length === mipBytes(format, mip.width, mip.height)) continue;
    throw new Error(`mip ${level} has ${mip.width} x ${mip.height} texels and ${mip.bytes.length} bytes`);
  }
  const payloadOffset = HEADER_BYTES + mips.length * MIP_RECORD_BYTES;
  const payloadSize = mips.reduce((sum, { bytes }) => sum + aligned(bytes.length), 0);
  const file = new Uint8Array(payloadOffset + payloadSize);
  const view = new DataView(file.buffer);
  const put = (at: number, value: number) => view.setUint32(at, value, true);
  // 1. Header.
  file.set(Buffer.from(MAGIC, 'latin1'));
  put(HEADER.version, VERSION);
  put(HEADER.flags, flags);
  put(HEADER.width, width);
  put(HEADER.height, height);
  put(HEADER.mipCount, mips.length);
  put(HEADER.pixelFormat, pixelFormat);
  view.setUint8(HEADER.blockWidth, format.blockWidth);
  view.setUint8(HEADER.blockHeight, format.blockHeight);
  put(HEADER.payloadOffset, payloadOffset);
  put(HEADER.payloadSize, payloadSize);
  // 2. Table of mips, and 3. payload.
  let offset = 0;
  for (const [level, mip] of mips.entries()) {
    const record = HEADER_BYTES + level * MIP_RECORD_BYTES;
    put(record + MIP_RECORD.offset, offset);
    put(record + MIP_RECORD.size, mip.bytes.length);
    put(record + MIP_RECORD.width, mip.width);
    put(record + MIP_RECORD.height, mip.height);
    file.set(mip.bytes, payloadOffset + offset);
    offset += aligned(mip.bytes.length);
  }
  return file;
}
