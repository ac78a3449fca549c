// How an arc carries paths from the namespace of its target to that of the prim it is authored on, and back (OpenUSD, Pcp
// map functions): pairs of prims, the deepest counts. A path whose image leads back to another path has no image, so that
// each map can be inverted.

import { hasPrefix, nameOf, parentPath, primPathOf } from './paths.ts';

/** `source` and what is below it becomes `target` and below. */
export interface PathPair {
  readonly source: string;
  readonly target: string;
}

/** More pairs than this are looked up in tables: relocates of a whole set can be in one map. */
const FEW_PAIRS = 6;

type Side = 'source' | 'target';

/** null in its stead: every path stays as it is. */
export class ArcMap {
  readonly pairs: readonly PathPair[];
  /** Other paths stay as they are; false: they have no image. */
  readonly hasRootIdentity: boolean;
  #tables: Record<Side, ReadonlyMap<string, PathPair>> | null = null;

  constructor(pairs: readonly PathPair[], hasRootIdentity: boolean) {
    this.pairs = pairs;
    this.hasRootIdentity = hasRootIdentity;
  }

  /** The pair for the deepest prim on one side that a path is at or below. */
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

  /** For comparisons. */
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

/** A path of the arc's target in the namespace of the prim that authors it; null: it has none there. */
export function mapToTarget(map: ArcMap | null, path: string): string | null {
  return carry(map, path, 'source', 'target');
}

/** The other way round. */
export function mapToSource(map: ArcMap | null, path: string): string | null {
  return carry(map, path, 'target', 'source');
}

/** Without pairs that the others imply, in order of their sources: equal maps have equal pairs. */
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

/** `outer` after `inner`. */
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
