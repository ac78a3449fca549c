// Where the bind pose of each skin lies in engine space. Skins of one skeleton whose bind matrices describe the same pose get
// one place, so that their meshes keep one skeleton even where joints at rest are not in the bind pose.

import { inverse } from '../scene/inverse.ts';
import { identity, multiply } from '../scene/matrix.ts';
import type { Mat4, SceneSkin } from '../scene/types.ts';
import { type Bound, matrixAt, weightSums } from './bindPose.ts';
import { isSame, type PosedSkeleton, rounded } from './skeletons.ts';

/** Skins that describe one pose, in the space of the first of them. */
interface BindPose {
  readonly skeleton: number;
  /** By skin, its own space to that of the pose. */
  readonly spaces: Map<SceneSkin, Mat4>;
  /** By joint of the skeleton, its matrix in the pose. */
  readonly binds: Map<number, Mat4>;
  /** By joint of the skeleton, the sum of its weights. */
  readonly weights: Map<number, number>;
}

/** The space of a skin to that of a pose, if both have the joints that they share in the same pose; null otherwise. */
function spaceIn(pose: BindPose, skin: SceneSkin): Mat4 | null {
  let space: Mat4 | null = null;
  for (const [j, joint] of skin.joints.entries()) {
    const known = pose.binds.get(joint);
    if (known === undefined) continue;
    const own = matrixAt(skin.bind, j);
    space ??= rounded(multiply(known, inverse(own) as Mat4), identity());
    if (!isSame(known, multiply(space, own))) return null;
  }
  return space;
}

/** `parts`: what the usable skins bind, in the order of the source. */
function posesOf(parts: readonly Bound[]): BindPose[] {
  const poses: BindPose[] = [];
  const ofSkin = new Map<SceneSkin, BindPose>();
  for (const { skin, weights } of parts) {
    let pose = ofSkin.get(skin);
    if (pose === undefined) {
      let space: Mat4 | null = null;
      pose = poses.find((one) => {
        space = one.skeleton === skin.skeleton ? spaceIn(one, skin) : null;
        return space !== null;
      });
      if (pose === undefined) {
        pose = { skeleton: skin.skeleton, spaces: new Map(), binds: new Map(), weights: new Map() };
        poses.push(pose);
      }
      const own = space ?? identity();
      pose.spaces.set(skin, own);
      for (const [j, joint] of skin.joints.entries()) {
        if (!pose.binds.has(joint)) pose.binds.set(joint, multiply(own, matrixAt(skin.bind, j)));
      }
      ofSkin.set(skin, pose);
    }
    const sums = weightSums(weights, skin.joints.length);
    for (const [j, joint] of skin.joints.entries()) {
      pose.weights.set(joint, (pose.weights.get(joint) ?? 0) + sums[j]);
    }
  }
  return poses;
}

/**
 * The space of the bind pose of each skin to engine space: the given one, or where the joint with the greatest weight sum of
 * all meshes in the pose has it at rest. `posed`: gives a skeleton by its index.
 */
export function bindPlaces(
  parts: readonly Bound[],
  posed: (skeleton: number) => PosedSkeleton,
): ReadonlyMap<SceneSkin, Mat4> {
  const places = new Map<SceneSkin, Mat4>();
  const free: Bound[] = [];
  for (const part of parts) {
    const { bindSpace } = part.skin;
    if (bindSpace) places.set(part.skin, bindSpace);
    else free.push(part);
  }
  for (const { skeleton, spaces, binds, weights } of posesOf(free)) {
    let [heaviest, most] = [-1, 0];
    for (const [joint, sum] of weights) if (sum > most) [heaviest, most] = [joint, sum];
    const { worlds } = posed(skeleton);
    const place = rounded(multiply(worlds[heaviest], inverse(binds.get(heaviest) as Mat4) as Mat4), identity());
    for (const [skin, space] of spaces) places.set(skin, multiply(place, space));
  }
  return places;
}
