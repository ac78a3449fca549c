// Names of a prim's children and properties over all its opinions, in the order in which a stage lists them.

import { reorder } from './listOp.ts';
import type { Node } from './node.ts';
import type { PrimIndex } from './primIndex.ts';
import { textsOf } from './values.ts';

/** Adds what a node's layers list, weakest first; each layer may reorder what is known by then. */
function addNames(node: Node, field: string, orderField: string, names: string[]): string[] {
  let list = names;
  const known = new Set(list);
  for (let i = node.site.specs.length - 1; i >= 0; i--) {
    const { spec } = node.site.specs[i];
    for (const name of textsOf(spec.get(field)) ?? []) {
      if (known.has(name)) continue;
      known.add(name);
      list.push(name);
    }
    const order = textsOf(spec.get(orderField));
    if (order) list = reorder(list, order);
  }
  return list;
}

function isIn(node: Node, tree: Node): boolean {
  let at: Node | null = node;
  while (at !== null && at !== tree) at = at.parent;
  return at === tree;
}

/** Children from the weakest opinion to the strongest, primOrder as it comes (OpenUSD, ComputePrimChildNames). */
export function childNames(index: PrimIndex): readonly string[] {
  let names: string[] = [];
  if (index.nodes.every((node) => node.stack.relocates.size === 0)) {
    for (let i = index.contributing.length - 1; i >= 0; i--) {
      names = addNames(index.contributing[i], 'primChildren', 'primOrder', names);
    }
    return names;
  }
  // Who lists a name: a relocate takes it away from what its node brings in, and from nothing else.
  const listedBy = new Map<string, Set<Node>>();
  const list = (name: string, node: Node) => {
    const nodes = listedBy.get(name);
    if (nodes) nodes.add(node);
    else listedBy.set(name, new Set([node]));
  };
  for (let i = index.nodes.length - 1; i >= 0; i--) {
    const node = index.nodes[i];
    if (node.contributes) {
      names = addNames(node, 'primChildren', 'primOrder', names);
      for (const { spec } of node.site.specs)
        for (const name of textsOf(spec.get('primChildren')) ?? []) list(name, node);
    }
    if (node.isInert || node.stack.relocates.size === 0) continue;
    const here = node.site.namespacePath;
    for (const name of node.stack.namesMovedFrom(here)) {
      const nodes = listedBy.get(name);
      for (const other of nodes ?? []) if (isIn(other, node)) nodes?.delete(other);
    }
    for (const name of node.stack.namesMovedTo(here)) {
      if (!names.includes(name)) names.push(name);
      list(name, node);
    }
  }
  return names.filter((name) => (listedBy.get(name)?.size ?? 0) > 0);
}

const RUNS = /\d+|\D/g;

/**
 * Dictionary order as OpenUSD sorts property names (TfDictionaryLessThan): letters whatever their case, runs of digits by
 * their number, and code units where that makes no difference.
 */
export function compareInDictionary(a: string, b: string): number {
  const left = a.match(RUNS) ?? [];
  const right = b.match(RUNS) ?? [];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const x = left[i].toLowerCase();
    const y = right[i].toLowerCase();
    if (x === y) continue;
    const isDigit = /^\d/.test(x) && /^\d/.test(y);
    if (!isDigit) return x < y ? -1 : 1;
    const m = x.replace(/^0+/, '');
    const n = y.replace(/^0+/, '');
    if (m.length !== n.length) return m.length - n.length;
    if (m !== n) return m < n ? -1 : 1;
  }
  if (left.length !== right.length) return left.length - right.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Names of properties that a prim has, in its order. */
export interface PropertyNames {
  readonly list: readonly string[];
  readonly has: ReadonlySet<string>;
}

/**
 * Properties of prims in dictionary order, then as the strongest propertyOrder has them (OpenUSD,
 * UsdPrim::GetPropertyNames). Prims of one kind list the same names, which are sorted once.
 */
export class PropertyLists {
  readonly #known = new Map<string, PropertyNames>();

  of(index: PrimIndex): PropertyNames {
    const lists: (readonly string[])[] = [];
    let order: readonly string[] | null = null;
    for (const { site } of index.contributing) {
      for (const { spec } of site.specs) {
        const list = textsOf(spec.get('properties'));
        if (list) lists.push(list);
        order ??= textsOf(spec.get('propertyOrder'));
      }
    }
    const key = `${lists.map((list) => list.join('\n')).join('\n')}\r${order?.join('\n') ?? ''}`;
    const known = this.#known.get(key);
    if (known) return known;
    const has = new Set(lists.flat());
    const sorted = [...has].sort(compareInDictionary);
    const names = { list: order ? reorder(sorted, order) : sorted, has };
    this.#known.set(key, names);
    return names;
  }
}
