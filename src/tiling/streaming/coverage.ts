// From where an object covers a share of the screen: what MSFT_screencoverage says of levels made by hand.

import type { Bounds } from '../../scene/types.ts';

/** The screen that shares are of: the field of view of all our pictures, and the usual shape. */
const FIELD_OF_VIEW = Math.PI / 3;
const ASPECT_RATIO = 16 / 9;

/**
 * Metres from which the sphere around bounds covers no more than a share of the screen's area. Infinity for a share of 0: it
 * never does.
 */
export function distanceOfCoverage({ min, max }: Bounds, share: number): number {
  if (share <= 0) return Infinity;
  const focalLength = 1 / Math.tan(FIELD_OF_VIEW / 2);
  const radius = Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]) / 2;
  return radius * focalLength * Math.sqrt(Math.PI / (4 * ASPECT_RATIO * share));
}
