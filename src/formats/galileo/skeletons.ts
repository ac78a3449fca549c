// The extension by which a file says what the numbers of joints mean: the format itself has no skeletons. UTF-8 JSON,
// {"skeletons":[{"name":"Robot","joints":[{"name":"hip","parent":-1}, …]}],"groups":[0,null, …]}. Joints are in the order of their
// numbers, parents before their children; `groups` has the skeleton of each vertex group, null for one that follows none.

import type { RigSkeleton } from '../../scene/rig.ts';
import { documentOf } from './document.ts';
import type { GalileoExtension, GalileoMesh } from './types.ts';

/** 16 letters: the field is full. */
export const SKELETONS_NAME = 'untold.skeletons';
export const SKELETONS_VERSION = 1;

export interface NamedSkeleton {
  readonly name: string;
  readonly joints: readonly { readonly name: string; readonly parent: number }[];
}

export interface StatedSkeletons {
  readonly skeletons: readonly NamedSkeleton[];
  /** Of each group the index of its skeleton. */
  readonly groups: readonly (number | null)[];
}

/** Joints by their own names: paths name all joints above them too. */
export function namedSkeleton({ name, joints }: RigSkeleton): NamedSkeleton {
  const ownName = (path: string) => path.slice(path.lastIndexOf('/') + 1);
  return { name, joints: joints.map(({ path, parent }) => ({ name: ownName(path), parent })) };
}

export function skeletonsExtension(
  { skeletons, groups }: StatedSkeletons,
  next: number | null = null,
): GalileoExtension {
  const text = JSON.stringify({ skeletons, groups });
  return { name: SKELETONS_NAME, version: SKELETONS_VERSION, data: new TextEncoder().encode(text), next };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value is a skeleton with a joint at least, whose joints come after their parents. */
function isSkeleton(value: unknown): value is NamedSkeleton {
  if (!isObject(value) || typeof value.name !== 'string' || !Array.isArray(value.joints)) return false;
  if (value.joints.length === 0) return false;
  return value.joints.every(
    (joint: unknown, i) =>
      isObject(joint) &&
      typeof joint.name === 'string' &&
      Number.isInteger(joint.parent) &&
      (joint.parent as number) >= -1 &&
      (joint.parent as number) < i,
  );
}

/** The highest joint with a weight in a group; -1: there is none. */
export function highestJoint({ joints, weights }: GalileoMesh['groups'][number]): number {
  let highest = -1;
  for (const [channel, numbers] of joints.entries()) {
    for (let i = 0; i < numbers.length; i++) {
      if (weights[channel][i] > 0 && numbers[i] > highest) highest = numbers[i];
    }
  }
  return highest;
}

/**
 * What the file says of the joints of its groups; null when it has no such extension, or one that does not fit it: each group with
 * joints follows a skeleton that has all of them.
 */
export function statedSkeletons(mesh: GalileoMesh): StatedSkeletons | null {
  const document = documentOf(mesh, SKELETONS_NAME, SKELETONS_VERSION);
  if (!isObject(document)) return null;
  const { skeletons, groups } = document;
  if (!Array.isArray(skeletons) || !skeletons.every(isSkeleton)) return null;
  if (!Array.isArray(groups) || groups.length !== mesh.groups.length) return null;
  const fits = groups.every((skeleton: unknown, i) => {
    if (mesh.groups[i].joints.length === 0) return skeleton === null;
    const joints = Number.isInteger(skeleton) ? skeletons[skeleton as number]?.joints : undefined;
    return joints !== undefined && highestJoint(mesh.groups[i]) < joints.length;
  });
  return fits ? { skeletons, groups } : null;
}
