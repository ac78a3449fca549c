// The surroundings of a zone, no finer than eyes can tell, and within what a device carries.

import type { ZoneSettings } from '../../config/zoneSettings.ts';
import type { Vec3 } from '../../scene/types.ts';
import { sectorCount, trianglesInView } from '../../zone/sectors.ts';
import type { Rings, ZoneMesh } from '../../zone/thin.ts';
import { firstThatFits, growingErrors } from './errorSearch.ts';
import type { ZoneView } from './keptMeshes.ts';
import type { ZoneThreads } from './zoneThreads.ts';

/** What the result may have; null: nobody counts it. */
export type Budget = Pick<ZoneSettings, 'triangles' | 'visibleTriangles' | 'draws'>;

export interface ThinScene {
  readonly thin: readonly ZoneMesh[];
  readonly sectors: number;
  /** Pixels. */
  readonly error: number;
  /** The error grew as far as it may, and there are too many triangles all the same. */
  readonly isOver: boolean;
}

/** Half a pixel off is not seen. */
export const USUAL_ERROR = 0.5;
/** By how much the error grows until the budget holds. */
const GROWTH = 1.25;
/** More than this many pixels off is no picture of the scene any more. */
const MAX_ERROR = 8;

export const countOf = (meshes: readonly ZoneMesh[]): number =>
  meshes.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);

/**
 * The rings simplified, with an error that grows evenly until they are within the budgets of triangles: those that must stay as they are
 * do not count for that. `eyes`: from where views count. `first`: the least error that may be; `grows`: whether it may be more.
 */
export async function withinBudget(
  rings: Rings,
  { middle, pixel }: ZoneView,
  { triangles, visibleTriangles, draws }: Budget,
  eyes: readonly Vec3[],
  threads: ZoneThreads,
  { first, grows }: { readonly first: number; readonly grows: boolean },
): Promise<ThinScene> {
  const made = await firstThatFits(grows ? growingErrors(first, GROWTH, MAX_ERROR) : [first], async (error) => {
    const thin = await threads.thin(rings, error * pixel);
    const sectors = sectorCount(thin, middle, draws);
    const shareOf = (meshes: readonly ZoneMesh[]) =>
      Math.max(
        triangles === null ? 0 : countOf(meshes) / triangles,
        visibleTriangles === null ? 0 : trianglesInView(meshes, middle, sectors, eyes) / visibleTriangles,
      );
    return {
      thin,
      sectors,
      error,
      share: shareOf(thin.filter(({ care }) => care !== 'exact')),
      isOver: shareOf(thin) > 1,
    };
  });
  return made;
}
