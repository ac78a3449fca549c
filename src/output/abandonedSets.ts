// Tidies up the sets of a thread of this process that does not run any more: a set that was moved in is finished, all others
// stay as they were before their cook.

import { readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { recover } from './commitJournal.ts';
import { STAGING_MARK } from './outputSet.ts';
import { isLockedByThread, removeLock } from './setLock.ts';
import { workFolderOf } from './workFolder.ts';

/** A set, as OutputSet.open takes it. */
export interface SetPlace {
  readonly base: string;
  readonly main: string;
}

function stagingFolders(base: string): string[] {
  try {
    return readdirSync(workFolderOf(base));
  } catch {
    return [];
  }
}

/**
 * Ends the sets that the thread of this number has open. It must not change them any more. Never throws: a later cook
 * removes what is left.
 */
export function endAbandonedSets(places: readonly SetPlace[], thread: number): void {
  const byBase = new Map<string, Set<string>>();
  for (const { base, main } of places) {
    const mains = byBase.get(base) ?? new Set();
    byBase.set(base, mains.add(main));
  }
  for (const [base, mains] of byBase) {
    const held = new Set([...mains].filter((main) => isLockedByThread(join(base, main), thread)));
    for (const name of stagingFolders(base)) {
      const main = name.slice(0, Math.max(0, name.lastIndexOf(STAGING_MARK)));
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
