// Instances that share a prototype (OpenUSD, scene graph instancing): which prims bring in the same content.

import { ARC, type Node } from '../index/node.ts';
import type { PrimIndex } from '../index/primIndex.ts';

/** How paths outside of what an arc brings in reach the stage from here. */
function outerMapping(node: Node): string {
  const maps: string[] = [];
  for (let at = node; at.parent !== null; at = at.parent) {
    maps.push(at.map?.key ?? '');
  }
  return maps.join('^');
}

/**
 * Equal for instances whose descendants are composed alike: the same arcs to the same sites, at the same time offsets,
 * with the same variants. Arcs of prims above do not count, and neither do opinions authored beside the arcs.
 */
export function instanceKey({ nodes }: PrimIndex): string {
  const parts: string[] = [];
  for (const node of nodes) {
    const { arc, site, parent, map } = node;
    if (arc === ARC.root || !node.isDirect) continue;
    const { offset, scale } = node.totalOffset;
    parts.push(`${node.depth} ${arc} ${site.stack.id} ${offset} ${scale} ${node.isInert ? 'inert ' : ''}${site.path}`);
    const reachesOut = map === null || map.hasRootIdentity;
    if (reachesOut && parent !== null && !parent.isDirect) parts.push(outerMapping(parent));
  }
  return parts.join('\n');
}
