// Clips as the engine plays them: translations and rotations of joints relative to their parents, found by path. The scale
// of a joint is that at rest, always.

import type { Diagnostics } from '../diagnostics/diagnostic.ts';
import { inverse } from '../scene/inverse.ts';
import { determinant3, identity, multiply } from '../scene/matrix.ts';
import { fromParts, isUnitQuaternion, partsOf } from '../scene/quaternion.ts';
import type { RigChannel, RigClip } from '../scene/rig.ts';
import type { Mat4, Scene, SceneChannel, SceneClip, SceneCurve, Vec3 } from '../scene/types.ts';
import { valueAt } from './curves.ts';
import type { PosedSkeleton } from './skeletons.ts';
import { keysOf, type Motion, NO_KEYS, SHORTEST_CLIP, type TrackLimits } from './tracks.ts';

/** How far translations of a joint may be off, in units of its parent, and its rotations, in radians. */
export interface JointTolerance {
  readonly translation: number;
  readonly rotation: number;
}

/** What moves below a channel: the value of each curve at a time, rest values where there is none. */
export class Local {
  readonly #parts: ReturnType<typeof partsOf>;
  readonly #channel: SceneChannel | null;
  readonly #t = new Float64Array(3);
  readonly #r = new Float64Array(4);
  readonly #s = new Float64Array(3);

  /** `scale`: of `rest`, if a part of it is negative. */
  constructor(rest: Mat4, scale: Vec3 | undefined, channel: SceneChannel | null) {
    this.#parts = partsOfAny(rest, scale);
    this.#channel = channel;
  }

