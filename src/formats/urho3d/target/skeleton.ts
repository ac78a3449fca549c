// Skeletons of a scene as the bones of one model, and clips as animations of those bones. A model has one root: several
// skeletons, or roots, stand below a bone of their own.

import { inverse } from '../../../scene/inverse.ts';
import { identity } from '../../../scene/matrix.ts';
import { partsOf, slerp } from '../../../scene/quaternion.ts';
import type { RigChannel, RigClip, RigKeys, RigSkeleton } from '../../../scene/rig.ts';
import type { Mat4 } from '../../../scene/types.ts';
import { UniqueNames } from '../../uniqueNames.ts';
import type { Animation, Track } from '../animation/layout.ts';
import { matrixToUrho3d, rotationToUrho3d } from '../axes.ts';
import type { Bone } from '../model/layout.ts';
import type { JoinedBones } from './join.ts';

export interface NamedBones extends JoinedBones {
  /** By the path of a joint, the bones that it names. */
  readonly ofPath: ReadonlyMap<string, readonly string[]>;
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const mirrored = ([x, y, z]: readonly number[]): number[] => [x, y, 0 - z];

function bone(name: string, parent: number, rest: Mat4, bind: Mat4): Bone {
  const { translation, rotation, scale } = partsOf(rest);
  return {
    name,
    parent,
    position: mirrored(translation),
    rotation: rotationToUrho3d(rotation),
    scale: [...scale],
    offset: matrixToUrho3d(inverse(bind) ?? identity()),
    collision: 0,
    radius: null,
    box: null,
  };
}

/** Bones are called as the last part of a joint's path; a name that is taken gets a number. */
export function bonesOf(skeletons: readonly RigSkeleton[]): NamedBones {
  const names = new UniqueNames();
  const ofPath = new Map<string, string[]>();
  const roots = skeletons.flatMap(({ joints }) => joints.filter(({ parent }) => parent < 0)).length;
  const bones: Bone[] = roots > 1 ? [bone(names.take('Root', ''), 0, identity(), identity())] : [];
  const first: number[] = [];
  for (const { joints } of skeletons) {
    const begin = bones.length;
    first.push(begin);
    for (const [j, { path, parent, rest, bind }] of joints.entries()) {
      const name = names.take(lastOf(path), 'joint');
      ofPath.set(path, [...(ofPath.get(path) ?? []), name]);
      bones.push(bone(name, parent >= 0 ? begin + parent : roots > 1 ? 0 : begin + j, rest, bind));
    }
  }
  return { bones, first, ofPath };
}

/** All times of both, ascending, each once. */
function unionOf(a: Float32Array, b: Float32Array): Float32Array {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a;
  return Float32Array.from([...new Set([...a, ...b])].sort((x, y) => x - y));
}

/** Values at other times: before the first key that one, after the last that one. `width`: 3 linear, 4 by the shorter arc. */
function resampled({ times, values }: RigKeys, at: Float32Array, width: 3 | 4): Float32Array {
  if (times === at) return values;
  const out = new Float32Array(at.length * width);
  const turned = new Float64Array(4);
  let key = 0;
  for (const [i, time] of at.entries()) {
    while (key + 2 < times.length && times[key + 1] <= time) key++;
    const next = Math.min(key + 1, times.length - 1);
    const span = times[next] - times[key];
    const share = span > 0 ? Math.min(Math.max((time - times[key]) / span, 0), 1) : 0;
    if (share === 0 || share === 1) {
      const from = (share === 0 ? key : next) * width;
      out.set(values.subarray(from, from + width), i * width);
    } else if (width === 4) {
      slerp(values, key * 4, values, next * 4, share, turned, 0);
      out.set(turned, i * 4);
    } else {
      for (let k = 0; k < 3; k++) {
        const [a, b] = [values[key * 3 + k], values[next * 3 + k]];
        out[i * 3 + k] = a + (b - a) * share;
      }
    }
  }
  return out;
}

function rows(values: Float32Array, width: number, turn: (row: readonly number[]) => readonly number[]): Float32Array {
  const out = new Float32Array(values.length);
  for (let i = 0; i < values.length; i += width) out.set(turn([...values.subarray(i, i + width)]), i);
  return out;
}

/** A track has one list of times: keys of a channel with two are resampled at all of them. */
function trackKeys({ translations, rotations }: RigChannel): Track['keys'] | null {
  const time = unionOf(translations.times, rotations.times);
  if (time.length === 0) return null;
  const moves = translations.times.length > 0;
  const turns = rotations.times.length > 0;
  return {
    time,
    position: moves ? rows(resampled(translations, time, 3), 3, mirrored) : null,
    rotation: turns ? rows(resampled(rotations, time, 4), 4, rotationToUrho3d) : null,
    scale: null,
  };
}

/** A clip for the bones of a model; null: it moves none of them. `name`: what the animation is called inside. */
export function animationOf({ duration, channels }: RigClip, { ofPath }: NamedBones, name: string): Animation | null {
  const tracks = channels.flatMap((channel): Track[] => {
    const keys = trackKeys(channel);
    return keys ? (ofPath.get(channel.path) ?? []).map((bone) => ({ bone, keys })) : [];
  });
  return tracks.length > 0 ? { name, length: duration, tracks } : null;
}
