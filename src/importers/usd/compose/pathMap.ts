// How an arc carries paths from the namespace of its target to that of the prim it is authored on (OpenUSD, Pcp
// namespace mapping).

import { hasPrefix } from './paths.ts';

/**
 * `source` and what is below it becomes `target` and below. Other paths cannot be mapped, or stay as they are when the
 * arc is within one namespace (internal references and payloads, inherits, specializes). null: nothing changes.
 */
export interface ArcMap {
  readonly source: string;
  readonly target: string;
  readonly hasRootIdentity: boolean;
}

/** The path on the other side of the arc; null when it lies outside, or when something else is mapped to its place. */
export function mapPath(map: ArcMap | null, path: string): string | null {
  if (map === null) return path;
  if (hasPrefix(path, map.source)) return map.target + path.slice(map.source.length);
  return map.hasRootIdentity && !hasPrefix(path, map.target) ? path : null;
}

/** As mapPath; paths outside stay as they are: classes are looked for at their own path in stronger layer stacks. */
export function mapClassPath(map: ArcMap | null, path: string): string | null {
  return mapPath(map && { ...map, hasRootIdentity: true }, path);
}
