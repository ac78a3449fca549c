// What `untold cache` does: tells what a cache holds, and empties it.

import { rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../../diagnostics/diagnostic.ts';
import { fansOf, kindsIn, storedEntries } from './entries.ts';
import { type CachePlace, findContent, isOwnFolder, refusalOf } from './folder.ts';

/** Entries and their bytes on the disk, headers included. */
export interface CacheShare {
  readonly entries: number;
  readonly bytes: number;
}

export interface CacheUse extends CacheShare {
  /** By kind, in the order of their names. */
  readonly kinds: readonly (CacheShare & { readonly kind: string })[];
  /** When the entry that was not used for longest was last used, in milliseconds since 1970; null if there is none. */
  readonly oldest: number | null;
}

/** The folder of the entries; null if there are none. Throws UC1106 for a folder that is no cache of this user. */
function contentOf(place: CachePlace): string | null {
  try {
    const content = findContent(place);
    return content !== null && isOwnFolder(content) ? content : null;
  } catch (error) {
    return fail('UC1106', '', '', `${place.folder}: ${refusalOf(error)}`);
  }
}

export function cacheUse(place: CachePlace): CacheUse {
  const content = contentOf(place);
  let oldest: number | null = null;
  const kinds = (content === null ? [] : kindsIn(content)).map((kind) => {
    const share = { kind, entries: 0, bytes: 0 };
    for (const { isTemporary, bytes, used } of storedEntries(content as string, kind)) {
      if (isTemporary) continue;
      share.entries++;
      share.bytes += bytes;
      oldest = Math.min(oldest ?? used, used);
    }
    return share;
  });
  const used = kinds.filter(({ entries }) => entries > 0);
  return {
    entries: used.reduce((sum, { entries }) => sum + entries, 0),
    bytes: used.reduce((sum, { bytes }) => sum + bytes, 0),
    kinds: used,
    oldest,
  };
}

/** Removes a folder if it is empty. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    // It holds files of others, or another process has just put an entry there.
    refusalOf(error);
  }
}

/**
 * Removes the entries of one kind, or of all (null), and the folders that become empty; nothing else. Returns what was
 * removed. Throws UC1106, and what the system throws for an entry that cannot be removed.
 */
export function clearCache(place: CachePlace, kind: string | null): CacheShare {
  const content = contentOf(place);
  const removed = { entries: 0, bytes: 0 };
  if (content === null) return removed;
  for (const one of kindsIn(content)) {
    if (kind !== null && one !== kind) continue;
    for (const { path, bytes, isTemporary } of storedEntries(content, one)) {
      rmSync(path, { force: true });
      if (isTemporary) continue;
      removed.entries++;
      removed.bytes += bytes;
    }
    for (const fan of fansOf(content, one)) removeEmpty(fan);
    removeEmpty(join(content, one));
  }
  if (kind === null) removeEmpty(content);
  return removed;
}
