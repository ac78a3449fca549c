// Names of a prim's children and properties over all its opinions, in the order in which a stage lists them.

import { inStrengthOrder, type Node } from '../index/node.ts';
import type { PrimIndex } from '../index/primIndex.ts';
import { nameOf, parentPath } from '../namespace/paths.ts';
import { reorder } from '../values/listOp.ts';
import { textsOf } from '../values/values.ts';

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

/**
 * What the relocates of a node's layer stack make of the names that weaker nodes have: a renamed child takes the place of
 * the old name, those that move away are taken out, those that come from elsewhere follow in the order of their names.
 */
function moveNames(node: Node, names: readonly string[], prohibited: Set<string>): string[] {
  const { stack, site } = node;
  const here = site.path;
  const moved = new Map<string, string>();
  for (const { name, other } of stack.relocates.movedFrom(here)) {
    prohibited.add(name);
    moved.set(name, other !== '' && parentPath(other) === here ? nameOf(other) : '');
  }
  const known = new Set(names);
  const kept: string[] = [];
  for (const name of names) {
    const renamed = moved.get(name);
    if (renamed === undefined) kept.push(name);
    else if (renamed !== '' && !known.has(renamed)) {
      known.add(renamed);
      kept.push(renamed);
    }
  }
  const arriving = stack.relocates
    .movedTo(here)
    .filter(({ name, other }) => parentPath(other) !== here && !known.has(name));
  return [...kept, ...arriving.map(({ name }) => name).sort()];
}

/** Children from the weakest opinion to the strongest, primOrder as it comes (OpenUSD, ComputePrimChildNames). */
export function childNames(index: PrimIndex): readonly string[] {
  let names: string[] = [];
  if (index.nodes.every((node) => node.stack.relocates.isEmpty)) {
    for (let i = index.contributing.length - 1; i >= 0; i--) {
      names = addNames(index.contributing[i], 'primChildren', 'primOrder', names);
    }
    return names;
  }
  // Where a prim has moved away, no layer stack can have another one.
  const prohibited = new Set<string>();
  for (const node of [...inStrengthOrder(index.nodes)].reverse()) {
    if (node.inertFrom === 1) continue;
    if (!node.stack.relocates.isEmpty) names = moveNames(node, names, prohibited);
    if (node.contributes) names = addNames(node, 'primChildren', 'primOrder', names);
  }
  return names.filter((name) => !prohibited.has(name));
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
