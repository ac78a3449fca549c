// Bounds of a mesh in all poses of its clips. A vertex is a mean of the places where its joints would put it, so boxes of the
// vertices of each joint, posed, hold all of it.

import { unite } from '../scene/bounds.ts';
import { inverse } from '../scene/inverse.ts';
import { multiply, transformBounds, transformPoint } from '../scene/matrix.ts';
import { fromParts, partsOf, slerp } from '../scene/quaternion.ts';
import type { RigClip, RigKeys, RigSkeleton } from '../scene/rig.ts';
import type { Bounds, Mat4, ScenePrimitive } from '../scene/types.ts';
import type { MorphReach } from './morphs.ts';

/** By joint, around its vertices in the joint's own space; null where it has none. */
export type JointBoxes = readonly (Bounds | null)[];

/** Poses of a clip that are looked at. */
const MAX_POSES = 1024;

/** `reach`: how far morph targets move the points; null: there are none. */
export async function jointBoxes(
  primitive: ScenePrimitive,
  { joints }: RigSkeleton,
  reach: MorphReach | null,
): Promise<JointBoxes> {
  const { points, skinning } = await primitive.read();
  const boxes: (Bounds | null)[] = joints.map(() => null);
  if (!skinning) return boxes;
  const back = joints.map(({ bind }) => inverse(bind));
  const { influences, joints: jointAt, weights } = skinning;
  for (let i = 0; i < weights.length; i++) {
    if (!(weights[i] > 0)) continue;
    const joint = jointAt[i];
    const own = back[joint];
    if (own === null) continue;
    const v = Math.floor(i / influences) * 3;
    const box = reach ? transformBounds(own, reachedBox(points, reach, v)) : null;
    const point = transformPoint(own, [points[v], points[v + 1], points[v + 2]]);
    boxes[joint] = unite(boxes[joint], box ?? { min: point, max: point });
  }
  return boxes;
}

/** Around the places of the point at `at` that morph targets reach. */
function reachedBox(points: ArrayLike<number>, { min, max }: MorphReach, at: number): Bounds {
  return {
    min: [points[at] + min[at], points[at + 1] + min[at + 1], points[at + 2] + min[at + 2]],
    max: [points[at] + max[at], points[at + 1] + max[at + 1], points[at + 2] + max[at + 2]],
  };
}

/** The bounds of a primitive in its bind pose with its targets at weights from 0 to 1. */
export async function reachedBounds(primitive: ScenePrimitive, reach: MorphReach): Promise<Bounds | null> {
  const { points } = await primitive.read();
  let bounds: Bounds | null = null;
  for (let at = 0; at < points.length; at += 3) bounds = unite(bounds, reachedBox(points, reach, at));
  return bounds;
}

function valueAt(
  { times, values }: RigKeys,
  size: 3 | 4,
  time: number,
  rest: ArrayLike<number>,
  out: Float64Array,
): void {
  if (times.length === 0) {
    out.set(Array.from(rest));
    return;
  }
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  const next = Math.min(low + 1, times.length - 1);
  const span = times[next] - times[low];
  const share = span > 0 ? Math.min(1, Math.max(0, (time - times[low]) / span)) : 0;
  if (size === 4) slerp(values, low * 4, values, next * 4, share, out, 0);
  else for (let k = 0; k < 3; k++) out[k] = values[low * 3 + k] * (1 - share) + values[next * 3 + k] * share;
}

/** Joint matrices in engine space at a time of a clip, as the engine makes them; without one at rest. */
export function poseAt({ joints }: RigSkeleton, clip: RigClip | null, time: number): Mat4[] {
  const channels = new Map(clip?.channels.map((channel) => [channel.path, channel]));
  const t = new Float64Array(3);
  const r = new Float64Array(4);
  const worlds: Mat4[] = [];
  for (const { parent, path, rest } of joints) {
    const parts = partsOf(rest);
    const channel = channels.get(path);
    let local = fromParts(parts.translation, parts.rotation, parts.scale);
    if (channel) {
      valueAt(channel.translations, 3, time, parts.translation, t);
      valueAt(channel.rotations, 4, time, parts.rotation, r);
      local = fromParts(t, r, parts.scale);
    }
    worlds.push(parent < 0 ? local : multiply(worlds[parent], local));
  }
  return worlds;
}

/** The times at which a clip is looked at: all of its keys, or evenly spread ones. */
function timesOf({ channels, duration }: RigClip): number[] {
  const times = new Set<number>([0, duration]);
  for (const { translations, rotations } of channels) {
    for (const { times: keys } of [translations, rotations]) for (const time of keys) times.add(time);
    if (times.size > MAX_POSES) return Array.from({ length: MAX_POSES + 1 }, (_, i) => (i / MAX_POSES) * duration);
  }
  return [...times].sort((a, b) => a - b);
}

/** The matrices of the joints at rest, and in every pose of the clips that is looked at. */
export function* clipPoses(skeleton: RigSkeleton, clips: readonly RigClip[]): Generator<readonly Mat4[]> {
  yield poseAt(skeleton, null, 0);
  const paths = new Set(skeleton.joints.map(({ path }) => path));
  for (const clip of clips) {
    if (!clip.channels.some(({ path }) => paths.has(path))) continue;
    for (const time of timesOf(clip)) yield poseAt(skeleton, clip, time);
  }
}

/** The bounds in all of these poses. */
export function posedBounds(poses: Iterable<readonly Mat4[]>, parts: readonly JointBoxes[]): Bounds | null {
  let bounds: Bounds | null = null;
  for (const worlds of poses) {
    for (const boxes of parts) {
      boxes.forEach((box, j) => {
        if (box) bounds = unite(bounds, transformBounds(worlds[j], box));
      });
    }
  }
  return bounds;
}
