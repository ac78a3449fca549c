// Nodes of a prim index: the sites that a prim is composed of, as a tree of the arcs that brought them in (OpenUSD,
// PcpNode), and the order of their strength.

import type { LayerOffset } from '../../layer.ts';
import { composeOffsets, NO_OFFSET } from '../layers/offset.ts';
import type { AssetArc, Site, SiteStack } from '../layers/site.ts';
import { type ArcMap, mapToTarget } from '../namespace/pathMap.ts';
import { depthOf, parentSite, primSite } from '../namespace/paths.ts';

/** The arcs in the order of their strength among siblings. */
export const ARC = {
  root: 0,
  inherit: 1,
  variant: 2,
  relocate: 3,
  reference: 4,
  payload: 5,
  specialize: 6,
} as const;

export type ArcType = (typeof ARC)[keyof typeof ARC];

/** By their numbers. */
export const ARC_NAMES = Object.keys(ARC) as readonly (keyof typeof ARC)[];

export interface NodeParts {
  readonly arc: ArcType;
  readonly site: Site;
  readonly parent: Node | null;
  /** The node that the arc is authored on; another than the parent for classes implied in a stronger layer stack. */
  readonly origin: Node | null;
  /** From this node's namespace to the parent's. */
  readonly map: ArcMap | null;
  /** From this node's time to the parent's. */
  readonly offset: LayerOffset;
  /** Place in the list that authors the arc. */
  readonly listIndex: number;
  /** How many levels of namespace above this prim the arc is authored; 0: on this prim. */
  readonly age: number;
  /** Where a reference or payload is authored, until it is known whether anything is at its target. */
  readonly asset?: AssetArc | null;
}

export class Node {
  readonly arc: ArcType;
  readonly site: Site;
  readonly parent: Node | null;
  origin: Node | null;
  readonly map: ArcMap | null;
  readonly offset: LayerOffset;
  readonly listIndex: number;
  readonly age: number;
  readonly depth: number;
  readonly asset: AssetArc | null;
  /** Contributes neither specs nor arcs. */
  isInert = false;
  /** The level of namespace from which on the node is inert; 1: it never says anything. */
  inertFrom = 0;
  /** Strongest first. */
  readonly children: Node[] = [];
  /** Position in a listing of its tree; set by `listNodes`. */
  order = 0;
  /** Position among the nodes of its tree in the order in which they were made. */
  id = 0;

  constructor(parts: NodeParts) {
    this.arc = parts.arc;
    this.site = parts.site;
    this.parent = parts.parent;
    this.origin = parts.origin;
    this.map = parts.map;
    this.offset = parts.offset;
    this.listIndex = parts.listIndex;
    this.age = parts.age;
    this.asset = parts.asset ?? null;
    this.depth = parts.parent === null ? 0 : parts.parent.depth + 1;
  }

  /** Says nothing at this level of namespace or below. */
  setInert(): void {
    if (this.isInert) return;
    this.isInert = true;
    this.inertFrom = depthOf(this.site.path);
  }

  /** Says nothing at any level, nor does what hangs below it. */
  elide(): void {
    const pending: Node[] = [this];
    for (let node = pending.pop(); node; node = pending.pop()) {
      node.isInert = true;
      node.inertFrom = 1;
      pending.push(...node.children);
    }
  }

  /** Whether what the node's layer stack says at a prim above counts, or at this one. */
  countsAt(path: string): boolean {
    return this.inertFrom === 0 || this.inertFrom > depthOf(path);
  }

