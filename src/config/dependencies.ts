// Which sources of a call are parts of others: layers that another one references, includes or has as a variant.

import { realpathSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { extensionsFor, KINDS } from '../formats/kinds.ts';
import type { AssetSearch } from '../importers/files.ts';
import { defaultRoot, diskFiles } from '../importers/files.ts';
import { layerDependencies } from '../importers/usd/dependencies.ts';
import type { FoundSource } from './sources.ts';

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const EXTENSIONS = [...extensionsFor('pack'), ...KINDS.usdz.extensions];
const isUsd = (path: string): boolean => EXTENSIONS.includes(extname(path).toLowerCase());

/** What a layer brings in, by its path and by what decides where its assets are looked for. */
const known = new Map<string, { readonly mark: string; readonly dependencies: readonly string[] }>();
const MAX_KNOWN = 1 << 16;
/** Disks with coarse clocks give two versions that are saved within this time the same mark. */
const COARSE_MS = 2000;

/** What tells one version of a file from another; null if there is none, or if it has just been saved. */
function markOf(path: string): string | null {
  try {
    const { mtimeNs, mtimeMs, size, ino } = statSync(path, { bigint: true });
    return Date.now() - Number(mtimeMs) < COARSE_MS ? null : `${mtimeNs} ${size} ${ino}`;
  } catch {
    return null;
  }
}

/** The real paths of the files that a USD layer brings in. A layer that has not changed is read once in a process. */
function dependenciesOf(path: string, root: string | null, search: AssetSearch): readonly string[] {
  const key = JSON.stringify([path, root, search]);
  const mark = markOf(path);
  const before = known.get(key);
  if (before && before.mark === mark) return before.dependencies;
  const named = layerDependencies(path, diskFiles(root, search));
  const dependencies = named.map(realPath);
  // A missing file may appear in any of the folders where it is looked for.
  if (mark !== null && named.every((file) => markOf(file) !== null)) {
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, { mark, dependencies });
  }
  return dependencies;
}

/** The files that USD layers bring in, from the sources on, by real paths; layers that are no sources lead on too. */
function dependencyGraph(
  sources: readonly string[],
  root: string | null,
  search: AssetSearch,
): Map<string, readonly string[]> {
  const graph = new Map<string, readonly string[]>();
  const open = [...sources].reverse();
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (graph.has(path)) continue;
    const dependencies = isUsd(path) ? dependenciesOf(path, root ?? defaultRoot(path), search) : [];
    graph.set(path, dependencies);
    open.push(...dependencies);
  }
  return graph;
}

/** The files that an arc leads to from outside of their cycle, and of each cycle without such an arc all but its first source. */
function broughtIn(graph: ReadonlyMap<string, readonly string[]>, sources: ReadonlySet<string>): Set<string> {
  const components = stronglyConnected(graph);
  const componentOf = new Map(components.flatMap((files, i) => files.map((file) => [file, i] as const)));
  const entered = new Set<number>();
  for (const [file, dependencies] of graph) {
    const own = componentOf.get(file);
    for (const to of dependencies) {
      const component = componentOf.get(to);
      if (component !== undefined && component !== own) entered.add(component);
    }
  }
  // If nobody else brings a cycle in, its first source stands for it.
  const standing = new Map<number, string>();
  for (const source of sources) {
    const component = componentOf.get(source) as number;
    if (!entered.has(component) && !standing.has(component)) standing.set(component, source);
  }
  const kept = new Set(standing.values());
  return new Set([...graph.keys()].filter((file) => !kept.has(file)));
}

/** The strongly connected components (Tarjan 1972), without recursion. */
function stronglyConnected(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const components: string[][] = [];
  const number = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const isOpen = new Set<string>();
  for (const start of graph.keys()) {
    if (number.has(start)) continue;
    const calls: { readonly file: string; next: number }[] = [{ file: start, next: 0 }];
    while (calls.length > 0) {
      const call = calls[calls.length - 1];
      const { file } = call;
      if (call.next === 0) {
        number.set(file, number.size);
        lowest.set(file, number.get(file) as number);
        stack.push(file);
        isOpen.add(file);
      }
      const low = (value: number) => lowest.set(file, Math.min(lowest.get(file) as number, value));
      const dependencies = graph.get(file) ?? [];
      // Back from the one before.
      if (call.next > 0 && isOpen.has(dependencies[call.next - 1]))
        low(lowest.get(dependencies[call.next - 1]) as number);
      let entered = false;
      while (call.next < dependencies.length && !entered) {
        const to = dependencies[call.next++];
        if (!number.has(to)) {
          calls.push({ file: to, next: 0 });
          entered = true;
        } else if (isOpen.has(to)) low(number.get(to) as number);
      }
      if (entered) continue;
      calls.pop();
      if (lowest.get(file) !== number.get(file)) continue;
      const component = stack.splice(stack.lastIndexOf(file));
      for (const member of component) isOpen.delete(member);
      components.push(component);
    }
  }
  return components;
}

/**
 * Of the sources that were found in folders and by patterns, those that another source brings in. Sources that were named
 * are never among them. `root`: the asset root of the call, null: of each source its own.
 */
export function partsOfOthers(
  found: readonly FoundSource[],
  root: string | null,
  search: AssetSearch,
): ReadonlySet<FoundSource> {
  const usd = found.filter(({ path }) => isUsd(path));
  if (usd.length < 2 || usd.every(({ isNamed }) => isNamed)) return new Set();
  const real = new Map(usd.map((source) => [source, realPath(source.path)]));
  const sources = new Set(real.values());
  const parts = broughtIn(dependencyGraph([...sources], root, search), sources);
  return new Set(usd.filter((source) => !source.isNamed && parts.has(real.get(source) as string)));
}
