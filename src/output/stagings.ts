// The staging folders of sets, in the work folder beside them: what a cook that has ended left there is finished or undone.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { recover } from './commitJournal.ts';
import { workFolderOf } from './workFolder.ts';

/** Staging folders of a set are called after its main file, with this behind it. */
export const STAGING_MARK = '.cooking-';

/** The main file of the set that a staging folder belongs to. */
export const mainOf = (staging: string): string => staging.slice(0, Math.max(0, staging.lastIndexOf(STAGING_MARK)));

/** What stands in the work folder of `base`; nothing where there is none. Throws what the file system throws. */
export function stagingFolders(base: string): string[] {
  try {
    return readdirSync(workFolderOf(base));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** As recover(), for all staging folders of a set but that of the caller. */
export function recoverAll(base: string, main: string, own = ''): void {
  for (const name of stagingFolders(base)) {
    const staging = join(workFolderOf(base), name);
    if (mainOf(name) === main && staging !== own) recover(base, main, staging);
  }
}
