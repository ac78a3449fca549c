// The folder of a cache: made for this user alone and marked with a CACHEDIR.TAG, by which backups pass it over
// (https://bford.info/cachedir/) and by which we know what is ours.
//
//   CACHEDIR.TAG
//   content/KIND/ab/abcdef…    entries by kind, in 256 folders by the first two digits of their keys

import {
  closeSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../folders.ts';

/** The first line is that of the specification. */
const TAG = `Signature: 8a477f597d28d172789f06886806bc55
# This folder is a cache of untold, and may be removed at any time.
`;
const TAG_NAME = 'CACHEDIR.TAG';
const CONTENT = 'content';
/** Compiled code of the command, from bin/compileCache.js. */
const COMPILED = 'compiled';

/** Why a folder cannot be used as a cache. */
export class CacheFault extends Error {}

/** A call that the system refused, in words; any other exception is a bug and is thrown again. */
export function refusalOf(error: unknown): string {
  if (error instanceof CacheFault) return error.message;
  const { code, syscall } = error as NodeJS.ErrnoException;
  // Node's permission model names no call.
  if (code === 'ERR_ACCESS_DENIED') return code;
  if (!(error instanceof Error) || code === undefined || syscall === undefined) throw error;
  return `${code} at ${syscall}`;
}

/** Whether the folder belongs to this user, and not everybody may write it: entries of others are not to be trusted. */
function requireOwn(folder: string): void {
  const status = statSync(folder);
  if (!status.isDirectory()) throw new CacheFault('it is no folder');
  // Windows has no owner here; folders below a user's profile have their rights from there.
  if (!process.getuid) return;
  if (status.uid !== process.getuid()) throw new CacheFault('it belongs to another user');
  if ((status.mode & 0o002) !== 0) throw new CacheFault('everybody may write there');
}

/** Whether the folder has our tag. A link is none. */
function hasTag(folder: string): boolean {
  let file: number;
  try {
    file = openSync(join(folder, TAG_NAME), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch {
    return false;
  }
  try {
    const bytes = Buffer.alloc(TAG.length + 1);
    return bytes.toString('latin1', 0, readSync(file, bytes)) === TAG;
  } catch {
    return false;
  } finally {
    closeSync(file);
  }
}

/** Temporary names of this process. */
export const temporarySuffix = (): string => `.${process.pid}-${Math.floor(Math.random() * 2 ** 48).toString(16)}.tmp`;

function writeTag(folder: string): void {
  const temporary = join(folder, `${TAG_NAME}${temporarySuffix()}`);
  writeFileSync(temporary, TAG, { mode: 0o600, flag: 'wx' });
  try {
    // Unlike a rename, a link never replaces what is there.
    linkSync(temporary, join(folder, TAG_NAME));
  } catch (error) {
    // Another process was quicker, or the file system has no links: then write it, not over another file either.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      writeFileSync(join(folder, TAG_NAME), TAG, { mode: 0o600, flag: 'wx' });
    }
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Whether a folder without our tag may become a cache: it is empty, or another process is marking it now. */
function mayBecomeOurs(folder: string): boolean {
  return readdirSync(folder).every((name) => [COMPILED, TAG_NAME].includes(name) || name.startsWith(`${TAG_NAME}.`));
}

/** A folder that is given as a cache. */
export interface CachePlace {
  /** Absolute. */
  readonly folder: string;
  /** It is the folder of this program in the user's folder for caches, and needs no tag to be known as ours. */
  readonly isDefault: boolean;
}

/**
 * The folder of the entries, links on the way to it resolved; null if there is no cache yet. Throws CacheFault for a folder
 * of something else or somebody else, and what the system throws.
 */
export function findContent({ folder, isDefault }: CachePlace): string | null {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return null;
  requireOwn(folder);
  const real = realpathSync(folder);
  if (hasTag(real)) return join(real, CONTENT);
  if (isDefault || mayBecomeOurs(real)) return null;
  throw new CacheFault('it holds other files, and no CACHEDIR.TAG of untold');
}

/**
 * Makes the cache unless it is there and returns the folder of the entries. A named folder is made, its parents are not: the
 * disk that they are on may not be mounted. Above the default folder the user's folder for caches is made too, as the XDG
 * specification asks. Throws as findContent.
 */
export function makeContent(place: CachePlace): string {
  const { folder, isDefault } = place;
  const found = findContent(place);
  if (found === null) {
    if (isDefault) makePrivate(dirname(folder));
    makePrivate(folder);
    requireOwn(folder);
    const real = realpathSync(folder);
    if (!hasTag(real)) writeTag(real);
    if (!hasTag(real)) throw new CacheFault(`its ${TAG_NAME} is that of another program`);
  }
  const content = join(realpathSync(folder), CONTENT);
  makeOwnFolder(content);
  return content;
}

function makePrivate(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return;
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Whether the path is a folder itself, not a link to one. */
export function isOwnFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Makes a folder inside of a cache. Throws CacheFault for a link or a file in its place. */
export function makeOwnFolder(path: string): void {
  if (isOwnFolder(path)) return;
  makeFolder(path, 0o700);
  if (!isOwnFolder(path)) throw new CacheFault(`${path} is a link or a file, not a folder`);
}
