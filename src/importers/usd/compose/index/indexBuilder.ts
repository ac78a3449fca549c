// Grows the tree of a prim index by tasks: relocates first, then references and payloads, inherits, the classes that they
// imply in stronger layer stacks, specializes, and variants last, when every opinion about their selection is in the tree
// (OpenUSD, PcpComputePrimIndex). Each task may bring in more of those before it.

import type { Layer } from '../../layer.ts';
import { NO_OFFSET } from '../layers/offset.ts';
import type { AssetArc, Site } from '../layers/site.ts';
import { type ArcMap, isSameMap, mapToTarget, withRootIdentity } from '../namespace/pathMap.ts';
import { depthOf, isRootPrim, selectVariant } from '../namespace/paths.ts';
import { classPath, hasClasses, impliedMap, startOfClasses, transferBelow } from './impliedClasses.ts';
import type { IndexContext } from './indexContext.ts';
import { IndexTree, leadsBack } from './indexTree.ts';
import { ARC, type ArcType, insertChild, listNodes, Node, type NodeParts } from './node.ts';
import { isRelocateTarget } from './primIndex.ts';
import { type Choice, VariantSets } from './variantSets.ts';

export interface BuildOptions {
  /** false: variant sets are left to the index that takes this one in. */
  readonly choosesVariants: boolean;
  /** The prim is the source of a relocate and is read to be moved. */
  readonly isMoving: boolean;
}

/** An arc about to be added, and the prim at the other end. */
interface NewArc {
  readonly arc: ArcType;
  readonly site: Site;
  readonly parent: Node;
  readonly origin: Node;
  readonly map: ArcMap | null;
  readonly offset?: NodeParts['offset'];
  readonly listIndex: number;
  readonly age?: number;
  readonly asset?: AssetArc;
  /** The site itself says nothing. */
  readonly isInert?: boolean;
  /** What prims above the site bring in is part of it. */
  readonly isAncestral: boolean;
  /** Not added where a node of the tree has the site already. */
  readonly isOnce?: boolean;
  /** For messages; null for arcs that nobody authored (implied classes). */
  readonly authored: Authored | null;
}

interface Authored {
  readonly layer: Layer;
  readonly path: string;
  readonly label: string;
}

export class IndexBuilder {
  readonly #context: IndexContext;
  readonly #root: Node;
  readonly #options: BuildOptions;
  readonly #relocations: Node[] = [];
  readonly #impliedRelocations: Node[] = [];
  readonly #references: Node[] = [];
  readonly #payloads: Node[] = [];
  readonly #inherits: Node[] = [];
  readonly #specializes: Node[] = [];
  /** Nodes whose classes are to be carried on, by their ids: those made last come first. */
  readonly #implied: Node[] = [];
  readonly #variants: VariantSets;
  /** Nodes of references and payloads: something must be at their targets when the index is complete. */
  readonly #assets: Node[] = [];
  readonly #tree: IndexTree;

  /** `nodes` are those of the tree as it is, parents first. */
  constructor(context: IndexContext, nodes: readonly Node[], options: BuildOptions) {
    this.#context = context;
    this.#root = nodes[0];
    this.#options = options;
    this.#variants = new VariantSets(context, this.#root);
    this.#tree = new IndexTree(context, nodes);
    for (const node of nodes) this.#enqueue(node, true, false);
  }

  run(): void {
    while (this.#next());
    for (const node of this.#assets) this.#checkTarget(node);
  }

  #next(): boolean {
    const relocated = this.#relocations.shift();
    if (relocated) return this.#relocate(relocated);
    const moved = this.#impliedRelocations.shift();
    if (moved) return this.#implyRelocate(moved);
    const referencing = this.#references.shift();
    if (referencing) return this.#addAssets(referencing, ARC.reference);
    const paying = this.#payloads.shift();
    if (paying) return this.#addAssets(paying, ARC.payload);
    const inheriting = this.#inherits.shift();
    if (inheriting) return this.#addClasses(inheriting, ARC.inherit);
    const carrying = this.#implied.pop();
    if (carrying) return this.#implyClasses(carrying);
    const specializing = this.#specializes.shift();
    if (specializing) return this.#addClasses(specializing, ARC.specialize);
    const choice = this.#variants.next();
    if (choice) return this.#select(choice);
    return false;
  }

  /** Notes what is to be done for a node. `isNew`: its own arcs are not in the tree yet. */
  #enqueue(node: Node, isNew: boolean, isBroughtIn: boolean): void {
    const { site, stack, arc, contributes } = node;
    if (this.#options.choosesVariants) {
      if (contributes && site.hasArcs) this.#variants.addOwn(node);
      if (isBroughtIn) this.#variants.addAncestral(node);
    }
    if (isNew && contributes && site.hasArcs) {
      if (site.references().length > 0) this.#references.push(node);
      if (site.payloads().length > 0) this.#payloads.push(node);
      if (site.classes('inheritPaths').length > 0) this.#inherits.push(node);
      if (site.classes('specializes').length > 0) this.#specializes.push(node);
    }
    if (isNew && !stack.relocates.isEmpty && isRelocateTarget(site)) this.#relocations.push(node);
    if (arc === ARC.relocate && node.age === 0) this.#impliedRelocations.push(node);
  }

