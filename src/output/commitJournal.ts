// Moves a finished set of files to its folder. At every instant the folder holds one complete set, the old or the new
// one. The next cook finishes or undoes a commit that was killed.
//
// Payloads and textures carry a hash of their content in their names: new ones appear beside the old. One rename of the
// main file then turns the old set into the new one. Once that is synced, files that only the old set lists go; if it
// cannot be synced, the old set is put back. Before the first move the journal is written into the staging folder. It lists
// what to put back and remove if the main file was not replaced (roll back), and what to remove if it was (roll forward).

import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256Hex } from '../bytes/sha256.ts';
import { exists, FoldersBelow, makeFolders, removeEmptyFolders } from './folders.ts';
import { keepsOrder } from './ordered.ts';
import { syncFolder, syncMany } from './syncs.ts';

/** A file with the hash of its content when it was written; paths are relative to the set's base, with `/`. */
export interface FileContent {
  readonly path: string;
  readonly sha256: string;
}

/** What a commit does, in this order. */
export interface CommitSteps {
  /**
   * Existing files that the new set replaces by others: the main file, files for people, and what the old set does not list.
   * They are kept until the commit ends.
   */
  readonly replaced: readonly string[];
  /** Moved in beside the old set. */
  readonly added: readonly FileContent[];
  /** The paths of the main file and in `added` that did not exist before. An undone commit removes them. */
  readonly fresh: readonly string[];
  /** The file whose rename replaces the old set. */
  readonly main: FileContent;
  /** Files of the old set alone. */
  readonly stale: readonly FileContent[];
}

const JOURNAL = 'commit.json';
export const NEW_FILES = 'new';
const OLD_FILES = 'old';

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

/** FoldersBelow.blocked() for a single path. */
export const blockedFolder = (base: string, path: string): string | null => new FoldersBelow(base).blocked(path);

/** Gives the file a second name, so that the first one can be replaced without ever being absent. */
function keepCopy(staging: string, from: string, to: string): void {
  makeFolders(dirname(staging), dirname(to));
  try {
    linkSync(from, to);
  } catch {
    // This file system has no hard links.
    copyFileSync(from, to);
    syncMany(staging, [to]);
  }
}

function moveIn(base: string, staging: string, path: string): void {
  const to = join(base, path);
  makeFolders(base, dirname(to));
  renameSync(join(staging, NEW_FILES, path), to);
}

/** Moves the added files in. A folder of theirs that the base does not have is moved as a whole. */
function moveAllIn(base: string, staging: string, { added }: CommitSteps): void {
  const moved = new Map<string, boolean>();
  for (const { path } of added) {
    const end = path.indexOf('/');
    const top = end < 0 ? '' : path.slice(0, end);
    let isMoved = moved.get(top);
    if (isMoved === undefined) {
      isMoved = top !== '' && moveFolder(join(staging, NEW_FILES, top), join(base, top));
      moved.set(top, isMoved);
    }
    if (!isMoved) moveIn(base, staging, path);
  }
}

/** False where something has this name already, or the system refuses: the files are then moved one by one. */
function moveFolder(from: string, to: string): boolean {
  if (exists(to)) return false;
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false;
  }
}

/**
 * Moves the staged files in and returns the folders whose sync makes that durable, absolute. finishCommit or undoCommit
 * follows. Throws what the file system throws; the old files are back then, or isHalfCommitted is true.
 *
 * What each sync is for. A cook that is killed needs none: the next one sees every change that was made. When the power
 * fails, changes that no sync has covered may be lost, each for itself.
 *
 * - The content of payloads, textures and main file is synced before anything is moved (outputSet.ts). Otherwise the set
 *   could be complete by its names and hold empty files.
 * - The journal is synced, and its name and those of the kept files with it, where an earlier set stands or files are
 *   replaced: without them nobody could put a replaced file back, or remove what only the old set lists. A first cook has
 *   nothing of both. What a lost journal leaves of it are payloads that no manifest lists; cooking the scene again takes
 *   them for its own.
 * - Folders that files were moved into are synced before the main file is: it must not reach the disk before what it
 *   lists. A file system that keeps the order of renames needs no sync for that (ordered.ts).
 * - The folders are synced after the main file was moved, before the set counts as cooked and files of the old set are
 *   removed: success that was reported stands. Cooks that end at about the same time share this sync.
 * - The content of files for people is not synced: nothing reads them, and each cook writes them again.
 */
export function commitFiles(base: string, staging: string, steps: CommitSteps, isFirst: boolean): readonly string[] {
  const { replaced, added, main } = steps;
  try {
    for (const path of replaced) keepCopy(staging, join(base, path), join(staging, OLD_FILES, path));
    writeJournal(base, staging, steps, !isFirst || replaced.length > 0);
    moveAllIn(base, staging, steps);
    if (!keepsOrder(base)) for (const folder of foldersOf(base, [...added, main])) syncFolder(folder);
    moveIn(base, staging, main.path);
  } catch (error) {
    undoCommit(base, staging, steps);
    throw error;
  }
  // Where renames keep their order, a sync of the folder of the last one covers all.
  return keepsOrder(base) ? [base] : foldersOf(base, [...added, main]);
}

/** Puts the old files back. If the system refuses that, isHalfCommitted is true. */
export function undoCommit(base: string, staging: string, steps: CommitSteps): void {
  try {
    rollBack(base, staging, steps);
    rmSync(join(staging, JOURNAL));
  } catch {
    // The journal stays, and with it the staging folder: the next cook undoes the rest. The first error is the one to report.
  }
}

