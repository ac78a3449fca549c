// The engine's own rules for poses, written from what is known of its runtime: clips are sampled with its traps, joint
// matrices are products of translation, rotation and the positive scale at rest, and vertices follow four joints.

import type { UntoldClip, UntoldKeys, UntoldScene, UntoldSkeleton } from '../../src/formats/untold/types.ts';
import { verticesOf } from '../cook/cooked.ts';
import { apply, I, inverted, type M, mul, slerped, trs } from './arithmetic.ts';

const NONE = 0xffffffff;

/** Null: the rest value. The channel begins anew at its own last key, and a single key ends at its own time. */
function sampled({ times, values }: UntoldKeys, size: number, time: number): number[] | null {
  const key = (k: number) => Array.from(values.subarray(k * size, k * size + size));
  if (times.length === 0) return null;
  const last = times[times.length - 1];
  const local = time % last;
  if (!(local >= 0)) return null;
  if (local <= times[0]) return key(0);
  for (let k = 1; k < times.length; k++) {
    if (local > times[k]) continue;
    const share = (local - times[k - 1]) / (times[k] - times[k - 1]);
    const [a, b] = [key(k - 1), key(k)];
    return size === 4 ? slerped(a, b, share) : a.map((value, i) => value + (b[i] - value) * share);
  }
  return null;
}

/** Rest as the engine takes it apart: lengths of the axes, and the rotation that is left. */
function restOf(m: M): { t: number[]; q: number[]; s: number[] } {
  const s = [0, 4, 8].map((c) => Math.hypot(m[c], m[c + 1], m[c + 2]));
  const r = [0, 1, 2].map((c) => [0, 1, 2].map((k) => m[c * 4 + k] / s[c]));
  const [xx, yy, zz] = [r[0][0], r[1][1], r[2][2]];
  // The quaternion's components from the diagonal, with the signs of the differences.
  const part = (value: number) => Math.sqrt(Math.max(0, value)) / 2;
  const sign = (value: number) => (value < 0 ? -1 : 1);
  const q = [part(1 + xx - yy - zz), part(1 - xx + yy - zz), part(1 - xx - yy + zz), part(1 + xx + yy + zz)];
  if (q[3] > 1e-4) {
    q[0] *= sign(r[1][2] - r[2][1]);
    q[1] *= sign(r[2][0] - r[0][2]);
    q[2] *= sign(r[0][1] - r[1][0]);
  } else if (q[0] >= q[1] && q[0] >= q[2]) {
    q[1] *= sign(r[0][1] + r[1][0]);
    q[2] *= sign(r[0][2] + r[2][0]);
  } else if (q[1] >= q[2]) {
    q[0] *= sign(r[0][1] + r[1][0]);
    q[2] *= sign(r[1][2] + r[2][1]);
  } else {
    q[0] *= sign(r[0][2] + r[2][0]);
    q[1] *= sign(r[1][2] + r[2][1]);
  }
  return { t: [m[12], m[13], m[14]], q, s };
}

function worlds({ joints }: UntoldSkeleton, clip: UntoldClip | null, time: number): M[] {
  const wrapped = clip ? time % clip.duration : 0;
  const found: M[] = [];
  for (const { parent, path, rest } of joints) {
    const { t, q, s } = restOf([...rest]);
    const channel = clip?.channels.find((one) => one.path === path);
    const moved = channel ? sampled(channel.translations, 3, wrapped) : null;
    const turned = channel ? sampled(channel.rotations, 4, wrapped) : null;
    const local = trs(moved ?? t, turned ?? q, s);
    // A parent that is not known yet counts as none.
    found.push(parent === NONE ? local : mul(found[parent] ?? I, local));
  }
  return found;
}

/** Positions of the vertices of every mesh at a time of a clip; as stored where no clip plays. */
export function enginePose(scene: UntoldScene, clip: UntoldClip | null, time: number): number[][] {
  return scene.meshes.flatMap((mesh, index) => {
    const stored = verticesOf(mesh).map(({ position }) => [...position]);
    const skin = scene.skins?.find((one) => one.mesh === index);
    const skeleton = scene.skeletons?.find(({ entity }) => entity === skin?.skeletonEntity);
    if (!skin || !skeleton || clip === null) return stored;
    const joints = worlds(skeleton, clip, time).map((world, j) => mul(world, inverted([...skeleton.joints[j].bind])));
    return stored.map((point, v) => {
      const out = [0, 0, 0];
      for (let k = 0; k < 4; k++) {
        const weight = skin.weights[v * 4 + k];
        if (weight === 0) continue;
        const moved = apply(joints[skin.joints[skin.indices[v * 4 + k]]], point);
        for (let c = 0; c < 3; c++) out[c] += weight * moved[c];
      }
      return out;
    });
  });
}
