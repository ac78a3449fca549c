// A small crate (PXR-USDC) writer for tests, samples and benches: a layer as plain data in, bytes out. Versions 0.7 and
// later. Independent of the reader but for the type numbers. Give specs with the constructors of layerSpecs.ts:
//
//     writeCrate({ '/': { defaultPrim: token('Root') }, '/Root': prim('Xform'), '/Root.size': attribute('double', double(2)) })
//
// Children (`primChildren`, `properties`, variants) follow from the paths, in their order; missing `/` is added.

import { SPEC_TYPE } from '../../../src/importers/usd/layer.ts';
import { CrateBuilder, Table } from './crateValues.ts';
import { type FieldValue, type LayerSpecs, tokenVector } from './layerSpecs.ts';

export * from './layerSpecs.ts';

export interface CrateOptions {
  /** `major.minor.patch`; 0.9.0 when not given. */
  readonly version?: string;
  /** Pack int and float arrays of 16 elements and more, as OpenUSD does. Off: arrays are raw. */
  readonly compressArrays?: boolean;
  /** Spec types that do not follow from path and fields, by path. */
  readonly types?: Readonly<Record<string, number>>;
}

const END_OF_RUN = 0xffffffff;

const isProperty = (path: string): boolean => /\.[^/}\]]+$/.test(path);

/** The path above and the element that leads from it; null for `/`. */
function splitPath(path: string): { parent: string; element: string } | null {
  if (path === '/') return null;
  let cut: number;
  if (isProperty(path)) cut = path.lastIndexOf('.');
  else if (path.endsWith('}')) cut = path.lastIndexOf('{');
  else if (path.endsWith(']')) cut = path.indexOf('[');
  else cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('}') + 1);
  const skip = path[cut] === '/' || path[cut] === '.' ? 1 : 0;
  return { parent: path.slice(0, cut) || '/', element: path.slice(cut + skip) };
}

/** Adds `/`, and to every spec the fields that list its children. */
function withChildren(specs: LayerSpecs): Map<string, Record<string, FieldValue>> {
  const all = new Map<string, Record<string, FieldValue>>([['/', {}]]);
  for (const [path, fields] of Object.entries(specs)) all.set(path, { ...fields });
  const children = new Map<string, Map<string, string[]>>();
  for (const path of all.keys()) {
    const split = splitPath(path);
    if (!split || split.element.startsWith('[')) continue;
    let { parent, element } = split;
    let kind = isProperty(path) ? 'properties' : 'primChildren';
    if (element.startsWith('{')) {
      const [set, name] = element.slice(1, -1).split('=');
      kind = name === '' ? 'variantSetChildren' : 'variantChildren';
      if (name !== '') parent = `${parent}{${set}=}`;
      element = name === '' ? set : name;
    }
    const kinds = children.get(parent) ?? new Map<string, string[]>();
    children.set(parent, kinds);
    const names = kinds.get(kind);
    if (names) names.push(element);
    else kinds.set(kind, [element]);
  }
  for (const [path, kinds] of children) {
    const fields = all.get(path);
    if (fields) for (const [kind, names] of kinds) fields[kind] ??= tokenVector(...names);
  }
  return all;
}

function specType(path: string, fields: object): number {
  if (path === '/') return SPEC_TYPE.pseudoRoot;
  if (path.endsWith('=}')) return SPEC_TYPE.variantSet;
  if (path.endsWith('}')) return SPEC_TYPE.variant;
  if (!isProperty(path)) return SPEC_TYPE.prim;
  return 'typeName' in fields ? SPEC_TYPE.attribute : SPEC_TYPE.relationship;
}

