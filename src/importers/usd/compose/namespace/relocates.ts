// The relocates of a layer stack: which prims are moved from where to where, and how that changes the paths that an arc
// brings in (OpenUSD, Pcp layer stack relocations).

import type { Layer } from '../../layer.ts';
import type { Findings } from '../findings.ts';
import { ArcMap } from './pathMap.ts';
import { hasPrefix, isPrimPath, nameOf, parentPath } from './paths.ts';

/** A child that moves: its name here, and the path at the other end ('' when it is deleted). */
export interface MovedChild {
  readonly name: string;
  readonly other: string;
}

interface Authored {
  readonly from: string;
  readonly to: string;
  readonly layer: Layer;
}

/** Places in a sorted list of paths that are at `path` or below: '/' sorts before every character of a name. */
function* atOrBelow(sorted: readonly string[], path: string): Generator<string> {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < path) low = middle + 1;
    else high = middle;
  }
  for (let i = low; i < sorted.length && hasPrefix(sorted[i], path); i++) yield sorted[i];
}

function addTo(table: Map<string, MovedChild[]>, key: string, child: MovedChild): void {
  const children = table.get(key);
  if (children) children.push(child);
  else table.set(key, [child]);
}

const NONE: readonly MovedChild[] = [];

export class Relocates {
  /** By the path as it is after all other relocates; '' deletes. */
  readonly #targets: ReadonlyMap<string, string>;
  readonly #sources = new Map<string, string>();
  /** Targets by the path at which the prim would be without any relocate. */
  readonly #byOrigin = new Map<string, string>();
  readonly #movedFrom = new Map<string, MovedChild[]>();
  readonly #movedTo = new Map<string, MovedChild[]>();
  readonly #sortedSources: readonly string[];
  readonly #sortedOrigins: readonly string[];
  readonly #maps = new Map<string, ArcMap | null>();

  constructor(targets: ReadonlyMap<string, string>) {
    this.#targets = targets;
    for (const [from, to] of targets) {
      addTo(this.#movedFrom, parentPath(from), { name: nameOf(from), other: to });
      if (to === '') continue;
      this.#sources.set(to, from);
      addTo(this.#movedTo, parentPath(to), { name: nameOf(to), other: from });
    }
    for (const [from, to] of targets) this.#byOrigin.set(this.#originOf(from), to);
    this.#sortedSources = [...targets.keys()].sort();
    this.#sortedOrigins = [...this.#byOrigin.keys()].sort();
  }

  get isEmpty(): boolean {
    return this.#targets.size === 0;
  }

  isSource(path: string): boolean {
    return this.#targets.has(path);
  }

  /** Where the prim at a target comes from. */
  sourceOf(target: string): string | undefined {
    return this.#sources.get(target);
  }

  /** Children of a prim that relocates take away. */
  movedFrom(parent: string): readonly MovedChild[] {
    return this.#movedFrom.get(parent) ?? NONE;
  }

  /** Children of a prim that relocates bring. */
  movedTo(parent: string): readonly MovedChild[] {
    return this.#movedTo.get(parent) ?? NONE;
  }

  /** Whether a prim, or one below it, is moved away from where it would be without relocates. */
  hasOriginAtOrBelow(path: string): boolean {
    for (const _ of atOrBelow(this.#sortedOrigins, path)) return true;
    return false;
  }

  /** How relocates change the paths that an arc on a prim brings in. Deleted prims keep their paths. */
  mapAt(path: string): ArcMap | null {
    if (this.isEmpty) return null;
    const known = this.#maps.get(path);
    if (known !== undefined) return known;
    const targets = new Map<string, string>();
    const seen = new Set<string>();
    const note = (source: string, target: string) => {
      if (target === '' || seen.has(target) || targets.has(source)) return;
      seen.add(target);
      targets.set(source, target);
    };
    for (const origin of atOrBelow(this.#sortedOrigins, path)) note(origin, this.#byOrigin.get(origin) ?? '');
    for (const source of atOrBelow(this.#sortedSources, path)) note(source, this.#targets.get(source) ?? '');
    const pairs = [...targets].map(([source, target]) => ({ source, target }));
    const map = pairs.length === 0 ? null : new ArcMap(pairs, true);
    this.#maps.set(path, map);
    return map;
  }

  /** The path without any relocate of a prim that is moved from `source`. */
  #originOf(source: string): string {
    let origin = source;
    // Each relocate applies once at most.
    for (let n = this.#targets.size; n > 0; n--) {
      let at = origin;
      while (at !== '/' && !this.#sources.has(at)) at = parentPath(at);
      const from = this.#sources.get(at);
      if (from === undefined) break;
      origin = from + origin.slice(at.length);
    }
    return origin;
  }
}

function isPossible({ from, to }: Authored): boolean {
  if (!isPrimPath(from) || parentPath(from) === '/') return false;
  return to === '' || (isPrimPath(to) && !hasPrefix(from, to) && !hasPrefix(to, from));
}

/**
 * What of the authored relocates counts; for one source the strongest layer. Refused with UC1723, as OpenUSD refuses them:
 * root prims, moves into oneself or above, all moves to one target, a move to the source of another one together with that
 * one, and moves from or to a place below the source of another one (the path after that move must be named).
 */
export function soundRelocates(authored: readonly Authored[], findings: Findings): Relocates {
  const bySource = new Map<string, Authored>();
  const refused: Authored[] = [];
  for (const relocate of authored) {
    const stronger = bySource.get(relocate.from);
    if (stronger !== undefined && stronger.layer !== relocate.layer) continue;
    if (stronger === undefined && isPossible(relocate)) bySource.set(relocate.from, relocate);
    else refused.push(relocate);
  }
  const targeted = new Map<string, number>();
  for (const { to } of bySource.values()) targeted.set(to, (targeted.get(to) ?? 0) + 1);
  const isBelowSource = (path: string): boolean => {
    for (let at = parentPath(path); at !== '/'; at = parentPath(at)) if (bySource.has(at)) return true;
    return false;
  };
  const targets = new Map<string, string>();
  for (const relocate of bySource.values()) {
    const { from, to } = relocate;
    const isChained = targeted.has(from) || isBelowSource(from);
    if (isChained || (to !== '' && ((targeted.get(to) ?? 0) > 1 || bySource.has(to) || isBelowSource(to)))) {
      refused.push(relocate);
    } else {
      targets.set(from, to);
    }
  }
  for (const { from, to, layer } of refused) {
    findings.report('UC1723', layer, '/', `the relocate of <${from}> to <${to}> is not possible and ignored`);
  }
  return new Relocates(targets);
}
