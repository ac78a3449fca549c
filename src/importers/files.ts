// How importers read files: whole, inside the asset root, each real path once, and every file remembered for the
// depfile. Behind an interface, so that tests give files as values.

import { closeSync, existsSync, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { diagnostic, fail, SourceError } from '../diagnostics/diagnostic.ts';

export interface SourceFiles {
  /** The folder that no file may lie outside of, as a real path; null: no bound. */
  readonly root: string | null;
  /**
   * The whole file at an absolute path. `from` and `element` say who asks, for messages: the referring file (or '' when
   * the user named it) and the place in it. Throws SourceError: UC1200/UC1203 missing, UC1204 outside the root, UC1202
   * a Git LFS pointer, UC1207 too large. The bytes start at offset 0 of a buffer of their own, so that views align.
   */
  read(path: string, from: string, element: string): Uint8Array;
  /** Whether a file is there and inside the root; does not count as read. */
  exists(path: string): boolean;
  /** Absolute paths of the files read so far, sorted. */
  list(): readonly string[];
}

/** First bytes of every Git LFS pointer file (git-lfs specification, version 1). */
const LFS_POINTER = 'version https://git-lfs.github.com/spec/';

/** True for the text that Git LFS leaves where a large file should be. */
export function isLfsPointer(bytes: Uint8Array): boolean {
  if (bytes.length < LFS_POINTER.length || bytes.length > 1024) return false;
  for (let i = 0; i < LFS_POINTER.length; i++) if (bytes[i] !== LFS_POINTER.charCodeAt(i)) return false;
  return true;
}

const MAX_FILE_BYTES = 2 ** 31 - 1;

function isInside(root: string, path: string): boolean {
  const rel = relative(root, path);
  return rel === '' || (!rel.startsWith(`..${sep}`) && rel !== '..' && !isAbsolute(rel));
}

/** Reads a whole regular file into memory of its own (never a slice of a shared pool). */
function readWhole(path: string): Uint8Array {
  const fd = openSync(path, 'r');
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw Object.assign(new Error('not a regular file'), { code: 'EISDIR' });
    if (stat.size > MAX_FILE_BYTES) throw Object.assign(new Error('larger than 2 GiB'), { code: 'EFBIG' });
    const bytes = new Uint8Array(stat.size);
    let at = 0;
    while (at < bytes.length) {
      const n = readSync(fd, bytes, at, bytes.length - at, at);
      if (n === 0) break;
      at += n;
    }
    return at === bytes.length ? bytes : bytes.slice(0, at);
  } finally {
    closeSync(fd);
  }
}

/** Files of the disk, bound to `root` (a folder, taken by its real path) or unbound when null. */
export function diskFiles(root: string | null): SourceFiles {
  const realRoot = root === null ? null : realpathSync(root);
  const read = new Set<string>();
  return {
    root: realRoot,
    read(path, from, element) {
      const asked = from === '' ? path : from;
      const missing = from === '' ? 'UC1200' : 'UC1203';
      let real: string;
      try {
        real = realpathSync(path);
      } catch (error) {
        const reason = (error as NodeJS.ErrnoException).code === 'ELOOP' ? 'a loop of symbolic links' : 'no such file';
        return fail(missing, asked, element, `${reason}: ${path}`);
      }
      if (realRoot !== null && !isInside(realRoot, real)) {
        return fail('UC1204', asked, element, `${path} is outside the asset root`);
      }
      let bytes: Uint8Array;
      try {
        bytes = readWhole(real);
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code === 'EFBIG') return fail('UC1207', asked, element, `${path} is larger than 2 GiB`);
        const reason =
          code === 'EISDIR' ? 'is a folder or a device, not a file' : `cannot be read (${code ?? message})`;
        throw new SourceError(diagnostic('UC1200', asked, element, `${path} ${reason}`));
      }
      read.add(resolve(path));
      if (isLfsPointer(bytes)) return fail('UC1202', asked, element, `${path} is a Git LFS pointer`);
      return bytes;
    },
    exists(path) {
      try {
        return statSync(path).isFile() && (realRoot === null || isInside(realRoot, realpathSync(path)));
      } catch {
        return false;
      }
    },
    list: () => [...read].sort(),
  };
}

/** Files given as values, by absolute path; for tests and for fuzzing. */
export function memoryFiles(files: Readonly<Record<string, Uint8Array>>, root: string | null = null): SourceFiles {
  const table = new Map(Object.entries(files).map(([path, bytes]) => [resolve(path), bytes]));
  const read = new Set<string>();
  const allowed = (path: string) => root === null || isInside(resolve(root), resolve(path));
  return {
    root,
    read(path, from, element) {
      const asked = from === '' ? path : from;
      if (!allowed(path)) return fail('UC1204', asked, element, `${path} is outside the asset root`);
      const bytes = table.get(resolve(path));
      if (!bytes) return fail(from === '' ? 'UC1200' : 'UC1203', asked, element, `no such file: ${path}`);
      read.add(resolve(path));
      if (isLfsPointer(bytes)) return fail('UC1202', asked, element, `${path} is a Git LFS pointer`);
      return bytes;
    },
    exists: (path) => allowed(path) && table.has(resolve(path)),
    list: () => [...read].sort(),
  };
}

/** The default asset root of a source: the nearest folder above it with a `.git`, else null (no bound). */
export function defaultRoot(source: string): string | null {
  let folder = dirname(resolve(source));
  for (;;) {
    if (existsSync(resolve(folder, '.git'))) return folder;
    const parent = dirname(folder);
    if (parent === folder) return null;
    folder = parent;
  }
}

/**
 * The absolute path of a relative reference (already percent-decoded) in a loose file at `from`. Throws UC1205 for
 * absolute, drive, `file:` and network paths; whether the result stays inside the root is checked when it is read.
 */
export function resolveReference(from: string, reference: string, element: string): string {
  const path = reference.replaceAll('\\', '/');
  if (path.startsWith('/') || /^[A-Za-z][A-Za-z0-9+.-]*:/.test(path)) {
    return fail('UC1205', from, element, `absolute or remote path: ${reference}`);
  }
  if (path.includes('\0')) return fail('UC1203', from, element, 'path contains a NUL character');
  return resolve(dirname(from), path);
}
