// Notes of textures in a shared folder that a cook may leave without a file that names them. They lie in the folder until the cook has
// removed such textures; of a cook that was killed before, the next one takes them over.

import { appendFileSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

const BEGINNING = '.left-';
/** A note of a process that cannot be looked for from here is an old one after so many milliseconds. */
const OLD_MS = 3_600_000;

const endingOf = (pid: number): string => `${hostname().replace(/[^A-Za-z0-9.-]/g, '_')}-${pid}`;

/** Adds names to the note of this process. The folder is there. Throws what writing throws. */
export function noteLeft(folder: string, names: readonly string[]): void {
  if (names.length === 0) return;
  appendFileSync(join(folder, BEGINNING + endingOf(process.pid)), names.map((name) => `${name}\n`).join(''));
}

/** Whether the note is of this process, or of one that is gone. */
function isFree(folder: string, file: string): boolean {
  const ending = file.slice(BEGINNING.length);
  const pid = Number(/-(\d+)$/.exec(ending)?.[1]);
  if (ending === endingOf(pid)) {
    if (pid === process.pid) return true;
    try {
      process.kill(pid, 0);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ESRCH';
    }
  }
  try {
    return Date.now() - statSync(join(folder, file)).mtimeMs > OLD_MS;
  } catch {
    return false;
  }
}

/** The notes of this process and of those that are gone: their files, and the names in them. */
export function leftNotes(folder: string): { readonly files: readonly string[]; readonly names: readonly string[] } {
  let found: string[];
  try {
    found = readdirSync(folder).filter((name) => name.startsWith(BEGINNING));
  } catch {
    return { files: [], names: [] };
  }
  const files = found.filter((file) => isFree(folder, file)).map((file) => join(folder, file));
  const names = files.flatMap((file) => {
    try {
      return readFileSync(file, 'utf8').split('\n');
    } catch {
      return [];
    }
  });
  return { files, names: [...new Set(names)].filter((name) => name !== '') };
}

/** Removes notes that were dealt with. */
export function forgetNotes(files: readonly string[]): void {
  for (const file of files) {
    try {
      rmSync(file, { force: true });
    } catch {
      // The next cook looks at it again.
    }
  }
}
