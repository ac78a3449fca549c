// Surfaces that a level has moved. The deviation of a level is what may be seen of its furthest point; a wall that lies as far
// off all over is seen much better. Points on the wide features of a tile show how much of each lies where it lay.

import { nearestTriangles } from './boundingVolumeHierarchy.ts';
import type { MeasuredSurface } from './deviation.ts';
import { type ColorFeatures, POINT } from './features.ts';
import { squaredDistance } from './pointTriangle.ts';

/** What counts as moved, in metres. */
export interface Moving {
  /** Features wider than this are seen. */
  readonly seen: number;
  /** How far a point may be from the level. */
  readonly reach: number;
  /** The share of a feature's points that has to be within reach. */
  readonly kept: number;
}

/**
 * Marks in `moved` the triangles of full detail whose points a level has moved, in the features of which it keeps too little;
 * false without any. Of the level's triangles those count that face the same way, whatever their colours. At least one
 * triangle in the level.
 */
export function findMoved(
  features: ColorFeatures,
  { positions, indices }: MeasuredSurface,
  { seen, reach, kept }: Moving,
  moved: Uint8Array,
): boolean {
  const wide = features.wider(seen);
  const count = wide.reduce((sum, f) => sum + features.pointsOf(f).length / POINT, 0);
  if (count === 0) return false;

  // 1. The triangle nearest to each point among those that face the same way.
  const points = new Float64Array(count * 3);
  const normals = new Float64Array(count * 3);
  let end = 0;
  for (const f of wide) {
    const own = features.pointsOf(f);
    for (let at = 0; at < own.length; at += POINT, end += 3) {
      for (let k = 0; k < 3; k++) {
        points[end + k] = own[at + k];
        normals[end + k] = own[at + 3 + k];
      }
    }
  }
  const nearest = nearestTriangles({ positions, indices }, points, normals);

  // 2. The points that none of those is near to.
  let any = false;
  let next = 0;
  for (const f of wide) {
    any =
      markMoved(features.pointsOf(f), kept, moved, (points, at) => {
        return squaredDistance(positions, indices, nearest[next++] * 3, points, at) <= reach * reach;
      }) || any;
  }
  return any;
}

/** As findMoved, for a level of the features' own surface: triangles count that are of the same feature. */
export function findMovedOfOwn(
  features: ColorFeatures,
  { positions, indices }: MeasuredSurface,
  { seen, reach, kept }: Moving,
  moved: Uint8Array,
): boolean {
  const { starts, rows } = features.trianglesOf(indices);
  let any = false;
  for (const f of features.wider(seen)) {
    any =
      markMoved(features.pointsOf(f), kept, moved, (points, at) => {
        for (let r = starts[f]; r < starts[f + 1]; r++) {
          if (squaredDistance(positions, indices, rows[r] * 3, points, at) <= reach * reach) return true;
        }
        return false;
      }) || any;
  }
  return any;
}

/** Marks the triangles of points that are not near, where less than `kept` of all are; false where enough are. */
function markMoved(
  points: Float64Array,
  kept: number,
  moved: Uint8Array,
  isNear: (points: Float64Array, at: number) => boolean,
): boolean {
  const lost = new Uint32Array(points.length / POINT);
  let count = 0;
  for (let at = 0; at < points.length; at += POINT) if (!isNear(points, at)) lost[count++] = points[at + 6];
  if (count <= (1 - kept) * lost.length) return false;
  for (let i = 0; i < count; i++) moved[lost[i]] = 1;
  return true;
}
