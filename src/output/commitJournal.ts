// How a set is moved in so that a whole set stands at every instant, and how a commit that was killed is finished or
// undone by the next cook.
//
// Payloads and textures carry a hash of their content in their names: new ones appear beside the old. One rename of the
// main file then turns the old set into the new one; after it, files that only the old set lists go. Before the first
// move the journal is written into the stage. It says what to remove if the main file was not replaced (back), and what
// to move and remove if it was (forward).

import { createHash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** A file and the content that it has or had; paths are relative to the set's base, with `/`. */
export interface FileContent {
  readonly path: string;
  readonly sha256: string;
}

/** What a commit does, in this order. */
export interface CommitSteps {
  /** Files that stand where the new set has others and that the old set does not need: kept until the commit ends. */
  readonly replaced: readonly string[];
  /** Moved in beside the old set. */
  readonly added: readonly FileContent[];
  /** Of these, what is removed again when the commit is undone: it was not there before. */
  readonly fresh: readonly string[];
  /** The file whose rename replaces the old set. */
  readonly main: FileContent;
  /** Moved in afterwards: files for people, which the main file does not list. */
  readonly later: readonly string[];
  /** Files of the old set alone. */
  readonly stale: readonly FileContent[];
}

const JOURNAL = 'commit.json';
export const NEW_FILES = 'new';
const OLD_FILES = 'old';

export function sha256Hex(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The content of a regular file; null for anything else and for what cannot be read. */
export function regularFile(path: string): Uint8Array | null {
  try {
    return lstatSync(path).isFile() ? readFileSync(path) : null;
  } catch {
    return null;
  }
}

/** SHA-256 of a regular file; null for anything else and for what cannot be read. */
export function hashOf(path: string): string | null {
  const bytes = regularFile(path);
  return bytes === null ? null : sha256Hex(bytes);
}

export function exists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** The first folder on the way to a path that is a link or no folder at all: nothing is written through it. */
export function blockedFolder(base: string, path: string): string | null {
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    const folder = join(base, path.slice(0, at));
    if (exists(folder) && !lstatSync(folder).isDirectory()) return folder;
  }
  return null;
}

/** Makes a folder unless another process has made it meanwhile. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Makes the folders from below `base`, which exists, down to `folder`. One by one: asked to make all, Node tries for ever
 * where the system knows no such folder, as below /proc.
 */
export function makeFolders(base: string, folder: string): void {
  const missing: string[] = [];
  for (let at = folder; at.length > base.length && !exists(at); at = dirname(at)) missing.unshift(at);
  for (const path of missing) makeFolder(path);
}

function syncFolder(path: string): void {
  // Windows cannot open folders; there the rename itself is as durable as it gets.
  if (process.platform === 'win32') return;
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function syncFolders(base: string, paths: readonly string[]): void {
  const folders = new Set(paths.map((path) => dirname(join(base, path))));
  for (const folder of folders) if (existsSync(folder)) syncFolder(folder);
}

/** Gives the file a second name, so that the first one can be replaced without ever being absent. */
function keepCopy(stage: string, from: string, to: string): void {
  makeFolders(dirname(stage), dirname(to));
  try {
    linkSync(from, to);
  } catch {
    // No hard links here.
    copyFileSync(from, to);
  }
}

function moveIn(base: string, stage: string, path: string): void {
  const to = join(base, path);
  makeFolders(base, dirname(to));
  renameSync(join(stage, NEW_FILES, path), to);
}

/**
 * Moves the staged files in. Throws what the file system throws; where that is before the main file's rename, what
 * stood there has been put back, as far as the system allows that (isHalfCommitted). Returns what could not be removed afterwards, relative to the base.
 */
export function commitFiles(base: string, stage: string, steps: CommitSteps): readonly string[] {
  const { replaced, added, main } = steps;
  writeJournal(stage, steps);
  try {
    for (const path of replaced) keepCopy(stage, join(base, path), join(stage, OLD_FILES, path));
    for (const { path } of added) moveIn(base, stage, path);
    // The main file must not reach the disk before what it lists.
    syncFolders(base, [...added.map(({ path }) => path), main.path]);
    moveIn(base, stage, main.path);
  } catch (error) {
    try {
      rollBack(base, stage, steps);
      rmSync(join(stage, JOURNAL));
    } catch {
      // The journal stays, and with it the stage: the next cook undoes the rest. The first error is the one to report.
    }
    throw error;
  }
  return rollForward(base, stage, steps);
}

/** Whether a commit from this stage was begun and could not be undone. */
export function isHalfCommitted(stage: string): boolean {
  return exists(join(stage, JOURNAL));
}

function writeJournal(stage: string, steps: CommitSteps): void {
  const text = new TextEncoder().encode(JSON.stringify(steps));
  // Under another name first, so that a journal is whole or not there.
  const draft = join(stage, `${JOURNAL}.draft`);
  const fd = openSync(draft, 'wx');
  try {
    for (let at = 0; at < text.length; ) at += writeSync(fd, text, at, text.length - at);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(draft, join(stage, JOURNAL));
  syncFolder(stage);
}

/** After the main file's rename: moves in what is left and removes what only the old set lists. */
function rollForward(base: string, stage: string, steps: CommitSteps): readonly string[] {
  const { added, main, later, stale } = steps;
  const leftOver: string[] = [];
  for (const path of [...added.map((file) => file.path), ...later]) {
    if (exists(join(stage, NEW_FILES, path))) moveIn(base, stage, path);
  }
  for (const { path, sha256 } of stale) {
    const place = join(base, path);
    // Whoever changed it since then keeps it.
    if (hashOf(place) !== sha256) continue;
    try {
      rmSync(place);
    } catch {
      leftOver.push(path);
    }
  }
  const changed = [main.path, ...later, ...stale.map((file) => file.path)];
  removeEmptyFolders(base, changed);
  syncFolders(base, changed);
  return leftOver;
}

/** Before the main file's rename: removes what was added and puts back what was replaced. */
function rollBack(base: string, stage: string, { replaced, added, fresh }: CommitSteps): void {
  const contents = new Map(added.map(({ path, sha256 }) => [path, sha256]));
  for (const path of fresh) {
    const place = join(base, path);
    if (hashOf(place) === contents.get(path)) rmSync(place, { force: true });
  }
  for (const path of replaced) {
    const kept = join(stage, OLD_FILES, path);
    if (exists(kept)) renameSync(kept, join(base, path));
  }
  removeEmptyFolders(base, fresh);
}

function isSteps(value: unknown): value is CommitSteps {
  const steps = value as Partial<CommitSteps> | null;
  const isPath = (path: unknown) =>
    typeof path === 'string' &&
    !/[\\\0]/.test(path) &&
    path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  const isFile = (file: unknown) => isPath((file as Partial<FileContent> | null)?.path);
  return (
    [steps?.replaced, steps?.fresh, steps?.later].every((list) => Array.isArray(list) && list.every(isPath)) &&
    [steps?.added, steps?.stale].every((list) => Array.isArray(list) && list.every(isFile)) &&
    isFile(steps?.main)
  );
}

/** The journal of a stage; null unless it is one of this set and no path of it leads through a link. */
function readJournal(base: string, main: string, stage: string): CommitSteps | null {
  try {
    const steps: unknown = JSON.parse(readFileSync(join(stage, JOURNAL), 'utf8'));
    if (!isSteps(steps) || steps.main.path !== main) return null;
    const { replaced, added, fresh, later, stale } = steps;
    const paths = [...replaced, ...fresh, ...later, ...[...added, ...stale].map(({ path }) => path)];
    return paths.some((path) => blockedFolder(base, path) !== null) ? null : steps;
  } catch {
    return null;
  }
}

/**
 * Finishes or undoes the commit of a cook that is no more, and removes its stage. Only whoever holds the set's lock may
 * call it. Throws what the file system throws.
 */
export function recover(base: string, main: string, stage: string): void {
  const steps = readJournal(base, main, stage);
  if (steps !== null) {
    // If the old main file had the same content, this is true before its rename too: rollForward moves what is left.
    if (hashOf(join(base, main)) === steps.main.sha256) rollForward(base, stage, steps);
    else rollBack(base, stage, steps);
  }
  rmSync(stage, { recursive: true, force: true });
}

/** Removes the folders of these files that are empty now, and their empty parents, below the base only. */
function removeEmptyFolders(base: string, paths: readonly string[]): void {
  for (const folder of new Set(paths.map((path) => dirname(join(base, path))))) {
    try {
      for (let f = folder; f.length > base.length && existsSync(f) && readdirSync(f).length === 0; f = dirname(f)) {
        rmdirSync(f);
      }
    } catch {
      // The set is in place; an empty folder that the system holds on to does no harm.
    }
  }
}
