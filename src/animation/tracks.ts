// Tracks: what a clip makes of one value of a joint, as keys between which the engine interpolates. Values that a source
// interpolates in another way are sampled; keys that the line between their neighbours already gives are left out.

import { justBefore } from '../scene/justBefore.ts';
import { angleBetween, slerp } from '../scene/quaternion.ts';
import type { RigKeys } from '../scene/rig.ts';

/** A value over time. */
export interface Motion {
  /** 3, or 4 of rotations. */
  readonly size: 3 | 4;
  /** Ascending, in seconds: the keys of the source. Between them the value is what `at` says. */
  readonly times: Float64Array;
  /** Whether the engine's interpolation between two of the times gives the same as `at`. */
  readonly isExact: boolean;
  /** Times at which the value jumps; the value there is the one after the jump. */
  readonly jumps: ReadonlySet<number>;
  readonly at: (time: number, out: Float64Array) => void;
}

export interface TrackLimits {
  /** How far a value may be off: in units of the value, or in radians. */
  readonly tolerance: number;
  /** Whether keys that lie on the line between others are kept. */
  readonly keepKeys: boolean;
  /** Seconds of the clip; 0 if it has a single moment. */
  readonly duration: number;
}

/** Samples a second at most. */
const MAX_RATE = 60;
/** Keys that one line may stand for: a bound on the work. */
const LONGEST_RUN = 512;
/** What a clip of one moment lasts: the engine shows the rest pose for a duration of 0. */
export const SHORTEST_CLIP = 1 / 60;

class Keys {
  readonly times: number[] = [];
  readonly values: number[] = [];
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  get last(): number {
    return this.times.length - 1;
  }

