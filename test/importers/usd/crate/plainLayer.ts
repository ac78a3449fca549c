// A layer as plain data, every field decoded, for comparing layers and for finding fields that do not decode.

import type { Layer, ListOp, Reference, TimeSamples, Value } from '../../../../src/importers/usd/layer.ts';

export interface PlainSpec {
  readonly type: number;
  readonly fields: Record<string, unknown>;
}

function plainValue({ type, array, value }: Value): unknown {
  if (type === 'TimeSamples') {
    const samples = value as TimeSamples;
    return { type, samples: Array.from(samples.times, (t, i) => [t, plainValue(samples.at(i))]) };
  }
  if (type === 'Value' || type === 'UnregisteredValue') return { type, value: plainValue(value as Value) };
  if (type === 'Dictionary') return { type, value: plainMap(value as ReadonlyMap<string, Value>) };
  if (type === 'UnregisteredValueListOp') {
    const op = value as ListOp<Value>;
    return { type, value: { ...op, explicit: op.explicit.map(plainValue), added: op.added.map(plainValue) } };
  }
  if (type === 'ReferenceListOp' || type === 'PayloadListOp') {
    const arcs = (items: readonly Reference[]) => items.map((r) => ({ ...r, customData: plainMap(r.customData) }));
    const op = value as ListOp<Reference>;
    const lists = ['explicit', 'added', 'prepended', 'appended', 'deleted', 'ordered'] as const;
    return { type, isExplicit: op.isExplicit, ...Object.fromEntries(lists.map((list) => [list, arcs(op[list])])) };
  }
  return { type, array, value };
}

const plainMap = (map: ReadonlyMap<string, Value>) =>
  Object.fromEntries([...map].map(([key, value]) => [key, plainValue(value)]));

/** Decodes everything; checks on the way that `has` and `peek` say of each field what `get` gives. */
export function plainLayer(layer: Layer): Record<string, PlainSpec> {
  const specs: Record<string, PlainSpec> = {};
  for (const [path, spec] of layer.specs) {
    if (spec.path !== path) throw new Error(`${spec.path} is kept as ${path}`);
    const fields: Record<string, unknown> = {};
    for (const name of spec.fieldNames()) {
      const value = spec.get(name);
      const peeked = spec.peek(name);
      if (!value || !peeked || !spec.has(name)) throw new Error(`${path} ${name} is named but absent`);
      if (peeked.type !== value.type) throw new Error(`${path} ${name}: ${peeked.type} is a ${value.type}`);
      const count = value.array ? (value.value as { length: number }).length / componentsOf(value.type) : -1;
      if (peeked.count !== count) throw new Error(`${path} ${name}: count ${peeked.count}, not ${count}`);
      fields[name] = plainValue(value);
    }
    specs[path] = { type: spec.type, fields };
  }
  return specs;
}

/** Numbers an element, from the name of its type. */
function componentsOf(type: string): number {
  const size = Number(/\d/.exec(type)?.[0]);
  if (type.startsWith('Vec')) return size;
  if (type.startsWith('Quat')) return 4;
  return type.startsWith('Matrix') ? size * size : 1;
}
