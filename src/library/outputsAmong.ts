// Outputs among the files that folders and patterns lead to: what a cook has written is no source of the next one.

import { sep } from 'node:path';
import { outEachMatcher } from '../config/outEach.ts';
import type { FoundSource } from '../config/sources.ts';
import { isNotedOutput } from '../cook/kept/writtenOutputs.ts';
import { isOwnFile } from '../cook/outputs/singleFile/ownFiles.ts';
import { Diagnostics } from '../diagnostics/diagnostic.ts';
import type { Cache } from '../output/cache/cache.ts';
import { type CacheChoice, cacheBytes, cachePlace } from './call/cachePlace.ts';
import type { Environment } from './call/environment.ts';
import { endsLikeSource } from './sourceNotes.ts';

/** What decides which files are outputs. */
interface OutputChoice extends CacheChoice {
  readonly cache?: boolean | undefined;
  /** Absolute paths of the call. */
  readonly out: string | null;
  readonly outEach: string | null;
}

/** The cache of the call, for reading; null: it takes nothing from one. */
async function readCache(choice: OutputChoice, cwd: string, env: Environment['env']): Promise<Cache | null> {
  if (!(choice.cache ?? choice.cacheDir !== undefined)) return null;
  const place = cachePlace(choice, cwd, env);
  if (place === null) return null;
  const { openCache } = await import('../output/cache/cache.ts');
  return openCache({ ...place, maxBytes: cacheBytes(choice, env), diagnostics: new Diagnostics() });
}

/**
 * The found files that are outputs: those that this call writes itself, and those that are as an earlier cook recorded them.
 * Files that are named are what their user says.
 */
export async function outputsAmong(
  found: readonly FoundSource[],
  choice: OutputChoice,
  cwd: string,
  env: Environment['env'],
): Promise<ReadonlySet<FoundSource>> {
  const cooked = found.filter(({ path, isNamed }) => !isNamed && endsLikeSource(path) && isOwnFile(path));
  if (cooked.length === 0) return new Set();
  const matcher = choice.outEach === null ? null : outEachMatcher(choice.outEach);
  const ofCall = (path: string) => path === choice.out || matcher?.test(path.split(sep).join('/')) === true;
  const cache = await readCache(choice, cwd, env);
  return new Set(cooked.filter(({ path }) => ofCall(path) || (cache !== null && isNotedOutput(cache, path))));
}
