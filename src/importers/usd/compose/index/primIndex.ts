// Prim indices (OpenUSD, PcpPrimIndex): the sites that a prim is composed of, strongest first.

import type { Site } from '../layers/site.ts';
import { booleanOf } from '../values/values.ts';
import { inStrengthOrder, listNodes, type Node, rootNode } from './node.ts';

export class PrimIndex {
  readonly root: Node;
  /** Parents before children. */
  readonly nodes: readonly Node[];
  /** The nodes that contribute specs, strongest first. */
  readonly contributing: readonly Node[];
  #isInstance: boolean | null = null;

  constructor(root: Node) {
    this.root = root;
    this.nodes = root.children.length === 0 ? [root] : listNodes(root);
    const order = inStrengthOrder(this.nodes);
    this.contributing = order.every((node) => node.contributes) ? order : order.filter((node) => node.contributes);
  }

  /** The path of the prim in the namespace of the root node. */
  get path(): string {
    return this.root.site.path;
  }

  /** `instanceable` is true, and an arc authored on this prim brings in specs that instances can share. */
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

/** Whether the site is the target of a relocate of its layer stack. */
export function isRelocateTarget({ stack, path }: Site): boolean {
  return stack.relocates.sourceOf(path) !== undefined;
}

/** Whether the node has arcs that an index must follow. */
export function hasWork(node: Node): boolean {
  const { site, isInert } = node;
  return (site.hasArcs && !isInert) || isRelocateTarget(site);
}
