// Reads whole files that a user named or a source refers to. Pipes and devices are never opened, because reading them may
// never end. Errors carry the code of the system.

import { closeSync, fstatSync, openSync, type Stats, statSync } from 'node:fs';
import { OPEN_FLAGS, readInto, refuseIrregular } from './regularFile.ts';

const MAX_FILE_BYTES = 2 ** 31 - 1;

/** The kind of file at a path, links followed, or the code of the system that tells why it is unknown (`ENOENT`, `ELOOP`). */
export type PathStatus = { readonly stat: Stats; readonly code: null } | { readonly stat: null; readonly code: string };

export function codeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}

export function statusOf(path: string): PathStatus {
  try {
    return { stat: statSync(path), code: null };
  } catch (error) {
    return { stat: null, code: codeOf(error) };
  }
}

export function isFolder(path: string): boolean {
  return statusOf(path).stat?.isDirectory() ?? false;
}

export function isFile(path: string): boolean {
  return statusOf(path).stat?.isFile() ?? false;
}

/** What a code of readWhole or look means, in words that follow the path in a message. */
export function refusal(code: string): string {
  switch (code) {
    case 'EISDIR':
      return 'is a folder, not a file';
    case 'ENXIO':
      return 'is a pipe or a device, not a file';
    case 'EFBIG':
      return 'is larger than 2 GiB';
    case 'ENOENT':
      return 'does not exist';
    case 'ENOTDIR':
      return 'does not exist: a part of the path is a file, not a folder';
    case 'ENAMETOOLONG':
      return 'does not exist: the name is too long';
    case 'ELOOP':
      return 'is a loop of symbolic links';
    default:
      return `cannot be read (${code})`;
  }
}

/** Throws what readWhole throws for what is no regular file or does not fit one buffer. */
function refuseLarge(stat: Stats): void {
  refuseIrregular(stat);
  if (stat.size > MAX_FILE_BYTES) throw Object.assign(new Error('larger than 2 GiB'), { code: 'EFBIG' });
}

/**
 * Reads a whole regular file into memory of its own (never a slice of a shared pool). Throws an error with a `code` of
 * the system: EISDIR for a folder, ENXIO for a pipe or a device, EFBIG beyond 2 GiB, or another one.
 */
export function readWhole(path: string): Uint8Array {
  refuseLarge(statSync(path));
  const fd = openSync(path, OPEN_FLAGS);
  try {
    const stat = fstatSync(fd);
    refuseLarge(stat);
    const bytes = new Uint8Array(stat.size);
    const read = readInto(fd, bytes, 0);
    return read === bytes.length ? bytes : bytes.slice(0, read);
  } finally {
    closeSync(fd);
  }
}

/** The first `size` bytes of a regular file, zeros behind its end; throws as readWhole does. */
export function readHead(path: string, size: number): Uint8Array {
  refuseIrregular(statSync(path));
  const fd = openSync(path, OPEN_FLAGS);
  try {
    refuseIrregular(fstatSync(fd));
    const bytes = new Uint8Array(size);
    readInto(fd, bytes, 0);
    return bytes;
  } finally {
    closeSync(fd);
  }
}

/** The whole file as text (UTF-8, a byte order mark left out); throws as readWhole does. */
export function readWholeText(path: string): string {
  return new TextDecoder().decode(readWhole(path));
}
