// The checksums of both layouts.

import { crc32 } from '../../../bytes/crc32.ts';
import { HEADER_OFFSETS, LAYOUTS, type LayoutName } from './layout.ts';

const FIELD_END = HEADER_OFFSETS.checksum + 4;

/** The bytes added up, modulo 2^32. */
export function byteSum(bytes: Uint8Array, before = 0): number {
  let sum = before;
  for (let i = 0; i < bytes.length; i++) sum = (sum + bytes[i]) >>> 0;
  return sum;
}

/**
 * What the crate computes in place of a CRC-32: versions up to 3.1.0 shift each entry of their table once, not eight
 * times, so that the result is that of no polynomial.
 */
export function shortCrc(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) {
    const index = (crc ^ bytes[i]) & 0xff;
    crc = (crc >>> 8) ^ (index >>> 1) ^ (index & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** The checksum that the header of a file states. */
export function fileChecksum(layout: LayoutName, bytes: Uint8Array, sectionCount: number): number {
  const before = bytes.subarray(0, HEADER_OFFSETS.checksum);
  if (layout === 'spec') return crc32(bytes.subarray(FIELD_END), crc32(before));
  const { headerBytes, sectionBytes } = LAYOUTS.crate;
  return byteSum(bytes.subarray(FIELD_END, headerBytes + sectionCount * sectionBytes), byteSum(before));
}
