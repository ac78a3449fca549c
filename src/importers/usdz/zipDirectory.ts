// Reads and checks the directory of a zip archive (APPNOTE.TXT 4.3): central records must match local headers, sizes
// must fit the archive, and entries must not overlap. For USDZ packages, so only stored and deflated entries of one
// volume with 32-bit sizes are accepted.

import { type Diagnostics, fail } from '../../diagnostics/diagnostic.ts';
import type { LimitWatch } from '../../diagnostics/limits.ts';
import type { Content } from '../content.ts';

const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_SIZE = 30;
const CENTRAL_SIGNATURE = 0x02014b50;
const CENTRAL_SIZE = 46;
const END_SIGNATURE = 0x06054b50;
const END_SIZE = 22;
const ZIP64_LOCATOR_SIGNATURE = 0x07064b50;
const ZIP64_LOCATOR_SIZE = 20;
const MAX_COMMENT = 0xffff;

const FLAG_ENCRYPTED = 1;
/** Sizes and checksum follow the data. */
const FLAG_STREAMED = 8;
const FLAG_STRONG_ENCRYPTION = 64;
/** The flags that change how an entry is read. Other flags are hints, which can differ between the two headers. */
const FLAGS_THAT_COUNT = FLAG_ENCRYPTED | FLAG_STREAMED | FLAG_STRONG_ENCRYPTION;

export const METHOD_STORED = 0;
export const METHOD_DEFLATED = 8;

/** Each file of a USDZ package must start at a multiple of this (USDZ specification, Layout). */
export const USDZ_ALIGNMENT = 64;

export interface ZipEntry {
  readonly name: string;
  /** The offset of the data in the archive. */
  readonly offset: number;
  /** The size of the file, in bytes. */
  readonly size: number;
  readonly method: number;
  /** The size of the data in the archive, in bytes. */
  readonly compressedSize: number;
  readonly crc32: number;
  /** Whether Unix attributes say that it is no regular file: a link or a device. */
  readonly isSpecial: boolean;
}

