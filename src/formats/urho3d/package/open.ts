// Opens a .pak file: its format, where it begins, and its entries as the file states them. A package may stand at the end of a
// program.

import { Cursor } from '../bytes/cursor.ts';
import { identifierAt, PACKAGE_MAGICS, requireIdentifier, successorsOf } from '../bytes/identifier.ts';
import { PACKAGE_HEAD, type PackageEntry, type PackageFormat, SIZE_BYTES } from './layout.ts';

export interface OpenPackage {
  readonly file: string;
  readonly format: PackageFormat;
  /** The package alone; all offsets count from its begin. */
  readonly bytes: Uint8Array;
  /** The byte of the file at which the package begins. */
  readonly start: number;
  readonly checksum: number;
  readonly entries: readonly PackageEntry[];
  /** Where the data of the entries begins and ends, from the begin of the package. */
  readonly dataBegin: number;
  readonly dataEnd: number;
  /** The size that the package states for itself. */
  readonly statedSize: number;
}

const lastWord = (bytes: Uint8Array): number =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(bytes.length - SIZE_BYTES, true);

/** The byte at which a package begins: 0, or as the size at the end says; 0 if there is none in either place. */
export function packageStart(bytes: Uint8Array): number {
  const known = (at: number): boolean => {
    const identifier = identifierAt(bytes, at);
    return [...PACKAGE_MAGICS, ...successorsOf('package')].includes(identifier);
  };
  if (known(0) || bytes.length < SIZE_BYTES) return 0;
  const start = bytes.length - lastWord(bytes);
  return start > 0 && start < bytes.length && known(start) ? start : 0;
}

/** Throws UC3900, UC3901, UC3902 and UC3904. */
export function openPackage(bytes: Uint8Array, file: string): OpenPackage {
  const start = packageStart(bytes);
  const format = requireIdentifier(bytes, file, PACKAGE_MAGICS, start);
  const from = new Cursor(bytes, file, start + format.length);
  const { checksum, entries } = PACKAGE_HEAD.read(from, '', {});
  if (from.left < SIZE_BYTES) from.take(SIZE_BYTES, 'size');
  return {
    file,
    format,
    bytes: bytes.subarray(start),
    start,
    checksum,
    entries,
    dataBegin: from.at - start,
    dataEnd: bytes.length - start - SIZE_BYTES,
    statedSize: lastWord(bytes),
  };
}
