// Which specs bring in content from elsewhere. This build composes single layers, so each such spec is refused by name.

import type { ListOp, Reference, Spec, Value } from '../layer.ts';
import { listOpOf, textsOf } from './values.ts';

/** True when a list op leaves at least one item on an empty list. */
function contributes(op: ListOp<unknown> | null): boolean {
  if (op === null) return false;
  return op.isExplicit ? op.explicit.length > 0 : op.added.length + op.prepended.length + op.appended.length > 0;
}

/** A lone payload with an empty asset path says "explicitly none" (OpenUSD SdfPayload). */
function hasPayload(value: Value | undefined): boolean {
  if (value?.type === 'Payload') return (value.value as Reference).assetPath !== '';
  return contributes(listOpOf(value));
}

function hasClips(value: Value | undefined): boolean {
  return value?.type === 'Dictionary' && (value.value as ReadonlyMap<string, Value>).size > 0;
}

/** The kinds of arcs authored on a prim spec, in the order of their strength. */
export function primArcs(spec: Spec): string[] {
  const kinds: string[] = [];
  if (contributes(listOpOf(spec.get('inheritPaths')))) kinds.push('inherits');
  if (
    contributes(listOpOf(spec.get('variantSetNames'))) ||
    (textsOf(spec.get('variantSetChildren'))?.length ?? 0) > 0
  ) {
    kinds.push('variant sets');
  }
  if (contributes(listOpOf(spec.get('references')))) kinds.push('references');
  if (hasPayload(spec.get('payload'))) kinds.push('payload');
  if (contributes(listOpOf(spec.get('specializes')))) kinds.push('specializes');
  if (hasClips(spec.get('clips'))) kinds.push('value clips');
  return kinds;
}

/** The kinds of arcs authored on the layer itself. */
export function layerArcs(pseudoRoot: Spec): string[] {
  const kinds: string[] = [];
  if ((textsOf(pseudoRoot.get('subLayers'))?.length ?? 0) > 0) kinds.push('sublayers');
  const relocates = pseudoRoot.get('layerRelocates');
  if (relocates?.type === 'Relocates' && (relocates.value as readonly unknown[]).length > 0) kinds.push('relocates');
  return kinds;
}
