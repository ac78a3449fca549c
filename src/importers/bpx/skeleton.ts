// The bones of a BPX model as a skeleton and a skin. A bone has a name, which is a path in models of ours: bones lie below the bone
// that the path names before its last part, and all others are roots.

import { fail } from '../../diagnostics/diagnostic.ts';
import { swappedMatrix } from '../../formats/bpx/axes.ts';
import type { BpxBone } from '../../formats/bpx/types.ts';
import { inverse } from '../../scene/inverse.ts';
import { identity, multiply } from '../../scene/matrix.ts';
import type { Mat4, SceneJoint, SceneSkeleton, SceneSkin } from '../../scene/types.ts';
import { jointNames } from '../jointNames.ts';

export interface BoneRig {
  readonly skeleton: SceneSkeleton;
  readonly skin: SceneSkin;
}

/** By bone its parent, -1 for a root: of bones of one name the first. */
function parentsOf(bones: readonly BpxBone[]): number[] {
  const byName = new Map<string, number>();
  for (const [i, { name }] of bones.entries()) if (!byName.has(name)) byName.set(name, i);
  return bones.map(({ name }, i) => {
    const parent = byName.get(name.slice(0, Math.max(0, name.lastIndexOf('/'))));
    // A name without "/" has an empty one before it, which may be that of a bone.
    return parent === undefined || parent === i || !name.includes('/') ? -1 : parent;
  });
}

/** The bones in the order of the file, but for parents that follow their children. A parent's name is shorter, so there are no circles. */
function ordered(parents: readonly number[]): number[] {
  const order: number[] = [];
  const isPlaced = new Uint8Array(parents.length);
  for (const i of parents.keys()) {
    const above: number[] = [];
    for (let at = i; at >= 0 && isPlaced[at] === 0; at = parents[at]) {
      isPlaced[at] = 1;
      above.push(at);
    }
    order.push(...above.reverse());
  }
  return order;
}

interface Place {
  readonly name: string;
  /** Of the model. */
  readonly path: string;
  /** What messages name. */
  readonly file: string;
  /** The index that the skeleton gets. */
  readonly skeleton: number;
}

/** Throws UC2456 for a matrix without an inverse. */
export function skeletonOf(bones: readonly BpxBone[], { name, path: model, file, skeleton }: Place): BoneRig {
  const parents = parentsOf(bones);
  const order = ordered(parents);
  const numberOf = new Uint32Array(bones.length);
  for (const [joint, i] of order.entries()) numberOf[i] = joint;
  const worlds: Mat4[] = bones.map(({ matrix }) => Float64Array.from(swappedMatrix(matrix)));
  const above = (bone: number) => (parents[bone] < 0 ? -1 : numberOf[parents[bone]]);
  // The last part of a bone's name, which is a path below its parent.
  const ownName = (i: number) =>
    parents[i] < 0 ? bones[i].name : bones[i].name.slice(bones[i].name.lastIndexOf('/') + 1);
  const names = jointNames(
    order.map((i) => ({ name: ownName(i), parent: above(i) })),
    (joint) => `bone_${order[joint]}`,
  );
  const joints: SceneJoint[] = [];
  const bind = new Float64Array(bones.length * 16);
  for (const i of order) {
    const parent = parents[i];
    const before = parent < 0 ? identity() : inverse(worlds[parent]);
    if (before === null || inverse(worlds[i]) === null) {
      return fail('UC2456', file, `bones/${i}`, `the matrix of "${bones[i].name}" has no inverse`);
    }
    const own = names[joints.length];
    joints.push({
      name: own,
      path: `${parent < 0 ? '' : joints[above(i)].path}/${own}`,
      parent: above(i),
      rest: multiply(before, worlds[i]),
    });
    bind.set(worlds[i], i * 16);
  }
  const path = `${model}/bones`;
  return {
    skeleton: { name, path, root: identity(), joints },
    skin: {
      path,
      skeleton,
      // What vertices count are the bones of the file.
      joints: numberOf,
      bind,
      meshBind: identity(),
      bindSpace: identity(),
    },
  };
}
