// Writes one file that a call was asked for beside its output: a picture or a report.

import { basename, dirname } from 'node:path';
import { fail } from '../../diagnostics/diagnostic.ts';
import { isFolder } from '../../importers/wholeFile.ts';
import { OutputSet } from '../../output/outputSet.ts';

/**
 * Writes a file whole or not at all, and replaces one that is there. `wait`: milliseconds to wait for another process that
 * writes the same file. Throws UC4000, UC4001 and UC4004.
 */
export function writeWhole(path: string, bytes: Uint8Array, option: string, wait = 0): void {
  if (isFolder(path)) fail('UC4001', path, '', 'it is a folder', `give ${option} a file`);
  const main = basename(path);
  const set = OutputSet.open({ base: dirname(path), main, earlier: () => new Map([[main, null]]), force: true, wait });
  try {
    set.write(main, bytes);
    set.commit();
  } finally {
    set.discard();
  }
}
