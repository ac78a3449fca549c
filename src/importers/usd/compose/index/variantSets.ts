// Chooses the variants of a prim index: of sets at its sites, and of sets that prims above a brought-in site have, whose
// variants say something about it too. Both follow the strongest selection of the whole index (OpenUSD, Pcp variant
// selection); a set that was chosen for somewhere in the tree stays so for all of it.

import { mapToSource, mapToTarget } from '../namespace/pathMap.ts';
import { parentSite, stripVariants, withVariantsOf } from '../namespace/paths.ts';
import type { IndexContext } from './indexContext.ts';
import { ARC, inStrengthOrder, listNodes, type Node } from './node.ts';

/** A variant to bring in below a node. */
export interface Choice {
  readonly node: Node;
  /** The site that has the set: that of the node, or one above it. */
  readonly owner: string;
  readonly set: string;
  readonly name: string;
  readonly listIndex: number;
}

/** A node and where a prim is in its namespace. */
interface NodePath {
  readonly node: Node;
  readonly path: string;
}

interface PendingSet {
  readonly node: Node;
  readonly owner: string;
  readonly set: string;
  readonly listIndex: number;
  /** Where the prim that has the set is in the strongest namespace that it can be carried to. */
  readonly start: NodePath;
  /** No selection is authored, as far as the tree is known. */
  isUnselected: boolean;
  /** Nor is there a fallback. */
  isOpen: boolean;
}

/** By node and path. */
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

/** Where the prim that has a set is in the strongest namespace that it can be carried to. */
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
  /** Of prims above, and the prim's own. */
  readonly #ancestral = new Set<PendingSet>();
  readonly #own = new Set<PendingSet>();
  /** The sets that are pending, the strongest first; null: there are new ones. */
  #order: readonly (readonly PendingSet[])[] | null = null;
  /** Variants by set that were chosen, by the strongest place of the prim. */
  readonly #chosen = new NodePathTable<Map<string, string>>();
  /** What was found in the tree as it is. */
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

  /** Sets of the prims above a site that an arc has brought in; what lies in a variant has been chosen with it. */
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

  /** Something was added to the tree: selections that were not found may be there now. */
  retry(): void {
    this.#nodePaths = new NodePathTable();
    this.#selections = new NodePathTable();
    this.#variants = new NodePathTable();
    for (const pending of [...this.#ancestral, ...this.#own]) {
      pending.isUnselected = false;
      pending.isOpen = false;
    }
  }

  /** The next variant to bring in: authored selections before fallbacks, sets of prims above before the prim's own. */
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

  /** Sets still to be chosen, the strongest first. What is added later changes nothing in the order of the others. */
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

  /** Takes a set off the list; null when it has no such variant or none is wanted. */
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
    const message = `variant set "${set}" has no variant "${name}", only ${site.variants(set).join(', ') || 'none at all'}`;
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

  /** Where a prim is in the namespaces of the nodes below a node, strongest first. */
  #nodePathsFrom(start: NodePath): readonly NodePath[] {
    const known = this.#nodePaths.get(start);
    if (known) return known;
    const paths = new Map<Node, string>([[start.node, start.path]]);
    const nodes = [start.node];
    const pending = [...start.node.children].reverse();
    for (let node = pending.pop(); node; node = pending.pop()) {
      const above = node.parent === null ? undefined : paths.get(node.parent);
      const path = above === undefined ? null : mapToSource(node.map, above);
      // What does not reach a node does not reach those below it.
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

  /** The site of a prim in a node's layer stack, with the variant that the node stands for. */
  #storage({ node, path }: NodePath): string {
    return node.arc === ARC.variant ? withVariantsOf(path, node.introduction) : path;
  }

  /** The selection that was made before, else the one from outside, else the strongest that is authored. */
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
