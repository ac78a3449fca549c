// Writes USDZ packages (USDZ specification 1.3, on APPNOTE.TXT 4.3): stored entries in the order given, each at a
// multiple of 64 bytes by an extra field as OpenUSD writes it. For tests and samples: equal input gives equal bytes.

import { crc32 } from '../../../src/bytes/crc32.ts';

export interface PackageFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const ALIGNMENT = 64;
const LOCAL_SIZE = 30;
const CENTRAL_SIZE = 46;
const END_SIZE = 22;
/** Header id of OpenUSD's padding, whose content is zeros. */
const PADDING_ID = 0x1986;
const PADDING_HEADER = 4;
/** 1 January 1980: the first date that a zip archive can state. */
const DATE = (0 << 9) | (1 << 5) | 1;
const VERSION = 20;
const FLAG_UTF8 = 0x800;

/** Bytes of the extra field that puts data at a multiple of 64 when it would start at `offset` without. */
function paddingSize(offset: number): number {
  const missing = (ALIGNMENT - (offset % ALIGNMENT)) % ALIGNMENT;
  // A field needs room for its own header.
  return missing === 0 ? 0 : missing < PADDING_HEADER ? missing + ALIGNMENT : missing;
}

/** The package as one buffer. The first file is its root layer. */
export function writeUsdz(files: readonly PackageFile[]): Uint8Array {
  const encoder = new TextEncoder();
  const entries: { name: Uint8Array; bytes: Uint8Array; header: number; padding: number; crc: number }[] = [];
  let end = 0;
  for (const { name: text, bytes } of files) {
    const name = encoder.encode(text);
    const padding = paddingSize(end + LOCAL_SIZE + name.length);
    entries.push({ name, bytes, header: end, padding, crc: crc32(bytes) });
    end += LOCAL_SIZE + name.length + padding + bytes.length;
  }
  const directory = end;
  for (const { name } of entries) end += CENTRAL_SIZE + name.length;

  const out = new Uint8Array(end + END_SIZE);
  const view = new DataView(out.buffer);
  let at = 0;
  const u16 = (...values: number[]): void => {
    for (const value of values) {
      view.setUint16(at, value, true);
      at += 2;
    }
  };
  const u32 = (...values: number[]): void => {
    for (const value of values) {
      view.setUint32(at, value, true);
      at += 4;
    }
  };
  const raw = (bytes: Uint8Array): void => {
    out.set(bytes, at);
    at += bytes.length;
  };

  for (const { name, bytes, padding, crc } of entries) {
    u32(0x04034b50);
    u16(VERSION, FLAG_UTF8, 0, 0, DATE);
    u32(crc, bytes.length, bytes.length);
    u16(name.length, padding);
    raw(name);
    if (padding > 0) {
      u16(PADDING_ID, padding - PADDING_HEADER);
      at += padding - PADDING_HEADER;
    }
    raw(bytes);
  }
  for (const { name, bytes, header, crc } of entries) {
    u32(0x02014b50);
    u16(VERSION, VERSION, FLAG_UTF8, 0, 0, DATE);
    u32(crc, bytes.length, bytes.length);
    u16(name.length, 0, 0, 0, 0);
    u32(0, header);
    raw(name);
  }
  const directorySize = at - directory;
  u32(0x06054b50);
  u16(0, 0, entries.length, entries.length);
  u32(directorySize, directory);
  u16(0);
  return out;
}
