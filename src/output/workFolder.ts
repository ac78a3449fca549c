// `.cooking` in the folder of sets: staging folders and unfinished locks of the cooks that run there. A cook looks for what
// killed cooks of its set have left in it. The folder of the sets itself may hold thousands of files: listing that for each
// set took most of the time of small sets.

import { existsSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from './folders.ts';

const NAME = '.cooking';

/** The cooks of this process that use a folder, and the folders that had to be made for them, outermost first. */
interface Use {
  count: number;
  readonly made: string[];
}

const uses = new Map<string, Use>();

/** The work folder of the sets in `base`. */
export const workFolderOf = (base: string): string => join(base, NAME);

/**
 * Makes `base` with its parents and the work folder in it, and keeps them until leaveWorkFolder. Call it again when
 * another process has removed the folder while it was empty. Throws what the file system throws.
 */
function makeWorkFolder(base: string, { made }: Use): void {
  const missing: string[] = [];
  for (let folder = base; !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
  for (const folder of missing) {
    makeFolder(folder);
    if (!made.includes(folder)) made.push(folder);
  }
  makeFolder(workFolderOf(base));
}

/** Removes folders that stayed empty, given outermost first. */
function removeEmpty(folders: readonly string[]): void {
  for (const folder of [...folders].reverse()) {
    try {
      rmdirSync(folder);
    } catch (error) {
      // Another thread or process may have removed it.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return;
    }
  }
}

/** How often the folder is made again if other processes remove it while it is empty. */
const MAX_TRIES = 10;

/**
 * Runs `work`, which puts something into the work folder of `base`. The folder, made if it is missing, stays until
 * leaveWorkFolder is called as often as this has succeeded. Throws what `work` and the file system throw.
 */
export function enterWorkFolder<T>(base: string, work: () => T): T {
  const use = uses.get(base) ?? { count: 0, made: [] };
  const isFirst = use.count === 0;
  uses.set(base, use);
  use.count++;
  try {
    for (let tries = 1; ; tries++) {
      try {
        if (isFirst || tries > 1) makeWorkFolder(base, use);
        return work();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === MAX_TRIES) throw error;
      }
    }
  } catch (error) {
    leaveWorkFolder(base);
    throw error;
  }
}

/** Removes the work folder after the last cook of this process, and what was made for it and is empty. */
export function leaveWorkFolder(base: string): void {
  const use = uses.get(base);
  if (!use || --use.count > 0) return;
  uses.delete(base);
  // Cooks of other processes, and what killed ones have left, keep it.
  removeEmpty([...use.made, workFolderOf(base)]);
}
