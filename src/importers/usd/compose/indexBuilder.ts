// Grows the tree of a prim index: follows the arcs authored at its sites, carries classes over to stronger layer stacks,
// and chooses variants last, when every opinion about their selection is in the tree (OpenUSD, PcpComputePrimIndex).

import type { Layer } from '../layer.ts';
import type { Composer } from './composer.ts';
import { MAX_ARC_DEPTH, MAX_NODES } from './limits.ts';
import { ARC, type ArcType, inStrengthOrder, insertChild, listNodes, Node, type NodeParts } from './node.ts';
import { NO_OFFSET } from './offset.ts';
import { type ArcMap, mapClassPath } from './pathMap.ts';
import { hasPrefix, isPrimPath, parentPath } from './paths.ts';
import { hasWork } from './primIndex.ts';
import type { Site } from './site.ts';

/** An arc about to be added: the node's parts but for what its parent says, and the prim at the other end. */
interface NewArc {
  readonly arc: ArcType;
  readonly site: Site;
  readonly parent: Node;
  readonly origin: Node;
  readonly map: ArcMap | null;
  readonly offset?: NodeParts['offset'];
  readonly place: number;
  readonly age?: number;
  readonly isInert?: boolean;
  /** For messages; the layer is null for arcs that nobody authored (implied classes). */
  readonly authored: { readonly layer: Layer; readonly path: string; readonly label: string } | null;
}

function isRootPrim(path: string): boolean {
  return parentPath(path) === '/';
}

/** Whether a node is a variant of another, or of a variant of it. */
function isVariantOf(node: Node, owner: Node): boolean {
  let at: Node | null = node;
  while (at !== null && at !== owner && at.arc === ARC.variant) at = at.parent;
  return at === owner;
}

export class IndexBuilder {
  readonly #composer: Composer;
  readonly #root: Node;
  readonly #pending: Node[] = [];
  readonly #variantNodes: Node[] = [];
  /** Classes of nodes by their sites, for nodes that were asked for them. */
  readonly #classes = new Map<Node, Record<typeof ARC.inherit | typeof ARC.specialize, Map<Site, Node>>>();
  /** Variant sets that are settled, by node. */
  readonly #resolved = new Map<Node, Set<string>>();
  #count = 0;

  constructor(composer: Composer, root: Node) {
    this.#composer = composer;
    this.#root = root;
  }

  expandLater(node: Node): void {
    this.#pending.push(node);
  }

  run(evaluateVariants: boolean): void {
    do {
      for (let node = this.#pending.shift(); node; node = this.#pending.shift()) this.#expand(node);
    } while (evaluateVariants && this.#chooseVariant());
  }

  #expand(node: Node): void {
    if (node.isInert) return;
    this.#relocate(node);
    const { site } = node;
    if (site.variantSets().length > 0) this.#variantNodes.push(node);
    for (const [place, arc] of site.references().entries()) this.#addAsset(node, ARC.reference, arc, place);
    for (const [place, arc] of site.payloads().entries()) this.#addAsset(node, ARC.payload, arc, place);
    for (const [place, path] of site.classes('inheritPaths').entries()) this.#addClass(node, ARC.inherit, path, place);
    for (const [place, path] of site.classes('specializes').entries())
      this.#addClass(node, ARC.specialize, path, place);
  }

  #addAsset(node: Node, arc: ArcType, target: ReturnType<Site['references']>[number], place: number): void {
    const { stack, path, offset, isInternal, layer, label } = target;
    const map = { source: path, target: node.site.namespacePath, hasRootIdentity: isInternal };
    const authored = { layer, path: node.site.path, label };
    const added = this.#add({ arc, site: stack.site(path), parent: node, origin: node, map, offset, place, authored });
    if (added === null || listNodes(added).some((n) => n.site.specs.length > 0)) return;
    const code = arc === ARC.payload ? 'UC1712' : 'UC1711';
    this.#composer.findings.missing(code, layer, node.site.path, `${label}: ${stack.root.identifier} has no <${path}>`);
  }

