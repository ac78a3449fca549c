// Content of a file on disk. Small files are read at once. Of larger ones, what is asked for is read and nothing is kept
// but a few chunks that were read last: accessors and values are mostly far smaller than a chunk and lie close together.

import { closeSync, fstatSync, openSync, statSync } from 'node:fs';
import { type Content, checkRange, memoryContent } from './content.ts';
import { OPEN_FLAGS, readInto, refuseIrregular } from './regularFile.ts';

export interface ReadSizes {
  /** Files of up to this many bytes are read at once. */
  readonly whole: number;
  /** What is read at a time for smaller ranges. */
  readonly chunk: number;
  /** Chunks that are kept. */
  readonly chunks: number;
}

/** Exporters write positions, normals, UVs and indices to places of their own: each has its chunks. */
export const READ_SIZES: ReadSizes = { whole: 2 ** 24, chunk: 2 ** 18, chunks: 16 };

/** What shows that a file is the one that was opened first, and unchanged. */
interface Identity {
  readonly size: number;
  readonly ino: bigint;
  readonly mtimeNs: bigint;
}

/** The file was replaced, or its size or time changed, since it was opened first. */
export class FileChanged extends Error {
  /** What changed, in words that follow the path in a message. */
  readonly what: string;

  constructor(what: string) {
    super(what);
    this.what = what;
  }
}

function refuseChange(before: Identity, now: Identity): void {
  if (now.size !== before.size) throw new FileChanged(`had ${before.size} bytes and has ${now.size} now`);
  if (now.ino !== before.ino || now.mtimeNs !== before.mtimeNs) throw new FileChanged('was written to');
}

function identityOf(fd: number): Identity {
  const stat = fstatSync(fd, { bigint: true });
  refuseIrregular(stat);
  return { size: Number(stat.size), ino: stat.ino, mtimeNs: stat.mtimeNs };
}

/**
 * Opens the file for `read`, and closes it. Throws an error with a `code` of the system, as readWhole does, and FileChanged
 * where the file changes meanwhile.
 */
function withFile<T>(path: string, read: (fd: number, identity: Identity) => T): T {
  const fd = openSync(path, OPEN_FLAGS);
  try {
    const before = identityOf(fd);
    const result = read(fd, before);
    refuseChange(before, identityOf(fd));
    return result;
  } finally {
    closeSync(fd);
  }
}

/**
 * The content of the regular file at `path`. The file is not held open: a scene may have more buffers than a process has
 * files, and may outlive the cook. Each read checks instead, before and after, that the file is still the same. Opening and
 * reading throw errors with a `code` of the system, and FileChanged.
 */
export function fileContent(path: string, { whole, chunk, chunks }: ReadSizes = READ_SIZES): Content {
  // Opening a pipe or a device could wait, or do something.
  refuseIrregular(statSync(path));
  const opened = withFile(path, (fd, identity) => {
    if (identity.size > whole) return { identity, bytes: null };
    const bytes = new Uint8Array(identity.size);
    readInto(fd, bytes, 0);
    return { identity, bytes };
  });
  if (opened.bytes) return memoryContent(opened.bytes);
  const { identity } = opened;
  const { size } = identity;

  const load = (from: number, length: number): Uint8Array =>
    withFile(path, (fd, now) => {
      refuseChange(identity, now);
      const bytes = new Uint8Array(length);
      const read = readInto(fd, bytes, from);
      if (read !== length) throw new FileChanged(`had ${size} bytes and ends at ${from + read} now`);
      return bytes;
    });

  /** By number, those used longest ago first. */
  const kept = new Map<number, Uint8Array>();
  let last: { readonly number: number; readonly bytes: Uint8Array } = { number: -1, bytes: new Uint8Array(0) };
  const chunkOf = (number: number): Uint8Array => {
    if (number === last.number) return last.bytes;
    const bytes = kept.get(number) ?? load(number * chunk, Math.min(chunk, size - number * chunk));
    kept.delete(number);
    kept.set(number, bytes);
    if (kept.size > chunks) kept.delete(kept.keys().next().value as number);
    last = { number, bytes };
    return bytes;
  };

  return {
    size,
    whole: null,
    range(from, length) {
      checkRange(size, from, length);
      if (length > chunk) return load(from, length);
      const begin = from % chunk;
      // slice() gives a buffer of its own: the chunk is no Buffer of Node.
      if (length > 0 && begin + length <= chunk) return chunkOf((from - begin) / chunk).slice(begin, begin + length);
      const out = new Uint8Array(length);
      for (let at = 0; at < length; ) {
        const number = Math.floor((from + at) / chunk);
        const start = from + at - number * chunk;
        const part = chunkOf(number).subarray(start, start + length - at);
        out.set(part, at);
        at += part.length;
      }
      return out;
    },
    around(at) {
      checkRange(size, at, 1);
      const number = Math.floor(at / chunk);
      return { from: number * chunk, bytes: chunkOf(number) };
    },
  };
}
