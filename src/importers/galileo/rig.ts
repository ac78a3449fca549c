// The skeletons of a Galileo mesh: as its extension names them, else one for all groups, with joints that are called by their
// numbers. Nothing says where joints stand: all of them stand at the origin, where vertices were bound and are at rest.

import { highestJoint, type NamedSkeleton, statedSkeletons } from '../../formats/galileo/skeletons.ts';
import type { GalileoGroup, GalileoMesh } from '../../formats/galileo/types.ts';
import { identity } from '../../scene/matrix.ts';
import type { SceneJoint, SceneSkeleton, SceneSkin } from '../../scene/types.ts';
import { jointNames } from '../jointNames.ts';

export interface GalileoRig {
  readonly skeletons: readonly SceneSkeleton[];
  /** One for each skeleton. */
  readonly skins: readonly SceneSkin[];
  /** By group the index of its skin. */
  readonly skinOf: readonly (number | null)[];
}

export const hasJoints = ({ joints }: GalileoGroup): boolean => joints.length > 0;

const numberedName = (joint: number): string => `joint_${joint}`;

/** `name`: of a skeleton that has none. */
export function rigOf(mesh: GalileoMesh, name: string): GalileoRig {
  const stated = statedSkeletons(mesh) ?? numberedSkeletons(mesh);
  const skeletons = stated.skeletons.map((skeleton, i) => skeletonOf(skeleton, i, name));
  return { skeletons, skins: skeletons.map(skinOf), skinOf: stated.groups };
}

function numberedSkeletons(mesh: GalileoMesh): ReturnType<typeof statedSkeletons> & object {
  const joints = mesh.groups.reduce((highest, group) => Math.max(highest, highestJoint(group)), -1) + 1;
  const skeleton = { name: '', joints: Array.from({ length: joints }, () => ({ name: '', parent: -1 })) };
  return { skeletons: [skeleton], groups: mesh.groups.map((group) => (hasJoints(group) ? 0 : null)) };
}

function skeletonOf({ name, joints: stated }: NamedSkeleton, index: number, otherwise: string): SceneSkeleton {
  const names = jointNames(stated, numberedName);
  const joints: SceneJoint[] = [];
  for (const [i, { parent }] of stated.entries()) {
    const path = `${parent < 0 ? '' : joints[parent].path}/${names[i]}`;
    joints.push({ name: names[i], path, parent, rest: identity() });
  }
  return { name: name || otherwise, path: `skeletons/${index}`, root: identity(), joints };
}

/** Vertices are stored in the bind pose, in engine space once they are turned. */
function skinOf({ joints, path }: SceneSkeleton, skeleton: number): SceneSkin {
  const bind = new Float64Array(joints.length * 16);
  for (let joint = 0; joint < joints.length; joint++) bind.set(identity(), joint * 16);
  const numbers = Uint32Array.from(joints.keys());
  return { path, skeleton, joints: numbers, bind, meshBind: identity(), bindSpace: identity() };
}