/** The runs of the path section: every path of the table but the empty one, parents first, children in table order. */
function pathRuns(builder: CrateBuilder): { indexes: number[]; elements: number[]; jumps: number[] } {
  const { paths, tokens } = builder;
  const children = new Map<string, string[]>();
  // The table grows while missing parents are added.
  for (let i = 0; i < paths.items.length; i++) {
    const split = paths.items[i] === '' ? null : splitPath(paths.items[i]);
    if (!split) continue;
    paths.of(split.parent);
    const list = children.get(split.parent);
    if (list) list.push(paths.items[i]);
    else children.set(split.parent, [paths.items[i]]);
  }
  const order: { path: string; hasSibling: boolean; size: number }[] = [];
  const stack: { path: string; hasSibling: boolean }[] = [{ path: '/', hasSibling: false }];
  for (let node = stack.pop(); node; node = stack.pop()) {
    order.push({ ...node, size: 1 });
    const below = children.get(node.path) ?? [];
    for (let i = below.length - 1; i >= 0; i--) stack.push({ path: below[i], hasSibling: i + 1 < below.length });
  }
  const at = new Map(order.map(({ path }, i) => [path, i]));
  for (let i = order.length - 1; i > 0; i--) order[at.get(splitPath(order[i].path)!.parent)!].size += order[i].size;
  const indexes = order.map(({ path }) => paths.of(path));
  const elements = order.map(({ path }) => {
    const index = tokens.of(splitPath(path)?.element ?? '');
    return isProperty(path) ? -index : index;
  });
  const jumps = order.map(({ hasSibling, size }) => (size === 1 ? (hasSibling ? 0 : -2) : hasSibling ? size : -1));
  return { indexes, elements, jumps };
}

/** Writes the layer as a crate. */
export function writeCrate(specs: LayerSpecs, options: CrateOptions = {}): Uint8Array {
  const builder = new CrateBuilder(options.compressArrays ?? false);
  const { out, tokens, strings, paths } = builder;
  out.put(new Uint8Array(88));

  const fields = new Table();
  const runs = new Map<string, number>();
  const fieldSets: number[] = [];
  const table: { path: number; run: number; type: number }[] = [];
  for (const [path, values] of withChildren(specs)) {
    const run: number[] = [];
    for (const [name, value] of Object.entries(values)) {
      const { low, high } = builder.rep(value);
      run.push(fields.of(`${tokens.of(name)} ${low} ${high}`));
    }
    const key = run.join();
    if (!runs.has(key)) {
      runs.set(key, fieldSets.length);
      for (const field of run) fieldSets.push(field);
      fieldSets.push(END_OF_RUN);
    }
    table.push({ path: paths.of(path), run: runs.get(key)!, type: options.types?.[path] ?? specType(path, values) });
  }
  const tree = pathRuns(builder);

  const sections: { name: string; start: number; size: number }[] = [];
  const section = (name: string, write: () => void): void => {
    out.align(8);
    const start = out.at;
    write();
    sections.push({ name, start, size: out.at - start });
  };
  section('TOKENS', () => {
    const text = new TextEncoder().encode(tokens.items.map((t) => `${t}\0`).join(''));
    out.u64(tokens.items.length);
    out.u64(text.length);
    out.packed(text);
  });
  section('STRINGS', () => {
    out.u64(strings.items.length);
    for (const text of strings.items) out.u32(tokens.of(text));
  });
  section('FIELDS', () => {
    const parts = fields.items.map((field) => field.split(' ').map(Number));
    out.u64(parts.length);
    out.ints(parts.map(([name]) => name));
    const reps = Uint32Array.from(parts.flatMap(([, low, high]) => [low, high]));
    out.packed(new Uint8Array(reps.buffer));
  });
  section('FIELDSETS', () => {
    out.u64(fieldSets.length);
    out.ints(fieldSets);
  });
  section('PATHS', () => {
    out.u64(paths.items.length);
    out.u64(tree.indexes.length);
    out.ints(tree.indexes);
    out.ints(tree.elements);
    out.ints(tree.jumps);
  });
  section('SPECS', () => {
    out.u64(table.length);
    out.ints(table.map((s) => s.path));
    out.ints(table.map((s) => s.run));
    out.ints(table.map((s) => s.type));
  });

  const toc = out.at;
  out.u64(sections.length);
  for (const { name, start, size } of sections) {
    out.put(new TextEncoder().encode(name.padEnd(16, '\0')));
    out.u64(start);
    out.u64(size);
  }
  const bytes = out.finish();
  bytes.set(new TextEncoder().encode('PXR-USDC'));
  bytes.set((options.version ?? '0.9.0').split('.').map(Number), 8);
  new DataView(bytes.buffer).setBigUint64(16, BigInt(toc), true);
  return bytes;
}