  #carryLater(node: Node): void {
    const { length } = this.#implied;
    let at = length;
    while (at > 0 && this.#implied[at - 1].id > node.id) at--;
    if (at === 0 || this.#implied[at - 1] !== node) this.#implied.splice(at, 0, node);
  }

  #addAssets(node: Node, arc: typeof ARC.reference | typeof ARC.payload): true {
    if (node.isInert) return true;
    const arcs = arc === ARC.reference ? node.site.references() : node.site.payloads();
    for (const [listIndex, asset] of arcs.entries()) {
      const { stack, path, offset, isInternal, layer, label } = asset;
      this.#add({
        arc,
        site: stack.site(path),
        parent: node,
        origin: node,
        map: node.site.arcMap(path, isInternal),
        offset,
        listIndex,
        asset,
        isAncestral: !isRootPrim(path),
        authored: { layer, path: node.site.path, label },
      });
    }
    return true;
  }

  #addClasses(node: Node, arc: typeof ARC.inherit | typeof ARC.specialize): true {
    if (node.isInert) return true;
    const field = arc === ARC.inherit ? 'inheritPaths' : 'specializes';
    for (const [listIndex, path] of node.site.classes(field).entries()) {
      const [{ layer }] = node.site.specs;
      const label = `${arc === ARC.inherit ? 'inherits' : 'specializes'} <${path}>`;
      const authored = { layer, path: node.site.path, label };
      this.#addClass(arc, node, node, node.site.arcMap(path, true), listIndex, null, authored);
    }
    return true;
  }

  /** The class of a node by the map of the arc; the one that is there already, where it is; null when there is none. */
  #addClass(
    arc: ArcType,
    parent: Node,
    origin: Node,
    map: ArcMap | null,
    listIndex: number,
    carriedFrom: Site | null,
    authored: Authored | null,
  ): Node | null {
    const path = classPath(parent, map);
    if (path === null) return null;
    const site = parent.stack.site(path);
    const known = parent.children.find((child) =>
      // Sites below the source of a relocate say little: arcs from other places may lead to one.
      this.#isMoved(parent)
        ? child.arc === arc && isSameMap(child.map, map) && child.origin?.age === origin.age
        : child.site === site,
    );
    if (known) return known;
    // Classes outside of a relocate or variant have one site on both sides of it: there is one node that says something.
    const isInert = path === parent.site.path || site === carriedFrom;
    const isAncestral = !isInert && !isRootPrim(path);
    return this.#add({ arc, site, parent, origin, map, listIndex, isInert, isAncestral, isOnce: !isInert, authored });
  }

  #isMoved(node: Node): boolean {
    return node.arc === ARC.relocate || (node === this.#root && this.#options.isMoving);
  }

  #implyClasses(node: Node): true {
    const { parent } = node;
    if (parent !== null && hasClasses(node)) this.#implyTree(parent, node, withRootIdentity(node.map), true);
    return true;
  }

  /** Carries the classes below `source` to `target`, and those that they have. */
  #implyTree(target: Node, source: Node, transfer: ArcMap | null, isStart: boolean): void {
    if (target.arc === ARC.relocate && target.parent !== null) {
      // Nothing is said at the source of a relocate: its classes belong to the prim at the target.
      this.#implyTree(target.parent, source, transfer, isStart);
      this.#carryLater(target);
      return;
    }
    for (const child of source.children.slice()) {
      if (!child.isClass) continue;
      // The chain that the target itself is a part of goes on here; only what hangs below it is implied.
      if (isStart && source.isClass && source.age === child.age) continue;
      const map = impliedMap(transfer, child.map);
      const below =
        target.children.find((known) => known.origin === child && isSameMap(known.map, map)) ??
        this.#addClass(child.arc, target, child, map, child.listIndex, child.site, null);
      if (below === null || !hasClasses(child)) continue;
      this.#implyTree(below, child, transferBelow(transfer, child.map, map), false);
    }
  }

  /**
   * What stood at the source of a relocate is at its target; ancestors' arcs bring in nothing of their own there (OpenUSD,
   * Pcp relocations). Opinions of the relocating layer stack itself at the source are lost.
   */
  #relocate(node: Node): true {
    if (node.isInert && node.age === 0) return true;
    const target = node.site.path;
    const source = node.stack.relocates.sourceOf(target);
    if (source === undefined) return true;
    for (const child of node.children) {
      if (child.arc === ARC.variant) continue;
      for (const below of listNodes(child)) if (below.contributes) this.#reportHidden(below.site, target);
      child.elide();
    }
    const site = node.stack.site(source);
    this.#reportHidden(site, target);
    const label = `relocate of <${source}> to <${target}>`;
    const authored = { layer: node.stack.root, path: '/', label };
    const arc = {
      arc: ARC.relocate,
      site,
      parent: node,
      origin: node,
      map: null,
      listIndex: 0,
      isInert: true,
    } as const;
    const added = this.#add({ ...arc, isAncestral: true, authored });
    if (added) this.#elideMovedOn(added);
    return true;
  }

  /** Takes out what other relocates move from here to elsewhere. */
  #elideMovedOn(node: Node): void {
    for (const child of node.children) {
      if (child.arc === ARC.relocate) continue;
      if (!child.isInert && child.stack.relocates.isSource(child.site.path)) child.elide();
      else this.#elideMovedOn(child);
    }
  }

  /** A relocate within what an arc brings in holds on this side of the arc too, for the classes that are implied there. */
  #implyRelocate(node: Node): true {
    const { parent } = node;
    const above = parent?.parent ?? null;
    if (parent === null || above === null) return true;
    const path = mapToTarget(parent.map, node.site.path);
    if (path === null) return true;
    const site = above.stack.site(path);
    if (above.children.some((child) => child.arc === ARC.relocate && child.site === site)) return true;
    const arc = { arc: ARC.relocate, site, parent: above, origin: node, map: null, listIndex: 0 } as const;
    this.#add({ ...arc, isInert: true, isAncestral: false, authored: null });
    return true;
  }

  #reportHidden(site: Site, target: string): void {
    for (const { layer, spec } of site.specs) {
      const message = `a relocate brings another prim to <${target}>: opinions here count for nothing`;
      this.#context.findings.report('UC1724', layer, spec.path, message);
    }
  }

  #select({ node, owner, set, name, listIndex }: Choice): true {
    const stack = node.stack;
    const path = selectVariant(node.site.path, owner, set, name);
    const [{ layer }] = stack.site(owner).specs;
    const age = depthOf(node.site.path) - depthOf(owner);
    const authored = { layer, path: owner, label: `variant ${set}=${name}` };
    const site = stack.site(path);
    const arc = { arc: ARC.variant, site, parent: node, origin: node, map: null, listIndex, age, authored } as const;
    const isOnce = age > 0 && node.isInNewClass;
    if (this.#add({ ...arc, isAncestral: age > 0, isOnce }) !== null) this.#variants.retry();
    return true;
  }

  /** Adds the node of an arc and what comes with it; null when it is there, closes a cycle or leads too far. */
  #add(arc: NewArc): Node | null {
    const { parent, site, authored } = arc;
    if (this.#closesCycle(arc)) return this.#refuseCycle(authored, parent);
    if (arc.isOnce && this.#tree.has(site)) return null;
    if (!this.#tree.isWithinLimits(parent.depth)) return null;
    const node = new Node({ ...arc, offset: arc.offset ?? NO_OFFSET, age: arc.age ?? 0 });
    // What a relocate moves away, here or below, is not said at its old listIndex.
    const isInert = (arc.isInert ?? false) || (arc.isAncestral && site.stack.relocates.hasOriginAtOrBelow(site.path));
    if (arc.isAncestral) {
      const isMoving = arc.arc === ARC.relocate;
      const index = this.#context.target(site.stack, site.path, { isMoving, isInert });
      if (index === null) return this.#refuseCycle(authored, parent);
      this.#tree.graft(node, index, arc.isOnce ?? false, (closing) =>
        this.#refuseCycle(closing.isImplied ? null : authored, parent),
      );
    } else {
      if (isInert) node.elide();
      this.#tree.attach(node);
    }
    insertChild(parent, node);
    if (node.isClass) this.#carryLater(startOfClasses(node));
    else if (hasClasses(node)) this.#carryLater(node);
    for (const added of arc.isAncestral ? listNodes(node) : [node]) {
      this.#enqueue(added, !arc.isAncestral, arc.isAncestral);
      if (this.#options.choosesVariants && added.asset !== null) this.#assets.push(added);
    }
    return node;
  }

  #closesCycle({ arc, parent, origin, site }: NewArc): boolean {
    if (arc === ARC.variant) return false;
    if (parent !== origin && arc !== ARC.relocate) {
      // A class below the source of a relocate has no site of its own there.
      let at: Node | null = parent;
      while (at?.isClass) at = at.parent;
      if (at !== null && this.#isMoved(at)) return false;
    }
    return leadsBack(parent, site);
  }

  /** Implied classes are left out in silence: it is the coincidence of a name, and nothing that anybody wrote. */
  #refuseCycle(authored: Authored | null, parent: Node): null {
    if (authored) {
      const { layer, path, label } = authored;
      this.#context.findings.missing('UC1713', layer, path, `${label} leads back to <${parent.site.namespacePath}>`);
    }
    return null;
  }

  /** Says when nothing is at the target of a reference or payload. */
  #checkTarget(node: Node): void {
    const { asset, arc, parent } = node;
    if (asset === null || parent === null) return;
    const isThere = (at: Node) =>
      at.site.specs.length > 0 || (node.age > 0 && at.stack.site(at.introduction).specs.length > 0);
    if (isThere(node) || listNodes(node).some(isThere)) return;
    const { stack, path, layer, label } = asset;
    const code = arc === ARC.payload ? 'UC1712' : 'UC1711';
    const message = `${label}: ${stack.root.identifier} has no <${path}>`;
    this.#context.findings.missing(code, layer, parent.siteAbove(node.age), message);
  }
}
