// Prims that xformOps move over time, as curves of their nodes. OpenUSD interpolates the value of each op linearly; between
// two samples a turn is therefore no line, and is sampled more often.

import { determinant3, isFiniteMatrix, multiply } from '../../../scene/matrix.ts';
import { fromParts, type Parts, partsOf, slerp } from '../../../scene/quaternion.ts';
import type { Mat4, SceneChannel, SceneClip, SceneCurve } from '../../../scene/types.ts';
import type { AttributeSamples, StagePrim } from '../compose/stage/stage.ts';
import { textsOf } from '../compose/values/values.ts';
import type { Value } from '../layer.ts';
import { Budget, MAX_KEYS } from '../skel/budget.ts';
import { operation, opMatrix } from './xform.ts';

/** Samples a second of what turns. */
const RATE = 60;
/** Between two samples of the source. */
const MAX_BETWEEN = 600;
/** Share of an axis by which a matrix may be off that translation, rotation and scale make. */
const SHEAR = 1e-4;
/** Numbers of a key: three of a translation, four of a rotation and three of a scale. */
const NUMBERS = 10;

/** An op of a prim: its matrix at a time code. */
interface MovingOp {
  readonly samples: AttributeSamples | null;
  readonly turns: boolean;
  /** Null: it cannot be read there. */
  readonly at: (time: number) => Mat4 | null;
}

/** What moves a node; times in seconds of the stage. */
interface MovedNode {
  readonly node: number;
  readonly times: Float64Array;
  readonly translation: Float64Array;
  readonly rotation: Float64Array;
  readonly scale: Float64Array;
}

function mixed(a: Value, b: Value, share: number): Value {
  if (typeof a.value === 'number' && typeof b.value === 'number') {
    return { ...a, value: a.value + (b.value - a.value) * share };
  }
  const [from, to] = [a.value as ArrayLike<number>, b.value as ArrayLike<number>];
  if (a.type.startsWith('Quat')) {
    const turned = new Float64Array(4);
    slerp(from, 0, to, 0, share, turned, 0);
    return { ...a, value: [...turned] };
  }
  return { ...a, value: Array.from(from, (value, k) => value + (to[k] - value) * share) };
}

/** The value at a time: before the first sample that, after the last one that. */
function valueAt(samples: AttributeSamples, time: number): Value | null {
  const { times } = samples;
  let [low, high] = [0, times.length - 1];
  if (time >= times[high]) return samples.at(high);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  const own = samples.at(low);
  if (times[low] >= time || own === null) return own;
  const next = samples.at(low + 1);
  if (next === null || next.type !== own.type || next.array || own.array) return own;
  return mixed(own, next, (time - times[low]) / (times[low + 1] - times[low]));
}

function opsOf(prim: StagePrim): MovingOp[] | null {
  const order = textsOf(prim.attribute('xformOpOrder')?.get()?.value) ?? [];
  const ops: MovingOp[] = [];
  for (const entry of order.slice(order.lastIndexOf('!resetXformStack!') + 1)) {
    const { name, type, invert } = operation(entry);
    const attribute = prim.attribute(name);
    if (!attribute) continue;
    const samples = attribute.samples();
    const still = samples === null ? attribute.get()?.value : undefined;
    const matrixOf = (value: Value | null | undefined): Mat4 | null => {
      const matrix = value ? opMatrix(type, value, invert) : null;
      return matrix === 'singular' ? null : matrix;
    };
    const fixed = samples === null ? matrixOf(still) : null;
    if (samples === null && fixed === null) continue;
    ops.push({
      samples,
      turns: samples !== null && /^(?:rotate|orient|transform)/.test(type),
      at: (time) => (samples === null ? fixed : matrixOf(valueAt(samples, time))),
    });
  }
  return ops.some(({ samples }) => samples !== null && samples.times.length > 1) ? ops : null;
}

/** The time codes of all samples of a prim, ascending; null: more samples than keys may be taken. */
function keysOf(ops: readonly MovingOp[]): Float64Array | null {
  let length = 0;
  for (const { samples } of ops) length += samples?.times.length ?? 0;
  if (length > MAX_KEYS) return null;
  const keys = new Float64Array(length);
  let end = 0;
  for (const { samples } of ops) {
    if (samples === null) continue;
    keys.set(samples.times, end);
    end += samples.times.length;
  }
  keys.sort();
  let count = 0;
  for (const time of keys) {
    // Adding 0 makes 0 of -0.
    if (Number.isFinite(time) && (count === 0 || time !== keys[count - 1])) keys[count++] = time + 0;
  }
  return keys.subarray(0, count);
}

/** How many codes there are after key `k - 1` up to key `k`. */
function codesBefore(keys: Float64Array, k: number, turns: boolean, rate: number): number {
  if (k === 0 || !turns) return 1;
  return Math.min(MAX_BETWEEN, Math.max(1, Math.ceil(((keys[k] - keys[k - 1]) / rate) * RATE)));
}

