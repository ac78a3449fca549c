// How importers read files: inside the asset root, whole or range by range, and recorded for the depfile. It is an
// interface, so that tests can give files as values.

import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { fail, SourceError } from '../diagnostics/diagnostic.ts';
import { LimitWatch } from '../diagnostics/limits.ts';
import { type Content, headOf, memoryContent, wholeOf } from './content.ts';
import { FileChanged, fileContent, READ_SIZES, type ReadSizes } from './fileContent.ts';
import { type FileTrace, FileTracer, type Lookup } from './fileTrace.ts';
import { codeOf, refusal } from './wholeFile.ts';

/** What a user says of files that a source does not name, or names elsewhere. Paths are absolute. */
export interface AssetSearch {
  /** Searched in this order. */
  readonly folders: readonly string[];
  /** Paths that begin with `from` lead to `to`; the first that matches counts. */
  readonly remaps: readonly { readonly from: string; readonly to: string }[];
  /** Urho3D: .ani files whose clips move the model; absent: none. */
  readonly animations?: readonly string[];
}

export interface SourceFiles {
  /** The folder that no file may lie outside of, as a real path; null: no bound. */
  readonly root: string | null;
  /** Where files are looked for that are not where a source says; absent: beside it only. */
  readonly search?: AssetSearch | undefined;
  /** What the source may ask for. Opening a file counts its bytes. */
  readonly limits: LimitWatch;
  /**
   * The content of the file at an absolute path, to be read range by range. For messages, `from` is the file that refers to
   * it ('' when the user named it) and `element` the element that does. Throws SourceError: UC1200 or UC1203 when it is
   * missing or a folder, UC1200 for a pipe, a device or no permission, UC1204 outside the root, UC1202 for a Git LFS
   * pointer. Its ranges throw UC1208 once the file has changed, and these codes once it cannot be opened any more.
   */
  open(path: string, from: string, element: string): Content;
  /**
   * The whole file; UC1207 when it is too large, and what `open` throws. The bytes start at offset 0 of a buffer of their
   * own, so that views align.
   */
  read(path: string, from: string, element: string): Uint8Array;
  /** Whether a file exists inside the root. The file does not count as read. */
  exists(path: string): boolean;
  /** Hears where a file is that was looked for by name; absent: nobody notes it. */
  located?(lookup: Lookup): void;
  /** What is in a folder, sorted; nothing where it cannot be listed. A later run cannot know whether it would be the same. */
  names(folder: string): readonly string[];
  /** Absolute paths of the files read so far, sorted. */
  list(): readonly string[];
  /** What was asked for, so that a later run knows whether it would get the same; null: that is not known. */
  trace(): FileTrace | null;
}

/** First bytes of every Git LFS pointer file (git-lfs specification, version 1). */
const LFS_POINTER = 'version https://git-lfs.github.com/spec/';
/** Pointer files are smaller than this. */
const LFS_POINTER_BYTES = 1024;

/** True for the text that Git LFS leaves where a large file should be. */
export function isLfsPointer(bytes: Uint8Array): boolean {
  if (bytes.length < LFS_POINTER.length || bytes.length > LFS_POINTER_BYTES) return false;
  for (let i = 0; i < LFS_POINTER.length; i++) if (bytes[i] !== LFS_POINTER.charCodeAt(i)) return false;
  return true;
}

function isInside(root: string, path: string): boolean {
  const rel = relative(root, path);
  return rel === '' || (!rel.startsWith(`..${sep}`) && rel !== '..' && !isAbsolute(rel));
}

/** Codes of the system for a path at which there is no file. */
const NOTHING_THERE: readonly string[] = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'];

/**
 * Throws the reason why `path` cannot be read: UC1203, a fault of the source, when the source names it and it is missing or
 * a folder; UC1200, a fault of the system or the command line, otherwise.
 */
function refuse(code: string, path: string, from: string, element: string): never {
  const asked = from === '' ? path : from;
  const message = `${path} ${refusal(code)}`;
  const isSourcesFault = from !== '' && (code === 'EISDIR' || NOTHING_THERE.includes(code));
  return fail(
    isSourcesFault ? 'UC1203' : 'UC1200',
    asked,
    element,
    code === 'ENOENT' ? `no such file: ${path}${unreadableName(path)}` : message,
  );
}

/** Node replaces bytes of a name that are not UTF-8, so that the system does not find the file under its text. */
function unreadableName(path: string): string {
  return path.includes('\ufffd') ? ' (a name that is not UTF-8 cannot be opened: rename the file)' : '';
}

/** What `read` gives, with the faults of the system as SourceErrors. */
function reading<T>(path: string, from: string, element: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof FileChanged)
      return fail('UC1208', from === '' ? path : from, element, `${path} ${error.what}`);
    if (error instanceof RangeError || error instanceof SourceError) throw error;
    return refuse(codeOf(error), path, from, element);
  }
}

/** Bytes of a file; 0 where that cannot be known, which opening it reports. */
function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

