// The place of a set on the disk.

import { basename, dirname } from 'node:path';
import { mainFile } from '../../config/targets.ts';
import type { CookTarget } from '../../config/types.ts';
import { readWholeText } from '../../importers/wholeFile.ts';

/** Base folder and main file of a set. */
export function setFiles(target: CookTarget): { readonly base: string; readonly main: string } {
  const path = mainFile(target);
  return { base: dirname(path), main: basename(path) };
}

/** The text of a main file; '' where it cannot be read. */
export function readText(path: string): string {
  try {
    return readWholeText(path);
  } catch {
    return '';
  }
}
