// Finds which instances share a prototype (OpenUSD, scene graph instancing, Usd_InstanceKey).

import { ARC, type Node } from '../index/node.ts';
import type { PrimIndex } from '../index/primIndex.ts';

/** Equal for nodes from which paths outside of the arc's target map to the stage in the same way. */
function outerMapping(node: Node): string {
  const maps: string[] = [];
  for (let at = node; at.parent !== null; at = at.parent) {
    maps.push(at.map?.key ?? '');
  }
  return maps.join('^');
}

/**
 * Equal for instances whose descendants are composed alike: with the same arcs to the same sites, the same time offsets
 * and the same variants. Arcs of ancestors and opinions that no arc of the instance brings in are not part of the key.
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
