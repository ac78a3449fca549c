// The skeletons of a payload as the bones of one model. A bone has no parent in the format: its name is the path of its joint, so that
// readers that know it find the tree, as our importer does.

import { fail } from '../../../diagnostics/diagnostic.ts';
import { multiply } from '../../../scene/matrix.ts';
import type { RigSkeleton } from '../../../scene/rig.ts';
import { UniqueNames } from '../../uniqueNames.ts';
import { swappedMatrix } from '../axes.ts';
import { MAX_BONES } from '../records.ts';
import type { BpxBone } from '../types.ts';

export interface ModelBones {
  readonly bones: readonly BpxBone[];
  /** By skeleton, the number of its first bone. */
  readonly first: readonly number[];
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Null: there are no skeletons. Throws UC2495 for more bones than a model can have. */
export function bonesOf(skeletons: readonly RigSkeleton[], file: string): ModelBones | null {
  const count = skeletons.reduce((sum, { joints }) => sum + joints.length, 0);
  if (count === 0) return null;
  if (count > MAX_BONES) fail('UC2495', file, '', `${count} bones, and a model has ${MAX_BONES} at most`);
  const roots = new UniqueNames();
  const bones: BpxBone[] = [];
  const first: number[] = [];
  for (const { joints } of skeletons) {
    const begin = bones.length;
    first.push(begin);
    for (const { parent, path, bind } of joints) {
      const own = lastOf(path);
      const name = parent < 0 ? roots.take(own, 'joint') : `${bones[begin + parent].name}/${own}`;
      bones.push({ name, matrix: Float32Array.from(swappedMatrix(bind)) });
    }
  }
  return { bones, first };
}

/** Whether a skeleton stands otherwise at rest than its vertices are stored, which has no place in the format. */
export function hasOwnRest({ joints }: RigSkeleton): boolean {
  return joints.some(({ parent, rest, bind }) => {
    const world = parent < 0 ? rest : multiply(joints[parent].bind, rest);
    return world.some((value, i) => Math.abs(value - bind[i]) > 1e-4);
  });
}
