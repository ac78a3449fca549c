// Value resolution (OpenUSD, UsdStage value resolution): from the opinions about a property to its value at a time, its
// metadata and its targets.

import type { Layer, LayerOffset, ListOp, Spec, TimeSamples, Value } from '../../layer.ts';
import type { Findings } from '../findings.ts';
import type { Node } from '../index/node.ts';
import { interpolate } from '../values/interpolate.ts';
import { applyListOp } from '../values/listOp.ts';
import { pathListOpOf } from '../values/values.ts';

/** One spec's opinions: what it says, in which layer, through which node, and how its time runs. */
export interface SpecOpinion {
  readonly spec: Spec;
  readonly layer: Layer;
  readonly node: Node;
  /** From the layer's time to the stage's. */
  readonly offset: LayerOffset;
}

/** Where the value of an attribute comes from. */
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
 * The strongest opinion about a value: layer by layer, in each the time samples before the default. A block ends the
 * search; an animation block only hides the samples and splines of weaker layers. `onSpline` hears of splines, which are
 * passed over.
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

/** Time codes of a value run as its layer does. */
function inStageTime(value: Value, { offset, scale }: LayerOffset): Value {
  if (value.type !== 'TimeCode' || (offset === 0 && scale === 1)) return value;
  const convert = (time: number) => offset + scale * time;
  if (!value.array) return { ...value, value: convert(value.value as number) };
  return { ...value, value: (value.value as Float64Array).map(convert) };
}

/** The value of a source at a stage time, null for the earliest; null when there is none or it is blocked. */
export function valueAt(source: ValueSource, time: number | null): Value | null {
  if (source.kind === 'none') return null;
  const { spec, offset } = source.from;
  if (source.kind === 'default') {
    const value = spec.get('default');
    return value === undefined || isBlock(value) ? null : inStageTime(value, offset);
  }
  const { samples } = source;
  const last = samples.times.length - 1;
  // Where time runs backwards, the earliest of the stage is the latest of the layer.
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

/** One list op of several, weakest first, as an explicit one. */
function explicitListOp<T>(ops: readonly ListOp<T>[]): ListOp<T> {
  let list: T[] = [];
  for (const op of ops) list = applyListOp(op, list);
  return { isExplicit: true, explicit: list, added: [], prepended: [], appended: [], deleted: [], ordered: [] };
}

/** A metadata field: the strongest opinion; dictionaries are merged key by key, list ops composed to an explicit one. */
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
 * Targets of a relationship or connections of an attribute: the list ops of all opinions, each path carried into the
 * stage's namespace. Paths that an arc does not reach are dropped with UC1722.
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
    // Nothing weaker than an explicit list matters, nor what is wrong with it.
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
          findings.report('UC1722', layer, spec.path, `the target <${path}> is outside of what is referenced`);
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
