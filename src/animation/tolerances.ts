// How far keys of joints may be off, so that no vertex is: an error of a joint moves all that lies beyond it.

import { axisLengths } from '../scene/quaternion.ts';
import type { Bounds } from '../scene/types.ts';
import type { JointTolerance } from './clips.ts';
import type { PosedSkeleton } from './skeletons.ts';

/** Metres, and the part of a model's size, that a vertex may be off because of keys. */
export const METRES = 1e-4;
export const OF_SIZE = 1e-4;
/** Radians that a joint may be off in any case. */
export const MAX_ANGLE = (0.05 * Math.PI) / 180;

/** By joint. `bounds`: of the vertices that the skeleton moves, in engine space. */
export function tolerancesOf({ source, worlds }: PosedSkeleton, bounds: Bounds | null): JointTolerance[] {
  const { joints } = source;
  const size = bounds ? Math.hypot(...[0, 1, 2].map((k) => bounds.max[k] - bounds.min[k])) : 0;
  const depth: number[] = [];
  joints.forEach(({ parent }, j) => {
    depth[j] = parent < 0 ? 1 : depth[parent] + 1;
  });
  const deepest = depth.reduce((max, own) => Math.max(max, own), 1);
  // Errors of the joints of a chain add up, but hardly ever all in one direction.
  const share = Math.max(METRES, OF_SIZE * size) / (4 * Math.sqrt(deepest));
  return joints.map(({ parent }) => {
    const [x, y, z] = axisLengths(parent < 0 ? source.root : worlds[parent]);
    const unit = Math.max(x, y, z);
    // The farthest that something may lie beyond the joint.
    const reach = Math.max(size, 1e-3);
    return {
      translation: unit > 0 ? share / unit : share,
      rotation: Math.min(MAX_ANGLE, share / reach),
    };
  });
}
