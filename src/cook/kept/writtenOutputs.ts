// Files that cooks have written and that folders are searched for, by their paths: outputs beside sources are no sources. Notes of
// them lie in the cache, one for each file.

import { realpathSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { packedDigest } from '../../bytes/pack.ts';
import { SOURCE_EXTENSIONS } from '../../config/sources.ts';
import type { TracedFile } from '../../importers/fileTrace.ts';
import type { Cache } from '../../output/cache/cache.ts';
import { isTraced, unchanged } from './traced.ts';

const WRITTEN = 'cook-output';

/** A path whose folder is the real one. */
function realPlace(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return path;
  }
}

const keyOf = (path: string): string => packedDigest(['output', realPlace(path)]);

/** Whether a search of folders would take the file for a source. */
const looksLikeSource = (path: string): boolean => SOURCE_EXTENSIONS.includes(extname(path).toLowerCase());

/** Notes outputs of a cook that might be taken for sources. */
export function noteOutputs(store: Pick<Cache, 'put'>, outputs: readonly TracedFile[]): void {
  for (const { path, stamp, sha256, time } of outputs) {
    if (!looksLikeSource(path)) continue;
    store.put(WRITTEN, keyOf(path), new TextEncoder().encode(JSON.stringify({ path, stamp, sha256, time })));
  }
}

/** Whether a cook has written the file as it is now. */
export function isNotedOutput(store: Pick<Cache, 'get'>, path: string): boolean {
  const entry = store.get(WRITTEN, keyOf(path));
  if (entry === null) return false;
  try {
    const value: unknown = JSON.parse(Buffer.from(entry).toString());
    return isTraced(value) && unchanged({ ...value, path }) !== null;
  } catch {
    return false;
  }
}
