// The tree of a prim index while it grows: it looks up nodes by site, copies other indices into the tree, and applies
// the limits that end chains of arcs.

import type { Site } from '../layers/site.ts';
import { MAX_NODES } from '../limits.ts';
import { hasPrefix } from '../namespace/paths.ts';
import type { IndexContext } from './indexContext.ts';
import { ARC, listNodes, type Node } from './node.ts';
import type { PrimIndex } from './primIndex.ts';

/** Whether a site equals, contains or lies below a site between `parent` and the root: an arc to it closes a cycle. */
export function leadsBack(parent: Node, { stack, path }: Site): boolean {
  for (let at: Node | null = parent; at !== null; at = at.parent) {
    if (at.stack === stack && (hasPrefix(at.site.path, path) || hasPrefix(path, at.site.path))) return true;
  }
  return false;
}

export class IndexTree {
  readonly #context: IndexContext;
  readonly #root: Node;
  #bySite: Map<Site, Node[]> | null = null;
  #count: number;

  /** `nodes` are the nodes of the tree so far, parents first. */
  constructor(context: IndexContext, nodes: readonly Node[]) {
    this.#context = context;
    this.#root = nodes[0];
    this.#count = nodes.length;
    for (const [id, node] of nodes.entries()) node.id = id;
  }

  attach(node: Node): void {
    node.id = this.#count++;
    if (this.#bySite !== null) this.#noteSite(node);
  }

  #noteSite(node: Node): void {
    const nodes = this.#bySite?.get(node.site);
    if (nodes) nodes.push(node);
    else this.#bySite?.set(node.site, [node]);
  }

  /** Whether the tree has a node for a site that is not inert. */
  has(site: Site): boolean {
    if (this.#bySite === null) {
      this.#bySite = new Map();
      for (const node of listNodes(this.#root)) this.#noteSite(node);
    }
    return this.#bySite.get(site)?.some((node) => !node.isInert) ?? false;
  }

  /**
   * Copies another index into the tree; `top` takes the role of its root. `isOnce`: leaves out nodes whose sites the
   * tree has already. Calls `refuse` for each node that closes a cycle.
   */
  graft(top: Node, { nodes }: PrimIndex, isOnce: boolean, refuse: (closing: Node) => void): void {
    top.copyInertness(nodes[0]);
    this.attach(top);
    const left = isOnce ? this.#duplicates(nodes) : null;
    const copies: (Node | null)[] = [top];
    for (const node of nodes.slice(1)) {
      const parent = copies[node.parent?.order ?? 0];
      if (parent === null || left?.has(node)) {
        copies.push(null);
        continue;
      }
      // The copied index was made on its own, so cycles with this tree show only here.
      if (node.arc !== ARC.variant && top.parent !== null && leadsBack(top.parent, node.site)) {
        refuse(node);
        copies.push(null);
        continue;
      }
      if (!this.isWithinLimits(parent.depth)) break;
      const copy = node.copyBelow(parent);
      this.attach(copy);
      copies.push(copy);
    }
    for (const [i, copy] of copies.entries()) {
      if (copy !== null && i > 0) copy.origin = copies[nodes[i].origin?.order ?? 0] ?? copy.parent;
    }
  }

  /** The nodes of another index whose sites this tree or an earlier node of that index has already. */
  #duplicates(nodes: readonly Node[]): ReadonlySet<Node> {
    const left = new Set<Node>();
    const sites = new Set<Site>();
    for (const node of [...nodes].sort((a, b) => a.id - b.id)) {
      const isPlaceholder = node.isInert && node.isImplied && node.origin?.site === node.site;
      if ((node.parent !== null && left.has(node.parent)) || isPlaceholder) left.add(node);
      else if (node.parent !== null && (sites.has(node.site) || this.has(node.site))) left.add(node);
      else if (!node.isInert) sites.add(node.site);
    }
    return left;
  }

  /** Whether the tree may have another node at this depth. Reports UC1714 if not. */
  isWithinLimits(depth: number): boolean {
    const { limits, findings } = this.#context;
    const isShallow = limits.isWithin('referenceDepth', depth + 1);
    if (isShallow && this.#count < MAX_NODES) return true;
    const { stack, path } = this.#root.site;
    if (isShallow)
      findings.report('UC1714', stack.root, path, `the prim is composed from more than ${MAX_NODES} sites`);
    else {
      const [message, remedy] = limits.words('referenceDepth', `the prim is composed over ${depth + 1} arcs or more`);
      findings.report('UC1714', stack.root, path, message, remedy);
    }
    return false;
  }
}
