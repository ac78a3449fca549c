// cacheInfo() and clearCache(): what is in a cache, and emptying it.

import type { OptionsOf } from '../config/options/option.ts';
import { CACHE_CLEAR_CALL_OPTIONS, CACHE_INFO_CALL_OPTIONS } from '../config/options/table.ts';
import { type Diagnostic, fail } from '../diagnostics/diagnostic.ts';
import { CACHE_KIND } from '../output/cache/cache.ts';
import type { CachePlace } from '../output/cache/folder.ts';
import { type CacheShare, cacheUse, clearCache } from '../output/cache/upkeep.ts';
import { type CacheChoice, cacheBytes, cachePlace } from './call/cachePlace.ts';
import { checkOptions } from './call/checkOptions.ts';
import { type Surrounded, variablesOf, workingFolder } from './call/environment.ts';
import { failedCall } from './call/faults.ts';

export interface CacheInfoOptions extends OptionsOf<typeof CACHE_INFO_CALL_OPTIONS>, Surrounded {}
export interface ClearCacheOptions extends OptionsOf<typeof CACHE_CLEAR_CALL_OPTIONS>, Surrounded {}

/** What is in a cache; schemas/cache-info.schema.json describes it. */
export interface CacheDocument {
  /** Absolute. It need not exist yet. */
  readonly folder: string;
  /** Bytes of all entries at most. */
  readonly limit: number;
  readonly entries: number;
  /** On the disk, headers of entries included. */
  readonly bytes: number;
  /** By kind, in the order of their names. */
  readonly kinds: readonly { readonly kind: string; readonly entries: number; readonly bytes: number }[];
  /** When the entry that was not used for longest was last used, as ISO 8601 in UTC; null if there is none. */
  readonly oldest: string | null;
}

/** What was removed from a cache. */
export interface ClearedCache {
  /** Absolute. */
  readonly folder: string;
  readonly entries: number;
  readonly bytes: number;
}

export interface CacheResult<T> {
  readonly exitCode: number;
  /** Null when the call was refused or failed. */
  readonly document: T | null;
  readonly diagnostics: readonly Diagnostic[];
}

function requirePlace(options: CacheChoice, cwd: string, given: Surrounded): CachePlace {
  const place = cachePlace(options, cwd, variablesOf(given));
  if (place !== null) return place;
  return fail('UC1002', '', '--cache-dir', 'this user has no folder for caches outside of the working folder');
}

/** Runs `work` in the working folder and turns what the user or the machine causes into diagnostics. */
function answered<T>(given: Surrounded, work: (cwd: string) => T): CacheResult<T> {
  try {
    return { exitCode: 0, document: work(workingFolder(given)), diagnostics: [] };
  } catch (error) {
    return { document: null, ...failedCall(error, given) };
  }
}

export function runCacheInfo(given: CacheInfoOptions): CacheResult<CacheDocument> {
  return answered(given, (cwd) => {
    const options = checkOptions(CACHE_INFO_CALL_OPTIONS, given, cwd);
    const place = requirePlace(options, cwd, given);
    const limit = cacheBytes(options, variablesOf(given));
    const { entries, bytes, kinds, oldest } = cacheUse(place);
    const shown = oldest === null ? null : new Date(oldest).toISOString();
    return { folder: place.folder, limit, entries, bytes, kinds, oldest: shown };
  });
}

export function runClearCache(given: ClearCacheOptions): CacheResult<ClearedCache> {
  return answered(given, (cwd) => {
    const options = checkOptions(CACHE_CLEAR_CALL_OPTIONS, given, cwd);
    const { kind = null } = options;
    if (kind !== null && !CACHE_KIND.test(kind)) {
      fail(
        'UC1003',
        '',
        '--kind',
        `"${kind}" was given, which no kind is called`,
        'see `untold cache info` for the kinds',
      );
    }
    const place = requirePlace(options, cwd, given);
    const removed: CacheShare = clearCache(place, kind);
    return { folder: place.folder, ...removed };
  });
}
