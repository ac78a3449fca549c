// CRC-32 as zip archives and PNG files use it (ISO 3309, polynomial 0xEDB88320): that of zlib, and where Node has none
// (before 20.15) our own.

import zlib from 'node:zlib';

/** Tables of Sarwate's algorithm for four bytes a step ("slicing by 4", Kounavis and Berry 2005). */
function makeTables(): readonly Uint32Array[] {
  const tables = Array.from({ length: 4 }, () => new Uint32Array(256));
  for (let i = 0; i < 256; i++) {
    let c = i;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
    tables[0][i] = c;
  }
  for (let k = 1; k < 4; k++) {
    for (let i = 0; i < 256; i++) {
      const c = tables[k - 1][i];
      tables[k][i] = (c >>> 8) ^ tables[0][c & 255];
    }
  }
  return tables;
}

let tables: readonly Uint32Array[] | null = null;

/** The checksum of the bytes without zlib, unsigned; `before` is that of bytes that come before them. */
export function ownCrc32(bytes: Uint8Array, before = 0): number {
  tables ??= makeTables();
  const [t0, t1, t2, t3] = tables;
  let crc = ~before;
  let i = 0;
  for (const end = bytes.length - 3; i < end; i += 4) {
    crc ^= bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    crc = t3[crc & 255] ^ t2[(crc >>> 8) & 255] ^ t1[(crc >>> 16) & 255] ^ t0[crc >>> 24];
  }
  for (; i < bytes.length; i++) crc = (crc >>> 8) ^ t0[(crc ^ bytes[i]) & 255];
  return ~crc >>> 0;
}

/** The checksum of the bytes, unsigned; `before` is that of bytes that come before them. */
export const crc32: (bytes: Uint8Array, before?: number) => number =
  typeof zlib.crc32 === 'function' ? (bytes, before = 0) => zlib.crc32(bytes, before) : ownCrc32;
