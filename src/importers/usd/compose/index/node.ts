// Nodes of a prim index (OpenUSD, PcpNodeRef): the sites that a prim is composed of, as a tree of the arcs that bring
// them in, and the order of their strength.

import type { LayerOffset } from '../../layer.ts';
import { composeOffsets, NO_OFFSET } from '../layers/offset.ts';
import type { AssetArc, Site, SiteStack } from '../layers/site.ts';
import { type ArcMap, mapToTarget } from '../namespace/pathMap.ts';
import { depthOf, parentSite, primSite } from '../namespace/paths.ts';

/** The types of arcs in the order of their strength among siblings. */
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

/** The names of the arcs by their numbers. */
export const ARC_NAMES = Object.keys(ARC) as readonly (keyof typeof ARC)[];

export interface NodeParts {
  readonly arc: ArcType;
  readonly site: Site;
  readonly parent: Node | null;
  /** The node that authors the arc. It is not the parent for classes that are implied in a stronger layer stack. */
  readonly origin: Node | null;
  /** Maps this node's namespace to the parent's. */
  readonly map: ArcMap | null;
  /** Converts this node's time to the parent's. */
  readonly offset: LayerOffset;
  /** Index in the list that authors the arc. */
  readonly listIndex: number;
  /** The arc is authored this many namespace steps above this prim; 0: on this prim. */
  readonly age: number;
  /** The reference or payload, kept until the finished index shows whether its target has any spec. */
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
  /** The node contributes neither specs nor arcs. */
  isInert = false;
  /** The namespace depth from which on the node is inert; 0: not inert; 1: inert for all prims. */
  inertFrom = 0;
  /** Strongest first. */
  readonly children: Node[] = [];
  /** Index in the list of the nodes of its tree; set by `listNodes`. */
  order = 0;
  /** Counts up in the order in which the nodes of the tree were made. */
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

  /** Makes the node inert for this prim and the prims below it. */
  setInert(): void {
    if (this.isInert) return;
    this.isInert = true;
    this.inertFrom = depthOf(this.site.path);
  }

  /** Makes the node and all nodes below it inert for all prims. */
  elide(): void {
    const pending: Node[] = [this];
    for (let node = pending.pop(); node; node = pending.pop()) {
      node.isInert = true;
      node.inertFrom = 1;
      pending.push(...node.children);
    }
  }

  /** Whether the node contributes opinions for this prim or, by its path, for an ancestor. */
  countsAt(path: string): boolean {
    return this.inertFrom === 0 || this.inertFrom > depthOf(path);
  }

  /**
   * A copy of this node as a child of another node. The caller replaces the origin, which is still that of this node.
   */
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

  /** The path of the site this many namespace steps above. */
  siteAbove(steps: number): string {
    let site = this.site.path;
    for (let i = 0; i < steps; i++) site = parentSite(primSite(site));
    return site;
  }

  /** The path of the site that the arc targets as authored: this site, or one above it for an ancestral arc. */
  get introduction(): string {
    return this.siteAbove(this.age);
  }

  get stack(): SiteStack {
    return this.site.stack;
  }

  /** The arc is an inherit or a specialize. */
  get isClass(): boolean {
    return this.arc === ARC.inherit || this.arc === ARC.specialize;
  }

  /** The arc is not authored on the parent: it is a class that is implied in a stronger layer stack. */
  get isImplied(): boolean {
    return this.origin !== this.parent;
  }

  get contributes(): boolean {
    return !this.isInert && this.site.specs.length > 0;
  }

  /** The arc, or an arc above it in the tree, is authored on this prim and not on an ancestor. */
  get isDirect(): boolean {
    for (let at: Node = this; at.parent !== null; at = at.parent) if (at.age === 0) return true;
    return false;
  }

  /** The node is, or lies below, a class that this prim itself inherits or specializes and that is not inert. */
  get isInNewClass(): boolean {
    for (let at: Node = this; at.parent !== null; at = at.parent) {
      if (at.isClass && at.age === 0 && !at.isInert) return true;
    }
    return false;
  }

  /** The node is, or lies below, a class that this prim itself inherits or specializes. */
  get isBelowDirectClass(): boolean {
    for (let at: Node = this; at.parent !== null; at = at.parent) if (at.isClass && at.age === 0) return true;
    return false;
  }

  /** Converts this node's time to the stage's. */
  get totalOffset(): LayerOffset {
    let total = NO_OFFSET;
    for (let at: Node = this; at.parent !== null; at = at.parent) total = composeOffsets(at.offset, total);
    return total;
  }

  /** Maps a path of this node's namespace to the root's; null if an arc between them does not map it. */
  toRoot(path: string): string | null {
    let mapped: string | null = path;
    for (let at: Node = this; at.parent !== null && mapped !== null; at = at.parent)
      mapped = mapToTarget(at.map, mapped);
    return mapped;
  }
}

/** A root node. Its opinions are those that a layer stack authors at the path of the prim itself. */
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

/** All nodes of a tree, parents before children and siblings in order of strength. Sets `order` of each node. */
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

/** Whether node `a` comes before node `b` of the same tree. */
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
 * Whether `a` is stronger than its sibling `b` (OpenUSD, PcpCompareSiblingNodeStrength). Compares the types of the
 * arcs; then the namespace depth at which they are authored, deeper first; then the strength of their origins; then
 * their indices in the list.
 */
function precedes(a: Node, b: Node): boolean {
  if (a.arc !== b.arc) return a.arc < b.arc;
  if (a.age !== b.age) return a.age < b.age;
  if (a.origin === b.origin || a.origin === null || b.origin === null) return a.listIndex < b.listIndex;
  return isStronger(a.origin, b.origin);
}

/** Inserts a new child in order of strength, after children of equal strength. */
export function insertChild(parent: Node, child: Node): void {
  const { children } = parent;
  let at = children.length;
  while (at > 0 && precedes(child, children[at - 1])) at--;
  children.splice(at, 0, child);
}

/** The authored arc that an implied one repeats, and how many times it was implied on the way. */
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
 * The nodes, strongest first. The nodes of specialize arcs are weaker than all other nodes of the index (OpenUSD, Pcp
 * specializes). They follow in the order of their authored arcs in the tree; of the implied copies of one arc, the one
 * in the strongest layer stack comes first.
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
