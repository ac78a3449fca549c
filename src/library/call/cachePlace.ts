// Which cache a call uses: from its options, the environment and the machine.

import { resolve } from 'node:path';
import { CACHE_SIZE } from '../../config/options/cacheOptions.ts';
import { parseText, Refusal } from '../../config/options/values.ts';
import { fail } from '../../diagnostics/diagnostic.ts';
import { DEFAULT_CACHE_BYTES } from '../../output/cache/cache.ts';
import type { CachePlace } from '../../output/cache/folder.ts';
import { defaultCacheFolder } from '../../output/cache/place.ts';
import type { Environment } from './environment.ts';

export interface CacheChoice {
  readonly cacheDir?: string | undefined;
  readonly cacheSize?: number | undefined;
}

/** Bytes of UNTOLD_CACHE_SIZE, if it is set. Throws UC1003. */
function sizeOfEnvironment({ UNTOLD_CACHE_SIZE: text }: Environment['env']): number | undefined {
  if (!text) return undefined;
  const value = parseText(CACHE_SIZE.kind, text);
  if (value instanceof Refusal) {
    return fail('UC1003', '', 'UNTOLD_CACHE_SIZE', `"${text}" is set, but the variable ${value.message}`);
  }
  return value as number;
}

/** The most bytes of the cache. Throws UC1003 for the environment. */
export function cacheBytes({ cacheSize }: CacheChoice, env: Environment['env']): number {
  return cacheSize ?? sizeOfEnvironment(env) ?? DEFAULT_CACHE_BYTES;
}

/** The folder that was named, by an option or else by UNTOLD_CACHE_DIR, or the default one; null: there is none. */
export function cachePlace({ cacheDir }: CacheChoice, cwd: string, env: Environment['env']): CachePlace | null {
  const named = cacheDir ?? env.UNTOLD_CACHE_DIR;
  if (named) return { folder: resolve(cwd, named), isDefault: false };
  const folder = defaultCacheFolder({ platform: process.platform, env, cwd });
  return folder === null ? null : { folder, isDefault: true };
}
