// The index of a child. It starts as a copy of the parent's index in which each site is replaced by its child of that
// name. Nodes without specs there are dropped, and the arcs that the new sites author are followed.

import type { Site } from '../layers/site.ts';
import { appendChild } from '../namespace/paths.ts';
import { IndexBuilder } from './indexBuilder.ts';
import type { IndexContext } from './indexContext.ts';
import { listNodes, Node, rootNode } from './node.ts';
import { hasWork, isRelocateTarget, PrimIndex } from './primIndex.ts';

export interface ChildOptions {
  /** False: the index that takes the child in chooses the variants. */
  readonly choosesVariants: boolean;
  /** The child is the source of a relocate, which moves it away from its path. */
  readonly isMoving: boolean;
  /** The child's own site contributes no opinions. */
  readonly isInert: boolean;
}

const ON_STAGE: ChildOptions = { choosesVariants: true, isMoving: false, isInert: false };

/** The index of a child by name. The children of an instance have opinions only from the arcs of the instance. */
export function childIndex(parent: PrimIndex, name: string, context: IndexContext, options = ON_STAGE): PrimIndex {
  const { nodes, isInstance } = parent;
  const sites = nodes.map((node) => node.stack.site(appendChild(node.site.path, name)));
  const isMoved = (node: Node, i: number) =>
    !node.isInert && node.stack.relocates.isSource(sites[i].path) && !(i === 0 && options.isMoving);
  const root = rootNode(sites[0]);
  if (nodes.some(isMoved)) {
    // A relocate moves the prim away from this path, so no opinions count here.
    root.elide();
    return counted(root, context);
  }
  const inert = nodes.map((node, i) => node.isInert || (isInstance && !node.isDirect) || (i === 0 && options.isInert));
  const keep = new Array<boolean>(nodes.length).fill(false);
  const mark = (node: Node | null) => {
    for (let at = node; at !== null && !keep[at.order]; at = at.parent) {
      keep[at.order] = true;
      if (at.origin !== null && at.isImplied && nodes[at.origin.order] === at.origin) mark(at.origin);
    }
  };
  keep[0] = true;
  // Variants of the ancestors that are not chosen yet may have specs here, and any of the sites may select them.
  const isOpen = !options.choosesVariants && sites.some((site) => site.isInVariants);
  for (const [i, node] of nodes.entries()) {
    if (i === 0) continue;
    const contributes = !inert[i] && sites[i].specs.length > 0;
    if (contributes || isRelocateTarget(sites[i]) || (isOpen && (sites[i].isInVariants || sites[i].isBelowSelection)))
      mark(node);
  }
  const copies: (Node | null)[] = [root];
  for (let i = 1; i < nodes.length; i++) {
    const { arc, parent: above, origin, map, offset, listIndex, age, order, asset } = nodes[i];
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
      listIndex,
      age: age + 1,
      asset: options.choosesVariants ? null : asset,
    });
    parentCopy.children.push(copy);
    copies.push(copy);
  }
  for (const [i, copy] of copies.entries()) {
    if (copy === null) continue;
    if (copy.origin) copy.origin = copies[copy.origin.order] ?? copy.parent;
    if (nodes[i].isInert) copy.copyInertness(nodes[i]);
    else if (inert[i]) copy.setInert();
  }
  return grown(root, context, options);
}

/** The index of a variant without the prim that has it; the index that takes the variant in has that prim already. */
export function variantIndex(site: Site, context: IndexContext): PrimIndex {
  return grown(rootNode(site), context, { choosesVariants: false, isMoving: false, isInert: false });
}

function grown(root: Node, context: IndexContext, options: ChildOptions): PrimIndex {
  const nodes = listNodes(root);
  if (nodes.some(hasWork)) new IndexBuilder(context, nodes, options).run();
  return counted(root, context);
}

function counted(root: Node, context: IndexContext): PrimIndex {
  const index = new PrimIndex(root);
  context.countNodes(index.nodes.length);
  return index;
}
