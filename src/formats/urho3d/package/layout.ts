// The layout of a .pak file (Urho3D, "Custom file formats"; PackageFile.cpp and PackageTool.cpp for checksums and for the size
// at the end, which the format text does not name): identifier, head, the data of the entries in their order without gaps, and
// the size of all this.

import type { PACKAGE_MAGICS } from '../bytes/identifier.ts';
import { record, repeated, text, u16, u32, type ValueOf } from '../bytes/parts.ts';

export type PackageFormat = (typeof PACKAGE_MAGICS)[number];

/** The size of the package, itself included, at its end. */
export const SIZE_BYTES = 4;

const entry = record({
  /** Relative, with `/`. */
  name: text,
  /** From the begin of the package. */
  offset: u32,
  /** Unpacked. */
  size: u32,
  /** SDBM over the unpacked bytes. */
  checksum: u32,
});

/** What follows the identifier. */
export const PACKAGE_HEAD = record({
  entryCount: u32,
  /** SDBM over the unpacked bytes of all entries in their order. */
  checksum: u32,
  entries: repeated('entryCount', entry),
});

export type PackageEntry = ValueOf<typeof entry>;

/** Before each block of a compressed entry: its unpacked and its packed size. One raw LZ4 block follows. */
export const BLOCK_HEAD = record({ plain: u16, packed: u16 });

/** As the engine's own packer does: a block of so many bytes never grows beyond the 65535 that its size can state. */
export const BLOCK_BYTES = 32768;

/** An LZ4 sequence spends at least one byte for each 255 bytes of a match length (LZ4 block format). */
export const MAX_RATIO = 255;

/** Offsets and sizes have 32 bits. */
export const MAX_PACKAGE_BYTES = 2 ** 32 - 1;

/** The checksum of the bytes, unsigned; `before` is that of bytes that come before them. */
export function sdbm(bytes: Uint8Array, before = 0): number {
  let hash = before | 0;
  for (const byte of bytes) hash = (byte + (hash << 6) + (hash << 16) - hash) | 0;
  return hash >>> 0;
}

/** Why a name cannot be that of an entry; null if it can. */
export function nameFault(name: string): string | null {
  if (name.includes('\\')) return 'has a backslash';
  if (name.includes(':')) return 'has a colon';
  if (name.startsWith('/')) return 'is absolute';
  const part = name.split('/').find((part) => part === '' || part === '.' || part === '..');
  if (part !== undefined) return part === '' ? 'has an empty part' : `has a part "${part}"`;
  return null;
}
