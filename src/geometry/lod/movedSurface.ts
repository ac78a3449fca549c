// Surfaces that a level has moved. The deviation of a level is what may be seen of its furthest point; a wall that lies as far
// off all over is seen much better. Points on the wide features of a tile show how much of each lies where it lay.

import { kernel } from '../../kernel/kernel.ts';
import { placeHierarchy } from './boundingVolumeHierarchy.ts';
import type { MeasuredSurface } from './deviation.ts';
import { type ColorFeatures, MOST_POINTS, POINT } from './features.ts';

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
  const own = features.pointsOf(features.wider(seen));
  const points = everyOther(own);
  const count = points.length / POINT;
  if (count === 0) return 1;
  const isWithin = facingWithin({ positions, indices }, points, reach);
  let least = 1;
  let next = 0;
  for (const { length } of own) {
    const first = next;
    next += Math.ceil(length / (POINT * STRIDE));
    let lost = 0;
    for (let i = first; i < next; i++) if (isWithin[i] === 0) lost++;
    const share = 1 - lost / Math.max(1, next - first);
    if (share < least) least = share;
    if (share >= kept) continue;
    for (let i = first; i < next; i++) if (isWithin[i] === 0) moved[points[i * POINT + 6]] = 1;
  }
  return least;
}

/** Every other point of each feature, one after the other. */
function everyOther(features: readonly Float64Array[]): Float64Array {
  const count = features.reduce((sum, { length }) => sum + Math.ceil(length / (POINT * STRIDE)), 0);
  const points = new Float64Array(count * POINT);
  let end = 0;
  for (const own of features) {
    for (let at = 0; at < own.length; at += POINT * STRIDE, end += POINT) {
      for (let k = 0; k < POINT; k++) points[end + k] = own[at + k];
    }
  }
  return points;
}

/** 1 for each point that a triangle which faces the same way comes within `reach` metres of. */
function facingWithin(
  { positions, indices }: Pick<MeasuredSurface, 'positions' | 'indices'>,
  points: Float64Array,
  reach: number,
): Uint8Array {
  const count = points.length / POINT;
  return kernel.within((memory) => {
    const placed = {
      positions: memory.put(positions),
      indices: memory.put(indices),
      triangleCount: indices.length / 3,
    };
    const tree = placeHierarchy(memory, placed);
    const isWithin = memory.allocate(count);
    memory.calls.facingWithin(tree, memory.put(points), POINT * points.BYTES_PER_ELEMENT, count, reach, isWithin);
    return memory.uint8(isWithin, count).slice();
  });
}

/** As leastOfTile, for a level of the features' own surface: triangles count that are of the same feature. */
export function leastOfOwn(
  features: ColorFeatures,
  { positions, indices }: MeasuredSurface,
  { seen, reach, kept }: Moving,
  moved: Uint8Array,
): number {
  const { starts, rows } = features.trianglesOf(indices);
  const wide = features.wider(seen);
  const pointsOf = features.pointsOf(wide);
  let least = 1;
  kernel.within((memory) => {
    const surface = [memory.put(positions), memory.put(indices)] as const;
    const placedRows = memory.put(rows);
    const open = memory.allocate(MOST_POINTS * 4);
    for (const [i, f] of wide.entries()) {
      const points = pointsOf[i];
      const count = points.length / POINT;
      if (count === 0) continue;
      const own = [placedRows + starts[f] * 4, starts[f + 1] - starts[f]] as const;
      const openCount = memory.within(() =>
        memory.calls.pointsOutOfReach(...surface, ...own, memory.put(points), count, reach, open),
      );
      const share = 1 - (openCount * POINT) / points.length;
      if (share < least) least = share;
      if (share < kept) for (const number of memory.uint32(open, openCount)) moved[points[number * POINT + 6]] = 1;
    }
  });
  return least;
}
