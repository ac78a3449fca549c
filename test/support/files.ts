// Folders and files of tests.

import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';

/** A new folder, by its real path. Whoever makes it removes it. */
export function temporaryFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'untold-')));
}

/** Writes a file below a folder, and the folders above it; gives its path. */
export function put(folder: string, path: string, content: string | Uint8Array): string {
  const place = join(folder, path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, content);
  return place;
}

/** The paths of all files below a folder, from it on, sorted; none where there is no folder. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

/** The SHA-256 of every file below a folder, by its path from it on. */
export function contents(folder: string): Record<string, string> {
  const hash = (path: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, path)))
      .digest('hex');
  return Object.fromEntries(filesBelow(folder).map((path) => [path, hash(path)]));
}

/**
 * Paths of locks and staged files below a folder. A process that is killed between the creation of its lock file and the first
 * byte leaves an empty one. Nobody knows whose it is: a cook removes it once it is a minute old (test/output/setLock.test.ts).
 */
export function litterIn(folder: string): string[] {
  return Object.keys(settledContents(folder)).filter((path) => /\.lock|\.cooking/.test(path));
}

/** What `contents` gives, without the empty lock files of killed processes. */
export function settledContents(folder: string): Record<string, string> {
  const isUnnamed = (path: string) => path.includes('.lock-') && statSync(join(folder, path)).size === 0;
  return Object.fromEntries(Object.entries(contents(folder)).filter(([path]) => !isUnnamed(path)));
}
