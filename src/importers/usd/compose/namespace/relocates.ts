// The relocates of a layer stack: the source and target path of each moved prim, and the path maps that follow from
// them for arcs (OpenUSD, pcp/layerStack.cpp, relocations).

import type { Layer } from '../../layer.ts';
import type { Findings } from '../findings.ts';
import { ArcMap } from './pathMap.ts';
import { hasPrefix, isPrimPath, nameOf, parentPath } from './paths.ts';

/** A child that moves. `other` is the path at the other end of the move, or '' if the child is deleted. */
export interface MovedChild {
  readonly name: string;
  readonly other: string;
}

interface Authored {
  readonly from: string;
  readonly to: string;
  readonly layer: Layer;
}

/**
 * The paths of a sorted list that are `path` or below it. They are adjacent: '/' sorts before each character of a name.
 */
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
  /** Target by source, as authored: the source is the path after all other relocates. A target '' deletes. */
  readonly #targets: ReadonlyMap<string, string>;
  readonly #sources = new Map<string, string>();
  /** Target by the path that the prim would have without any relocate. */
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

  /** The source of the relocate to a target. */
  sourceOf(target: string): string | undefined {
    return this.#sources.get(target);
  }

  /** Children of a prim that are sources of relocates. */
  movedFrom(parent: string): readonly MovedChild[] {
    return this.#movedFrom.get(parent) ?? NONE;
  }

  /** Children of a prim that are targets of relocates. */
  movedTo(parent: string): readonly MovedChild[] {
    return this.#movedTo.get(parent) ?? NONE;
  }

  /** Whether relocates move the prim that would be at `path` without them, or a prim below it. */
  hasOriginAtOrBelow(path: string): boolean {
    for (const _ of atOrBelow(this.#sortedOrigins, path)) return true;
    return false;
  }

  /** The map by which relocates change the paths that an arc on a prim brings in. Deleted prims keep their paths. */
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

  /** The path that the prim moved from `source` would have without any relocate. */
  #originOf(source: string): string {
    let origin = source;
    // Each relocate applies at most once.
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
 * The valid relocates of a layer stack; for each source the strongest layer counts. Reports UC1723 for each relocate
 * that OpenUSD refuses too: of a root prim; to the prim itself, or to a path above or below it; several to one target;
 * one to the source of another (both are refused); one from or to a path below the source of another (the layer must
 * name the path after that other move).
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
    findings.report('UC1723', layer, '/', `the relocate of <${from}> to <${to}> is not valid and is ignored`);
  }
  return new Relocates(targets);
}
