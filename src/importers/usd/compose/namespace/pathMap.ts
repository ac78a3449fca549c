// Maps paths between the namespace of the target of an arc and the namespace of the prim that authors it (OpenUSD,
// pcp/mapFunction.h). A map is a list of pairs of prims; of the pairs whose prim contains a path, the deepest one maps
// it. A path has no image if the inverse map would lead from that image to another path. So each map is invertible.

import { hasPrefix, nameOf, parentPath, primPathOf } from './paths.ts';

/** Replaces the prefix `source` of a path by `target`. */
export interface PathPair {
  readonly source: string;
  readonly target: string;
}

/** A map with more pairs than this uses hash tables: one map can hold the relocates of a whole set. */
const FEW_PAIRS = 6;

type Side = 'source' | 'target';

/** A map with pairs. Everywhere, `null` instead of a map is the identity: each path stays as it is. */
export class ArcMap {
  readonly pairs: readonly PathPair[];
  /** True: paths that no pair contains stay as they are. False: such paths have no image. */
  readonly hasRootIdentity: boolean;
  #tables: Record<Side, ReadonlyMap<string, PathPair>> | null = null;

  constructor(pairs: readonly PathPair[], hasRootIdentity: boolean) {
    this.pairs = pairs;
    this.hasRootIdentity = hasRootIdentity;
  }

  /** The pair whose prim on one side is the deepest that contains the path; null if no pair contains it. */
  nearest(path: string, side: Side): PathPair | null {
    if (this.pairs.length <= FEW_PAIRS) {
      let best: PathPair | null = null;
      for (const pair of this.pairs) {
        if (hasPrefix(path, pair[side]) && (best === null || pair[side].length > best[side].length)) best = pair;
      }
      return best;
    }
    this.#tables ??= {
      source: new Map(this.pairs.map((pair) => [pair.source, pair])),
      target: new Map(this.pairs.map((pair) => [pair.target, pair])),
    };
    for (let at = primPathOf(path); at !== '/'; at = parentPath(at)) {
      const pair = this.#tables[side].get(at);
      if (pair) return pair;
    }
    return null;
  }

  /** Equal for equal maps. */
  get key(): string {
    return `${this.pairs.map(({ source, target }) => `${source}>${target}`).join(' ')}${this.hasRootIdentity ? '+' : ''}`;
  }
}

function carry(map: ArcMap | null, path: string, from: Side, to: Side): string | null {
  if (map === null || path === '/') return map === null || map.hasRootIdentity ? path : null;
  const best = map.nearest(path, from);
  if (best === null && !map.hasRootIdentity) return null;
  const image = best === null ? path : best[to] + path.slice(best[from].length);
  const back = map.nearest(image, to);
  return back === best || (back !== null && best !== null && back[to].length <= best[to].length) ? image : null;
}

/** Maps a path of the namespace of the target to the namespace of the prim that authors the arc; null: no image. */
export function mapToTarget(map: ArcMap | null, path: string): string | null {
  return carry(map, path, 'source', 'target');
}

/** Maps a path of the namespace of the prim that authors the arc to the namespace of the target; null: no image. */
export function mapToSource(map: ArcMap | null, path: string): string | null {
  return carry(map, path, 'target', 'source');
}

/** Drops pairs that other pairs imply and sorts by source, so that equal maps have equal pairs. */
function canonical(pairs: readonly PathPair[], hasRootIdentity: boolean): ArcMap | null {
  const all = new ArcMap(pairs, hasRootIdentity);
  const kept = pairs.filter(({ source, target }) => {
    if (nameOf(source) !== nameOf(target)) return true;
    return mapToTarget(all, parentPath(source)) !== parentPath(target);
  });
  if (kept.length === 0 && hasRootIdentity) return null;
  kept.sort((a, b) => (a.source < b.source ? -1 : 1));
  return new ArcMap(kept, hasRootIdentity);
}

/** The map that applies `inner` first and `outer` second. */
export function composeMaps(outer: ArcMap | null, inner: ArcMap | null): ArcMap | null {
  if (outer === null) return inner;
  if (inner === null) return outer;
  const targets = new Map<string, string>();
  for (const { source, target } of inner.pairs) {
    const image = mapToTarget(outer, target);
    if (image !== null) targets.set(source, image);
  }
  for (const { source, target } of outer.pairs) {
    const origin = mapToSource(inner, source);
    if (origin !== null && !targets.has(origin)) targets.set(origin, target);
  }
  const pairs = [...targets].map(([source, target]) => ({ source, target }));
  return canonical(pairs, outer.hasRootIdentity && inner.hasRootIdentity);
}

export function inverseMap(map: ArcMap | null): ArcMap | null {
  if (map === null) return null;
  const pairs = map.pairs.map(({ source, target }) => ({ source: target, target: source }));
  pairs.sort((a, b) => (a.source < b.source ? -1 : 1));
  return new ArcMap(pairs, map.hasRootIdentity);
}

export function withRootIdentity(map: ArcMap | null): ArcMap | null {
  return map === null || map.hasRootIdentity ? map : canonical(map.pairs, true);
}

export function isSameMap(a: ArcMap | null, b: ArcMap | null): boolean {
  if (a === b || a === null || b === null) return a === b;
  return (
    a.hasRootIdentity === b.hasRootIdentity &&
    a.pairs.length === b.pairs.length &&
    a.pairs.every(({ source, target }, i) => source === b.pairs[i].source && target === b.pairs[i].target)
  );
}
