// Implied classes (OpenUSD, pcp/primIndex.cpp, implied inherits and specializes). If an asset that an arc brings in
// inherits a class, the class of the same path in the stronger layer stack is inherited too, so that a scene can
// override the class of an asset. This file computes where the implication starts and which paths and maps the implied
// arcs have.

import { type ArcMap, composeMaps, inverseMap, mapToSource, withRootIdentity } from '../namespace/pathMap.ts';
import { hasPrefix, stripVariants, withVariantsOf } from '../namespace/paths.ts';
import type { Node } from './node.ts';

export function hasClasses(node: Node): boolean {
  return node.children.some((child) => child.isClass);
}

/**
 * The node from which a chain of classes, one inheriting the next, is implied as a whole: the prim that inherits the
 * first class of the chain of `added`. If that node is itself a class by an arc of an ancestor, the search goes on from
 * it, unless the chain starts inside that ancestral class.
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

/**
 * The map of an implied class arc. `transfer` maps the namespace of the authored arc's node to that of the implied one.
 */
export function impliedMap(transfer: ArcMap | null, classMap: ArcMap | null): ArcMap | null {
  if (transfer === null) return classMap;
  return withRootIdentity(composeMaps(transfer, composeMaps(classMap, inverseMap(transfer))));
}

/** The `transfer` for the classes of a class: maps the namespace of the class to that of its implied copy. */
export function transferBelow(transfer: ArcMap | null, classMap: ArcMap | null, implied: ArcMap | null): ArcMap | null {
  return composeMaps(inverseMap(implied), composeMaps(transfer, classMap));
}

/**
 * The site of the class of a prim by the map of the arc, in the same variants as the prim; null: the map has no image.
 */
export function classPath(prim: Node, map: ArcMap | null): string | null {
  const site = prim.site.path;
  const path = mapToSource(map, stripVariants(site));
  return path === null ? null : withVariantsOf(path, site);
}
