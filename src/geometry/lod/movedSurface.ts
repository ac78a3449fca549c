// Surfaces that a level has moved. The deviation of a level is what may be seen of its furthest point; a wall that lies as far
// off all over is seen much better. Points on the wide features of a tile show how much of each lies where it lay.

import { nearestTriangles } from './boundingVolumeHierarchy.ts';
import type { MeasuredSurface } from './deviation.ts';
import { type ColorFeatures, MOST_POINTS, POINT } from './features.ts';
import { squaredDistance } from './pointTriangle.ts';

/** What counts as moved, in metres. */
export interface Moving {
  /** Features wider than this are seen. */
  readonly seen: number;
  /** How far a point may be from the level. */
  readonly reach: number;
  /** Where a feature keeps less than this share of its points within reach, the triangles of the others are marked. */
  readonly kept: number;
}

/** Of the points of a feature, every so many stand for full detail. */
const STRIDE = 2;

/**
 * The least share of a wide feature of full detail that a level keeps in reach, 1 without any; marks triangles in `moved`.
 * Of the level's triangles those count that face the same way, whatever their colours. At least one triangle in the level.
 */
export function leastOfTile(
  features: ColorFeatures,
  { positions, indices }: MeasuredSurface,
  { seen, reach, kept }: Moving,
  moved: Uint8Array,
): number {
  const wide = features.wider(seen);
  let count = 0;
  for (const f of wide) count += Math.ceil(features.pointsOf(f).length / (POINT * STRIDE));
  if (count === 0) return 1;

  // 1. The triangle nearest to each point among those that face the same way.
  const points = new Float64Array(count * 3);
  const normals = new Float64Array(count * 3);
  let end = 0;
  for (const f of wide) {
    const own = features.pointsOf(f);
    for (let at = 0; at < own.length; at += POINT * STRIDE, end += 3) {
      for (let k = 0; k < 3; k++) {
        points[end + k] = own[at + k];
        normals[end + k] = own[at + 3 + k];
      }
    }
  }
  const nearest = nearestTriangles({ positions, indices }, points, normals);

  // 2. The points that none of those is near to.
  let least = 1;
  let next = 0;
  const lost = new Uint32Array(count);
  for (const f of wide) {
    const own = features.pointsOf(f);
    let lostCount = 0;
    const first = next;
    for (let at = 0; at < own.length; at += POINT * STRIDE) {
      const d = squaredDistance(positions, indices, nearest[next++] * 3, own, at);
      if (d > reach * reach) lost[lostCount++] = own[at + 6];
    }
    const share = 1 - lostCount / Math.max(1, next - first);
    if (share < least) least = share;
    if (share < kept) for (let i = 0; i < lostCount; i++) moved[lost[i]] = 1;
  }
  return least;
}

/** As leastOfTile, for a level of the features' own surface: triangles count that are of the same feature. */
export function leastOfOwn(
  features: ColorFeatures,
  { positions: p, indices }: MeasuredSurface,
  { seen, reach, kept }: Moving,
  moved: Uint8Array,
): number {
  const { starts, rows } = features.trianglesOf(indices);
  let least = 1;
  const open = new Uint32Array(MOST_POINTS);
  for (const f of features.wider(seen)) {
    const points = features.pointsOf(f);
    // The points that no triangle has been near to; each triangle is asked for those around its box.
    let openCount = 0;
    for (let at = 0; at < points.length; at += POINT) open[openCount++] = at;
    for (let r = starts[f]; r < starts[f + 1] && openCount > 0; r++) {
      const a = indices[rows[r] * 3] * 3;
      const b = indices[rows[r] * 3 + 1] * 3;
      const c = indices[rows[r] * 3 + 2] * 3;
      const lowX = Math.min(p[a], p[b], p[c]) - reach;
      const lowY = Math.min(p[a + 1], p[b + 1], p[c + 1]) - reach;
      const lowZ = Math.min(p[a + 2], p[b + 2], p[c + 2]) - reach;
      const highX = Math.max(p[a], p[b], p[c]) + reach;
      const highY = Math.max(p[a + 1], p[b + 1], p[c + 1]) + reach;
      const highZ = Math.max(p[a + 2], p[b + 2], p[c + 2]) + reach;
      let left = 0;
      for (let i = 0; i < openCount; i++) {
        const at = open[i];
        const x = points[at];
        const y = points[at + 1];
        const z = points[at + 2];
        const isAround = x >= lowX && x <= highX && y >= lowY && y <= highY && z >= lowZ && z <= highZ;
        if (isAround && squaredDistance(p, indices, rows[r] * 3, points, at) <= reach * reach) continue;
        open[left++] = at;
      }
      openCount = left;
    }
    const share = points.length === 0 ? 1 : 1 - (openCount * POINT) / points.length;
    if (share < least) least = share;
    if (share < kept) for (let i = 0; i < openCount; i++) moved[points[open[i] + 6]] = 1;
  }
  return least;
}
