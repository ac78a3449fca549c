// Value resolution (OpenUSD, UsdStage): computes the value of a property at a time, its metadata and its targets from
// the opinions about it.

import type { Layer, LayerOffset, ListOp, Spec, TimeSamples, Value } from '../../layer.ts';
import type { Findings } from '../findings.ts';
import type { Node } from '../index/node.ts';
import { interpolate } from '../values/interpolate.ts';
import { applyListOp } from '../values/listOp.ts';
import { pathListOpOf } from '../values/values.ts';
import type { AttributeSamples } from './stage.ts';

/** A spec with its layer and the node that brings it in. */
export interface SpecOpinion {
  readonly spec: Spec;
  readonly layer: Layer;
  readonly node: Node;
  /** Converts the layer's time to the stage's. */
  readonly offset: LayerOffset;
}

/** The opinion that gives an attribute its value. */
export type ValueSource =
  | { readonly kind: 'none' }
  | { readonly kind: 'default'; readonly from: SpecOpinion }
  | { readonly kind: 'samples'; readonly from: SpecOpinion; readonly samples: TimeSamples };

const NONE: ValueSource = { kind: 'none' };

function samplesOf(spec: Spec): TimeSamples | null {
  const value = spec.has('timeSamples') ? spec.get('timeSamples') : undefined;
  if (value?.type !== 'TimeSamples') return null;
  const samples = value.value as TimeSamples;
  return samples.times.length > 0 ? samples : null;
}

/**
 * The strongest opinion about a value. In each layer, time samples are stronger than the default. A value block ends
 * the search; an animation block hides the time samples and splines of weaker layers. Splines are skipped; `onSpline`
 * is called for each.
 */
export function findValue(opinions: readonly SpecOpinion[], onSpline?: (from: SpecOpinion) => void): ValueSource {
  let isAnimationBlocked = false;
  for (const from of opinions) {
    const { spec } = from;
    if (!isAnimationBlocked) {
      const samples = samplesOf(spec);
      if (samples) return { kind: 'samples', from, samples };
      if (spec.has('spline')) onSpline?.(from);
    }
    const type = spec.peek('default')?.type;
    if (type === undefined) continue;
    if (type === 'ValueBlock') return NONE;
    if (type !== 'AnimationBlock') return { kind: 'default', from };
    isAnimationBlocked = true;
  }
  return NONE;
}

function isBlock(value: Value): boolean {
  return value.type === 'ValueBlock' || value.type === 'AnimationBlock';
}

/** Converts a value of type TimeCode from the time of its layer to the time of the stage. */
function inStageTime(value: Value, { offset, scale }: LayerOffset): Value {
  if (value.type !== 'TimeCode' || (offset === 0 && scale === 1)) return value;
  const convert = (time: number) => offset + scale * time;
  if (!value.array) return { ...value, value: convert(value.value as number) };
  return { ...value, value: (value.value as Float64Array).map(convert) };
}

/**
 * The value of a source at a time of the stage; `time` null: the earliest. Null if there is no value or it is blocked.
 */
export function valueAt(source: ValueSource, time: number | null): Value | null {
  if (source.kind === 'none') return null;
  const { spec, offset } = source.from;
  if (source.kind === 'default') {
    const value = spec.get('default');
    return value === undefined || isBlock(value) ? null : inStageTime(value, offset);
  }
  const { samples } = source;
  const last = samples.times.length - 1;
  // With a negative scale, the earliest time of the stage is the latest time of the layer.
  const local = time === null ? (offset.scale < 0 ? Infinity : -Infinity) : (time - offset.offset) / offset.scale;
  let low = 0;
  let high = last;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (samples.times[middle] <= local) low = middle;
    else high = middle - 1;
  }
  const value = samples.at(low);
  if (isBlock(value)) return null;
  if (low === last || local <= samples.times[low]) return inStageTime(value, offset);
  const next = samples.at(low + 1);
  const span = samples.times[low + 1] - samples.times[low];
  const between = isBlock(next) ? value : interpolate(value, next, (local - samples.times[low]) / span);
  return inStageTime(between, offset);
}

