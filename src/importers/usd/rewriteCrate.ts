// Writes a layer as a crate with other asset paths and all else as it was read.

import type { ListOp, Reference, TimeSamples, Value } from '../../formats/usdc/values.ts';
import { type CrateSpec, writeUsdc } from '../../formats/usdc/write.ts';
import type { Layer } from './layer.ts';

/** The last minor version whose values are all read: later crates may have splines and edits of arrays. */
const LAST_WHOLE = 11;

/** Whether everything that a crate holds is in its layer, so that it can be written anew. */
export const isWholeCrate = ({ format, version }: Layer): boolean =>
  format === 'usdc' && Number(version.split('.')[1]) <= LAST_WHOLE;

type Changes = ReadonlyMap<string, string>;

const changed = (path: string, changes: Changes): string => changes.get(path) ?? path;

function changedArc(arc: Reference, changes: Changes): Reference {
  return { ...arc, assetPath: changed(arc.assetPath, changes) };
}

function changedArcs(op: ListOp<Reference>, changes: Changes): ListOp<Reference> {
  const list = (arcs: readonly Reference[]) => arcs.map((arc) => changedArc(arc, changes));
  return {
    isExplicit: op.isExplicit,
    explicit: list(op.explicit),
    added: list(op.added),
    prepended: list(op.prepended),
    appended: list(op.appended),
    deleted: list(op.deleted),
    ordered: list(op.ordered),
  };
}

function changedValue(own: Value, changes: Changes): Value {
  const { type, array, value } = own;
  const texts = () => (value as readonly string[]).map((path) => changed(path, changes));
  switch (type) {
    case 'AssetPath':
      return { type, array, value: array ? texts() : changed(value as string, changes) };
    case 'Payload':
      return { type, array, value: changedArc(value as Reference, changes) };
    case 'ReferenceListOp':
    case 'PayloadListOp':
      return { type, array, value: changedArcs(value as ListOp<Reference>, changes) };
    case 'Value':
    case 'UnregisteredValue':
      return { type, array, value: changedValue(value as Value, changes) };
    case 'Dictionary': {
      const entries = [...(value as ReadonlyMap<string, Value>)];
      return { type, array, value: new Map(entries.map(([key, item]) => [key, changedValue(item, changes)])) };
    }
    case 'TimeSamples': {
      const samples = value as TimeSamples;
      const { times } = samples;
      return { type, array, value: { times, at: (i: number) => changedValue(samples.at(i), changes) } };
    }
    default:
      return own;
  }
}

function* specsOf(layer: Layer, changes: Changes): Generator<CrateSpec> {
  for (const spec of layer.specs.values()) {
    const fields = spec.fieldNames().flatMap((name): (readonly [string, Value])[] => {
      const value = spec.get(name);
      if (!value) return [];
      if (name !== 'subLayers' || value.type !== 'StringVector') return [[name, changedValue(value, changes)]];
      return [[name, { ...value, value: (value.value as readonly string[]).map((path) => changed(path, changes)) }]];
    });
    yield { path: spec.path, type: spec.type, fields };
  }
}

/** The crate of a layer for which isWholeCrate is true, or of a MaterialX document, with each path that `changes` has replaced by what it says. */
export const rewriteCrate = (layer: Layer, changes: Changes): Uint8Array =>
  writeUsdc(specsOf(layer, changes), layer.identifier);
