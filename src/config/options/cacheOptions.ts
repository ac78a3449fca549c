// The options of the cache: where things are kept from one cook to the next. No byte of the output depends on them.

import type { OptionSpec } from './option.ts';

export const CACHE_DIR = {
  name: 'cache-dir',
  kind: { type: 'path' },
  placeholder: 'DIR',
  description:
    "folder of the cache, which no byte of the output depends on; otherwise UNTOLD_CACHE_DIR, else untold in the user's folder for caches",
} as const satisfies OptionSpec;

/** How large the cache may be; UNTOLD_CACHE_SIZE is read as this option too. */
export const CACHE_SIZE = {
  name: 'cache-size',
  kind: { type: 'bytes', minimum: 1e6, maximum: 1e15 },
  placeholder: 'SIZE',
  description:
    'size of the cache at most, like 500MB: what was not used for longest goes first; otherwise UNTOLD_CACHE_SIZE, else 10GB',
} as const satisfies OptionSpec;

/** On in the command line; in the library off unless it is true. */
export const CACHE = {
  name: 'cache',
  kind: { type: 'flag', on: true },
  description: 'take nothing from the cache and put nothing there',
} as const satisfies OptionSpec;

/** On in the command line; in the library off unless it is true. It needs the cache. */
export const INCREMENTAL = {
  name: 'incremental',
  kind: { type: 'flag', on: true },
  description: 'cook sources again of which nothing has changed since they were cooked last',
} as const satisfies OptionSpec;

export const FORCE_REBUILD = {
  name: 'force-rebuild',
  kind: { type: 'flag' },
  description: 'cook everything again, from the sources and not from the cache, and record it',
} as const satisfies OptionSpec;

export const EXPLAIN_REBUILD = {
  name: 'explain-rebuild',
  kind: { type: 'flag' },
  description: 'say which inputs made which sources, tiles and levels be cooked again',
} as const satisfies OptionSpec;

export const REMOTE_CACHE = {
  name: 'remote-cache',
  kind: { type: 'text' },
  placeholder: 'URL',
  description:
    'cache of a team, by the HTTP protocol of the Bazel remote cache: what this machine lacks is taken from there and what it makes is sent there; otherwise UNTOLD_REMOTE_CACHE. UNTOLD_REMOTE_CACHE_HEADER is sent with each request, UNTOLD_REMOTE_CACHE_SECRET signs entries',
} as const satisfies OptionSpec;

export const REMOTE_CACHE_READ_ONLY = {
  name: 'remote-cache-read-only',
  kind: { type: 'flag' },
  description: 'send nothing to the cache of the team',
} as const satisfies OptionSpec;

/** What `untold cache prune` takes for old when neither age nor size is given. */
export const DEFAULT_MAX_AGE = '30d';

export const MAX_AGE = {
  name: 'max-age',
  kind: { type: 'text' },
  placeholder: 'AGE',
  description: `remove what was not used for so long: hours, days or weeks, like 12h, 30d or 8w; ${DEFAULT_MAX_AGE} when --max-size is not given either`,
} as const satisfies OptionSpec;

export const MAX_SIZE = {
  name: 'max-size',
  kind: { type: 'bytes', minimum: 1e6, maximum: 1e15 },
  placeholder: 'SIZE',
  description: 'remove what was not used for longest until the cache is no larger, like 2GB',
} as const satisfies OptionSpec;

export const CACHE_DRY_RUN = {
  name: 'dry-run',
  kind: { type: 'flag' },
  description: 'print what would be removed and remove nothing',
} as const satisfies OptionSpec;

export const CACHE_KIND = {
  name: 'kind',
  kind: { type: 'text' },
  placeholder: 'KIND',
  description: 'only entries of this kind; `untold cache info` lists the kinds',
} as const satisfies OptionSpec;
