// The file of one cache entry: a header that proves the payload, then the payload. All numbers are little-endian.
//
//   0  magic, the eight bytes of "untcache"
//   8  version, uint32
//  12  zero, uint32
//  16  length of the payload, uint64
//  24  SHA-256 of the payload, 32 bytes
//  56  the payload

import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';

const MAGIC = new TextEncoder().encode('untcache');
const VERSION = 1;
const HEADER_BYTES = 56;
/** Larger payloads are not kept: one read of Node gives at most 2 GiB. */
export const MAX_PAYLOAD_BYTES = 2 ** 31 - 1 - HEADER_BYTES;

/** Windows has no such flag, and lets only administrators make links. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

function headerOf(payload: Uint8Array): Uint8Array {
  const header = new Uint8Array(HEADER_BYTES);
  const view = new DataView(header.buffer);
  header.set(MAGIC);
  view.setUint32(8, VERSION, true);
  view.setBigUint64(16, BigInt(payload.length), true);
  header.set(createHash('sha256').update(payload).digest(), 24);
  return header;
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** Reads `bytes.length` bytes from the start of the file; false if it holds fewer. */
function readAll(file: number, bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; ) {
    const read = readSync(file, bytes, at, bytes.length - at, at);
    if (read === 0) return false;
    at += read;
  }
  return true;
}

/** Writes an entry to a file that does not exist yet, for this user alone. Returns its bytes. Throws what the system throws. */
export function writeEntry(path: string, payload: Uint8Array): number {
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW, 0o600);
  try {
    writeAll(file, headerOf(payload));
    writeAll(file, payload);
  } finally {
    closeSync(file);
  }
  return HEADER_BYTES + payload.length;
}

/**
 * The payload of an entry; null if the file is no sound entry: cut, too long, of another version, or with a payload that
 * is not the one that was stored. Never follows a link. Throws what the system throws.
 */
export function readEntry(path: string): Uint8Array | null {
  // A pipe would block without O_NONBLOCK.
  const file = openSync(path, constants.O_RDONLY | NO_FOLLOW | (constants.O_NONBLOCK ?? 0));
  try {
    const status = fstatSync(file);
    const length = status.size - HEADER_BYTES;
    if (!status.isFile() || length < 0 || length > MAX_PAYLOAD_BYTES) return null;
    const bytes = new Uint8Array(status.size);
    if (!readAll(file, bytes)) return null;
    const payload = bytes.subarray(HEADER_BYTES);
    return Buffer.compare(bytes.subarray(0, HEADER_BYTES), headerOf(payload)) === 0 ? payload : null;
  } finally {
    closeSync(file);
  }
}