/** Asks for the bytes of another file, of which nothing was read yet. Throws UC1209. */
function countBytes(limits: LimitWatch, before: number, bytes: number, file: string, element: string): number {
  limits.need('inputBytes', before + bytes, 'UC1209', file, element, `with it the source has ${before + bytes} bytes`);
  return bytes;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Which real paths may be read: those inside the root, and those in folders that the user names for the search. */
export function allowedBy(realRoot: string | null, search: AssetSearch | undefined): (real: string) => boolean {
  const folders = [...(search?.folders ?? []), ...(search?.remaps ?? []).map(({ to }) => to)].map(realPath);
  const named = new Set((search?.animations ?? []).map(realPath));
  return (real) =>
    realRoot === null ||
    isInside(realRoot, real) ||
    named.has(real) ||
    folders.some((folder) => isInside(folder, real));
}

/** Files of the disk, bound to `root` (a folder, taken by its real path) or unbound when null. */
export function diskFiles(
  root: string | null,
  search: AssetSearch | undefined = undefined,
  sizes: ReadSizes = READ_SIZES,
  limits = new LimitWatch(),
): SourceFiles {
  const realRoot = root === null ? null : reading(root, '', '', () => realpathSync(root));
  const isAllowed = allowedBy(realRoot, search);
  const opened = new Set<string>();
  let openedBytes = 0;
  const tracer = new FileTracer();
  const open: SourceFiles['open'] = (path, from, element) => {
    const asked = from === '' ? path : from;
    const real = reading(path, from, element, () => {
      try {
        return realpathSync(path);
      } catch (error) {
        tracer.missed(resolve(path));
        throw error;
      }
    });
    if (!isAllowed(real)) {
      tracer.unsure();
      return fail('UC1204', asked, element, `${path} is outside the asset root`);
    }
    if (!opened.has(resolve(path))) openedBytes += countBytes(limits, openedBytes, sizeOf(real), asked, element);
    const content = reading(path, from, element, () => tracer.opening(resolve(path), () => fileContent(real, sizes)));
    opened.add(resolve(path));
    const head = reading(path, from, element, () => headOf(content, LFS_POINTER_BYTES + 1));
    if (isLfsPointer(head)) {
      return fail('UC1202', asked, element, `${path} is a Git LFS pointer`);
    }
    if (content.whole) return content;
    return {
      ...content,
      range: (at, length) => reading(path, from, element, () => content.range(at, length)),
      around: (at) => reading(path, from, element, () => content.around(at)),
    };
  };
  return {
    root: realRoot,
    search,
    limits,
    open,
    read: (path, from, element) => wholeOf(open(path, from, element), from === '' ? path : from, element),
    exists(path) {
      try {
        if (statSync(path).isFile() && isAllowed(realpathSync(path))) {
          tracer.saw(resolve(path));
          return true;
        }
      } catch {
        // What cannot be seen is not there.
      }
      tracer.sawNone(resolve(path));
      return false;
    },
    located: (lookup) => tracer.located(lookup),
    names(folder) {
      tracer.unsure();
      try {
        return readdirSync(folder).sort();
      } catch {
        return [];
      }
    },
    list: () => [...opened].sort(),
    trace: () => tracer.trace(),
  };
}

/** The files of `files`, and one at an absolute path whose content is given. It does not count as read. */
export function withGivenFile(files: SourceFiles, path: string, bytes: Uint8Array): SourceFiles {
  const isGiven = (other: string) => resolve(other) === path;
  const given = (other: string, from: string, element: string) => {
    if (isLfsPointer(bytes)) fail('UC1202', from === '' ? other : from, element, `${other} is a Git LFS pointer`);
    countBytes(files.limits, 0, bytes.length, path, '');
    return bytes;
  };
  return {
    ...files,
    open: (other, from, element) =>
      isGiven(other) ? memoryContent(given(other, from, element)) : files.open(other, from, element),
    read: (other, from, element) => (isGiven(other) ? given(other, from, element) : files.read(other, from, element)),
    exists: (other) => isGiven(other) || files.exists(other),
  };
}

/** Files given as values, by absolute path; for tests and for fuzzing. */
export function memoryFiles(
  files: Readonly<Record<string, Uint8Array>>,
  root: string | null = null,
  limits = new LimitWatch(),
): SourceFiles {
  const table = new Map(Object.entries(files).map(([path, bytes]) => [resolve(path), bytes]));
  const opened = new Set<string>();
  const allowed = (path: string) => root === null || isInside(resolve(root), resolve(path));
  const read: SourceFiles['read'] = (path, from, element) => {
    const asked = from === '' ? path : from;
    if (!allowed(path)) return fail('UC1204', asked, element, `${path} is outside the asset root`);
    const bytes = table.get(resolve(path));
    if (!bytes) return fail(from === '' ? 'UC1200' : 'UC1203', asked, element, `no such file: ${path}`);
    opened.add(resolve(path));
    if (isLfsPointer(bytes)) return fail('UC1202', asked, element, `${path} is a Git LFS pointer`);
    return bytes;
  };
  return {
    root,
    limits,
    open: (path, from, element) => memoryContent(read(path, from, element)),
    read,
    exists: (path) => allowed(path) && table.has(resolve(path)),
    names: (folder) => {
      const below = [...table.keys()].filter((path) => isInside(resolve(folder), path));
      return [...new Set(below.map((path) => relative(resolve(folder), path).split(sep)[0]))].sort();
    },
    list: () => [...opened].sort(),
    trace: () => null,
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
 * absolute, drive, `file:` and network paths, UC1203 for an empty one. Reading checks whether the result is inside the root.
 */
export function resolveReference(from: string, reference: string, element: string): string {
  const path = reference.replaceAll('\\', '/');
  if (path.startsWith('/') || /^[A-Za-z][A-Za-z0-9+.-]*:/.test(path)) {
    return fail('UC1205', from, element, `absolute or remote path: ${reference}`);
  }
  if (path === '') return fail('UC1203', from, element, 'the path is empty');
  if (path.includes('\0')) return fail('UC1203', from, element, 'path contains a NUL character');
  return resolve(dirname(from), path);
}
