// The names of a prim's children and properties over all its opinions, in the order of the stage.

import { inStrengthOrder, type Node } from '../index/node.ts';
import type { PrimIndex } from '../index/primIndex.ts';
import { nameOf, parentPath } from '../namespace/paths.ts';
import { reorder } from '../values/listOp.ts';
import { textsOf } from '../values/values.ts';

/** Adds the names that the layers of a node list, weakest layer first. Each layer can reorder the names so far. */
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
 * Applies the relocates of a node's layer stack to the names from weaker nodes. The new name of a renamed child
 * replaces its old name; children that move away are removed; children that arrive from elsewhere are appended, sorted
 * by name.
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

/** The children of a prim, collected from the weakest opinion to the strongest (OpenUSD, ComputePrimChildNames). */
export function childNames(index: PrimIndex): readonly string[] {
  let names: string[] = [];
  if (index.nodes.every((node) => node.stack.relocates.isEmpty)) {
    for (let i = index.contributing.length - 1; i >= 0; i--) {
      names = addNames(index.contributing[i], 'primChildren', 'primOrder', names);
    }
    return names;
  }
  // After a relocate moved a child away, no opinion can define another child of that name.
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
 * Dictionary order, as OpenUSD sorts property names (TfDictionaryLessThan): ignores case and compares runs of digits as
 * numbers. Names that are equal by these rules are compared by code units.
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

/** The names of a prim's properties, in the order of the stage. */
export interface PropertyNames {
  readonly list: readonly string[];
  readonly has: ReadonlySet<string>;
}

/**
 * The properties of prims in dictionary order, reordered by the strongest propertyOrder (OpenUSD,
 * UsdPrim::GetPropertyNames). Many prims have the same names; each list is sorted once.
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
