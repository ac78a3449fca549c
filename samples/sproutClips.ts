// How Sprout walks and waves. Angles are in radians; a turn around +X takes what hangs down to the back.

import { add, type CharacterClip, type CharacterJoint, type CharacterTrack, type Quaternion } from './character.ts';
import type { Point } from './shapes.ts';

type Turns = Readonly<Record<string, Point>>;

/** Keys a second. */
const RATE = 24;

function times(seconds: number): number[] {
  const count = seconds * RATE;
  return Array.from({ length: count + 1 }, (_, i) => (seconds * i) / count);
}

function product(a: Quaternion, b: Quaternion): Quaternion {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

/** Around X first, then Y, then Z. */
function turn([x, y, z]: Point): Quaternion {
  const about = (angle: number, axis: number): Quaternion => {
    const half = [0, 0, 0];
    half[axis] = Math.sin(angle / 2);
    return [half[0], half[1], half[2], Math.cos(angle / 2)];
  };
  return product(about(z, 2), product(about(y, 1), about(x, 0)));
}

function turned(q: Quaternion, [x, y, z]: Point): Point {
  const [a, b, c] = product(product(q, [x, y, z, 0]), [-q[0], -q[1], -q[2], q[3]]);
  return [a, b, c];
}

/** Where a point of the space of a joint at rest is in a pose. */
function posed(joints: readonly CharacterJoint[], turns: Turns, joint: string, point: Point): Point {
  const found = joints.find(({ name }) => name === joint) as CharacterJoint;
  const local = turned(turn(turns[joint] ?? [0, 0, 0]), add(point, found.place, -1));
  const here = add(found.place, local);
  return found.parent === null ? here : posed(joints, turns, found.parent, here);
}

/** Heels and toes. */
const SOLES: readonly (readonly [string, Point])[] = ['L', 'R'].flatMap((side) => {
  const x = side === 'L' ? 0.095 : -0.095;
  return [-0.04, 0.03, 0.13].map((z) => [`Foot${side}`, [x, 0, z] as Point] as const);
});

function clip(
  name: string,
  joints: readonly CharacterJoint[],
  seconds: number,
  poseAt: (phase: number) => { readonly turns: Turns; readonly aside: number },
): CharacterClip {
  const at = times(seconds);
  // The last pose is the first one to the last bit.
  const poses = at.map((_, i) => poseAt(((i % (at.length - 1)) / (at.length - 1)) * 2 * Math.PI));
  const moved = Object.keys(poses[0].turns);
  const tracks = moved.map((joint): CharacterTrack => {
    const turns = poses.map((pose) => turn(pose.turns[joint]));
    if (joint !== 'Hips') return { joint, turns };
    // The lower foot stands on the ground.
    const moves = poses.map((pose): Point => {
      const lowest = Math.min(...SOLES.map(([foot, point]) => posed(joints, pose.turns, foot, point)[1]));
      return [pose.aside, -lowest, 0];
    });
    return { joint, turns, moves };
  });
  return { name, times: at, tracks };
}

/** One stride: a step of each foot. */
export const walk = (joints: readonly CharacterJoint[]): CharacterClip =>
  clip('Walk', joints, 1, (phase) => {
    const limb = (side: string, own: number, x: number): Turns => {
      const swing = Math.sin(own);
      // The knee bends while the leg comes forward.
      const knee = 0.08 + 0.75 * (0.5 + 0.5 * Math.cos(own)) ** 2;
      const thigh = -0.08 - 0.55 * swing - 0.1 * (0.5 + 0.5 * Math.cos(own));
      const lift = -0.22 * Math.max(0, swing) ** 2 + 0.3 * Math.max(0, -swing) ** 2;
      return {
        [`UpperLeg${side}`]: [thigh, 0, 0],
        [`LowerLeg${side}`]: [knee, 0, 0],
        [`Foot${side}`]: [-(thigh + knee) + lift, 0, 0],
        [`UpperArm${side}`]: [0.6 * swing, 0, -0.42 * x],
        [`LowerArm${side}`]: [-0.3 + 0.2 * swing, 0, 0],
        [`Leaf${side}`]: [0, 0.1 * swing, -x * (0.05 + 0.16 * Math.cos(2 * phase - 1.1))],
      };
    };
    return {
      aside: 0.018 * Math.cos(phase),
      turns: {
        Hips: [0.03, 0.14 * Math.sin(phase), -0.05 * Math.cos(phase)],
        Spine: [0.04, -0.24 * Math.sin(phase), 0.07 * Math.cos(phase)],
        Head: [-0.05 + 0.03 * Math.cos(2 * phase), 0.1 * Math.sin(phase), -0.04 * Math.cos(phase)],
        Stem: [0.14 * Math.sin(2 * phase - 0.9), 0, 0.12 * Math.cos(phase - 0.9)],
        ...limb('L', phase, 1),
        ...limb('R', phase + Math.PI, -1),
      },
    };
  });

/** The right arm is up and waves twice; the rest of the creature sways with it. */
export const wave = (joints: readonly CharacterJoint[]): CharacterClip =>
  clip('Wave', joints, 2, (phase) => {
    const waves = Math.sin(2 * phase);
    const sway = Math.sin(phase);
    const lean = 0.04 * sway;
    return {
      aside: 0.012 * sway,
      turns: {
        Hips: [0, 0, -lean],
        Spine: [0.015 * Math.cos(2 * phase), 0.05 * sway, 0.05 + 1.5 * lean],
        Head: [-0.04, -0.08 + 0.06 * sway, 0.11 + 0.05 * Math.sin(phase - 0.5)],
        Stem: [0.05 * Math.cos(2 * phase), 0, 0.14 * Math.sin(2 * phase - 0.8)],
        LeafL: [0, 0, -0.12 * Math.sin(2 * phase - 1.4)],
        LeafR: [0, 0, -0.12 * Math.sin(2 * phase - 1.4)],
        UpperArmR: [0.1, 0, -1.15 + 0.1 * waves],
        LowerArmR: [0, 0.1, -0.75 + 0.42 * waves],
        UpperArmL: [0.05 * sway, 0, -0.28 + 0.05 * Math.cos(phase)],
        LowerArmL: [-0.15, 0, 0.06 * sway],
        UpperLegL: [0, 0, lean],
        UpperLegR: [0, 0, lean],
      },
    };
  });