/** The time samples of a source in the time of the stage, in which they ascend too. */
export function stageSamples({ from, samples }: ValueSource & { readonly kind: 'samples' }): AttributeSamples {
  const { offset, scale } = from.offset;
  const last = samples.times.length - 1;
  const isReversed = scale < 0;
  return {
    times: Float64Array.from(samples.times, (_, i) => offset + scale * samples.times[isReversed ? last - i : i]),
    at: (i) => {
      const value = samples.at(isReversed ? last - i : i);
      return isBlock(value) ? null : inStageTime(value, from.offset);
    },
  };
}

function mergeDictionaries(
  strong: ReadonlyMap<string, Value>,
  weak: ReadonlyMap<string, Value>,
): ReadonlyMap<string, Value> {
  const merged = new Map(strong);
  for (const [key, value] of weak) {
    const own = merged.get(key);
    if (own === undefined) merged.set(key, value);
    else if (own.type === 'Dictionary' && value.type === 'Dictionary') {
      const both = mergeDictionaries(
        own.value as ReadonlyMap<string, Value>,
        value.value as ReadonlyMap<string, Value>,
      );
      merged.set(key, { ...own, value: both });
    }
  }
  return merged;
}

/** Applies list ops, weakest first, and gives the result as an explicit list op. */
function explicitListOp<T>(ops: readonly ListOp<T>[]): ListOp<T> {
  let list: T[] = [];
  for (const op of ops) list = applyListOp(op, list);
  return { isExplicit: true, explicit: list, added: [], prepended: [], appended: [], deleted: [], ordered: [] };
}

/** The value of a metadata field: the strongest opinion. Dictionaries are merged by key; list ops are composed. */
export function composeMetadata(opinions: readonly SpecOpinion[], field: string): Value | undefined {
  let first: Value | undefined;
  const more: Value[] = [];
  for (const { spec } of opinions) {
    const value = spec.get(field);
    if (value === undefined) continue;
    if (first === undefined) {
      first = value;
      if (value.type !== 'Dictionary' && !value.type.endsWith('ListOp')) return value;
    } else if (value.type === first.type) more.push(value);
  }
  if (first === undefined) return undefined;
  if (first.type === 'Dictionary') {
    let merged = first.value as ReadonlyMap<string, Value>;
    for (const { value } of more) merged = mergeDictionaries(merged, value as ReadonlyMap<string, Value>);
    return more.length === 0 ? first : { ...first, value: merged };
  }
  const ops = [first, ...more].reverse().map(({ value }) => value as ListOp<unknown>);
  return { ...first, value: explicitListOp(ops) };
}

/**
 * The targets of a relationship or the connections of an attribute: the list ops of all opinions, with each path mapped
 * to the stage's namespace. Paths that an arc does not map are dropped with UC1722.
 */
export function composeTargets(
  opinions: readonly SpecOpinion[],
  field: 'targetPaths' | 'connectionPaths',
  findings: Findings,
): readonly string[] {
  const edits: { readonly from: SpecOpinion; readonly op: ListOp<string> }[] = [];
  for (const from of opinions) {
    const op = pathListOpOf(from.spec.get(field));
    if (op) edits.push({ from, op });
    // An explicit list replaces all weaker opinions, so these are not checked either.
    if (op?.isExplicit) break;
  }
  let list: string[] = [];
  for (const { from, op } of edits.reverse()) {
    const { spec, node, layer } = from;
    if (node.parent === null) {
      list = applyListOp(op, list);
      continue;
    }
    const carry = (paths: readonly string[], isReported: boolean) =>
      paths.flatMap((path) => {
        const mapped = node.toRoot(path);
        if (mapped !== null) return mapped;
        if (isReported)
          findings.report(
            'UC1722',
            layer,
            spec.path,
            `the target <${path}> lies outside of the prim that the arc brings in`,
          );
        return [];
      });
    const carried: ListOp<string> = {
      isExplicit: op.isExplicit,
      explicit: carry(op.explicit, true),
      added: carry(op.added, true),
      prepended: carry(op.prepended, true),
      appended: carry(op.appended, true),
      deleted: carry(op.deleted, false),
      ordered: carry(op.ordered, false),
    };
    list = applyListOp(carried, list);
  }
  return list;
}
