// The bones of a .mdl file as one skeleton and one skin. Parents may follow their children in the file.

import { fail } from '../../diagnostics/diagnostic.ts';
import { matrixFromUrho3d, mirrorZ, rotationFromUrho3d } from '../../formats/urho3d/axes.ts';
import type { Bone } from '../../formats/urho3d/model/layout.ts';
import { inverse } from '../../scene/inverse.ts';
import { identity } from '../../scene/matrix.ts';
import { fromParts } from '../../scene/quaternion.ts';
import type { Mat4, SceneJoint, SceneSkeleton, SceneSkin } from '../../scene/types.ts';
import { jointNames } from '../jointNames.ts';

export interface BoneRig {
  readonly skeleton: SceneSkeleton;
  readonly skin: SceneSkin;
  /** By bone of the file its joint. */
  readonly numberOf: Uint32Array;
  /** By the name of a bone its joint: of bones of one name the first, as the engine finds it. */
  readonly byName: ReadonlyMap<string, number>;
}

/** The bones with parents before their children; the check has refused circles. */
function ordered(bones: readonly Bone[]): number[] {
  const children = bones.map((): number[] => []);
  const order: number[] = [];
  for (const [i, { parent }] of bones.entries()) {
    if (parent === i) order.push(i);
    else children[parent].push(i);
  }
  for (let at = 0; at < order.length; at++) order.push(...children[order[at]]);
  return order;
}

export const vectorOf = (values: readonly number[]): Float64Array =>
  Float64Array.from(mirrorZ(Float32Array.from(values)));

/** What a skeleton is called, where its model stands in engine space, and its number in the Scene. */
export interface RigPlace {
  readonly name: string;
  readonly path: string;
  readonly world: Mat4;
  readonly skeleton: number;
}

/** Throws UC2456 for a bone whose offset matrix has no inverse. */
export function skeletonOf(bones: readonly Bone[], { name, path, world, skeleton }: RigPlace, file: string): BoneRig {
  const order = ordered(bones);
  const numberOf = new Uint32Array(bones.length);
  for (const [joint, bone] of order.entries()) numberOf[bone] = joint;
  const above = (bone: number) => (bones[bone].parent === bone ? -1 : numberOf[bones[bone].parent]);
  const names = jointNames(
    order.map((bone) => ({ name: bones[bone].name, parent: above(bone) })),
    (joint) => `bone_${order[joint]}`,
  );
  const joints: SceneJoint[] = [];
  const bind = new Float64Array(bones.length * 16);
  const byName = new Map<string, number>();
  for (const [i, bone] of bones.entries()) if (!byName.has(bone.name)) byName.set(bone.name, numberOf[i]);
  for (const [joint, i] of order.entries()) {
    const { position, rotation, scale, offset } = bones[i];
    const parent = above(i);
    joints.push({
      name: names[joint],
      path: `${parent < 0 ? '' : joints[parent].path}/${names[joint]}`,
      parent,
      rest: fromParts(vectorOf(position), rotationFromUrho3d(rotation), scale),
    });
    const bound = inverse(matrixFromUrho3d(offset));
    if (bound === null)
      return fail('UC2456', file, `bones/${i}`, `the offset matrix of "${bones[i].name}" has no inverse`);
    bind.set(bound, joint * 16);
  }
  return {
    skeleton: { name, path, root: world, joints },
    skin: {
      path,
      skeleton,
      joints: Uint32Array.from(joints.keys()),
      bind,
      meshBind: identity(),
      // Vertices are stored in the bind pose, in the space of the model.
      bindSpace: world,
    },
    numberOf,
    byName,
  };
}
