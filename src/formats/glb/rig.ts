// Skeletons, skins and clips of a GLB. Each joint is a node; a skin lists all joints of its skeleton, so that the numbers of
// vertices are those of the skeleton; clips are animations of the same file.

import { inverse } from '../../scene/inverse.ts';
import { identity } from '../../scene/matrix.ts';
import { partsOf } from '../../scene/quaternion.ts';
import type { RigClip, RigKeys, RigSkeleton } from '../../scene/rig.ts';
import type { UniqueNames } from '../uniqueNames.ts';
import type { GlbBuilder } from './builder.ts';
import type { Animation, GlbNode, Sampler, Skin } from './layout.ts';

export interface RigNodes {
  /** Joints, parents with their children. */
  readonly nodes: readonly GlbNode[];
  /** Of `nodes`, those without a parent. */
  readonly roots: readonly number[];
  /** One for each skeleton. */
  readonly skins: readonly Skin[];
  /** By the path of a joint, the nodes that it names. */
  readonly ofPath: ReadonlyMap<string, readonly number[]>;
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** `first`: the number of the first node. */
export function rigNodes(
  skeletons: readonly RigSkeleton[],
  builder: GlbBuilder,
  names: UniqueNames,
  first: number,
): RigNodes {
  const nodes: GlbNode[] = [];
  const roots: number[] = [];
  const ofPath = new Map<string, number[]>();
  const skins = skeletons.map(({ name, joints }): Skin => {
    const begin = first + nodes.length;
    const children = joints.map((): number[] => []);
    for (const [j, { parent }] of joints.entries()) {
      if (parent < 0) roots.push(begin + j);
      else children[parent].push(begin + j);
    }
    const binds = new Float32Array(joints.length * 16);
    for (const [j, { path, rest, bind }] of joints.entries()) {
      ofPath.set(path, [...(ofPath.get(path) ?? []), begin + j]);
      binds.set(inverse(bind) ?? identity(), j * 16);
      const { translation, rotation, scale } = partsOf(rest);
      nodes.push({
        name: names.take(lastOf(path), 'joint'),
        ...(children[j].length > 0 ? { children: children[j] } : {}),
        translation: translation.map(Math.fround),
        rotation: rotation.map(Math.fround),
        ...(scale.some((value) => Math.abs(value - 1) > 1e-7) ? { scale: scale.map(Math.fround) } : {}),
      });
    }
    return {
      name,
      inverseBindMatrices: builder.accessor(binds, { type: 'MAT4' }),
      joints: joints.map((_, j) => begin + j),
    };
  });
  return { nodes, roots, skins, ofPath };
}

/** Clips as animations; channels of joints that no skeleton has are left out, and clips without any. */
export function animationsOf(clips: readonly RigClip[], ofPath: RigNodes['ofPath'], builder: GlbBuilder): Animation[] {
  return clips.flatMap(({ name, channels: moved }): Animation[] => {
    const samplers: Sampler[] = [];
    const channels: Animation['channels'][number][] = [];
    const add = (nodes: readonly number[], path: string, { times, values }: RigKeys, type: 'VEC3' | 'VEC4') => {
      if (times.length === 0) return;
      const input = builder.accessor(times, { type: 'SCALAR', range: true });
      samplers.push({ input, output: builder.accessor(values, { type }), interpolation: 'LINEAR' });
      for (const node of nodes) channels.push({ sampler: samplers.length - 1, target: { node, path } });
    };
    for (const { path, translations, rotations } of moved) {
      const nodes = ofPath.get(path) ?? [];
      if (nodes.length === 0) continue;
      add(nodes, 'translation', translations, 'VEC3');
      add(nodes, 'rotation', rotations, 'VEC4');
    }
    return channels.length > 0 ? [{ name, channels, samplers }] : [];
  });
}
