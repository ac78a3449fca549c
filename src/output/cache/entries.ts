// The entries in the folder of a cache, as a walk finds them. Files with other names are not ours and never touched.

import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A file of the cache. */
export interface StoredEntry {
  readonly kind: string;
  readonly path: string;
  readonly bytes: number;
  /** When it was last used or written, in milliseconds since 1970. */
  readonly used: number;
  /** Not an entry but a file that was to become one. */
  readonly isTemporary: boolean;
}

const NAME = /^([0-9a-f]{2})[0-9a-f]{62}(\.\d+-[0-9a-f]+\.tmp)?$/;
const KIND = /^[a-z][a-z0-9-]{0,31}$/;

/** The names in a folder; none if it is gone or may not be read. */
function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The folders in `folder` whose names fit; links are none. */
function foldersIn(folder: string, name: RegExp): string[] {
  return list(folder)
    .filter((entry) => entry.isDirectory() && name.test(entry.name))
    .map((entry) => entry.name)
    .sort();
}

export const kindsIn = (content: string): string[] => foldersIn(content, KIND);

/** The folders of one kind that hold entries. */
export const fansOf = (content: string, kind: string): string[] =>
  foldersIn(join(content, kind), /^[0-9a-f]{2}$/).map((fan) => join(content, kind, fan));

/** Every entry and temporary file of a kind. Other processes may add and remove some meanwhile. */
export function* storedEntries(content: string, kind: string): Generator<StoredEntry> {
  for (const fan of fansOf(content, kind)) {
    for (const { name } of list(fan)) {
      const match = NAME.exec(name);
      if (match === null || !fan.endsWith(match[1])) continue;
      const path = join(fan, name);
      const status = lstatSync(path, { throwIfNoEntry: false });
      if (!status?.isFile()) continue;
      yield { kind, path, bytes: status.size, used: status.mtimeMs, isTemporary: match[2] !== undefined };
    }
  }
}