/** How many time codes a prim is sampled at. */
function countCodes(keys: Float64Array, turns: boolean, rate: number): number {
  let count = 0;
  for (let k = 0; k < keys.length; k++) count += codesBefore(keys, k, turns, rate);
  return count;
}

/** The time codes at which a prim is sampled: `count` of them. */
function codesOf(keys: Float64Array, turns: boolean, rate: number, count: number): Float64Array {
  if (!turns) return keys;
  const codes = new Float64Array(count);
  codes[0] = keys[0];
  let end = 1;
  for (let k = 1; k < keys.length; k++) {
    const between = codesBefore(keys, k, turns, rate);
    const [from, gap] = [keys[k - 1], keys[k] - keys[k - 1]];
    for (let i = 1; i <= between; i++) codes[end++] = from + (gap * i) / between;
  }
  return codes;
}

/** The parts of a matrix; null if it is not made of translation, rotation and positive scale. */
function plainParts(m: Mat4): Parts | null {
  if (!isFiniteMatrix(m) || !(determinant3(m) > 0)) return null;
  const parts = partsOf(m);
  const { translation, rotation, scale } = parts;
  const made = fromParts(translation, rotation, scale);
  const isPlain = made.every(
    (value, i) => Math.abs(value - m[i]) <= SHEAR * Math.max(1e-12, scale[Math.min(2, i >> 2)]) || i > 11,
  );
  return isPlain ? parts : null;
}

/** The matrix of all ops at a time code; null: one cannot be read there. */
function matrixAt(ops: readonly MovingOp[], time: number, above: Mat4 | null): Mat4 | null {
  let matrix = above;
  for (const op of ops) {
    const own = op.at(time);
    if (own === null) return null;
    matrix = matrix === null ? own : multiply(matrix, own);
  }
  return matrix;
}

/** The first and the last of all times; each has at least one. There may be more than a call takes as arguments. */
export function spanOf(moved: readonly Pick<MovedNode, 'times'>[]): [number, number] {
  let [start, end] = [Infinity, -Infinity];
  for (const { times } of moved) {
    start = Math.min(start, times[0]);
    end = Math.max(end, times[times.length - 1]);
  }
  return [start, end];
}

/** Gathers the moved nodes of a stage. */
export class MovedXforms {
  readonly #rateOf: () => number;
  readonly #budget = new Budget(MAX_KEYS);
  readonly #moved: MovedNode[] = [];

  /** `rateOf`: time codes of the stage in a second, which are read where something moves. */
  constructor(rateOf: () => number) {
    this.#rateOf = rateOf;
  }

  /**
   * Whether the motion of a prim is kept as curves of its node: its matrices are translation, rotation and positive scale. `above`:
   * what is part of the node's own matrix; null: nothing.
   */
  take(prim: StagePrim, node: number, above: Mat4 | null): boolean {
    const ops = opsOf(prim);
    if (ops === null) return false;
    const rate = this.#rateOf();
    if (!(rate > 0)) return false;
    const keys = keysOf(ops);
    if (keys === null) return false;
    const turns = ops.some((op) => op.turns);
    // Samples far apart have many codes between them: the budget is asked before there are any.
    const count = countCodes(keys, turns, rate);
    if (count < 2 || !this.#budget.take(count * NUMBERS)) return false;
    const codes = codesOf(keys, turns, rate, count);
    const translation = new Float64Array(count * 3);
    const rotation = new Float64Array(count * 4);
    const scale = new Float64Array(count * 3);
    for (let i = 0; i < count; i++) {
      const matrix = matrixAt(ops, codes[i], above);
      const parts = matrix && plainParts(matrix);
      if (parts === null) return false;
      translation.set(parts.translation, i * 3);
      rotation.set(parts.rotation, i * 4);
      scale.set(parts.scale, i * 3);
    }
    this.#moved.push({ node, times: codes.map((time) => time / rate), translation, rotation, scale });
    return true;
  }

  /** All motion as one clip, which USD has no name for; none where nothing moves. */
  clips(): SceneClip[] {
    if (this.#moved.length === 0) return [];
    const [start, end] = spanOf(this.#moved);
    const channels = this.#moved.map(({ node, times, translation, rotation, scale }): SceneChannel => {
      const since = times.map((time) => time - start);
      const curve = (size: 3 | 4, values: Float64Array): SceneCurve => ({
        interpolation: 'linear',
        size,
        times: since,
        values,
      });
      return {
        target: { kind: 'node', node },
        translation: curve(3, translation),
        rotation: curve(4, rotation),
        scale: curve(3, scale),
      };
    });
    return [{ name: '', path: '/', start, duration: end - start, channels }];
  }
}
