// Chooses the variants of a prim index (OpenUSD, pcp/primIndex.cpp, variant selection). It handles the variant sets of
// the sites themselves and those of the ancestors of brought-in sites, because a variant of an ancestor can have
// opinions about the prim. The strongest selection in the whole index decides; once chosen, it holds for all sites of
// the prim.

import { mapToSource, mapToTarget } from '../namespace/pathMap.ts';
import { parentSite, stripVariants, withVariantsOf } from '../namespace/paths.ts';
import type { IndexContext } from './indexContext.ts';
import { ARC, inStrengthOrder, listNodes, type Node } from './node.ts';

/** A variant to bring in below a node. */
export interface Choice {
  readonly node: Node;
  /** The path of the site that has the set: the site of the node, or one above it. */
  readonly owner: string;
  readonly set: string;
  readonly name: string;
  readonly listIndex: number;
}

/** The path of a prim in the namespace of a node. */
interface NodePath {
  readonly node: Node;
  readonly path: string;
}

interface PendingSet {
  readonly node: Node;
  readonly owner: string;
  readonly set: string;
  readonly listIndex: number;
  /** The prim that has the set, in the strongest namespace that its path maps to. */
  readonly start: NodePath;
  /** No selection is authored in the tree so far. */
  isUnselected: boolean;
  /** No selection is authored in the tree so far, and there is no fallback. */
  isOpen: boolean;
}

/** Values by node and path. */
class NodePathTable<T> {
  readonly #byNode = new Map<Node, Map<string, T>>();

  get({ node, path }: NodePath): T | undefined {
    return this.#byNode.get(node)?.get(path);
  }

  set({ node, path }: NodePath, value: T): T {
    const known = this.#byNode.get(node);
    if (known) known.set(path, value);
    else this.#byNode.set(node, new Map([[path, value]]));
    return value;
  }
}

/** The prim that has a set, in the strongest namespace that its path maps to. */
function strongestNodePath(node: Node, owner: string): NodePath {
  let at = node;
  let path = stripVariants(owner);
  while (at.parent !== null) {
    const mapped = mapToTarget(at.map, path);
    if (mapped === null) break;
    at = at.parent;
    path = mapped;
  }
  return { node: at, path };
}

export class VariantSets {
  readonly #context: IndexContext;
  readonly #root: Node;
  /** Sets of the prim's ancestors. */
  readonly #ancestral = new Set<PendingSet>();
  /** Sets of the prim itself. */
  readonly #own = new Set<PendingSet>();
  /** The pending sets, strongest first; null: to be sorted again. */
  #order: readonly (readonly PendingSet[])[] | null = null;
  /** The chosen variant of each set, by the start of the pending set. */
  readonly #chosen = new NodePathTable<Map<string, string>>();
  /** Results for the tree so far; `retry` clears them. */
  #nodePaths = new NodePathTable<readonly NodePath[]>();
  #selections = new NodePathTable<Map<string, string | undefined>>();
  #variants = new NodePathTable<Map<string, boolean>>();

  constructor(context: IndexContext, root: Node) {
    this.#context = context;
    this.#root = root;
  }

  addOwn(node: Node): void {
    this.#add(node, node.site.path, this.#own);
  }

  /** Adds the sets of the ancestors of a brought-in site, up to the variant that the site lies in, if any. */
  addAncestral(node: Node): void {
    for (let path = parentSite(node.site.path); path !== '/'; path = parentSite(path)) {
      if (node.countsAt(path)) this.#add(node, path, this.#ancestral);
      if (path.endsWith('}')) return;
    }
  }

