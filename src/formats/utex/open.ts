// Opens a .utex file: its header and its table of mips as values. Nothing is allocated because of a number of the file, and
// a mip whose bytes the file does not hold has none.

import type { Findings } from '../findings.ts';
import {
  HEADER,
  HEADER_BYTES,
  isUtex,
  MIP_RECORD,
  MIP_RECORD_BYTES,
  PIXEL_FORMATS,
  type PixelFormat,
  VERSION,
} from './layout.ts';

export interface UtexHeader {
  /** Bits of UTEX_FLAGS. */
  readonly flags: number;
  readonly width: number;
  readonly height: number;
  readonly mipCount: number;
  /** The raw value of MTLPixelFormat. */
  readonly pixelFormat: number;
  /** What that value means; null: no texture has it. */
  readonly format: PixelFormat | null;
  readonly blockWidth: number;
  readonly blockHeight: number;
  readonly payloadOffset: number;
  readonly payloadSize: number;
}

export interface UtexMip {
  readonly width: number;
  readonly height: number;
  /** From the begin of the payload. */
  readonly offset: number;
  /** As declared. */
  readonly size: number;
  /** A view of the file; null where the file or the payload ends before. */
  readonly bytes: Uint8Array | null;
}

export interface Utex {
  readonly header: UtexHeader;
  /** From the largest, as they stand in the table. */
  readonly mips: readonly UtexMip[];
}

/** No texture has more mips: sides have 32 bits. */
const MAX_MIPS = 32;

/**
 * The header of a file, of which `bytes` may be the first HEADER_BYTES alone. Null, with UC3300 to UC3302, when there is
 * none.
 */
export function readHeader(bytes: Uint8Array, findings: Findings): UtexHeader | null {
  if (!isUtex(bytes)) {
    findings.report('UC3300', '', bytes.length === 0 ? 'the file is empty' : 'the file begins with other bytes');
    return null;
  }
  if (bytes.length < HEADER_BYTES) {
    findings.report(
      'UC3301',
      'header',
      `texture shorter than its header or its table of mips: ${bytes.length} bytes of ${HEADER_BYTES}`,
    );
    return null;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const word = (at: number) => view.getUint32(at, true);
  const version = word(HEADER.version);
  if (version !== VERSION) {
    findings.report('UC3302', 'header', `version ${version} at byte ${HEADER.version}`);
    return null;
  }
  const pixelFormat = word(HEADER.pixelFormat);
  return {
    flags: word(HEADER.flags),
    width: word(HEADER.width),
    height: word(HEADER.height),
    mipCount: word(HEADER.mipCount),
    pixelFormat,
    format: PIXEL_FORMATS.get(pixelFormat) ?? null,
    blockWidth: view.getUint8(HEADER.blockWidth),
    blockHeight: view.getUint8(HEADER.blockHeight),
    payloadOffset: word(HEADER.payloadOffset),
    payloadSize: word(HEADER.payloadSize),
  };
}

/** Null, with UC3300 to UC3303, when header or table cannot be read. */
export function openUtex(bytes: Uint8Array, findings: Findings): Utex | null {
  const header = readHeader(bytes, findings);
  if (!header) return null;
  const { mipCount, payloadOffset, payloadSize } = header;
  if (mipCount === 0 || mipCount > MAX_MIPS) {
    findings.report('UC3303', 'header', `number of mips impossible: ${mipCount} mips at byte ${HEADER.mipCount}`);
    return null;
  }
  const tableEnd = HEADER_BYTES + mipCount * MIP_RECORD_BYTES;
  if (bytes.length < tableEnd) {
    findings.report(
      'UC3301',
      'mips',
      `texture shorter than its header or its table of mips: ${mipCount} mips need ${tableEnd} bytes, the file has ${bytes.length}`,
    );
    return null;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const mips: UtexMip[] = [];
  for (let at = HEADER_BYTES; at < tableEnd; at += MIP_RECORD_BYTES) {
    const offset = view.getUint32(at + MIP_RECORD.offset, true);
    const size = view.getUint32(at + MIP_RECORD.size, true);
    const begin = payloadOffset + offset;
    const isThere = offset + size <= payloadSize && begin + size <= bytes.length && begin >= tableEnd;
    mips.push({
      width: view.getUint32(at + MIP_RECORD.width, true),
      height: view.getUint32(at + MIP_RECORD.height, true),
      offset,
      size,
      bytes: isThere ? bytes.subarray(begin, begin + size) : null,
    });
  }
  return { header, mips };
}
