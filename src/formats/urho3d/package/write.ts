// Writes .pak files, stored or compressed. Equal files in equal order give equal bytes.

import { fail } from '../../../diagnostics/diagnostic.ts';
import { packLz4Fast } from '../../untold/container/lz4.ts';
import { Sink } from '../bytes/sink.ts';
import {
  BLOCK_BYTES,
  BLOCK_HEAD,
  MAX_PACKAGE_BYTES,
  nameFault,
  PACKAGE_HEAD,
  type PackageEntry,
  SIZE_BYTES,
  sdbm,
} from './layout.ts';
import type { Package, PackedFile } from './read.ts';

/** Throws an Error, which is a bug of the caller, for names that no entry can have. */
function checkFiles(files: readonly PackedFile[]): void {
  const names = new Set<string>();
  for (const { name } of files) {
    const fault = names.has(name) ? 'is there twice' : nameFault(name);
    if (fault !== null) throw new Error(`an entry that cannot be packed: the name ${JSON.stringify(name)} ${fault}`);
    names.add(name);
  }
}

/** The blocks of one file. All but the last have the same size: none may be larger than the first. */
async function packBlocks(bytes: Uint8Array): Promise<Uint8Array> {
  const to = new Sink();
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
    const plain = bytes.subarray(at, at + BLOCK_BYTES);
    const packed = await packLz4Fast(plain);
    BLOCK_HEAD.write(to, { plain: plain.length, packed: packed.length }, {});
    to.bytes(packed);
  }
  return to.finish();
}

/**
 * Throws UC3960, for `file`, if the package would not end before 4 GiB (`limit` is for tests), and UC1101; an Error, which is
 * a bug of the caller, for names that no entry can have.
 */
export async function writePackage(
  { format, files }: Package,
  file: string,
  limit = MAX_PACKAGE_BYTES,
): Promise<Uint8Array> {
  checkFiles(files);
  const stored: Uint8Array[] = [];
  for (const { bytes } of files) stored.push(format === 'ULZ4' ? await packBlocks(bytes) : bytes);
  const checksum = files.reduce((sum, { bytes }) => sdbm(bytes, sum), 0);
  const head = (entries: readonly PackageEntry[]): Uint8Array => {
    const to = new Sink();
    to.bytes(new TextEncoder().encode(format));
    PACKAGE_HEAD.write(to, { entryCount: files.length, checksum, entries }, {});
    return to.finish();
  };
  const entries = files.map(({ name, bytes }) => ({ name, offset: 0, size: bytes.length, checksum: sdbm(bytes) }));
  const headBytes = head(entries).length;
  const size = stored.reduce((sum, { length }) => sum + length, headBytes + SIZE_BYTES);
  if (size > limit)
    fail('UC3960', file, '', `package too large: the package takes ${size} bytes; the limit is ${limit}`);
  const out = new Uint8Array(size);
  let offset = headBytes;
  const placed = entries.map((entry, i) => {
    const at = offset;
    out.set(stored[i], at);
    offset += stored[i].length;
    return { ...entry, offset: at };
  });
  out.set(head(placed));
  new DataView(out.buffer).setUint32(offset, size, true);
  return out;
}
