// Writes one file that a call was asked for beside its output: a picture or a report.

import { realpathSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fail } from '../../diagnostics/diagnostic.ts';
import { isFolder } from '../../importers/wholeFile.ts';
import { OutputSet } from '../../output/outputSet.ts';

interface How {
  /** Milliseconds to wait for another process that writes the same file. */
  readonly wait?: number;
  /** The permissions of the file. */
  readonly mode?: number;
}

/** Writes a file whole or not at all, and replaces one that is there. Throws UC4000, UC4001 and UC4004. */
export function writeWhole(path: string, bytes: Uint8Array, option: string, { wait = 0, mode }: How = {}): void {
  if (isFolder(path)) fail('UC4001', path, '', 'it is a folder', `give ${option} a file`);
  const main = basename(path);
  const set = OutputSet.open({ base: dirname(path), main, earlier: () => new Map([[main, null]]), force: true, wait });
  try {
    set.write(main, bytes, undefined, mode);
    set.commit();
  } finally {
    set.discard();
  }
}

/** The file that a link leads to, so that the link stays; the path itself where there is nothing yet. */
export function behindLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Changes a file that is there: as writeWhole, behind links, and its permissions stay. */
export function rewriteWhole(path: string, bytes: Uint8Array, option: string): void {
  const file = behindLinks(path);
  writeWhole(file, bytes, option, { mode: statSync(file).mode & 0o7777 });
}