interface Located extends ZipEntry {
  readonly headerOffset: number;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The offset of the end record in the last bytes of the file: the last one whose comment ends exactly at its end. */
function findEnd(view: DataView, identifier: string): number {
  const first = Math.max(0, view.byteLength - END_SIZE - MAX_COMMENT);
  for (let at = view.byteLength - END_SIZE; at >= first; at--) {
    if (view.getUint32(at, true) !== END_SIGNATURE) continue;
    if (at + END_SIZE + view.getUint16(at + 20, true) === view.byteLength) return at;
  }
  return fail('UC1600', identifier, '', 'no end of a zip directory was found');
}

/**
 * Reads the name of an entry. It must be a relative path without `.`, `..` and control characters. Replaces
 * backslashes.
 */
function readName(bytes: Uint8Array, identifier: string, diagnostics: Diagnostics, index: number): string {
  let name: string;
  try {
    name = UTF8.decode(bytes);
  } catch {
    return fail('UC1604', identifier, `entry ${index}`, 'the name is not UTF-8');
  }
  if (name.includes('\\')) {
    diagnostics.once(`${identifier}\0name`, 'UC1624', identifier, name, `the name '${name}' contains backslashes`);
    name = name.replaceAll('\\', '/');
  }
  const parts = (name.endsWith('/') ? name.slice(0, -1) : name).split('/');
  const forbidden = parts.some((part) => part === '' || part === '.' || part === '..');
  if (forbidden || /[\u0000-\u001f\u007f]/.test(name) || /^[A-Za-z]:/.test(name)) {
    return fail('UC1604', identifier, `entry ${index}`, `the name ${JSON.stringify(name)} is not allowed`);
  }
  return name;
}

/** By the system that made the archive (3: Unix, 19: macOS) and the upper half of the external attributes, a mode of Unix. */
function isSpecialFile(system: number, mode: number): boolean {
  const type = mode & 0o170000;
  const isUnix = system === 3 || system === 19;
  return isUnix && type !== 0 && type !== 0o100000 && type !== 0o040000;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Checks the local header of a central record, and returns the offset of the data. */
function checkLocal(
  content: Content,
  identifier: string,
  name: string,
  central: { record: Uint8Array; headerOffset: number; limit: number; compressedSize: number; nameLength: number },
): number {
  const { record, headerOffset, limit, compressedSize, nameLength } = central;
  const broken = (message: string): never => fail('UC1601', identifier, name, message);
  const missing = (): never => broken(`there is no local header at ${headerOffset}`);
  if (headerOffset + LOCAL_SIZE > limit) return missing();
  const bytes = content.range(headerOffset, Math.min(LOCAL_SIZE + nameLength, content.size - headerOffset));
  const local = viewOf(bytes);
  if (local.getUint32(0, true) !== LOCAL_SIGNATURE) return missing();
  const view = viewOf(record);
  const flags = local.getUint16(6, true);
  if ((flags ^ view.getUint16(8, true)) & FLAGS_THAT_COUNT) return broken('local and central flags differ');
  if (local.getUint16(8, true) !== view.getUint16(10, true)) {
    return broken('local and central compression methods differ');
  }
  // Compare checksum, compressed size and size. In a streamed entry they can be 0 in the local header.
  for (let i = 0; i < 3; i++) {
    const own = local.getUint32(14 + 4 * i, true);
    if (own !== view.getUint32(16 + 4 * i, true) && !(own === 0 && flags & FLAG_STREAMED)) {
      return broken('local and central checksums or sizes differ');
    }
  }
  if (local.getUint16(26, true) !== nameLength) return broken('local and central names differ');
  const offset = headerOffset + LOCAL_SIZE + nameLength + local.getUint16(28, true);
  if (offset + compressedSize > limit) return broken(`its ${compressedSize} bytes reach beyond the archive`);
  for (let i = 0; i < nameLength; i++) {
    if (bytes[LOCAL_SIZE + i] !== record[CENTRAL_SIZE + i]) return broken('local and central names differ');
  }
  return offset;
}

/** Reads the end record: the count of entries, and offset and size of the central directory. */
function readEnd(content: Content, identifier: string): { count: number; start: number; size: number } {
  const from = Math.max(0, content.size - ZIP64_LOCATOR_SIZE - END_SIZE - MAX_COMMENT);
  const view = viewOf(content.range(from, content.size - from));
  const end = findEnd(view, identifier);
  const locator = end - ZIP64_LOCATOR_SIZE;
  if (locator >= 0 && view.getUint32(locator, true) === ZIP64_LOCATOR_SIGNATURE) {
    return fail('UC1603', identifier, '', 'the archive uses zip64');
  }
  const count = view.getUint16(end + 10, true);
  const size = view.getUint32(end + 12, true);
  const start = view.getUint32(end + 16, true);
  if (start === 0xffffffff || size === 0xffffffff) return fail('UC1603', identifier, '', 'the archive uses zip64');
  const onThisDisk = view.getUint16(end + 8, true);
  if (view.getUint16(end + 4, true) !== 0 || view.getUint16(end + 6, true) !== 0 || onThisDisk !== count) {
    return fail('UC1603', identifier, '', 'the archive is split into several volumes');
  }
  if (start + size > from + end) return fail('UC1601', identifier, '', 'the directory overlaps the end record');
  if (count * CENTRAL_SIZE > size) {
    return fail('UC1601', identifier, '', `a directory of ${size} bytes cannot hold ${count} entries`);
  }
  return { count, start, size };
}

/**
 * The files of an archive in the order of their local headers, without folders. Throws a SourceError: UC1600 not an
 * archive, UC1601 contradictions, UC1602 encryption, UC1603 unsupported features, UC1604 names, UC1605 duplicates.
 * Compression, wrong alignment and streamed entries, which USDZ forbids, are reported.
 */
export function readZipDirectory(
  content: Content,
  identifier: string,
  diagnostics: Diagnostics,
  limits: LimitWatch,
): ZipEntry[] {
  const { count, start, size } = readEnd(content, identifier);
  limits.need('archiveEntries', count, 'UC1209', identifier, '', `the package has ${count} files`);
  const bytes = content.range(start, size);
  const view = viewOf(bytes);
  const names = new Set<string>();
  const all: Located[] = [];
  let streamed = 0;
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + CENTRAL_SIZE > size || view.getUint32(at, true) !== CENTRAL_SIGNATURE) {
      return fail('UC1601', identifier, `entry ${i}`, `there is no directory record at ${start + at}`);
    }
    const flags = view.getUint16(at + 8, true);
    const method = view.getUint16(at + 10, true);
    const crc32 = view.getUint32(at + 16, true);
    const compressedSize = view.getUint32(at + 20, true);
    const fileSize = view.getUint32(at + 24, true);
    const nameLength = view.getUint16(at + 28, true);
    const headerOffset = view.getUint32(at + 42, true);
    const next = at + CENTRAL_SIZE + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (next > size) return fail('UC1601', identifier, `entry ${i}`, 'a directory record exceeds the directory');
    const name = readName(
      bytes.subarray(at + CENTRAL_SIZE, at + CENTRAL_SIZE + nameLength),
      identifier,
      diagnostics,
      i,
    );
    if (flags & (FLAG_ENCRYPTED | FLAG_STRONG_ENCRYPTION))
      return fail('UC1602', identifier, name, 'the file is encrypted');
    if (compressedSize === 0xffffffff || fileSize === 0xffffffff || headerOffset === 0xffffffff) {
      return fail('UC1603', identifier, name, 'the entry uses zip64');
    }
    if (view.getUint16(at + 34, true) !== 0) return fail('UC1603', identifier, name, 'the file is on another volume');
    if (method !== METHOD_STORED && method !== METHOD_DEFLATED) {
      return fail('UC1603', identifier, name, `compression method ${method} is not supported`);
    }
    if (method === METHOD_STORED && compressedSize !== fileSize) {
      return fail('UC1601', identifier, name, `a stored file of ${fileSize} bytes takes ${compressedSize} bytes`);
    }
    const offset = checkLocal(content, identifier, name, {
      record: bytes.subarray(at, next),
      headerOffset,
      limit: start,
      compressedSize,
      nameLength,
    });
    if (flags & FLAG_STREAMED) streamed++;
    if (names.has(name)) return fail('UC1605', identifier, name, `two files have the name '${name}'`);
    names.add(name);
    const isSpecial = isSpecialFile(view.getUint8(at + 5), view.getUint16(at + 40, true));
    all.push({ name, offset, size: fileSize, method, compressedSize, crc32, isSpecial, headerOffset });
    at = next;
  }

  all.sort((a, b) => a.headerOffset - b.headerOffset);
  for (let i = 1; i < all.length; i++) {
    const before = all[i - 1] as Located;
    const entry = all[i] as Located;
    if (before.offset + before.compressedSize > entry.headerOffset) {
      return fail('UC1601', identifier, entry.name, `it overlaps '${before.name}'`);
    }
  }

  const files = all.filter((entry) => !entry.name.endsWith('/'));
  const report = (code: 'UC1620' | 'UC1621', list: readonly ZipEntry[], what: string): void => {
    const first = list[0];
    if (first) diagnostics.report(code, identifier, first.name, `${list.length} of ${files.length} files ${what}`);
  };
  const stored = files.filter((entry) => entry.method === METHOD_STORED);
  report(
    'UC1620',
    files.filter((entry) => entry.method !== METHOD_STORED),
    'are compressed',
  );
  report(
    'UC1621',
    stored.filter((entry) => entry.offset % USDZ_ALIGNMENT !== 0),
    'do not start at a multiple of 64 bytes',
  );
  if (streamed > 0)
    diagnostics.report('UC1625', identifier, '', `${streamed} entries have their sizes after their data`);
  return files;
}
