// Making folders, also where other processes make and remove the same ones.

import { lstatSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Whether something has this name; links are not followed. */
export function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** Makes a folder unless another process has made it meanwhile. */
export function makeFolder(folder: string, mode?: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Makes the folders between `base`, which exists, and `folder`, one by one: Node's recursive mkdir never ends where the
 * system refuses folders as not found, as below /proc.
 */
export function makeFolders(base: string, folder: string): void {
  const missing: string[] = [];
  for (let at = folder; at.length > base.length && !exists(at); at = dirname(at)) missing.unshift(at);
  for (const path of missing) makeFolder(path);
}
