// Skeletons, skins and clips of a GLB. Each joint is a node; a skin lists all joints of its skeleton, so that the numbers of
// vertices are those of the skeleton; clips are animations of the same file.

import type { AnimationSampler, GLTF, Node, Skin } from '@gltf-transform/core';
import { inverse } from '../../scene/inverse.ts';
import { identity } from '../../scene/matrix.ts';
import { partsOf } from '../../scene/quaternion.ts';
import type { RigClip, RigKeys, RigSkeleton } from '../../scene/rig.ts';
import type { Mat4 } from '../../scene/types.ts';
import type { GlbBuilder, Transform } from './builder.ts';

export interface Rig {
  /** One for each skeleton. */
  readonly skins: readonly Skin[];
  /** By the path of a joint, the nodes that it names. */
  readonly ofPath: ReadonlyMap<string, readonly Node[]>;
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function standing(rest: Mat4): Transform {
  const { translation, rotation, scale } = partsOf(rest);
  return {
    translation: translation.map(Math.fround),
    rotation: rotation.map(Math.fround),
    ...(scale.some((value) => Math.abs(value - 1) > 1e-7) ? { scale: scale.map(Math.fround) } : {}),
  };
}

export function addRig(skeletons: readonly RigSkeleton[], builder: GlbBuilder): Rig {
  const ofPath = new Map<string, Node[]>();
  const skins = skeletons.map(({ name, joints }) => {
    const binds = new Float32Array(joints.length * 16);
    const skin = builder.document.createSkin(name);
    const nodes: Node[] = [];
    for (const [j, { parent, path, rest, bind }] of joints.entries()) {
      const node = builder.node(lastOf(path) || 'joint', standing(rest), nodes[parent]);
      nodes.push(node);
      ofPath.set(path, [...(ofPath.get(path) ?? []), node]);
      binds.set(inverse(bind) ?? identity(), j * 16);
      skin.addJoint(node);
    }
    return skin.setInverseBindMatrices(builder.accessor(binds, 'MAT4'));
  });
  return { skins, ofPath };
}

/** Keys of a joint or node, of which several may have one name. */
interface Moved {
  readonly nodes: readonly (Node | number)[];
  readonly target: GLTF.AnimationChannelTargetPath;
  readonly keys: RigKeys;
  readonly type: 'VEC3' | 'VEC4';
}

/**
 * Clips as animations; channels of joints and nodes that the file does not have are left out, and clips without any. `placeOf`: by
 * node of the scene, its place among the placed nodes.
 */
export function addClips(
  clips: readonly RigClip[],
  ofPath: Rig['ofPath'],
  placeOf: ReadonlyMap<number, number>,
  builder: GlbBuilder,
): void {
  const { document } = builder;
  const samplerOf = ({ times, values }: RigKeys, type: 'VEC3' | 'VEC4'): AnimationSampler =>
    document
      .createAnimationSampler()
      .setInput(builder.accessor(times, 'SCALAR'))
      .setOutput(builder.accessor(values, type));
  for (const { name, channels, nodes: ownNodes = [] } of clips) {
    const moved: Moved[] = channels.flatMap(({ path, translations, rotations }) => {
      const nodes = ofPath.get(path) ?? [];
      const all = [
        { nodes, target: 'translation', keys: translations, type: 'VEC3' },
        { nodes, target: 'rotation', keys: rotations, type: 'VEC4' },
      ] as const;
      return nodes.length > 0 ? all.filter(({ keys }) => keys.times.length > 0) : [];
    });
    for (const { node, translations, rotations, scales } of ownNodes) {
      const place = placeOf.get(node);
      if (place === undefined) continue;
      const nodes = [place];
      const all: Moved[] = [
        { nodes, target: 'translation', keys: translations, type: 'VEC3' },
        { nodes, target: 'rotation', keys: rotations, type: 'VEC4' },
        { nodes, target: 'scale', keys: scales, type: 'VEC3' },
      ];
      moved.push(...all.filter(({ keys }) => keys.times.length > 0));
    }
    if (moved.length === 0) continue;
    const animation = document.createAnimation(name);
    for (const { nodes, target, keys, type } of moved) {
      const sampler = samplerOf(keys, type);
      animation.addSampler(sampler);
      for (const node of nodes) {
        const channel = document.createAnimationChannel().setSampler(sampler).setTargetPath(target);
        builder.move(animation, channel, node);
      }
    }
  }
}
