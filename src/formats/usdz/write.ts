// Writes USDZ packages (USDZ specification 1.3, on APPNOTE.TXT 4.3): stored entries in the order given, the data of each at a
// multiple of 64 bytes by an extra field as OpenUSD writes it. Equal files give equal bytes: all dates are the same.

import { crc32 } from '../../bytes/crc32.ts';
import { fail } from '../../diagnostics/diagnostic.ts';

export interface PackedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const ALIGNMENT = 64;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_SIZE = 30;
const CENTRAL_SIGNATURE = 0x02014b50;
const CENTRAL_SIZE = 46;
const END_SIGNATURE = 0x06054b50;
const END_SIZE = 22;
/** Header id of OpenUSD's padding, whose content is zeros. */
const PADDING_ID = 0x1986;
const PADDING_HEADER = 4;
/** 1 January 1980: the first date that a zip archive can state. */
const DATE = (0 << 9) | (1 << 5) | 1;
const VERSION = 20;
const FLAG_UTF8 = 0x800;
/** What fields of 16 bits hold. */
const MAX_ENTRIES = 0xffff;
const MAX_NAME_BYTES = 0xffff;
/** One buffer of every Node that is supported; offsets in an archive could reach twice as far. */
const MAX_BYTES = 2 ** 31 - 1;

interface PlannedEntry {
  readonly name: Uint8Array;
  readonly size: number;
  readonly header: number;
  readonly padding: number;
}

interface Plan {
  readonly entries: readonly PlannedEntry[];
  /** Where the directory begins. */
  readonly directory: number;
  readonly size: number;
}

/** Bytes of the extra field that puts data at a multiple of 64 when it would start at `offset` without. */
function paddingSize(offset: number): number {
  const missing = (ALIGNMENT - (offset % ALIGNMENT)) % ALIGNMENT;
  // A field needs room for its own header.
  return missing === 0 ? 0 : missing < PADDING_HEADER ? missing + ALIGNMENT : missing;
}

/** Where everything goes in a package of files of these sizes. Throws UC3802; `file` is the package, for messages. */
export function planUsdz(files: readonly { readonly name: string; readonly size: number }[], file: string): Plan {
  if (files.length > MAX_ENTRIES) fail('UC3802', file, '', `${files.length} files, a package holds ${MAX_ENTRIES}`);
  const encoder = new TextEncoder();
  let end = 0;
  const entries = files.map(({ name: text, size }): PlannedEntry => {
    const name = encoder.encode(text);
    if (name.length > MAX_NAME_BYTES) fail('UC3802', file, text.slice(0, 64), `a name of ${name.length} bytes`);
    const padding = paddingSize(end + LOCAL_SIZE + name.length);
    const entry = { name, size, header: end, padding };
    end += LOCAL_SIZE + name.length + padding + size;
    return entry;
  });
  const size = entries.reduce((sum, { name }) => sum + CENTRAL_SIZE + name.length, end + END_SIZE);
  if (size > MAX_BYTES) fail('UC3802', file, '', `it would have ${size} bytes, the limit is ${MAX_BYTES}`);
  return { entries, directory: end, size };
}

/** The package as one buffer. The first file is its default layer. Throws UC3802; `file` is the package, for messages. */
export function writeUsdz(files: readonly PackedFile[], file: string): Uint8Array {
  const plan = planUsdz(
    files.map(({ name, bytes }) => ({ name, size: bytes.length })),
    file,
  );
  const checksums = files.map(({ bytes }) => crc32(bytes));
  const out = new Uint8Array(plan.size);
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
  for (const [i, { name, size, padding }] of plan.entries.entries()) {
    u32(LOCAL_SIGNATURE);
    u16(VERSION, FLAG_UTF8, 0, 0, DATE);
    u32(checksums[i], size, size);
    u16(name.length, padding);
    raw(name);
    if (padding > 0) {
      u16(PADDING_ID, padding - PADDING_HEADER);
      at += padding - PADDING_HEADER;
    }
    raw(files[i].bytes);
  }
  for (const [i, { name, size, header }] of plan.entries.entries()) {
    u32(CENTRAL_SIGNATURE);
    u16(VERSION, VERSION, FLAG_UTF8, 0, 0, DATE);
    u32(checksums[i], size, size);
    u16(name.length, 0, 0, 0, 0);
    u32(0, header);
    raw(name);
  }
  const directorySize = at - plan.directory;
  u32(END_SIGNATURE);
  u16(0, 0, plan.entries.length, plan.entries.length);
  u32(directorySize, plan.directory);
  u16(0);
  return out;
}
