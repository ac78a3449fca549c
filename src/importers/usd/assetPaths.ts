// The asset paths that the specs of a layer author, in every variant, whether it is selected or not: sublayers, references,
// payloads, and all values of type asset, those in dictionaries and time samples too. Nothing is composed.

import { textsOf } from './compose/values/values.ts';
import type { Layer, ListOp, Reference, Spec, TimeSamples, Value, ValueTypeName } from './layer.ts';

export interface AuthoredPath {
  readonly assetPath: string;
  /** The path of the spec, for messages. */
  readonly element: string;
  /** 'layer': sublayers, references and payloads. 'value': everything else. */
  readonly kind: 'layer' | 'value';
}

/** Dictionaries in each other; one of a real layer has two or three. */
const MAX_DEPTH = 64;

const HOLDS_PATHS = new Set<ValueTypeName>(['AssetPath', 'Dictionary', 'TimeSamples', 'Value']);

export function referencesOf(value: Value | undefined): readonly Reference[] {
  if (value?.type === 'Payload') return [value.value as Reference];
  if (value?.type !== 'ReferenceListOp' && value?.type !== 'PayloadListOp') return [];
  const { explicit, added, prepended, appended } = value.value as ListOp<Reference>;
  return [...explicit, ...added, ...prepended, ...appended];
}

/** The asset paths of sublayers, references and payloads of a spec. */
export function* arcPaths(spec: Spec): Generator<string> {
  if (spec.path === '/') yield* textsOf(spec.get('subLayers')) ?? [];
  for (const field of ['references', 'payload']) {
    if (!spec.has(field)) continue;
    for (const { assetPath } of referencesOf(spec.get(field))) if (assetPath !== '') yield assetPath;
  }
}

function* valuePaths(value: Value, depth = 0): Generator<string> {
  if (depth > MAX_DEPTH) return;
  if (value.type === 'AssetPath') yield* value.array ? (value.value as readonly string[]) : [value.value as string];
  else if (value.type === 'Value') yield* valuePaths(value.value as Value, depth + 1);
  else if (value.type === 'Dictionary') {
    for (const item of (value.value as ReadonlyMap<string, Value>).values()) yield* valuePaths(item, depth + 1);
  } else if (value.type === 'TimeSamples') {
    const samples = value.value as TimeSamples;
    // Samples of one attribute have one type.
    for (let i = 0; i < samples.times.length; i++) {
      const sample = samples.at(i);
      if (!HOLDS_PATHS.has(sample.type) && sample.type !== 'ValueBlock') return;
      yield* valuePaths(sample, depth + 1);
    }
  }
}

/** All asset paths of a layer that are not empty, in the order of its specs. Throws SourceError for a damaged value. */
export function* authoredPaths(layer: Layer): Generator<AuthoredPath> {
  for (const spec of layer.specs.values()) {
    for (const assetPath of arcPaths(spec)) {
      if (assetPath !== '') yield { assetPath, element: spec.path, kind: 'layer' };
    }
    for (const field of spec.fieldNames()) {
      const type = spec.peek(field)?.type;
      if (type === undefined || !HOLDS_PATHS.has(type)) continue;
      const value = spec.get(field);
      if (!value) continue;
      for (const assetPath of valuePaths(value)) {
        if (assetPath !== '') yield { assetPath, element: spec.path, kind: 'value' };
      }
    }
  }
}
