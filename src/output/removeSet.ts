// Removes a set that no source writes any more: what its main file lists and nothing else. The main file goes last, so that
// a removal that is killed can be done again.

import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import { blockedFolder, hashOf, regularFile } from './commitJournal.ts';
import { removeEmptyFolders } from './folders.ts';
import { asWriteError } from './outputSet.ts';
import { lockSet } from './setLock.ts';
import { withSetMutex } from './setMutex.ts';
import { recoverAll } from './stagings.ts';

/** The files of a set, relative to the folder of its main file, with the SHA-256 that it states; null: it states none. */
export type ListedFiles = ReadonlyMap<string, string | null>;

export interface RemovedFile {
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
}

export interface Removal {
  /** Sorted by path. */
  readonly files: readonly RemovedFile[];
  /** UC4007 for each file that stays because its content is not what was listed. */
  readonly kept: readonly Diagnostic[];
}

/** What is to go of a set: nothing is changed. */
function removalOf(main: string, listed: ListedFiles): Removal {
  const base = dirname(main);
  const files: RemovedFile[] = [];
  const kept: Diagnostic[] = [];
  for (const [path, sha256] of [...listed, [basename(main), null] as const]) {
    const file = join(base, path);
    if (blockedFolder(base, path)) continue;
    const bytes = regularFile(file);
    if (bytes === null) continue;
    if (sha256 !== null && hashOf(file) !== sha256) {
      kept.push(diagnostic('UC4007', file, '', 'its content is not what the manifest lists'));
    } else files.push({ path: file, bytes: bytes.length });
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, kept };
}

/** What removeSet() would do. `listed` gives the files of the set; null: it is not a set of ours. */
export function planRemoval(main: string, listed: () => ListedFiles | null): Removal {
  const files = listed();
  return files === null ? { files: [], kept: [] } : removalOf(main, files);
}

/**
 * Removes a set, and folders that are empty then, below `root` only. `listed` is asked once the set is locked and a commit
 * that was killed is finished or undone. Throws UC4004 if a cook holds the set, UC4000 if the system refuses.
 */
export function removeSet(main: string, root: string, listed: () => ListedFiles | null): Removal {
  return withSetMutex(() => {
    const base = dirname(main);
    try {
      const lock = lockSet(main, 0);
      let removal: Removal;
      try {
        recoverAll(base, basename(main));
        removal = planRemoval(main, listed);
        for (const { path } of removal.files) if (path !== main) rmSync(path, { force: true });
        if (removal.files.some(({ path }) => path === main)) rmSync(main, { force: true });
      } finally {
        lock.release();
      }
      // Deeper folders first: their parents may be empty afterwards.
      const folders = [...new Set(removal.files.map(({ path }) => dirname(path)))];
      for (const folder of folders.sort((a, b) => b.length - a.length)) removeEmptyFolders(folder, root);
      return removal;
    } catch (error) {
      throw asWriteError(error, base);
    }
  });
}
