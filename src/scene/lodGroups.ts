// Levels of detail that artists have made of an object: which nodes of a scene are one object at several levels. Importers
// state the groups of their formats (MSFT_lod, variant sets of USD); names of siblings tell the others.

import type { LodGroup, SceneNode } from './types.ts';

/** `Tree_LOD0`, `Tree.lod1`, `Tree_LOD_2`, `LOD3`; a number that tells copies apart may follow, as Blender appends it. */
const LEVEL_NAME = /^(?:(.*?)[._\- ])?lod[._\- ]?(\d{1,4})([._]\d{3})?$/i;

interface NamedLevels {
  readonly path: string;
  readonly byNumber: Map<number, number[]>;
}

/** The groups whose levels are siblings with names that end in the number of a level, in the order of their first nodes. */
export function namedLodGroups(nodes: readonly SceneNode[]): LodGroup[] {
  const found = new Map<string, NamedLevels>();
  for (const [index, { name, parent, below = parent, path }] of nodes.entries()) {
    const match = LEVEL_NAME.exec(name);
    // A node whose mesh a skin places is two here: the one above stands for it.
    if (match === null || (below >= 0 && nodes[below].path === path)) continue;
    const [, base = '', number, copy = ''] = match;
    const key = JSON.stringify([below, base, copy]);
    const named = found.get(key) ?? { path, byNumber: new Map<number, number[]>() };
    found.set(key, named);
    const same = named.byNumber.get(Number(number));
    if (same) same.push(index);
    else named.byNumber.set(Number(number), [index]);
  }
  return [...found.values()].flatMap(({ path, byNumber }) => {
    const sorted = [...byNumber].sort(([a], [b]) => a - b);
    const numbers = sorted.map(([number]) => number);
    return objectsOf(sorted.map(([, level]) => level)).map((levels) => ({ path, levels, numbers }));
  });
}

/** Where each level has as many nodes of one name, each of them is an object; otherwise all are one. */
function objectsOf(levels: readonly (readonly number[])[]): (readonly (readonly number[])[])[] {
  const count = levels[0].length;
  if (levels.some((level) => level.length !== count)) return [levels];
  return levels[0].map((_, i) => levels.map((level) => [level[i]]));
}