  #addClass(node: Node, arc: ArcType, path: string, place: number): void {
    const map = { source: path, target: node.site.namespacePath, hasRootIdentity: true };
    const { layer } = node.site.specs[0];
    const label = `${arc === ARC.inherit ? 'inherits' : 'specializes'} <${path}>`;
    const authored = { layer, path: node.site.path, label };
    this.#add({ arc, site: node.stack.site(path), parent: node, origin: node, map, place, authored });
  }

  /**
   * What stood at the source of a relocate is at its target; ancestors' arcs bring in nothing of their own there (OpenUSD,
   * Pcp relocations). Opinions of the relocating layer stack itself at the source are lost.
   */
  #relocate(node: Node): void {
    const target = node.site.namespacePath;
    const source = node.stack.relocateSources.get(target);
    if (source === undefined) return;
    for (const below of listNodes(node).slice(1)) {
      if (isVariantOf(below, node)) continue;
      if (below.contributes) this.#sayHidden(below.site, target);
      below.isInert = true;
    }
    const site = node.stack.site(source);
    this.#sayHidden(site, target);
    const authored = { layer: node.stack.root, path: '/', label: `relocate of <${source}> to <${target}>` };
    this.#add({ arc: ARC.relocate, site, parent: node, origin: node, map: null, place: 0, isInert: true, authored });
  }

  #sayHidden(site: Site, target: string): void {
    for (const { layer, spec } of site.specs) {
      const message = `a relocate brings another prim to <${target}>: opinions here count for nothing`;
      this.#composer.findings.say('UC1724', layer, spec.path, message);
    }
  }

  /** Adds the node of an arc and what comes with it; null when the arc closes a cycle or leads too far. */
  #add(arc: NewArc): Node | null {
    const { parent, site, authored } = arc;
    const { path } = site;
    // An inert placeholder of an implied class repeats a site that is there already.
    const isPlaceholder = authored === null && arc.isInert === true;
    if (arc.arc !== ARC.variant && !isPlaceholder && this.#closesCycle(parent, site)) {
      return this.#refuseCycle(authored, parent);
    }
    if (parent.depth >= MAX_ARC_DEPTH || this.#count >= MAX_NODES) {
      const what =
        parent.depth >= MAX_ARC_DEPTH ? `more than ${MAX_ARC_DEPTH} arcs deep` : `of more than ${MAX_NODES} sites`;
      this.#composer.findings.say(
        'UC1714',
        this.#root.stack.root,
        this.#root.site.path,
        `the prim is composed ${what}`,
      );
      return null;
    }
    const node = new Node({
      arc: arc.arc,
      site,
      parent,
      origin: arc.origin,
      map: arc.map,
      offset: arc.offset ?? NO_OFFSET,
      place: arc.place,
      age: arc.age ?? 0,
      isInert: arc.isInert ?? false,
    });
    if (arc.arc === ARC.variant || isPlaceholder || isRootPrim(path)) {
      this.#count++;
      insertChild(parent, node);
      if (hasWork(node)) this.#pending.push(node);
    } else {
      const index = this.#composer.target(site.stack, path, arc.arc === ARC.relocate);
      if (index === null) return this.#refuseCycle(authored, parent);
      this.#graft(node, index.nodes, authored);
    }
    this.#noteClass(node);
    this.#carryClasses(node);
    return node;
  }

  /** Whether a site is, contains or lies in one on the way to the root: it would contain itself without end. */
  #closesCycle(parent: Node, { stack, path }: Site): boolean {
    for (let at: Node | null = parent; at !== null; at = at.parent) {
      if (at.stack !== stack) continue;
      const above = at.site.namespacePath;
      if (hasPrefix(above, path) || hasPrefix(path, above)) return true;
    }
    return false;
  }

  /** Implied classes are left out in silence: it is the coincidence of a name, and nothing that anybody wrote. */
  #refuseCycle(authored: NewArc['authored'], parent: Node): null {
    if (authored) {
      const { layer, path, label } = authored;
      this.#composer.findings.missing('UC1713', layer, path, `${label} leads back to <${parent.site.namespacePath}>`);
    }
    return null;
  }

  /** Hangs a copy of another index below the parent of `top`, which stands for its root. */
  #graft(top: Node, nodes: readonly Node[], authored: NewArc['authored']): void {
    // What an implied class has in common with its asset is there already.
    const known = authored === null ? new Set(listNodes(this.#root).map((node) => node.site)) : null;
    const copies: (Node | null)[] = [top];
    for (const node of nodes.slice(1)) {
      const parent = copies[node.parent?.order ?? 0];
      if (parent === null || known?.has(node.site)) {
        copies.push(null);
        continue;
      }
      const { arc, site, origin, map, offset, place, age, isInert } = node;
      // The index was made without knowing where it would be taken in.
      const isImplied = origin !== node.parent;
      const isChecked = arc !== ARC.variant && !(isImplied && isInert);
      if (isChecked && top.parent !== null && this.#closesCycle(top.parent, site)) {
        this.#refuseCycle(isImplied ? null : authored, top.parent);
        copies.push(null);
        continue;
      }
      const copy = new Node({ arc, site, parent, origin, map, offset, place, age, isInert });
      parent.children.push(copy);
      copies.push(copy);
    }
    for (const copy of copies) {
      if (copy === null) continue;
      this.#count++;
      if (copy === top) continue;
      if (copy.origin) copy.origin = copies[copy.origin.order] ?? copy.parent;
    }
    if (top.parent) insertChild(top.parent, top);
    // Their arcs are in the copy; variants are chosen where everything is known.
    for (const copy of copies)
      if (copy && !copy.isInert && copy.site.variantSets().length > 0) this.#variantNodes.push(copy);
  }

  /**
   * Classes that an arc brings in are looked for in the stronger layer stacks too, so that a scene can say something
   * about the class of an asset (OpenUSD, implied classes): from the node that the chain of classes starts at, one arc
   * towards the root. What is added there is carried on from there.
   */
  #carryClasses(node: Node): void {
    const chain: Node[] = [];
    let base = node;
    for (; base.isClass && base.parent !== null; base = base.parent) chain.push(base);
    if (base.parent === null) return;
    // Each class goes below the counterpart of the class that it is a class of.
    let under: Node | undefined = base.parent;
    for (let i = chain.length - 1; i > 0 && under; i--) under = this.#counterpart(base, chain[i], under);
    if (under === undefined) return;
    const top = under;
    const sources = chain.length > 0 ? [node] : node.children.filter((child) => child.isClass);
    const pending = sources.map((source): [Node, Node] => [source, top]);
    for (let next = pending.pop(); next; next = pending.pop()) {
      const [source, below] = next;
      const site = this.#counterpartSite(base, source);
      if (site === null) continue;
      const counterpart =
        this.#classChild(below, source.arc, site) ??
        this.#add({
          arc: source.arc,
          site,
          parent: below,
          origin: source,
          map: { source: site.path, target: below.site.namespacePath, hasRootIdentity: true },
          place: source.place,
          age: source.age,
          isInert: site === source.site,
          authored: null,
        });
      if (counterpart === null) continue;
      for (const child of source.children) if (child.isClass) pending.push([child, counterpart]);
    }
  }

  /** Where the class of a node below `base` is looked for in the layer stack above `base`; null: nowhere. */
  #counterpartSite({ map, parent }: Node, source: Node): Site | null {
    const mapped = mapClassPath(map, source.site.namespacePath);
    if (mapped === null || parent === null) return null;
    const path = map === null ? mapped : parent.stack.relocated(mapped);
    return path !== null && isPrimPath(path) ? parent.stack.site(path) : null;
  }

  #counterpart(base: Node, source: Node, under: Node): Node | undefined {
    const site = this.#counterpartSite(base, source);
    return site === null ? undefined : this.#classChild(under, source.arc, site);
  }

  /** The class of a node at a site, by the arc that brings it. */
  #classChild(node: Node, arc: ArcType, site: Site): Node | undefined {
    let known = this.#classes.get(node);
    if (!known) {
      known = { [ARC.inherit]: new Map(), [ARC.specialize]: new Map() };
      this.#classes.set(node, known);
      for (const child of node.children) this.#noteClass(child);
    }
    return arc === ARC.inherit || arc === ARC.specialize ? known[arc].get(site) : undefined;
  }

  #noteClass(child: Node): void {
    const known = child.parent ? this.#classes.get(child.parent) : undefined;
    if (known && (child.arc === ARC.inherit || child.arc === ARC.specialize)) known[child.arc].set(child.site, child);
  }

  /** Chooses one variant: the strongest set with an authored selection, else the strongest with a fallback. */
  #chooseVariant(): boolean {
    if (this.#variantNodes.length === 0) return false;
    const order = inStrengthOrder(listNodes(this.#root));
    const waiting = new Set(this.#variantNodes);
    const nodes = order.filter((node) => waiting.has(node));
    const selections = this.#selections(order);
    const hasChoices = this.#composer.choices.length > 0;
    for (const pass of ['authored', 'fallback'] as const) {
      if (pass === 'fallback' && !hasChoices) return false;
      for (const node of nodes) {
        for (const [place, set] of node.site.variantSets().entries()) {
          if (this.#resolved.get(node)?.has(set)) continue;
          const variants = hasChoices ? node.site.variants(set) : [];
          this.#composer.noteVariants(this.#stagePath, set, variants);
          const selection = pass === 'authored' ? selections.get(set) : this.#composer.fallback(set, variants);
          if (selection === undefined) continue;
          this.#resolve(node, set);
          this.#select(node, set, selection, place, order);
          return true;
        }
      }
    }
    return false;
  }

  #resolve(node: Node, set: string): void {
    const sets = this.#resolved.get(node);
    if (sets) sets.add(set);
    else this.#resolved.set(node, new Set([set]));
  }

  /** The path in the stage, when the index is of its root layer stack. */
  get #stagePath(): string | null {
    return this.#root.stack === this.#composer.root ? this.#root.site.path : null;
  }

  /** By set, the selection from outside, else the strongest authored at any site of the prim. */
  #selections(order: readonly Node[]): ReadonlyMap<string, string> {
    const path = this.#stagePath;
    const selections = new Map<string, string>();
    for (const { prim, set, name } of this.#composer.choices) {
      if (prim !== null && prim === path) selections.set(set, name);
    }
    for (const node of order) if (node.contributes) node.site.addVariantSelections(selections);
    return selections;
  }

  #select(node: Node, set: string, selection: string, place: number, order: readonly Node[]): void {
    if (selection === '') return;
    const site = node.stack.site(`${node.site.path}{${set}=${selection}}`);
    if (site.specs.length === 0) {
      // Another site of the prim may have the variant that this one lacks.
      if (order.some((other) => other.contributes && other.site.variants(set).includes(selection))) return;
      const [{ layer, spec }] = node.site.specs;
      const message = `variant set "${set}" has no variant "${selection}", only ${node.site.variants(set).join(', ') || 'none at all'}`;
      this.#composer.findings.say('UC1721', layer, spec.path, message);
      return;
    }
    const authored = { layer: node.site.specs[0].layer, path: node.site.path, label: `variant ${set}=${selection}` };
    this.#add({ arc: ARC.variant, site, parent: node, origin: node, map: null, place, authored });
  }
}
