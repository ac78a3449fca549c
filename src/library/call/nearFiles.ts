// What a file that does not exist was probably meant to be: names like it in its folder.

import { readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { nearestNames } from '../../config/nearest.ts';
import { showPath } from '../../config/showPath.ts';
import { statusOf } from '../../importers/wholeFile.ts';

/** Names compared at most, so that a hint is always cheap. */
const MAX_NAMES = 10_000;

/** Up to three files beside a missing one whose names are like its own, as the user would write them. */
export function nearFiles(path: string, cwd: string): string[] {
  const whole = resolve(cwd, path);
  if (statusOf(whole).code !== 'ENOENT') return [];
  const folder = dirname(whole);
  try {
    const names = readdirSync(folder)
      .filter((name) => !name.startsWith('.'))
      .sort()
      .slice(0, MAX_NAMES);
    return nearestNames(basename(whole), names, 3).map((name) => showPath(join(folder, name), cwd));
  } catch {
    // The folder does not exist either.
    return [];
  }
}
