// Making and removing folders, also where other processes make and remove the same ones.

import { lstatSync, mkdirSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Whether something has this name; links are not followed. */
export function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

type FolderState = 'folder' | 'absent' | 'blocked';

/** What stands where paths below a base have their folders. Each folder is looked at once, for there may be many files in it. */
export class FoldersBelow {
  readonly #base: string;
  readonly #states = new Map<string, FolderState>();

  constructor(base: string) {
    this.#base = base;
  }

  /** The first component of a path that is a link or not a folder. Nothing is written through it. Null: there is none. */
  blocked(path: string): string | null {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      const folder = path.slice(0, at);
      const state = this.#stateOf(folder);
      if (state === 'blocked') return join(this.#base, folder);
      if (state === 'absent') return null;
    }
    return null;
  }

  /** Whether something has this name; links are not followed. */
  has(path: string): boolean {
    const end = path.lastIndexOf('/');
    return (end < 0 || this.#stateOf(path.slice(0, end)) !== 'absent') && exists(join(this.#base, path));
  }

  #stateOf(folder: string): FolderState {
    const known = this.#states.get(folder);
    if (known) return known;
    const end = folder.lastIndexOf('/');
    const isMissing = end >= 0 && this.#stateOf(folder.slice(0, end)) === 'absent';
    const state = isMissing ? 'absent' : stateAt(join(this.#base, folder));
    this.#states.set(folder, state);
    return state;
  }
}

function stateAt(path: string): FolderState {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return 'absent';
    return stat.isDirectory() ? 'folder' : 'blocked';
  } catch {
    return 'absent';
  }
}

/** Makes a folder unless another process has made it meanwhile. */
export function makeFolder(folder: string, mode?: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Makes the folders between `base`, which exists, and `folder`, one by one: Node's recursive mkdir never ends where the
 * system refuses folders as not found, as below /proc.
 */
export function makeFolders(base: string, folder: string): void {
  const missing: string[] = [];
  for (let at = folder; at.length > base.length && !exists(at); at = dirname(at)) missing.unshift(at);
  for (const path of missing) makeFolder(path);
}

/** Removes folders from `folder` up to `root`, which stays, as long as they are empty. */
export function removeEmptyFolders(folder: string, root: string): void {
  for (let at = folder; at.length > root.length; at = dirname(at)) {
    try {
      rmdirSync(at);
    } catch {
      // It holds something.
      return;
    }
  }
}
