// Clips of nodes for files that hold a node tree: keys of the nodes themselves, without a skeleton.

import { unite } from '../scene/bounds.ts';
import { changeOfSpace } from '../scene/changeOfSpace.ts';
import { transformBounds, transformPoint } from '../scene/matrix.ts';
import { axisLengths, multiplyQuaternions, partsOf } from '../scene/quaternion.ts';
import type { NodeChannel } from '../scene/rig.ts';
import type { Bounds, Scene, SceneChannel, SceneClip, SceneCurve } from '../scene/types.ts';
import { sizeOf } from './bindPose.ts';
import { partsOfAny } from './clips.ts';
import { valueAt } from './curves.ts';
import { MAX_ANGLE, METRES, OF_SIZE } from './tolerances.ts';
import { keysOf, type Motion, NO_KEYS } from './tracks.ts';

type Kind = 'translation' | 'rotation' | 'scale';

/** How values of the source are values of the file, and how far they may be off there. */
export interface NodeSpace {
  /** `isRoot`: what stands above in the source, its axes and unit, is part of the value already. */
  readonly turn: (kind: Kind, value: Float64Array, isRoot: boolean) => readonly number[];
  /** Metres. */
  readonly share: number;
  readonly size: number;
}

/** The space of a scene, which is read once for all of its clips. */
export function nodeSpace(scene: Scene): NodeSpace {
  const { into } = changeOfSpace(scene);
  const { rotation } = partsOf(into);
  const back = [-rotation[0], -rotation[1], -rotation[2], rotation[3]];
  const unit = axisLengths(into)[0];
  let bounds: Bounds | null = null;
  for (const { mesh, world } of scene.nodes) {
    if (mesh < 0) continue;
    for (const primitive of scene.meshes[mesh].primitives) {
      if (primitive.bounds) bounds = unite(bounds, transformBounds(world, primitive.bounds));
    }
  }
  const size = sizeOf(bounds);
  return {
    turn: (kind, value, isRoot) => {
      if (kind === 'rotation') {
        return multiplyQuaternions(isRoot ? value : multiplyQuaternions(rotation, value), back);
      }
      if (kind === 'translation' && isRoot) return [...value];
      const [x, y, z] = transformPoint(into, [value[0], value[1], value[2]]);
      if (kind === 'translation') return [x, y, z];
      // Axes change places, and a scale has no sign.
      const by = isRoot ? unit * unit : unit;
      return [x, y, z].map((part) => Math.abs(part) / by);
    },
    share: Math.max(METRES, OF_SIZE * size) / 4,
    size: Math.max(size, 1e-3),
  };
}

/** The nodes whose own keys a clip has: those that are no joints. */
export const nodeChannels = ({ channels }: SceneClip): (SceneChannel & { readonly node: number })[] =>
  channels.flatMap((channel) => (channel.target.kind === 'node' ? [{ ...channel, node: channel.target.node }] : []));

/** The keys of a clip's nodes. */
export function nodeTracks(clip: SceneClip, scene: Scene, space: NodeSpace, keepKeys: boolean): NodeChannel[] {
  const { turn, share, size } = space;
  return nodeChannels(clip).flatMap((channel): NodeChannel[] => {
    const { local, scale: signs, parent } = scene.nodes[channel.node];
    const rest = partsOfAny(local, signs);
    const unit = parent < 0 ? 1 : Math.max(...axisLengths(scene.nodes[parent].world));
    const tolerances = {
      translation: unit > 0 ? share / unit : share,
      rotation: Math.min(MAX_ANGLE, share / size),
      scale: share / size,
    };
    const track = (kind: Kind, curve: SceneCurve | null) => {
      if (curve === null) return NO_KEYS;
      const value = new Float64Array(curve.size);
      const motion: Motion = {
        size: curve.size,
        times: curve.times,
        isExact: curve.interpolation !== 'cubic',
        jumps: new Set(curve.interpolation === 'step' ? curve.times.slice(1) : []),
        at: (time, out) => {
          valueAt(curve, time, value, 0);
          out.set(turn(kind, value, parent < 0));
        },
      };
      const tolerance = tolerances[kind];
      const still = turn(kind, Float64Array.from(rest[kind]), parent < 0);
      return keysOf(motion, still, { tolerance, keepKeys, duration: clip.duration });
    };
    const made = {
      node: channel.node,
      translations: track('translation', channel.translation),
      rotations: track('rotation', channel.rotation),
      scales: track('scale', channel.scale),
    };
    const isStill = [made.translations, made.rotations, made.scales].every(({ times }) => times.length === 0);
    return isStill ? [] : [made];
  });
}
