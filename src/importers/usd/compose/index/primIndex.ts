// Prim indices (OpenUSD, PcpPrimIndex): what a prim is composed of, strongest first.

import type { Site } from '../layers/site.ts';
import { booleanOf } from '../values/values.ts';
import { inStrengthOrder, listNodes, type Node, rootNode } from './node.ts';

export class PrimIndex {
  readonly root: Node;
  /** In the order of the tree. */
  readonly nodes: readonly Node[];
  /** Those that contribute specs, strongest first. */
  readonly contributing: readonly Node[];
  #isInstance: boolean | null = null;

  constructor(root: Node) {
    this.root = root;
    this.nodes = root.children.length === 0 ? [root] : listNodes(root);
    const order = inStrengthOrder(this.nodes);
    this.contributing = order.every((node) => node.contributes) ? order : order.filter((node) => node.contributes);
  }

  /** The path in the namespace of the index. */
  get path(): string {
    return this.root.site.path;
  }

  /** instanceable is true, and arcs of this prim bring in something that instances can share. */
  get isInstance(): boolean {
    this.#isInstance ??=
      this.root.children.length > 0 &&
      this.#instanceable() &&
      this.nodes.some((node) => node.contributes && node.isDirect);
    return this.#isInstance;
  }

  #instanceable(): boolean {
    for (const { site } of this.contributing) {
      for (const { spec } of site.specs) {
        const value = booleanOf(spec.get('instanceable'));
        if (value !== null) return value;
      }
    }
    return false;
  }
}

export function pseudoRootIndex(site: Site): PrimIndex {
  return new PrimIndex(rootNode(site));
}

/** Whether a relocate of the site's layer stack brings a prim here. */
export function isRelocateTarget({ stack, path }: Site): boolean {
  return stack.relocates.sourceOf(path) !== undefined;
}

/** Arcs to look at on a site of this prim. */
export function hasWork(node: Node): boolean {
  const { site, isInert } = node;
  return (site.hasArcs && !isInert) || isRelocateTarget(site);
}