  at(time: number): Mat4 {
    const { translation = null, rotation = null, scale = null } = this.#channel ?? {};
    const read = (curve: SceneCurve | null, rest: readonly number[], out: Float64Array) => {
      if (curve) valueAt(curve, time, out, 0);
      else out.set(rest);
    };
    read(translation, this.#parts.translation, this.#t);
    read(rotation, this.#parts.rotation, this.#r);
    read(scale, this.#parts.scale, this.#s);
    return fromParts(this.#t, this.#r, this.#s);
  }
}

/** partsOf with signs in the scale: those of `scale`, or where that is unknown a mirror of X. */
export function partsOfAny(m: Mat4, scale: Vec3 | undefined): ReturnType<typeof partsOf> {
  const signs = scale ? scale.map((value) => (value < 0 ? -1 : 1)) : determinant3(m) < 0 ? [-1, 1, 1] : [1, 1, 1];
  if (signs.every((sign) => sign > 0)) return partsOf(m);
  const turned = Float64Array.from(m);
  for (let c = 0; c < 3; c++) for (let r = 0; r < 3; r++) turned[c * 4 + r] *= signs[c];
  const { translation, rotation, scale: lengths } = partsOf(turned);
  return { translation, rotation, scale: [lengths[0] * signs[0], lengths[1] * signs[1], lengths[2] * signs[2]] };
}

const curvesOf = ({ translation, rotation, scale }: SceneChannel): SceneCurve[] =>
  [translation, rotation, scale].filter((curve) => curve !== null);

function timesOf(curves: readonly SceneCurve[]): Float64Array {
  return Float64Array.from([...new Set(curves.flatMap(({ times }) => [...times]))]).sort();
}

const jumpsOf = (curves: readonly SceneCurve[]): ReadonlySet<number> =>
  new Set(curves.flatMap(({ interpolation, times }) => (interpolation === 'step' ? [...times.slice(1)] : [])));

/** Sums up which scales a clip loses, by joint. */
interface LostScale {
  readonly path: string;
  readonly min: number;
  readonly max: number;
}

/** Relative change of scale that is not said. */
const SCALE_TOLERANCE = 1e-3;

export class ClipMaker {
  readonly #scene: Scene;
  readonly #diagnostics: Diagnostics;
  readonly #keepKeys: boolean;

  constructor(scene: Scene, keepKeys: boolean, diagnostics: Diagnostics) {
    this.#scene = scene;
    this.#keepKeys = keepKeys;
    this.#diagnostics = diagnostics;
  }

  /**
   * A clip of the scene as the engine plays it. It has no channels if it moves no joint of these skeletons.
   *
   * `skeletons`: those that files hold, by their index in the scene. `tolerances`: by the same index, one for each joint.
   * Reports UC1347 for scales, UC2467 for rotations whose length is not 1, and UC2072 for motion of nodes above a skeleton.
   */
  make(
    clip: SceneClip,
    skeletons: ReadonlyMap<number, PosedSkeleton>,
    tolerances: ReadonlyMap<number, readonly JointTolerance[]>,
  ): RigClip {
    const duration = clip.duration > 0 ? Math.fround(clip.duration) : SHORTEST_CLIP;
    const ofJoint = new Map<string, SceneChannel>();
    const ofNode = new Map<number, SceneChannel>();
    for (const channel of clip.channels) {
      const { target } = channel;
      if (target.kind === 'node') ofNode.set(target.node, channel);
      else ofJoint.set(`${target.skeleton} ${target.joint}`, channel);
    }
    const channels: RigChannel[] = [];
    const lost: LostScale[] = [];
    for (const [index, skeleton] of skeletons) {
      const above = this.#above(skeleton, ofNode);
      skeleton.source.joints.forEach(({ parent }, joint) => {
        const channel = ofJoint.get(`${index} ${joint}`) ?? null;
        const isRoot = parent < 0;
        if (channel === null && !(isRoot && above)) return;
        const tolerance = (tolerances.get(index) as readonly JointTolerance[])[joint];
        const made = this.#channel(skeleton, joint, channel, isRoot ? above : null, clip, tolerance, lost);
        if (made) channels.push(made);
      });
      if (above) {
        const message = `what moves above ${skeleton.paths[0]} is part of its keys`;
        this.#diagnostics.report('UC2072', this.#scene.source, clip.path, message);
      }
    }
    this.#reportScales(clip, lost);
    this.#reportLengths(clip);
    return { name: clip.name, duration, channels };
  }

  /** The motion of nodes above the root joints; null where none of them moves. */
  #above({ source }: PosedSkeleton, ofNode: ReadonlyMap<number, SceneChannel>) {
    const { nodes } = this.#scene;
    const chain: number[] = [];
    for (let at = source.below ?? -1; at >= 0; at = nodes[at].parent) chain.unshift(at);
    const first = chain.findIndex((node) => ofNode.has(node));
    if (first < 0) return null;
    const moved = chain.slice(first);
    const top = nodes[moved[0]];
    const before = top.parent >= 0 ? nodes[top.parent].world : multiply(top.world, inverse(top.local) ?? identity());
    const locals = moved.map((node) => new Local(nodes[node].local, nodes[node].scale, ofNode.get(node) ?? null));
    const curves = moved.flatMap((node) => curvesOf(ofNode.get(node) ?? EMPTY));
    return {
      curves,
      at: (time: number): Mat4 => locals.reduce((world, local) => multiply(world, local.at(time)), before),
    };
  }

  #channel(
    skeleton: PosedSkeleton,
    joint: number,
    channel: SceneChannel | null,
    above: { readonly curves: readonly SceneCurve[]; readonly at: (time: number) => Mat4 } | null,
    { duration }: SceneClip,
    tolerance: JointTolerance,
    lost: LostScale[],
  ): RigChannel | null {
    const { source } = skeleton;
    const { rest, scale, parent } = source.joints[joint];
    const local = new Local(rest, scale, channel);
    const root = above?.at ?? (() => source.root);
    const isRoot = parent < 0;
    /** The joint relative to its parent, in the frames of files. */
    const framed = (time: number): Mat4 => {
      const own = local.at(time);
      return skeleton.framed(joint, isRoot ? multiply(root(time), own) : own);
    };
    const own = channel ? curvesOf(channel) : [];
    const all = [...own, ...(above?.curves ?? [])];
    const restParts = partsOf(skeleton.rests[joint]);
    const limits = (value: number): TrackLimits => ({ tolerance: value, keepKeys: this.#keepKeys, duration });

    const track = (kind: 'translation' | 'rotation') => {
      const curve = channel?.[kind] ?? null;
      const curves = above ? all : curve ? [curve] : [];
      if (curves.length === 0) return NO_KEYS;
      const motion: Motion = {
        size: kind === 'translation' ? 3 : 4,
        times: timesOf(curves),
        // A fixed matrix maps lines to lines; a step is made of jumps.
        isExact: above === null && curves.every(({ interpolation }) => interpolation !== 'cubic'),
        jumps: jumpsOf(curves),
        at: (time, out) => out.set(partsOf(framed(time))[kind]),
      };
      return keysOf(motion, restParts[kind], limits(tolerance[kind]));
    };
    const translations = track('translation');
    const rotations = track('rotation');

    const scaleCurves = above ? all : channel?.scale ? [channel.scale] : [];
    let [min, max] = [1, 1];
    for (const time of timesOf(scaleCurves)) {
      const { scale } = partsOf(framed(time));
      for (let k = 0; k < 3; k++) {
        const ratio = restParts.scale[k] > 0 ? scale[k] / restParts.scale[k] : scale[k] > 0 ? Infinity : 1;
        min = Math.min(min, ratio);
        max = Math.max(max, ratio);
      }
    }
    if (min < 1 - SCALE_TOLERANCE || max > 1 + SCALE_TOLERANCE) lost.push({ path: skeleton.paths[joint], min, max });
    if (translations.times.length === 0 && rotations.times.length === 0) return null;
    return { path: skeleton.paths[joint], translations, rotations };
  }

  /** Interpolation needs rotations of length 1: other keys are brought to it. */
  #reportLengths({ channels, path, name }: SceneClip): void {
    let [count, worst] = [0, 1];
    for (const { rotation } of channels) {
      if (rotation === null) continue;
      const { interpolation, values } = rotation;
      const [first, step] = interpolation === 'cubic' ? [4, 12] : [0, 4];
      for (let at = first; at < values.length; at += step) {
        if (isUnitQuaternion(values, at)) continue;
        const length = Math.hypot(...values.subarray(at, at + 4));
        if (Math.abs(length - 1) > Math.abs(worst - 1)) worst = length;
        count++;
      }
    }
    if (count === 0) return;
    const keys = count === 1 ? '1 key' : `${count} keys`;
    const message = `"${name}" has ${keys} brought to length 1, up to ${Number(worst.toPrecision(3))} long`;
    this.#diagnostics.report('UC2467', this.#scene.source, path, message);
  }

  #reportScales(clip: SceneClip, lost: readonly LostScale[]): void {
    if (lost.length === 0) return;
    const number = (value: number) => String(Number(value.toPrecision(3)));
    const shown = lost
      .slice(0, 5)
      .map(({ path, min, max }) => `${path} (${number(min)} to ${number(max)} of its rest)`);
    const more = lost.length > shown.length ? ` and ${lost.length - shown.length} more` : '';
    this.#diagnostics.report('UC1347', this.#scene.source, clip.path, `${shown.join(', ')}${more}`);
  }
}

const EMPTY: SceneChannel = { target: { kind: 'node', node: -1 }, translation: null, rotation: null, scale: null };
