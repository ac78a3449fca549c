// Keeps a cache within its size: what was not used for longest goes first. Nobody is locked out meanwhile: an entry that
// another process wants, or removes, at the same moment is a miss for one of them.

import { rmSync } from 'node:fs';
import { kindsIn, type StoredEntry, storedEntries } from './entries.ts';

/** After an eviction this share is left, so that not every process that follows has to evict. */
const SHARE_LEFT = 0.9;

/** A temporary file that is older than this, in milliseconds, was left by a process that was killed. */
export const ABANDONED_AFTER = 3_600_000;

/**
 * Bytes of the caches that this process has measured, by the folders of their entries. Reading the sizes of all entries
 * takes a call for each: a process does that once, and again only when what it has added since exceeds the limit.
 */
const measured = new Map<string, number>();

function remove(path: string): boolean {
  try {
    rmSync(path);
    return true;
  } catch (error) {
    // Another process evicts too, and has removed it; or it is open there (Windows), or read-only, until the next eviction.
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** Removes abandoned files, and the entries that were not used for longest if all together exceed `maxBytes`. */
function evict(content: string, maxBytes: number): number {
  const entries: StoredEntry[] = [];
  const now = Date.now();
  let bytes = 0;
  for (const kind of kindsIn(content)) {
    for (const entry of storedEntries(content, kind)) {
      if (entry.isTemporary) {
        if (now - entry.used > ABANDONED_AFTER) remove(entry.path);
        continue;
      }
      entries.push(entry);
      bytes += entry.bytes;
    }
  }
  if (bytes <= maxBytes) return bytes;
  entries.sort((a, b) => a.used - b.used || (a.path < b.path ? -1 : 1));
  for (const entry of entries) {
    if (bytes <= maxBytes * SHARE_LEFT) break;
    if (remove(entry.path)) bytes -= entry.bytes;
  }
  return bytes;
}

export class Eviction {
  readonly #content: string;
  readonly #maxBytes: number;
  /** Bytes that were written before the cache was measured. */
  #unmeasured = 0;

  constructor(content: string, maxBytes: number) {
    this.#content = content;
    this.#maxBytes = maxBytes;
  }

  /** Counts an entry that was written; evicts when the limit is exceeded for certain. */
  wrote(bytes: number): void {
    const known = measured.get(this.#content);
    if (known === undefined) this.#unmeasured += bytes;
    else measured.set(this.#content, known + bytes);
    const atLeast = known === undefined ? this.#unmeasured : known + bytes;
    if (atLeast > this.#maxBytes) this.#evict();
  }

  /** Measures the cache if something was written and this process has not measured it before. */
  finish(): void {
    if (this.#unmeasured > 0 && !measured.has(this.#content)) this.#evict();
  }

  #evict(): void {
    measured.set(this.#content, evict(this.#content, this.#maxBytes));
    this.#unmeasured = 0;
  }
}
