// The skeletons of a Galileo mesh: as its extension names them, else one for all groups, with joints that are called by their
// numbers. Nothing says where joints stand: all of them stand at the origin, where vertices were bound and are at rest.

import { fail } from '../../diagnostics/diagnostic.ts';
import type { LimitWatch } from '../../diagnostics/limits.ts';
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

/** Letters in the paths of all joints: a path has the names of all joints above it, so that a long chain multiplies them. */
export const MAX_PATH_LETTERS = 2 ** 24;

/** `name`: of a skeleton that has none. Throws UC1209 for more joints, or longer paths, than are allowed. */
export function rigOf(mesh: GalileoMesh, file: string, name: string, limits: LimitWatch): GalileoRig {
  const stated = statedSkeletons(mesh) ?? numberedSkeletons(mesh);
  const count = stated.skeletons.reduce((sum, { joints }) => sum + joints.length, 0);
  limits.need('prims', count, 'UC1209', file, 'skeletons', `the skeletons have ${count} joints`);
  const names = stated.skeletons.map(({ joints }) => jointNames(joints, numberedName));
  const letters = stated.skeletons.reduce((sum, { joints }, i) => sum + pathLetters(joints, names[i]), 0);
  if (letters > MAX_PATH_LETTERS) {
    const message = `the paths of all joints have ${letters} letters; ${MAX_PATH_LETTERS} are allowed`;
    fail('UC1209', file, 'skeletons', message, 'give the skeleton fewer joints below each other, or shorter names');
  }
  const skeletons = stated.skeletons.map((skeleton, i) => skeletonOf(skeleton, names[i], i, name));
  return { skeletons, skins: skeletons.map(skinOf), skinOf: stated.groups };
}

function numberedSkeletons(mesh: GalileoMesh): ReturnType<typeof statedSkeletons> & object {
  const joints = mesh.groups.reduce((highest, group) => Math.max(highest, highestJoint(group)), -1) + 1;
  const skeleton = { name: '', joints: Array.from({ length: joints }, () => ({ name: '', parent: -1 })) };
  return { skeletons: [skeleton], groups: mesh.groups.map((group) => (hasJoints(group) ? 0 : null)) };
}

/** How many letters the paths of a skeleton's joints have, before any is made. */
function pathLetters(joints: NamedSkeleton['joints'], names: readonly string[]): number {
  const lengths: number[] = [];
  for (const [i, { parent }] of joints.entries()) lengths.push((lengths[parent] ?? 0) + 1 + names[i].length);
  return lengths.reduce((sum, length) => sum + length, 0);
}

function skeletonOf(
  { name, joints: stated }: NamedSkeleton,
  names: readonly string[],
  index: number,
  otherwise: string,
): SceneSkeleton {
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