/** Whether a commit from this staging folder was begun and could not be undone. */
export function isHalfCommitted(staging: string): boolean {
  return exists(join(staging, JOURNAL));
}

/** Writes the journal once the replaced files are kept. */
function writeJournal(base: string, staging: string, steps: CommitSteps, isDurable: boolean): void {
  const text = new TextEncoder().encode(JSON.stringify(steps));
  // Write under another name and rename: a journal is complete or absent.
  const draft = join(staging, `${JOURNAL}.draft`);
  const fd = openSync(draft, 'wx');
  try {
    for (let at = 0; at < text.length; ) at += writeSync(fd, text, at, text.length - at);
    if (isDurable) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(draft, join(staging, JOURNAL));
  if (!isDurable || keepsOrder(staging)) return;
  // The names of the folders that lead to it count too.
  const kept = foldersOf(
    staging,
    steps.replaced.map((path) => ({ path: `${OLD_FILES}/${path}` })),
  );
  [...kept, staging, dirname(staging), base].forEach(syncFolder);
}

/** Removes what only the old set lists. Returns the paths, relative to the base, that the system does not remove. */
export function finishCommit(base: string, { stale }: CommitSteps): readonly string[] {
  const leftOver: string[] = [];
  for (const { path, sha256 } of stale) {
    const target = join(base, path);
    // Keep a file that somebody changed after the old set was written.
    if (hashOf(target) !== sha256) continue;
    try {
      rmSync(target);
    } catch {
      leftOver.push(path);
    }
  }
  for (const { path } of stale) removeEmptyFolders(dirname(join(base, path)), base);
  return leftOver;
}

/** The folders from these files up to the base that are there, absolute, each once. */
function foldersOf(base: string, files: readonly { readonly path: string }[]): string[] {
  const folders = new Set<string>();
  for (const { path } of files) {
    for (let folder = dirname(join(base, path)); !folders.has(folder); folder = dirname(folder)) {
      folders.add(folder);
      if (folder === base) break;
    }
  }
  return [...folders].filter((folder) => existsSync(folder));
}

/** Puts back what was replaced and removes what was added. */
function rollBack(base: string, staging: string, { replaced, added, fresh, main }: CommitSteps): void {
  const contents = new Map([...added, main].map(({ path, sha256 }) => [path, sha256]));
  const isFresh = new Set(fresh);
  // The main file first: while the new one stands, the next cook takes the commit for complete.
  for (const path of new Set([main.path, ...replaced, ...fresh])) {
    const target = join(base, path);
    const kept = join(staging, OLD_FILES, path);
    const before = hashOf(kept);
    if (before !== null) {
      // Most often it was not replaced yet.
      if (hashOf(target) !== before) renameSync(kept, target);
    } else if (isFresh.has(path) && hashOf(target) === contents.get(path)) rmSync(target, { force: true });
  }
  for (const path of fresh) removeEmptyFolders(dirname(join(base, path)), base);
}

/** Whether a path with `/` stays inside the folder that it is joined to. */
export function isInnerPath(path: unknown): path is string {
  return (
    typeof path === 'string' &&
    !/[\\\0]/.test(path) &&
    path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  );
}

function isSteps(value: unknown): value is CommitSteps {
  const steps = value as Partial<CommitSteps> | null;
  const isFile = (file: unknown) => isInnerPath((file as Partial<FileContent> | null)?.path);
  return (
    [steps?.replaced, steps?.fresh].every((list) => Array.isArray(list) && list.every(isInnerPath)) &&
    [steps?.added, steps?.stale].every((list) => Array.isArray(list) && list.every(isFile)) &&
    isFile(steps?.main)
  );
}

/** The journal of a staging folder; null unless it is one of this set and no path of it leads through a link. */
function readJournal(base: string, main: string, staging: string): CommitSteps | null {
  try {
    const steps: unknown = JSON.parse(readFileSync(join(staging, JOURNAL), 'utf8'));
    if (!isSteps(steps) || steps.main.path !== main) return null;
    const { replaced, added, fresh, stale } = steps;
    const paths = [...replaced, ...fresh, ...[...added, ...stale].map(({ path }) => path)];
    return paths.some((path) => blockedFolder(base, path) !== null) ? null : steps;
  } catch {
    return null;
  }
}

/** Completes a commit whose main file stands. If the old one had the same content, files may wait to be moved in. */
function rollForward(base: string, staging: string, steps: CommitSteps): void {
  const { added, main } = steps;
  for (const { path } of added) if (exists(join(staging, NEW_FILES, path))) moveIn(base, staging, path);
  foldersOf(base, [...added, main]).forEach(syncFolder);
  finishCommit(base, steps);
}

/**
 * Finishes or undoes the commit of a cook that has ended, and removes its staging folder. Only whoever holds the set's lock may
 * call it. Throws what the file system throws.
 */
export function recover(base: string, main: string, staging: string): void {
  const steps = readJournal(base, main, staging);
  if (steps !== null) {
    if (hashOf(join(base, main)) === steps.main.sha256) rollForward(base, staging, steps);
    else rollBack(base, staging, steps);
  }
  rmSync(staging, { recursive: true, force: true });
}

/** Removes the staging folder of a commit that has ended. */
export function removeStaging(staging: string): void {
  try {
    // What is usually left of it. Removing folders with all that may be in them takes four times as many calls.
    unlinkSync(join(staging, JOURNAL));
    rmdirSync(join(staging, NEW_FILES));
    rmdirSync(staging);
  } catch {
    rmSync(staging, { recursive: true, force: true });
  }
}
