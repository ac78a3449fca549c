// Writes payloads into a set, under names with a hash of their content.

import { extname } from 'node:path';
import { sha256Hex } from '../bytes/sha256.ts';
import type { EmittedPayload, EncodedPayload } from '../formats/format.ts';
import type { OutputSet } from './outputSet.ts';
import { type PayloadCheck, verifyPayload } from './verify.ts';

/** The path of a payload with `suffix` before its extension. */
export function withSuffix(path: string, suffix: string): string {
  const end = path.length - extname(path).length;
  return `${path.slice(0, end)}${suffix}${path.slice(end)}`;
}

/** The path that a payload was planned with: without the digits of its hash that emitPayload puts before the extension. */
export const withoutHash = (path: string): string => path.replace(/_([0-9a-f]{8})+(?=\.[^./]+$)/, '');

/** Where payloads of one format are written. */
export interface PayloadTarget {
  readonly set: OutputSet;
  readonly format: PayloadCheck;
}

/**
 * Stages an encoded payload under `path`, relative to the set's base; with `hashedName` digits of its SHA-256 come
 * before the path's extension. It is checked at once, while others are cooked. Throws what the set and the check throw.
 */
export async function emitPayload(
  { set, format }: PayloadTarget,
  { file, ...measures }: EncodedPayload,
  path: string,
  hashedName: boolean,
): Promise<EmittedPayload> {
  const sha256 = sha256Hex(file);
  const named = hashedName ? hashedPath(path, sha256, set.earlier) : path;
  const { bytes } = set.write(named, file, sha256);
  await verifyPayload(set, named, format, file);
  return { ...measures, path: named, bytes };
}

/**
 * The path with digits of the content's hash before its extension: eight, or more where the earlier set has another file
 * of this name. A new payload therefore never replaces a file that the old set still needs. The engine never reloads a URL
 * that it has cached; a changed file has a new URL.
 */
export function hashedPath(path: string, sha256: string, earlier: ReadonlyMap<string, string | null>): string {
  for (let digits = 8; ; digits += 8) {
    const named = withSuffix(path, `_${sha256.slice(0, digits)}`);
    const stated = earlier.get(named);
    if (stated === undefined || stated === sha256 || digits >= sha256.length) return named;
  }
}
