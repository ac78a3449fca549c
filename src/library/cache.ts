// cacheInfo(), clearCache() and pruneCache(): what is in a cache, emptying it, and removing what is old.

import { DEFAULT_MAX_AGE } from '../config/options/cacheOptions.ts';
import type { OptionsOf } from '../config/options/option.ts';
import {
  CACHE_CLEAR_CALL_OPTIONS,
  CACHE_INFO_CALL_OPTIONS,
  CACHE_PRUNE_CALL_OPTIONS,
} from '../config/options/table.ts';
import { projectsOf } from '../cook/kept/projects.ts';
import { type Diagnostic, fail } from '../diagnostics/diagnostic.ts';
import { CACHE_KIND } from '../output/cache/cache.ts';
import type { CachePlace } from '../output/cache/folder.ts';
import {
  cacheUse,
  kindShares,
  type PlannedRemoval,
  planClearing,
  planPruning,
  removePlanned,
  shareOf,
} from '../output/cache/upkeep.ts';
import { type CacheChoice, cacheBytes, cachePlace } from './call/cachePlace.ts';
import { checkOptions } from './call/checkOptions.ts';
import { type Surrounded, variablesOf, workingFolder } from './call/environment.ts';
import { failedCall } from './call/faults.ts';

export interface CacheInfoOptions extends OptionsOf<typeof CACHE_INFO_CALL_OPTIONS>, Surrounded {}
export interface ClearCacheOptions extends OptionsOf<typeof CACHE_CLEAR_CALL_OPTIONS>, Surrounded {}
export interface PruneCacheOptions extends OptionsOf<typeof CACHE_PRUNE_CALL_OPTIONS>, Surrounded {}

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

/** A project whose cooks are recorded in a cache. */
export interface CachedProject {
  /** Absolute: the working folder of its cooks. */
  readonly folder: string;
  /** Outputs of which the cook is recorded. */
  readonly outputs: number;
  /** When one of the records was last used, as ISO 8601 in UTC. */
  readonly used: string;
}

/** What was removed from a cache, or would be; schemas/cache-clear.schema.json and cache-prune.schema.json describe it. */
export interface ClearedCache {
  /** Absolute. */
  readonly folder: string;
  /** Whether nothing was removed. */
  readonly dryRun: boolean;
  readonly entries: number;
  readonly bytes: number;
  /** By kind, in the order of their names. */
  readonly kinds: CacheDocument['kinds'];
  /** Projects whose records go: they cook sources again of which nothing has changed. In the order of their folders. */
  readonly projects: readonly CachedProject[];
  /** What stays. */
  readonly left: { readonly entries: number; readonly bytes: number };
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

/** Removes what is planned unless `dryRun`, and tells about it. */
function removed(folder: string, plan: PlannedRemoval, dryRun: boolean): ClearedCache {
  // Before the records are gone.
  const projects = projectsOf(plan.gone).map(({ used, ...rest }) => ({ ...rest, used: new Date(used).toISOString() }));
  if (!dryRun) removePlanned(plan);
  return { folder, dryRun, ...shareOf(plan.gone), kinds: kindShares(plan.gone), projects, left: plan.left };
}

export function runClearCache(given: ClearCacheOptions): CacheResult<ClearedCache> {
  return answered(given, (cwd) => {
    const options = checkOptions(CACHE_CLEAR_CALL_OPTIONS, given, cwd);
    const { kind = null, dryRun = false } = options;
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
    return removed(place.folder, planClearing(place, kind), dryRun);
  });
}

const HOUR = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { h: HOUR, d: 24 * HOUR, w: 7 * 24 * HOUR };

/** Milliseconds of an age like 30d. Throws UC1003. */
function ageOf(text: string): number {
  const [, number, unit] = /^(\d{1,6}) ?([hdw])$/i.exec(text) ?? [];
  if (number !== undefined) return Number(number) * UNITS[unit.toLowerCase()];
  const message = `"${text}" was given, but the option takes a number of hours, days or weeks like 12h, 30d or 8w`;
  return fail('UC1003', '', '--max-age', message);
}

export function runPruneCache(given: PruneCacheOptions): CacheResult<ClearedCache> {
  return answered(given, (cwd) => {
    const options = checkOptions(CACHE_PRUNE_CALL_OPTIONS, given, cwd);
    const { maxSize = null, dryRun = false } = options;
    const maxAge = options.maxAge ?? (maxSize === null ? DEFAULT_MAX_AGE : null);
    const before = maxAge === null ? null : Date.now() - ageOf(maxAge);
    const place = requirePlace(options, cwd, given);
    return removed(place.folder, planPruning(place, { before, maxBytes: maxSize }), dryRun);
  });
}
