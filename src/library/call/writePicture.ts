// Writes a picture that a call was asked for.

import { basename, dirname } from 'node:path';
import { showPath } from '../../config/showPath.ts';
import { fail } from '../../diagnostics/diagnostic.ts';
import { isFolder } from '../../importers/wholeFile.ts';
import { OutputSet } from '../../output/outputSet.ts';

/** Throws UC1003 for a path that is no name of a PNG file. */
export function requirePngName(path: string, option: string, cwd: string): void {
  if (/\.png$/i.test(path)) return;
  fail('UC1003', '', option, `${showPath(path, cwd)} was given, but the option takes a file that ends in .png`);
}

/** Writes one file whole or not at all. Throws UC4000 and UC4001. */
export function writePicture(path: string, bytes: Uint8Array, option: string): void {
  if (isFolder(path)) fail('UC4001', path, '', 'it is a folder', `give ${option} a file`);
  const main = basename(path);
  const set = OutputSet.open({ base: dirname(path), main, earlier: () => new Map([[main, null]]), force: true });
  try {
    set.write(main, bytes);
    set.commit();
  } finally {
    set.discard();
  }
}
