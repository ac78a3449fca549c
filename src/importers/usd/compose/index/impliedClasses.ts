// Implied classes (OpenUSD, Pcp implied inherits and specializes): classes that an arc brings in are looked for in the
// stronger layer stack too, so that a scene can say something about the class of an asset. From where a chain of classes
// is carried, and what its arcs become there.

import { type ArcMap, composeMaps, inverseMap, mapToSource, withRootIdentity } from '../namespace/pathMap.ts';
import { hasPrefix, stripVariants, withVariantsOf } from '../namespace/paths.ts';
import type { Node } from './node.ts';

export function hasClasses(node: Node): boolean {
  return node.children.some((child) => child.isClass);
}

/**
 * The node from which the classes that a new class belongs to are carried as one: the prim that inherits the first of
 * them. Where that is a class by an arc of a prim above, it goes on from there, unless the class lies in that one.
 */
export function startOfClasses(added: Node): Node {
  let start = added;
  while (start.isClass) {
    const { age } = start;
    let first = start;
    while (start.isClass && start.age === age && start.parent !== null) {
      first = start;
      start = start.parent;
    }
    if (start.isClass && hasPrefix(first.site.path, start.introduction)) break;
  }
  return start;
}

/** What the arc of a class becomes where `transfer` leads. */
export function impliedMap(transfer: ArcMap | null, classMap: ArcMap | null): ArcMap | null {
  if (transfer === null) return classMap;
  return withRootIdentity(composeMaps(transfer, composeMaps(classMap, inverseMap(transfer))));
}

/** What leads from a class to its implied counterpart, for the classes that it has in turn. */
export function transferBelow(transfer: ArcMap | null, classMap: ArcMap | null, implied: ArcMap | null): ArcMap | null {
  return composeMaps(inverseMap(implied), composeMaps(transfer, classMap));
}

/** Where a prim finds its class by the map of the arc, in the same variants; null: there is no such place. */
export function classPath(prim: Node, map: ArcMap | null): string | null {
  const site = prim.site.path;
  const path = mapToSource(map, stripVariants(site));
  return path === null ? null : withVariantsOf(path, site);
}