  /** A copy below another node. Its origin is still this node's. */
  copyBelow(parent: Node): Node {
    const copy = new Node({ ...this.#parts, parent });
    parent.children.push(copy);
    copy.copyInertness(this);
    return copy;
  }

  get #parts(): NodeParts {
    const { arc, site, parent, origin, map, offset, listIndex, age, asset } = this;
    return { arc, site, parent, origin, map, offset, listIndex, age, asset };
  }

  copyInertness(node: Node): void {
    this.isInert = node.isInert;
    this.inertFrom = node.inertFrom;
  }

  /** The site some levels of namespace above. */
  siteAbove(levels: number): string {
    let site = this.site.path;
    for (let i = 0; i < levels; i++) site = parentSite(primSite(site));
    return site;
  }

  /** The site at the level of namespace at which the arc is authored. */
  get introduction(): string {
    return this.siteAbove(this.age);
  }

  get stack(): SiteStack {
    return this.site.stack;
  }

  /** Inherits and specializes. */
  get isClass(): boolean {
    return this.arc === ARC.inherit || this.arc === ARC.specialize;
  }

  /** Another node than the parent has the arc: a class that is carried into a stronger layer stack. */
  get isImplied(): boolean {
    return this.origin !== this.parent;
  }

  get contributes(): boolean {
    return !this.isInert && this.site.specs.length > 0;
  }

  /** Authored on this prim, not on one above, or below such an arc. */
  get isDirect(): boolean {
    for (let at: Node = this; at.parent !== null; at = at.parent) if (at.age === 0) return true;
    return false;
  }

  /** In what a class brings in that is inherited or specialized on this prim. */
  get isInNewClass(): boolean {
    for (let at: Node = this; at.parent !== null; at = at.parent) {
      if (at.isClass && at.age === 0 && !at.isInert) return true;
    }
    return false;
  }

  /** A class that this prim itself inherits or specializes, or in what such a class brings in. */
  get isBelowDirectClass(): boolean {
    for (let at: Node = this; at.parent !== null; at = at.parent) if (at.isClass && at.age === 0) return true;
    return false;
  }

  /** From this node's time to the stage's. */
  get totalOffset(): LayerOffset {
    let total = NO_OFFSET;
    for (let at: Node = this; at.parent !== null; at = at.parent) total = composeOffsets(at.offset, total);
    return total;
  }

  /** A path of this node's namespace in the stage's; null when an arc on the way does not reach it. */
  toRoot(path: string): string | null {
    let mapped: string | null = path;
    for (let at: Node = this; at.parent !== null && mapped !== null; at = at.parent)
      mapped = mapToTarget(at.map, mapped);
    return mapped;
  }
}

/** A root node, whose opinions are those of a layer stack itself. */
export function rootNode(site: Site): Node {
  return new Node({
    arc: ARC.root,
    site,
    parent: null,
    origin: null,
    map: null,
    offset: NO_OFFSET,
    listIndex: 0,
    age: 0,
  });
}

/** All nodes, parents before children and siblings in their order; numbers them so. The depth of trees is bounded. */
export function listNodes(root: Node): Node[] {
  const nodes: Node[] = [];
  const pending = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    node.order = nodes.length;
    nodes.push(node);
    for (let i = node.children.length - 1; i >= 0; i--) pending.push(node.children[i]);
  }
  return nodes;
}

/** Whether the first of two nodes of one tree is the stronger, by the tree alone. */
function isStronger(a: Node, b: Node): boolean {
  let x = a;
  let y = b;
  while (x.depth > y.depth && x.parent !== null) x = x.parent;
  while (y.depth > x.depth && y.parent !== null) y = y.parent;
  if (x === y) return a.depth < b.depth;
  while (x.parent !== y.parent && x.parent !== null && y.parent !== null) {
    x = x.parent;
    y = y.parent;
  }
  const siblings = x.parent?.children ?? [];
  return siblings.indexOf(x) < siblings.indexOf(y);
}

/**
 * Whether `a` comes before its sibling `b`: by the type of arc, then the one authored deeper in namespace, then the one
 * authored at the stronger listIndex, then by the order of their list (OpenUSD, PcpCompareSiblingNodeStrength).
 */
function precedes(a: Node, b: Node): boolean {
  if (a.arc !== b.arc) return a.arc < b.arc;
  if (a.age !== b.age) return a.age < b.age;
  if (a.origin === b.origin || a.origin === null || b.origin === null) return a.listIndex < b.listIndex;
  return isStronger(a.origin, b.origin);
}

/** Puts a new child where its strength wants it; after equals. */
export function insertChild(parent: Node, child: Node): void {
  const { children } = parent;
  let at = children.length;
  while (at > 0 && precedes(child, children[at - 1])) at--;
  children.splice(at, 0, child);
}

/** The specialize arc that an implied one repeats, and over how many layer stacks it was carried. */
function firstOrigin(node: Node): { readonly node: Node; readonly hops: number } {
  let at = node;
  let hops = 0;
  while (at.origin !== null && at.origin !== at.parent) {
    at = at.origin;
    hops++;
  }
  return { node: at, hops };
}

/**
 * Strongest first. What specialize arcs bring in is weaker than everything else of the index, in the order in which the
 * tree has those arcs; where one is implied in stronger layer stacks too, the strongest of these comes first.
 */
export function inStrengthOrder(nodes: readonly Node[]): readonly Node[] {
  const heads = nodes.filter((node) => node.arc === ARC.specialize);
  if (heads.length === 0) return nodes;
  const regionOf = (node: Node): Node | null => {
    let at: Node | null = node;
    while (at !== null && at.arc !== ARC.specialize) at = at.parent;
    return at;
  };
  const regions = new Map<Node | null, Node[]>();
  for (const node of nodes) {
    const head = regionOf(node);
    const region = regions.get(head);
    if (region) region.push(node);
    else regions.set(head, [node]);
  }
  const ranked = heads.map((head) => ({ head, ...firstOrigin(head) }));
  ranked.sort((a, b) => a.node.order - b.node.order || b.hops - a.hops || a.head.order - b.head.order);
  return [...(regions.get(null) ?? []), ...ranked.flatMap(({ head }) => regions.get(head) ?? [])];
}
