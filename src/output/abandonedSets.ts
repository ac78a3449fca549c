// Tidies up the sets of a thread of this process that does not run any more: a set that was moved in is finished, all others
// stay as they were before their cook.

import { rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { recover } from './commitJournal.ts';
import { isLockedByThread, removeLock } from './setLock.ts';
import { TEXTURES_LOCK } from './sharedTextures.ts';
import { mainOf, stagingFolders } from './stagings.ts';
import { workFolderOf } from './workFolder.ts';

/** A set, as OutputSet.open takes it; with null for `main` all sets of a folder of shared textures. */
export interface SetPlace {
  readonly base: string;
  readonly main: string | null;
}

/**
 * Ends the sets that the thread of this number has open. It must not change them any more. Never throws: a later cook
 * removes what is left.
 */
export function endAbandonedSets(places: readonly SetPlace[], thread: number): void {
  const byBase = new Map<string, Set<string | null>>();
  for (const { base, main } of places) {
    const mains = byBase.get(base) ?? new Set();
    byBase.set(base, mains.add(main));
  }
  for (const [base, mains] of byBase) {
    let stagings: readonly string[];
    try {
      stagings = stagingFolders(base);
    } catch {
      // The next cook that can read it tries again.
      continue;
    }
    const all = [...mains].flatMap((main) => (main === null ? [TEXTURES_LOCK, ...stagings.map(mainOf)] : [main]));
    const held = new Set(all.filter((main) => isLockedByThread(join(base, main), thread)));
    for (const name of stagings) {
      const main = mainOf(name);
      if (!held.has(main)) continue;
      try {
        recover(base, main, join(workFolderOf(base), name));
      } catch {
        // The lock of this process counts as left over once the process is gone; the next cook tries again.
      }
    }
    for (const main of held) {
      try {
        removeLock(join(base, main));
      } catch {
        // As above.
      }
    }
    try {
      rmdirSync(workFolderOf(base));
    } catch {
      // Other cooks use it, or it is gone.
    }
  }
}
