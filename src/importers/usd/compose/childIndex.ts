// The index of a child starts from its parent's, one level of namespace deeper in every site; what has nothing to say
// there is let go, and what is authored there comes in.

import type { Composer } from './composer.ts';
import { IndexBuilder } from './indexBuilder.ts';
import { ARC, Node, rootNode } from './node.ts';
import { appendChild } from './paths.ts';
import { hasWork, isRelocateTarget, PrimIndex } from './primIndex.ts';
import type { Site } from './site.ts';

export interface ChildOptions {
  /** false: variant sets of the child itself are left to the index that takes it in. */
  readonly evaluateVariants: boolean;
  /** The child is the source of a relocate and is read to be moved; where it stood it has no opinions any more. */
  readonly isMoving: boolean;
}

const PLAIN: ChildOptions = { evaluateVariants: true, isMoving: false };

/** Whether a node has to stay: it says something, or a relocate brings something to its place. */
function isAlive(site: Site, isInert: boolean): boolean {
  return !isInert && (site.specs.length > 0 || isRelocateTarget(site));
}

/** The index of a child by name. Opinions on the descendants of an instance count only where its arcs bring them in. */
export function childIndex(parent: PrimIndex, name: string, composer: Composer, options = PLAIN): PrimIndex {
  const { nodes } = parent;
  const { isInstance } = parent;
  const sites: Site[] = [];
  const inert: boolean[] = [];
  // Sites of the prim itself, its variants included, and what is gone because a relocate took it away: with its subtree.
  const local: boolean[] = [];
  const gone: boolean[] = [];
  for (const [i, node] of nodes.entries()) {
    const site = node.stack.site(appendChild(node.site.path, name));
    const above = node.parent?.order ?? 0;
    const isLocal = i === 0 || (node.arc === ARC.variant && local[above]);
    const isMoved = node.stack.relocates.size > 0 && node.stack.relocates.has(site.namespacePath);
    sites.push(site);
    local.push(isLocal);
    gone.push((i > 0 && gone[above]) || (isMoved && !(isLocal && options.isMoving)));
    inert.push(node.isInert || isMoved || (isInstance && !node.isDirect));
  }
  const keep = new Array<boolean>(nodes.length).fill(false);
  const mark = (node: Node | null) => {
    for (let at = node; at !== null && !keep[at.order]; at = at.parent) {
      keep[at.order] = true;
      if (at.origin !== null && at.origin !== at.parent && nodes[at.origin.order] === at.origin) mark(at.origin);
    }
  };
  keep[0] = true;
  for (const [i, node] of nodes.entries()) if (i > 0 && !gone[i] && isAlive(sites[i], inert[i])) mark(node);
  const root = rootNode(sites[0], inert[0]);
  const copies: (Node | null)[] = [root];
  for (let i = 1; i < nodes.length; i++) {
    const { arc, parent: above, origin, map, offset, place, age, order } = nodes[i];
    const parentCopy = keep[order] && above !== null ? copies[above.order] : null;
    if (parentCopy === null) {
      copies.push(null);
      continue;
    }
    const copy = new Node({
      arc,
      site: sites[i],
      parent: parentCopy,
      origin,
      map,
      offset,
      place,
      age: age + 1,
      isInert: inert[i],
    });
    parentCopy.children.push(copy);
    copies.push(copy);
  }
  for (const copy of copies) if (copy?.origin) copy.origin = copies[copy.origin.order] ?? copy.parent;
  if (root.children.length === 0 && !hasWork(root)) return counted(new PrimIndex(root), composer);
  const builder = new IndexBuilder(composer, root);
  for (const copy of copies) if (copy !== null && hasWork(copy)) builder.expandLater(copy);
  builder.run(options.evaluateVariants);
  return counted(new PrimIndex(root), composer);
}

function counted(index: PrimIndex, composer: Composer): PrimIndex {
  composer.countNodes(index.nodes.length);
  return index;
}
