// Skeletons, skins and clips of a GLB. Each joint is a node; a skin lists all joints of its skeleton, so that the numbers of
// vertices are those of the skeleton; clips are animations of the same file.

import type { GLTF, Node, Skin } from '@gltf-transform/core';
import { inverse } from '../../scene/inverse.ts';
import { identity } from '../../scene/matrix.ts';
import { partsOf } from '../../scene/quaternion.ts';
import type { RigClip, RigKeys, RigSkeleton } from '../../scene/rig.ts';
import type { Mat4, SceneWeights } from '../../scene/types.ts';
import type { GlbBuilder, Transform } from './builder.ts';

export interface Rig {
  /** One for each skeleton. */
  readonly skins: readonly Skin[];
  /** By the path of a joint, the nodes that it names; joints that are nodes of the tree are moved as such. */
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

/** `placeOf`: by node of the scene, its place among the placed nodes. */
export function addRig(
  skeletons: readonly RigSkeleton[],
  placeOf: ReadonlyMap<number, number>,
  builder: GlbBuilder,
): Rig {
  const ofPath = new Map<string, Node[]>();
  const skins = skeletons.map(({ name, joints }) => {
    const binds = new Float32Array(joints.length * 16);
    const skin = builder.document.createSkin(name);
    const places = joints.flatMap(({ node = -1 }) => placeOf.get(node) ?? []);
    const isPlaced = places.length === joints.length;
    if (isPlaced) builder.join(skin, places);
    const nodes: Node[] = [];
    const roots = joints.filter(({ parent }) => parent < 0).length;
    // Joints of a skin need a common root (glTF 2.0, 3.7.3.2).
    const root = roots > 1 && !isPlaced ? builder.node(name || 'joints', {}) : undefined;
    for (const [j, { parent, path, rest, bind }] of joints.entries()) {
      binds.set(inverse(bind) ?? identity(), j * 16);
      if (isPlaced) continue;
      const node = builder.node(lastOf(path) || 'joint', standing(rest), nodes[parent] ?? root);
      nodes.push(node);
      ofPath.set(path, [...(ofPath.get(path) ?? []), node]);
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
  readonly type: 'SCALAR' | 'VEC3' | 'VEC4';
  readonly interpolation?: GLTF.AnimationSamplerInterpolation;
}

/** What clips move. */
export interface ClipTargets {
  readonly ofPath: Rig['ofPath'];
  /** By node of the scene, its place among the placed nodes. */
  readonly placeOf: ReadonlyMap<number, number>;
  /** By node of the scene, the places of the nodes that draw its meshes with morph targets, and the names of these. */
  readonly morphing: ReadonlyMap<number, readonly { readonly place: number; readonly names: readonly string[] }[]>;
}

const INTERPOLATIONS = { linear: 'LINEAR', step: 'STEP', cubic: 'CUBICSPLINE' } as const;

/** The weights of the targets that a mesh has, of those that the clip moves; null: it has another one. */
function weightsOf({ names, times, values, interpolation }: SceneWeights, own: readonly string[]): RigKeys | null {
  const columns = own.map((name) => names.indexOf(name));
  if (columns.includes(-1)) return null;
  const rows = times.length * (interpolation === 'cubic' ? 3 : 1);
  const kept = new Float32Array(rows * own.length);
  for (let row = 0; row < rows; row++) {
    for (const [i, column] of columns.entries()) kept[row * own.length + i] = values[row * names.length + column];
  }
  return { times: Float32Array.from(times), values: kept };
}

/** What a clip moves that the file has. */
function movedBy({ channels, nodes = [], weights = [] }: RigClip, { ofPath, placeOf, morphing }: ClipTargets): Moved[] {
  const joints = channels.flatMap(({ path, translations, rotations }): Moved[] => {
    const nodes = ofPath.get(path) ?? [];
    return [
      { nodes, target: 'translation', keys: translations, type: 'VEC3' },
      { nodes, target: 'rotation', keys: rotations, type: 'VEC4' },
    ];
  });
  const own = nodes.flatMap(({ node, translations, rotations, scales }): Moved[] => {
    const nodes = [placeOf.get(node) ?? []].flat();
    return [
      { nodes, target: 'translation', keys: translations, type: 'VEC3' },
      { nodes, target: 'rotation', keys: rotations, type: 'VEC4' },
      { nodes, target: 'scale', keys: scales, type: 'VEC3' },
    ];
  });
  const morphed = weights.flatMap((one) =>
    one.nodes.flatMap((node) =>
      (morphing.get(node) ?? []).flatMap(({ place, names }): Moved[] => {
        const keys = weightsOf(one, names);
        const interpolation = INTERPOLATIONS[one.interpolation];
        return keys ? [{ nodes: [place], target: 'weights', keys, type: 'SCALAR', interpolation }] : [];
      }),
    ),
  );
  return [...joints, ...own, ...morphed].filter(({ nodes, keys }) => nodes.length > 0 && keys.times.length > 0);
}

/** Clips as animations; channels of joints and nodes that the file does not have are left out, and clips without any. */
export function addClips(clips: readonly RigClip[], targets: ClipTargets, builder: GlbBuilder): void {
  const { document } = builder;
  for (const clip of clips) {
    const moved = movedBy(clip, targets);
    if (moved.length === 0) continue;
    const animation = document.createAnimation(clip.name);
    for (const { nodes, target, keys, type, interpolation } of moved) {
      const sampler = document
        .createAnimationSampler()
        .setInput(builder.accessor(keys.times, 'SCALAR'))
        .setOutput(builder.accessor(keys.values, type));
      if (interpolation) sampler.setInterpolation(interpolation);
      animation.addSampler(sampler);
      for (const node of nodes) {
        const channel = document.createAnimationChannel().setSampler(sampler).setTargetPath(target);
        builder.move(animation, channel, node);
      }
    }
  }
}
