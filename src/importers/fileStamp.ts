// What the system says of a file, by which a later run sees that nobody has written to it since: its size, its times, and
// which file it is. A time alone proves nothing: clocks tick, and two writes within one tick leave the same time.

import { createHash } from 'node:crypto';
import { closeSync, openSync, statSync } from 'node:fs';
import { OPEN_FLAGS, readInto } from './regularFile.ts';

export interface FileStamp {
  readonly size: number;
  /** In nanoseconds since 1970, as decimal digits. */
  readonly mtime: string;
  readonly ctime: string;
  readonly inode: string;
}

/** The stamp of a regular file, links followed; null: there is none, or it cannot be seen. */
export function fileStamp(path: string): FileStamp | null {
  try {
    const stat = statSync(path, { bigint: true });
    if (!stat.isFile()) return null;
    return {
      size: Number(stat.size),
      mtime: String(stat.mtimeNs),
      ctime: String(stat.ctimeNs),
      inode: `${stat.dev}:${stat.ino}`,
    };
  } catch {
    return null;
  }
}

export function isSameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.size === b.size && a.mtime === b.mtime && a.ctime === b.ctime && a.inode === b.inode;
}

const NANOSECONDS = 1_000_000n;
/** Linux, macOS and Windows take times from clocks that tick at least every 16 ms. */
const FINE_TICK_MS = 50;
/** FAT has times of two seconds, and some network file systems of one. */
const COARSE_TICK_MS = 2_500;

/**
 * Whether a write after `time` (milliseconds since 1970) would show in the stamp: its times are older than the clock's tick,
 * and not in the future.
 */
export function isOlderThan({ mtime, ctime }: FileStamp, time: number): boolean {
  const times = [BigInt(mtime), BigInt(ctime)];
  const isFine = times.some((at) => at % NANOSECONDS !== 0n);
  const tick = isFine ? FINE_TICK_MS : COARSE_TICK_MS;
  return times.every((at) => Number(at / NANOSECONDS) + tick < time);
}

/** Bytes that are read at a time. */
const PIECE = 2 ** 20;

/** The SHA-256 of the file, read piece by piece. Throws what the system throws. */
export function fileSha256(path: string): string {
  const fd = openSync(path, OPEN_FLAGS);
  try {
    const hash = createHash('sha256');
    const piece = new Uint8Array(PIECE);
    for (let at = 0; ; ) {
      const read = readInto(fd, piece, at);
      hash.update(read === PIECE ? piece : piece.subarray(0, read));
      at += read;
      if (read < PIECE) return hash.digest('hex');
    }
  } finally {
    closeSync(fd);
  }
}