  #add(node: Node, owner: string, pending: Set<PendingSet>): void {
    for (const [listIndex, set] of node.stack.site(owner).variantSets().entries()) {
      const start = strongestNodePath(node, owner);
      pending.add({ node, owner, set, listIndex, start, isUnselected: false, isOpen: false });
      this.#order = null;
    }
  }

  /** Call this when the tree has grown: the new nodes may author selections. */
  retry(): void {
    this.#nodePaths = new NodePathTable();
    this.#selections = new NodePathTable();
    this.#variants = new NodePathTable();
    for (const pending of [...this.#ancestral, ...this.#own]) {
      pending.isUnselected = false;
      pending.isOpen = false;
    }
  }

  /** The next variant to bring in: sets of ancestors before the prim's own, authored selections before fallbacks. */
  next(): Choice | null {
    if (this.#ancestral.size + this.#own.size === 0) return null;
    for (const sets of this.#inOrder()) {
      for (const set of sets) {
        if (set.isUnselected || !this.#isPending(set)) continue;
        const name = this.#selection(set);
        if (name === undefined) set.isUnselected = true;
        else {
          const choice = this.#settle(set, name);
          if (choice) return choice;
        }
      }
      if (this.#context.choices.length === 0) continue;
      for (const set of sets) {
        if (!set.isUnselected || set.isOpen || !this.#isPending(set)) continue;
        const name = this.#context.fallback(set.set, set.node.stack.site(set.owner).variants(set.set));
        if (name === undefined) set.isOpen = true;
        else {
          const choice = this.#settle(set, name);
          if (choice) return choice;
        }
      }
    }
    return null;
  }

  #isPending(set: PendingSet): boolean {
    return this.#own.has(set) || this.#ancestral.has(set);
  }

  /** The pending sets, strongest first. Sets that are added later do not change the order of the others. */
  #inOrder(): readonly (readonly PendingSet[])[] {
    if (this.#order === null) {
      const nodes = inStrengthOrder(listNodes(this.#root));
      const ranks = new Map(nodes.map((node, i) => [node, i]));
      const rank = ({ node }: PendingSet) => ranks.get(node) ?? 0;
      const compare = (a: PendingSet, b: PendingSet) =>
        rank(a) - rank(b) || b.owner.length - a.owner.length || a.listIndex - b.listIndex;
      this.#order = [this.#ancestral, this.#own].map((sets) => [...sets].sort(compare));
    }
    return this.#order;
  }

  /** Removes a set from the pending ones. Null if the set has no such variant, or the selection is empty. */
  #settle(chosen: PendingSet, name: string): Choice | null {
    this.#own.delete(chosen);
    this.#ancestral.delete(chosen);
    const { node, owner, set, listIndex, start } = chosen;
    if (name === '' || !node.countsAt(owner)) return null;
    const site = node.stack.site(owner);
    if (node.stack.site(`${owner}{${set}=${name}}`).specs.length > 0) {
      (this.#chosen.get(start) ?? this.#chosen.set(start, new Map())).set(set, name);
      return { node, owner, set, name, listIndex };
    }
    // Another site of the prim may have the variant that this one lacks.
    if (this.#isSomewhere(start, set, name)) return null;
    const [{ layer, spec }] = site.specs;
    const message = `variant set "${set}" has no variant "${name}"; it has ${site.variants(set).join(', ') || 'none'}`;
    this.#context.findings.report('UC1721', layer, spec.path, message);
    return null;
  }

  #isSomewhere(start: NodePath, set: string, name: string): boolean {
    const known = this.#variants.get(start) ?? this.#variants.set(start, new Map());
    const key = `${set}=${name}`;
    const isKnown = known.get(key);
    if (isKnown !== undefined) return isKnown;
    const nodePaths = this.#nodePathsFrom(start);
    const is = nodePaths.some((at) => at.node.stack.site(this.#storage(at)).hasVariant(set, name));
    known.set(key, is);
    return is;
  }

  /** The paths of a prim in the namespaces of a node and the nodes below it, strongest first. */
  #nodePathsFrom(start: NodePath): readonly NodePath[] {
    const known = this.#nodePaths.get(start);
    if (known) return known;
    const paths = new Map<Node, string>([[start.node, start.path]]);
    const nodes = [start.node];
    const pending = [...start.node.children].reverse();
    for (let node = pending.pop(); node; node = pending.pop()) {
      const above = node.parent === null ? undefined : paths.get(node.parent);
      const path = above === undefined ? null : mapToSource(node.map, above);
      // If the path has no image in a node, it has none in the nodes below it.
      if (path === null) continue;
      paths.set(node, path);
      nodes.push(node);
      for (let i = node.children.length - 1; i >= 0; i--) pending.push(node.children[i]);
    }
    this.#context.countSteps(nodes.length);
    const ordered = start.node === this.#root ? inStrengthOrder(nodes) : nodes;
    return this.#nodePaths.set(
      start,
      ordered.map((node) => ({ node, path: paths.get(node) ?? start.path })),
    );
  }

  /** The site of a prim in the layer stack of a node, inside the variant if the node is one. */
  #storage({ node, path }: NodePath): string {
    return node.arc === ARC.variant ? withVariantsOf(path, node.introduction) : path;
  }

  /** The selection already made, else the caller's choice, else the strongest authored selection. */
  #selection({ node, owner, set, start }: PendingSet): string | undefined {
    const isStage = start.node === this.#root && start.node.stack === this.#context.root;
    const { choices } = this.#context;
    if (choices.length > 0) {
      this.#context.noteVariants(isStage ? start.path : null, set, node.stack.site(owner).variants(set));
    }
    const chosen = this.#chosen.get(start)?.get(set);
    if (chosen !== undefined) return chosen;
    const known = this.#selections.get(start) ?? this.#selections.set(start, new Map());
    if (known.has(set)) return known.get(set);
    const nodePaths = this.#nodePathsFrom(start);
    const prior = this.#priorSelection(nodePaths, set);
    const given = isStage ? choices.find((choice) => choice.prim === start.path && choice.set === set) : undefined;
    const name = prior ?? given?.name ?? this.#authoredSelection(nodePaths, set);
    known.set(set, name);
    return name;
  }

  #authoredSelection(nodePaths: readonly NodePath[], set: string): string | undefined {
    for (const at of nodePaths) {
      if (!at.node.countsAt(at.path)) continue;
      const name = at.node.stack.site(this.#storage(at)).variantSelection(set);
      if (name !== undefined) return name;
    }
    return undefined;
  }

  #priorSelection(nodePaths: readonly NodePath[], set: string): string | undefined {
    const mark = `{${set}=`;
    for (const { node, path } of nodePaths) {
      if (node.arc !== ARC.variant) continue;
      const site = node.introduction;
      const at = site.lastIndexOf('{');
      if (site.startsWith(mark, at) && stripVariants(site) === path) return site.slice(at + mark.length, -1);
    }
    return undefined;
  }
}
