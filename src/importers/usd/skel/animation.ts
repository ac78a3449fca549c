// Reads a SkelAnimation as curves by joint.

import type { SceneCurve } from '../../../scene/types.ts';
import type { StageAttribute, StagePrim } from '../compose/stage/stage.ts';
import { textsOf } from '../compose/values/values.ts';
import type { Value } from '../layer.ts';
import type { Budget } from './budget.ts';
import { jointPaths } from './jointOrder.ts';

/** The curves of one joint. */
export interface JointCurves {
  readonly translation: SceneCurve | null;
  readonly rotation: SceneCurve | null;
  readonly scale: SceneCurve | null;
}

export interface Animation {
  /** Seconds: the first key in the source, and from there to the last one. */
  readonly start: number;
  readonly duration: number;
  /** By the path of the joint without a leading "/". */
  readonly curves: ReadonlyMap<string, JointCurves>;
  /** What is wrong with values that are left out. */
  readonly faults: readonly string[];
}

const KINDS = [
  { name: 'translations', kind: 'translation', size: 3, type: /^Vec3[fhd]$/ },
  { name: 'rotations', kind: 'rotation', size: 4, type: /^Quat[fhd]$/ },
  { name: 'scales', kind: 'scale', size: 3, type: /^Vec3[fhd]$/ },
] as const;

type Kind = (typeof KINDS)[number];

/** The values of all joints over time. */
interface Track {
  /** In seconds, ascending; null: one value that holds at all times. */
  readonly times: Float64Array | null;
  /** The values of each key, joint after joint. */
  readonly keys: readonly ArrayLike<number>[];
}

/** What is wrong with the values of a key; null if nothing. */
function faultOf(value: Value, { size, type }: Kind, joints: number): string | null {
  if (!value.array || !type.test(value.type)) return `is of the type ${value.type}${value.array ? '[]' : ''}`;
  const data = value.value as ArrayLike<number>;
  if (data.length !== joints * size) return `has ${data.length / size} values for ${joints} joints`;
  for (let i = 0; i < data.length; i++) if (!Number.isFinite(data[i])) return 'is not finite';
  if (size === 3) return null;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i] === 0 && data[i + 1] === 0 && data[i + 2] === 0 && data[i + 3] === 0)
      return 'has a quaternion of zeros';
  }
  return null;
}

/** Reads the values of a kind; null if there are none. A text says what is wrong with them. */
function readTrack(
  attribute: StageAttribute,
  kind: Kind,
  joints: number,
  rate: number,
  budget: Budget,
): Track | string | null {
  const samples = attribute.samples();
  const tooMany = `${attribute.name}: the animations of the stage have too many values`;
  if (samples === null) {
    const value = attribute.get()?.value;
    if (value === undefined) return null;
    const fault = faultOf(value, kind, joints);
    if (fault !== null) return `${attribute.name} ${fault}`;
    return budget.take(joints) ? { times: null, keys: [value.value as ArrayLike<number>] } : tooMany;
  }
  const { length } = samples.times;
  if (!budget.take(length * joints)) return tooMany;
  const times: number[] = [];
  const keys: ArrayLike<number>[] = [];
  for (let k = 0; k < length; k++) {
    // With a negative rate time runs backwards.
    const i = rate < 0 ? length - 1 - k : k;
    const time = samples.times[i] / rate;
    if (!Number.isFinite(time) || (times.length > 0 && time <= times[times.length - 1])) continue;
    const value = samples.at(i);
    if (value === null) continue;
    const fault = faultOf(value, kind, joints);
    if (fault !== null) return `${attribute.name} at time ${samples.times[i]} ${fault}`;
    times.push(time);
    keys.push(value.value as ArrayLike<number>);
  }
  return times.length === 0 ? null : { times: Float64Array.from(times), keys };
}

/** The keys of a track with times from `start` on. Keys that rounding puts at the same time are one. */
function sinceStart({ times, keys }: Track, start: number): { times: Float64Array; keys: ArrayLike<number>[] } {
  const from = times ?? new Float64Array([start]);
  const kept: number[] = [];
  for (let k = 0; k < from.length; k++) {
    if (kept.length === 0 || from[k] - start > from[kept[kept.length - 1]] - start) kept.push(k);
  }
  return { times: Float64Array.from(kept, (k) => from[k] - start), keys: kept.map((k) => keys[k]) };
}

function curveOf(keys: readonly ArrayLike<number>[], times: Float64Array, size: 3 | 4, joint: number): SceneCurve {
  const values = new Float64Array(keys.length * size);
  for (let k = 0; k < keys.length; k++) {
    const data = keys[k];
    for (let c = 0; c < size; c++) values[k * size + c] = data[joint * size + c];
  }
  return { interpolation: 'linear', size, times, values };
}

/**
 * The curves of a SkelAnimation; null if it moves no joint. A text says why it cannot be used. `rate`: time codes of the
 * stage in a second. `budget`: values of joints.
 */
export function readAnimation(prim: StagePrim, rate: number, budget: Budget): Animation | string | null {
  const tokens = textsOf(prim.attribute('joints')?.get()?.value);
  if (tokens === null || tokens.length === 0) return null;
  const paths = jointPaths(tokens);
  if (typeof paths === 'string') return paths;
  const faults: string[] = [];
  const tracks: { readonly kind: Kind; readonly track: Track }[] = [];
  for (const kind of KINDS) {
    const attribute = prim.attribute(kind.name);
    const track = attribute && readTrack(attribute, kind, paths.length, rate, budget);
    if (typeof track === 'string') faults.push(track);
    else if (track) tracks.push({ kind, track });
  }
  const timed = tracks.map(({ track }) => track.times).filter((times) => times !== null);
  const start = timed.length === 0 ? 0 : Math.min(...timed.map((times) => times[0]));
  const end = timed.length === 0 ? 0 : Math.max(...timed.map((times) => times[times.length - 1]));
  const placed = tracks.map(({ kind, track }) => ({ ...kind, ...sinceStart(track, start) }));
  const curves = new Map<string, JointCurves>();
  if (placed.length > 0) {
    paths.forEach((path, joint) => {
      const own: JointCurves = { translation: null, rotation: null, scale: null };
      const made = placed.map(({ kind, size, keys, times }) => [kind, curveOf(keys, times, size, joint)]);
      curves.set(path, Object.assign(own, Object.fromEntries(made)));
    });
  }
  return { start, duration: end - start, curves, faults };
}
