// Surfaces that a level has moved. The deviation of a level is what may be seen of its furthest point; a wall that lies as far
// off all over is seen much better. Points on the wide features of a tile show how much of each lies where it lay.

import { type Address, type Kernel, kernel } from '../../kernel/kernel.ts';
import { placeHierarchy } from './boundingVolumeHierarchy.ts';
import type { WeldedTriangles } from './deviation.ts';
import { type ColorFeatures, MAX_POINTS, POINT } from './features.ts';

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

const POINT_BYTES = POINT * 8;

/**
 * The least share of a wide feature of full detail that a level keeps in reach, 1 without any; marks triangles in `moved`.
 * Of the level's triangles those count that face the same way, whatever their colours. At least one triangle in the level.
 */
export function minOfTile(
  features: ColorFeatures,
  { positions, indices }: WeldedTriangles,
  moving: Moving,
  moved: Uint8Array,
): number {
  return kernel.within((memory) => {
    const { calls } = memory;
    const { sought, pointCount, marked } = placeSought(memory, features, moving, moved);
    const points = memory.allocate(pointCount * POINT_BYTES);
    const count = calls.everySoMany(sought, STRIDE, points);
    if (count === 0) return 1;
    const placed = {
      positions: memory.put(positions),
      indices: memory.put(indices),
      triangleCount: indices.length / 3,
    };
    const tree = placeHierarchy(memory, placed);
    const isWithin = memory.allocate(count);
    calls.facingWithin(tree, points, POINT_BYTES, count, moving.reach, isWithin);
    const min = calls.minWithin(sought, STRIDE, points, isWithin);
    moved.set(memory.uint8(marked, moved.length));
    return min;
  });
}

/** As minOfTile, for a level of the features' own surface: triangles count that are of the same feature. */
export function minOfOwn(
  features: ColorFeatures,
  { positions, indices }: WeldedTriangles,
  moving: Moving,
  moved: Uint8Array,
): number {
  const { starts, rows } = features.trianglesOf(indices);
  return kernel.within((memory) => {
    const { sought, marked } = placeSought(memory, features, moving, moved);
    const surface = [memory.put(positions), memory.put(indices), memory.put(starts), memory.put(rows)] as const;
    const min = memory.calls.minOfFeatures(sought, ...surface, memory.allocate(MAX_POINTS * 4));
    moved.set(memory.uint8(marked, moved.length));
    return min;
  });
}

/** The wide features with their points in the kernel's memory, and what is marked so far. */
function placeSought(
  memory: Kernel,
  features: ColorFeatures,
  { seen, reach, kept }: Moving,
  moved: Uint8Array,
): { readonly sought: Address; readonly pointCount: number; readonly marked: Address } {
  const wide = features.wider(seen);
  const { points, begins, counts } = features.pointsOf(wide);
  const marked = memory.put(moved);
  const list = [memory.put(wide), wide.length, memory.put(begins), memory.put(counts)];
  const sought = memory.record([reach, kept], [...list, memory.put(points), marked]);
  return { sought, pointCount: points.length / POINT, marked };
}