  /** Adds a key; one at the float32 time of the last replaces that. */
  add(time: number, value: Float64Array): void {
    const at = Math.fround(time);
    if (this.last >= 0 && at <= this.times[this.last]) {
      this.values.length -= this.#size;
      this.times.length--;
    }
    this.times.push(at);
    for (let k = 0; k < this.#size; k++) this.values.push(value[k]);
  }
}

function interpolated(
  size: number,
  a: ArrayLike<number>,
  atA: number,
  b: ArrayLike<number>,
  atB: number,
  share: number,
  out: Float64Array,
): void {
  if (size === 4) slerp(a, atA, b, atB, share, out, 0);
  else for (let k = 0; k < size; k++) out[k] = a[atA + k] * (1 - share) + b[atB + k] * share;
}

function distance(size: number, a: ArrayLike<number>, atA: number, b: ArrayLike<number>, atB: number): number {
  if (size === 4) return angleBetween(a, atA, b, atB);
  return Math.sqrt((a[atA] - b[atB]) ** 2 + (a[atA + 1] - b[atB + 1]) ** 2 + (a[atA + 2] - b[atB + 2]) ** 2);
}

/**
 * Keys between two times, both left out, such that lines between all keys are within the tolerance: on a grid of at most 60
 * points a second, as few as possible.
 */
function refine(motion: Motion, tolerance: number, from: number, to: number, add: (time: number) => void): void {
  const { size, at } = motion;
  const [a, b, wanted, line] = [0, 1, 2, 3].map(() => new Float64Array(size));
  const count = Math.max(1, Math.floor((to - from) * MAX_RATE));
  const timeOf = (point: number) => (point === count ? to : from + ((to - from) * point) / count);
  /** Whether one line does for all between two points of the grid; half points are looked at, too. */
  const fits = (first: number, last: number): boolean => {
    at(timeOf(first), a);
    at(timeOf(last), b);
    for (let half = 1; half < 2 * (last - first); half++) {
      const share = half / (2 * (last - first));
      at(timeOf(first) + (timeOf(last) - timeOf(first)) * share, wanted);
      interpolated(size, a, 0, b, 0, share, line);
      if (distance(size, wanted, 0, line, 0) > tolerance) return false;
    }
    return true;
  };
  let point = 0;
  while (point < count) {
    // Twice as far as long as the line holds, then back by halves.
    let step = 1;
    const max = Math.min(count - point, LONGEST_RUN);
    while (step * 2 <= max && fits(point, point + step * 2)) step *= 2;
    for (let more = step >> 1; more > 0; more >>= 1) {
      if (step + more <= max && fits(point, point + step + more)) step += more;
    }
    point += step;
    if (point < count) add(timeOf(point));
  }
}

/** All keys that the motion needs, from 0 to the end of the clip. */
function sampled(motion: Motion, { tolerance, duration }: TrackLimits): Keys {
  const { size, times, isExact, jumps, at } = motion;
  const keys = new Keys(size);
  const value = new Float64Array(size);
  const add = (time: number) => {
    at(time, value);
    keys.add(time, value);
  };
  const all = [0, ...[...times].filter((time) => time > 0 && time < duration), duration];
  add(0);
  for (let i = 1; i < all.length; i++) {
    const [from, to] = [all[i - 1], all[i]];
    // The value before a jump is held, or changes towards it, up to the last moment.
    const end = jumps.has(to) ? justBefore(Math.fround(to)) : to;
    if (!isExact) refine(motion, tolerance, from, end, add);
    if (end < to && end > keys.times[keys.last]) add(end);
    add(to);
  }
  return keys;
}

/** Leaves out keys that the line between two others gives within the tolerance. */
function reduced({ times, values }: Keys, size: number, tolerance: number): Keys {
  const out = new Keys(size);
  const line = new Float64Array(size);
  const keep = (key: number) => out.add(times[key], Float64Array.from(values.slice(key * size, key * size + size)));
  const fits = (from: number, to: number): boolean => {
    for (let key = from + 1; key < to; key++) {
      const share = (times[key] - times[from]) / (times[to] - times[from]);
      interpolated(size, values, from * size, values, to * size, share, line);
      if (distance(size, values, key * size, line, 0) > tolerance) return false;
    }
    return true;
  };
  const last = times.length - 1;
  let from = 0;
  keep(0);
  while (from < last) {
    let to = from + 1;
    while (to < last && to - from < LONGEST_RUN && fits(from, to + 1)) to++;
    keep(to);
    from = to;
  }
  return out;
}

/** Where a quaternion and its opposite would do, the one nearer to the key before. */
function alongOneHemisphere(values: number[]): void {
  for (let at = 4; at < values.length; at += 4) {
    let cos = 0;
    for (let k = 0; k < 4; k++) cos += values[at + k] * values[at - 4 + k];
    if (cos < 0) for (let k = 0; k < 4; k++) values[at + k] = -values[at + k];
  }
}

export const NO_KEYS: RigKeys = { times: new Float32Array(0), values: new Float32Array(0) };

/**
 * The keys of a motion, the first at 0 and the last at the end of the clip: the engine lets each channel begin anew at its
 * own last key, and shows the rest pose behind a single one. None if the motion never leaves `rest`, two if it never
 * changes.
 */
export function keysOf(motion: Motion, rest: readonly number[], limits: TrackLimits): RigKeys {
  const { size } = motion;
  const duration = limits.duration > 0 ? limits.duration : SHORTEST_CLIP;
  let keys = sampled(motion, { ...limits, duration });
  const isNear = (value: ArrayLike<number>) =>
    keys.times.every((_, key) => distance(size, keys.values, key * size, value, 0) <= limits.tolerance);
  if (isNear(rest)) return NO_KEYS;
  if (isNear(keys.values.slice(0, size))) {
    const first = Float64Array.from(keys.values.slice(0, size));
    keys = new Keys(size);
    keys.add(0, first);
    keys.add(duration, first);
  } else if (!limits.keepKeys) keys = reduced(keys, size, limits.tolerance);
  if (size === 4) alongOneHemisphere(keys.values);
  return { times: Float32Array.from(keys.times), values: Float32Array.from(keys.values) };
}
