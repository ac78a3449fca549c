// What `untold cache` does: tells what a cache holds, empties it, and removes what is old.

import { rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../../diagnostics/diagnostic.ts';
import { fansOf, kindsIn, type StoredEntry, storedEntries } from './entries.ts';
import { ABANDONED_AFTER } from './eviction.ts';
import { type CachePlace, findContent, isOwnFolder, refusalOf } from './folder.ts';

/** Entries and their bytes on the disk, headers included. */
export interface CacheShare {
  readonly entries: number;
  readonly bytes: number;
}

/** Those of one kind. */
export interface KindShare extends CacheShare {
  readonly kind: string;
}

export interface CacheUse extends CacheShare {
  /** Kinds that have entries, in the order of their names. */
  readonly kinds: readonly KindShare[];
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

const bytesOf = (entries: readonly StoredEntry[]): number => entries.reduce((sum, { bytes }) => sum + bytes, 0);

export const shareOf = (entries: readonly StoredEntry[]): CacheShare => ({
  entries: entries.length,
  bytes: bytesOf(entries),
});

/** The shares of kinds that have entries, in the order of their names. */
export function kindShares(entries: readonly StoredEntry[]): KindShare[] {
  const kinds = [...new Set(entries.map(({ kind }) => kind))].sort();
  return kinds.map((kind) => ({ kind, ...shareOf(entries.filter((entry) => entry.kind === kind)) }));
}

/** Files of a cache, without unfinished entries. */
interface Contents {
  readonly content: string | null;
  readonly entries: readonly StoredEntry[];
  readonly temporary: readonly StoredEntry[];
}

/** `kind`: null for all. Throws UC1106. */
function contentsOf(place: CachePlace, kind: string | null): Contents {
  const content = contentOf(place);
  const files =
    content === null
      ? []
      : kindsIn(content)
          .filter((one) => kind === null || one === kind)
          .flatMap((one) => [...storedEntries(content, one)]);
  return {
    content,
    entries: files.filter(({ isTemporary }) => !isTemporary),
    temporary: files.filter(({ isTemporary }) => isTemporary),
  };
}

/** Throws UC1106. */
export function cacheUse(place: CachePlace): CacheUse {
  const { entries } = contentsOf(place, null);
  const oldest = entries.reduce<number | null>((least, { used }) => Math.min(least ?? used, used), null);
  return { ...shareOf(entries), kinds: kindShares(entries), oldest };
}

/** What is to be removed from a cache; nothing is done yet. */
export interface PlannedRemoval {
  /** The folder of the entries; null: there are none. */
  readonly content: string | null;
  readonly gone: readonly StoredEntry[];
  /** Files that were to become entries. */
  readonly temporary: readonly StoredEntry[];
  readonly left: CacheShare;
}

/** The entries of one kind, or all (null). Throws UC1106. */
export function planClearing(place: CachePlace, kind: string | null): PlannedRemoval {
  const { content, entries, temporary } = contentsOf(place, kind);
  const all = kind === null ? entries : contentsOf(place, null).entries;
  const left = { entries: all.length - entries.length, bytes: bytesOf(all) - bytesOf(entries) };
  return { content, gone: entries, temporary, left };
}

/**
 * Entries that were not used since `before` (milliseconds since 1970; null: whenever), and of the others those that were not
 * used for longest, until `maxBytes` are left (null: any number). Throws UC1106.
 */
export function planPruning(
  place: CachePlace,
  { before, maxBytes }: { readonly before: number | null; readonly maxBytes: number | null },
): PlannedRemoval {
  const { content, entries, temporary } = contentsOf(place, null);
  const isOld = ({ used }: StoredEntry) => before !== null && used < before;
  const gone = entries.filter(isOld);
  const rest = entries.filter((entry) => !isOld(entry)).sort((a, b) => a.used - b.used || (a.path < b.path ? -1 : 1));
  let { bytes } = shareOf(rest);
  let count = rest.length;
  for (const entry of maxBytes === null ? [] : rest) {
    if (bytes <= (maxBytes as number)) break;
    gone.push(entry);
    bytes -= entry.bytes;
    count--;
  }
  const abandoned = temporary.filter(({ used }) => Date.now() - used > ABANDONED_AFTER);
  return { content, gone, temporary: abandoned, left: { entries: count, bytes } };
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
 * Removes what is planned, and folders that become empty; nothing else. Throws what the system throws for an entry that cannot
 * be removed.
 */
export function removePlanned({ content, gone, temporary }: PlannedRemoval): void {
  if (content === null) return;
  for (const { path } of [...gone, ...temporary]) rmSync(path, { force: true });
  for (const kind of kindsIn(content)) {
    for (const fan of fansOf(content, kind)) removeEmpty(fan);
    removeEmpty(join(content, kind));
  }
  removeEmpty(content);
}
