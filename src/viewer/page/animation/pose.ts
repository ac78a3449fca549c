// The pose of a skeleton at a time of a clip, by the rules of the engine: also by those that surprise. A channel begins anew
// at its own last key; a single key falls back to rest; scale is always that of rest; a joint before its parent has none.

import type { UntoldClip, UntoldJoint, UntoldKeys } from '../../../formats/untold/types.ts';
import { inverse } from '../../../scene/inverse.ts';
import { identity, multiply } from '../../../scene/matrix.ts';
import { fromParts, type Parts, partsOf, slerp } from '../../../scene/quaternion.ts';
import type { Mat4 } from '../../../scene/types.ts';

export interface Pose {
  /** Joint to model space. */
  readonly worlds: readonly Mat4[];
  /** What vertices that follow a joint are moved by from where they are stored. */
  readonly skins: readonly Mat4[];
}

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
  if (size === 3) return a.map((value, i) => value + (b[i] - value) * share);
  const turned = new Float64Array(4);
  slerp(a, 0, b, 0, share, turned, 0);
  return Array.from(turned);
}

/** A skeleton with what is the same at all times. */
export class Poser {
  readonly joints: readonly UntoldJoint[];
  readonly #rests: readonly Parts[];
  readonly #inverses: readonly (Mat4 | null)[];

  constructor(joints: readonly UntoldJoint[]) {
    this.joints = joints;
    this.#rests = joints.map(({ rest }) => partsOf(rest));
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
      const local = fromParts(moved ?? translation, turned ?? rotation, scale);
      const above = worlds[parent];
      const world = above ? multiply(above, local) : local;
      worlds.push(world);
      const back = this.#inverses[j];
      return back ? multiply(world, back) : identity();
    });
    return { worlds, skins };
  }
}
