// The pose of a skeleton at a time of a clip, by the rules of the engine: also by those that surprise. A channel begins anew
// at its own last key; a single key falls back to rest; scale is always that of rest; a joint before its parent has none.

import type { UntoldClip, UntoldJoint, UntoldKeys } from '../../../formats/untold/types.ts';
import { identity, multiply } from '../../../scene/matrix.ts';
import type { Mat4 } from '../../../scene/types.ts';

export interface Pose {
  /** Joint to model space. */
  readonly worlds: readonly Mat4[];
  /** What vertices that follow a joint are moved by from where they are stored. */
  readonly skins: readonly Mat4[];
}

type Numbers = ArrayLike<number>;

/** What a channel gives at a time; null: nothing, so that rest holds. `size`: 3 numbers are blended, 4 are a rotation. */
export function sampled({ times, values }: UntoldKeys, size: 3 | 4, time: number): number[] | null {
  const count = times.length;
  if (count === 0) return null;
  const key = (k: number) => Array.from(values.subarray(k * size, k * size + size));
  const last = times[count - 1];
  // There is no interval to be in, and without a length there is no remainder.
  if (count === 1) return time < last ? key(0) : null;
  const local = time % last;
  if (!(local >= 0)) return null;
  if (local <= times[0]) return key(0);
  let next = 1;
  while (times[next] < local) next++;
  const share = (local - times[next - 1]) / (times[next] - times[next - 1]);
  const [a, b] = [key(next - 1), key(next)];
  return size === 4 ? slerp(a, b, share) : a.map((value, i) => value + (b[i] - value) * share);
}

/** Between two rotations by the shorter way. */
export function slerp(a: readonly number[], b: readonly number[], share: number): number[] {
  const dot = a.reduce((sum, value, i) => sum + value * b[i], 0);
  const sign = dot < 0 ? -1 : 1;
  const angle = Math.acos(Math.min(1, Math.abs(dot)));
  const sine = Math.sin(angle);
  const [from, to] =
    sine < 1e-6 ? [1 - share, share] : [Math.sin((1 - share) * angle) / sine, Math.sin(share * angle) / sine];
  const mixed = a.map((value, i) => from * value + to * sign * b[i]);
  const length = Math.hypot(...mixed);
  return mixed.map((value) => value / length);
}

interface Rest {
  readonly translation: Numbers;
  readonly rotation: Numbers;
  readonly scale: Numbers;
}

/** Rest as the engine takes it apart: the lengths of its axes, and the rotation of what is left. */
export function restOf(m: Mat4): Rest {
  const scale = [0, 4, 8].map((c) => Math.hypot(m[c], m[c + 1], m[c + 2]));
  const at = (row: number, column: number) => m[column * 4 + row] / (scale[column] || 1);
  const diagonal = [at(0, 0), at(1, 1), at(2, 2)];
  const trace = diagonal[0] + diagonal[1] + diagonal[2];
  let rotation: number[];
  if (trace > 0) {
    rotation = [at(2, 1) - at(1, 2), at(0, 2) - at(2, 0), at(1, 0) - at(0, 1), 1 + trace];
  } else {
    // From the greatest of the diagonal, which is well away from zero.
    const i = diagonal.indexOf(Math.max(...diagonal));
    const [j, k] = [(i + 1) % 3, (i + 2) % 3];
    rotation = [0, 0, 0, at(k, j) - at(j, k)];
    rotation[i] = 1 + diagonal[i] - diagonal[j] - diagonal[k];
    rotation[j] = at(j, i) + at(i, j);
    rotation[k] = at(k, i) + at(i, k);
  }
  const length = Math.hypot(...rotation) || 1;
  return { translation: [m[12], m[13], m[14]], rotation: rotation.map((value) => value / length), scale };
}

/** Translation x rotation x scale. */
export function composed([x, y, z, w]: readonly number[], translation: Numbers, scale: Numbers): Float64Array {
  const columns = [
    [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
    [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
    [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
  ];
  const rows = columns.map((column, c) => column.map((value) => value * scale[c]));
  return Float64Array.from([
    ...rows.flatMap((column) => [...column, 0]),
    translation[0],
    translation[1],
    translation[2],
    1,
  ]);
}

/** The inverse of an affine matrix; null: it has none. */
export function inverse(m: Mat4): Float64Array | null {
  const [a, b, c] = [0, 4, 8].map((at) => [m[at], m[at + 1], m[at + 2]]);
  const cross = (u: number[], v: number[]) => [
    u[1] * v[2] - u[2] * v[1],
    u[2] * v[0] - u[0] * v[2],
    u[0] * v[1] - u[1] * v[0],
  ];
  const rows = [cross(b, c), cross(c, a), cross(a, b)];
  const determinant = a[0] * rows[0][0] + a[1] * rows[0][1] + a[2] * rows[0][2];
  if (!(Math.abs(determinant) > 0)) return null;
  const out = new Float64Array(16);
  rows.forEach((row, r) => {
    for (let k = 0; k < 3; k++) out[k * 4 + r] = row[k] / determinant;
    out[12 + r] = -(row[0] * m[12] + row[1] * m[13] + row[2] * m[14]) / determinant;
  });
  out[15] = 1;
  return out;
}

/** A skeleton with what is the same at all times. */
export class Poser {
  readonly joints: readonly UntoldJoint[];
  readonly #rests: readonly Rest[];
  readonly #inverses: readonly (Mat4 | null)[];

  constructor(joints: readonly UntoldJoint[]) {
    this.joints = joints;
    this.#rests = joints.map(({ rest }) => restOf(rest));
    this.#inverses = joints.map(({ bind }) => inverse(bind));
  }

  /** The pose in which vertices are stored, which holds until a clip plays. */
  stored(): Pose {
    return { worlds: this.joints.map(({ bind }) => bind), skins: this.joints.map(identity) };
  }

  /** The pose at so many seconds of a clip, which begins anew at its end. */
  at({ duration, channels }: UntoldClip, seconds: number): Pose {
    const time = seconds % duration;
    const byPath = new Map(channels.map((channel) => [channel.path, channel]));
    const worlds: Mat4[] = [];
    const skins = this.joints.map(({ parent, path }, j): Mat4 => {
      const { translation, rotation, scale } = this.#rests[j];
      const channel = byPath.get(path);
      const moved = channel ? sampled(channel.translations, 3, time) : null;
      const turned = channel ? sampled(channel.rotations, 4, time) : null;
      const local = composed(turned ?? Array.from(rotation), moved ?? translation, scale);
      const above = worlds[parent];
      const world = above ? multiply(above, local) : local;
      worlds.push(world);
      const back = this.#inverses[j];
      return back ? multiply(world, back) : identity();
    });
    return { worlds, skins };
  }
}
