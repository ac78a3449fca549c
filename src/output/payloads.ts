// Writes payloads into a set, under names that tell their content.

import { sha256Hex } from '../bytes/sha256.ts';
import type { EmittedPayload, EncodedPayload } from '../formats/format.ts';
import type { OutputSet } from './outputSet.ts';
import { verifyPayload } from './verify.ts';

/**
 * Stages an encoded payload under `path`, relative to the set's base; with `hashedName` digits of its SHA-256 come
 * before the path's ending. It is checked at once, while others are cooked. Throws what the set and the check throw.
 */
export async function emitPayload(
  set: OutputSet,
  { file, ...measures }: EncodedPayload,
  path: string,
  hashedName: boolean,
): Promise<EmittedPayload> {
  const sha256 = sha256Hex(file);
  const named = hashedName ? hashedPath(path, sha256, set.earlier) : path;
  const { bytes } = set.write(named, file, sha256);
  await verifyPayload(set, named);
  return { ...measures, path: named, bytes };
}

/**
 * The path with digits of the content's hash before its ending: eight, or more where the earlier set has another file
 * of that name. So a new payload never stands where the old set needs its own, and the engine, which never asks again for
 * a URL that it has in its cache, asks for a file that has changed.
 */
function hashedPath(path: string, sha256: string, earlier: ReadonlyMap<string, string | null>): string {
  for (let digits = 8; ; digits += 8) {
    const named = path.replace(/(?=\.untold$)/, `_${sha256.slice(0, digits)}`);
    const stated = earlier.get(named);
    if (stated === undefined || stated === sha256 || digits >= sha256.length) return named;
  }
}
