// Builds the tree of a prim index by tasks (OpenUSD, pcp/primIndex.cpp, Pcp_PrimIndexer). The order of the tasks is:
// relocates, references, payloads, inherits, implied classes, specializes, variants. Variants come last, so that all
// opinions about their selection are in the tree. A task can add tasks that come before it.

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
  /** False: the index that takes this one in chooses the variants. */
  readonly choosesVariants: boolean;
  /** The prim is the source of a relocate, which moves it away from its path. */
  readonly isMoving: boolean;
}

/** An arc to add, with the site of its target. */
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
  /** The site itself contributes no opinions. */
  readonly isInert?: boolean;
  /** The target also has what the arcs of its ancestors bring in, so that its whole index is copied. */
  readonly isAncestral: boolean;
  /** Do not add the arc if the tree has a node for the site already. */
  readonly isOnce?: boolean;
  /** For messages; null for implied classes, which no layer authors. */
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
  /** Nodes whose classes are to be implied in their parents, sorted by id; the last one is taken first. */
  readonly #implied: Node[] = [];
  readonly #variants: VariantSets;
  /** Nodes of references and payloads. When the index is complete, their targets must have specs. */
  readonly #assets: Node[] = [];
  readonly #tree: IndexTree;

  /** `nodes` are the nodes of the tree so far, parents first. */
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

  /**
   * Queues the tasks for a node. `isNew`: the arcs of its site are not in the tree yet. `isBroughtIn`: it is a copy
   * from the index of an arc's target.
   */
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

  /** Adds the class of a node by the map of the arc, or gives the node that it has already; null if it is not added. */
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
      // Below the source of a relocate, several arcs may lead to one site, so the arcs are compared instead of the
      // sites.
      this.#isMoved(parent)
        ? child.arc === arc && isSameMap(child.map, map) && child.origin?.age === origin.age
        : child.site === site,
    );
    if (known) return known;
    // A class outside of a relocate or variant has the same site on both sides of that arc. Only one of the two nodes
    // may contribute it.
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

  /** Implies the classes of `source`, and the classes of these classes, in `target`. */
  #implyTree(target: Node, source: Node, transfer: ArcMap | null, isStart: boolean): void {
    if (target.arc === ARC.relocate && target.parent !== null) {
      // The source of a relocate has no opinions of its own: its classes belong to the prim at the target.
      this.#implyTree(target.parent, source, transfer, isStart);
      this.#carryLater(target);
      return;
    }
    for (const child of source.children.slice()) {
      if (!child.isClass) continue;
      // `source` is a class and `child` continues its chain, which is implied as a whole from its start.
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
   * Adds the prim at the source of a relocate to its target (OpenUSD, Pcp relocations). Other prims that arcs of
   * ancestors bring in at the target are hidden, and so are the opinions that the relocating layer stack itself has at
   * the source.
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

  /** Elides the nodes below `node` that other relocates move elsewhere. */
  #elideMovedOn(node: Node): void {
    for (const child of node.children) {
      if (child.arc === ARC.relocate) continue;
      if (!child.isInert && child.stack.relocates.isSource(child.site.path)) child.elide();
      else this.#elideMovedOn(child);
    }
  }

  /** Repeats a relocate of an arc's target on the parent of the arc, so that classes can be implied through it. */
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
      const message = `a relocate brings another prim to <${target}>: the opinions here have no effect`;
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

  /**
   * Adds the node of an arc and what it brings in; null if the tree has it, it closes a cycle or it exceeds a limit.
   */
  #add(arc: NewArc): Node | null {
    const { parent, site, authored } = arc;
    if (this.#closesCycle(arc)) return this.#refuseCycle(authored, parent);
    if (arc.isOnce && this.#tree.has(site)) return null;
    if (!this.#tree.isWithinLimits(parent.depth)) return null;
    const node = new Node({ ...arc, offset: arc.offset ?? NO_OFFSET, age: arc.age ?? 0 });
    // If a relocate moves the target or a prim below it, the old path contributes no opinions.
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
      // A class below the source of a relocate has no site of its own there, so it cannot close a cycle.
      let at: Node | null = parent;
      while (at?.isClass) at = at.parent;
      if (at !== null && this.#isMoved(at)) return false;
    }
    return leadsBack(parent, site);
  }

  /** Reports a cycle. Implied classes are left out without a report, because no layer authors them. */
  #refuseCycle(authored: Authored | null, parent: Node): null {
    if (authored) {
      const { layer, path, label } = authored;
      this.#context.findings.missing('UC1713', layer, path, `${label} leads back to <${parent.site.namespacePath}>`);
    }
    return null;
  }

  /** Reports a reference or payload whose target has no specs. */
  #checkTarget(node: Node): void {
    const { asset, arc, parent } = node;
    if (asset === null || parent === null) return;
    const hasSpecs = (at: Node) =>
      at.site.specs.length > 0 || (node.age > 0 && at.stack.site(at.introduction).specs.length > 0);
    if (hasSpecs(node) || listNodes(node).some(hasSpecs)) return;
    const { stack, path, layer, label } = asset;
    const code = arc === ARC.payload ? 'UC1712' : 'UC1711';
    const message = `${label}: ${stack.root.identifier} has no <${path}>`;
    this.#context.findings.missing(code, layer, parent.siteAbove(node.age), message);
  }
}
