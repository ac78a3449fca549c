// Prims that xformOps move over time, as curves of their nodes. OpenUSD interpolates the value of each op linearly; between
// two samples a turn is therefore no line, and is sampled more often.

import { determinant3, isFiniteMatrix, multiply } from '../../../scene/matrix.ts';
import { fromParts, partsOf, slerp } from '../../../scene/quaternion.ts';
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

/** The time codes at which a prim is sampled. */
function timesOf(ops: readonly MovingOp[], rate: number): number[] {
  const all = ops.flatMap(({ samples }) => (samples === null ? [] : [...samples.times]));
  const keys = [...new Set(all.filter(Number.isFinite))].sort((a, b) => a - b);
  if (!ops.some(({ turns }) => turns)) return keys;
  return keys.flatMap((time, k) => {
    if (k === 0) return [time];
    const count = Math.min(MAX_BETWEEN, Math.max(1, Math.ceil(((time - keys[k - 1]) / rate) * RATE)));
    return Array.from({ length: count }, (_, i) => keys[k - 1] + ((time - keys[k - 1]) * (i + 1)) / count);
  });
}

/** Whether translation, rotation and positive scale make a matrix. */
function isPlain(m: Mat4): boolean {
  if (!isFiniteMatrix(m) || !(determinant3(m) > 0)) return false;
  const { translation, rotation, scale } = partsOf(m);
  const made = fromParts(translation, rotation, scale);
  return made.every(
    (value, i) => Math.abs(value - m[i]) <= SHEAR * Math.max(1e-12, scale[Math.min(2, i >> 2)]) || i > 11,
  );
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
    const codes = timesOf(ops, rate);
    if (codes.length < 2 || !this.#budget.take(codes.length * 3)) return false;
    const parts = codes.map((time) => {
      let matrix = above;
      for (const op of ops) {
        const own = op.at(time);
        if (own === null) return null;
        matrix = matrix === null ? own : multiply(matrix, own);
      }
      return matrix !== null && isPlain(matrix) ? partsOf(matrix) : null;
    });
    if (!parts.every((part) => part !== null)) return false;
    this.#moved.push({
      node,
      times: Float64Array.from(codes, (time) => time / rate),
      translation: Float64Array.from(parts.flatMap(({ translation }) => translation)),
      rotation: Float64Array.from(parts.flatMap(({ rotation }) => rotation)),
      scale: Float64Array.from(parts.flatMap(({ scale }) => scale)),
    });
    return true;
  }

  /** All motion as one clip, which USD has no name for; none where nothing moves. */
  clips(): SceneClip[] {
    if (this.#moved.length === 0) return [];
    const start = Math.min(...this.#moved.map(({ times }) => times[0]));
    const end = Math.max(...this.#moved.map(({ times }) => times[times.length - 1]));
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
