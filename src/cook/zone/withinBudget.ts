// The surroundings of a zone, no finer than eyes can tell, and within what a device carries.

import type { ZoneSettings } from '../../config/zoneSettings.ts';
import type { Vec3 } from '../../scene/types.ts';
import { type Cells, cutIntoCells, trianglesInView } from '../../zone/cells.ts';
import type { Rings, ZoneMesh } from '../../zone/thin.ts';
import type { Joined } from './joined/join.ts';
import type { ZoneView } from './keptMeshes.ts';
import type { ZoneThreads } from './zoneThreads.ts';

/** What the result may have; null: nobody counts it. */
export type Budget = Pick<ZoneSettings, 'triangles' | 'visibleTriangles' | 'draws'>;

export interface ThinScene {
  readonly thin: readonly ZoneMesh[];
  /** How it is cut into meshes that are drawn. */
  readonly cut: Cells;
  /** Pixels. */
  readonly error: number;
  /** Materials that were joined; null: none, or the draws are within the budget without that. */
  readonly joined: Joined | null;
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
 * The rings simplified, with an error that grows evenly until they are within the budgets of triangles. `eyes`: from where views
 * count. `join`: fewer materials for the same meshes, which are asked for before more is given up.
 */
export async function withinBudget(
  rings: Rings,
  { middle, pixel }: ZoneView,
  { triangles, visibleTriangles, draws }: Budget,
  eyes: readonly Vec3[],
  threads: ZoneThreads,
  join: (meshes: readonly ZoneMesh[]) => Promise<Joined | null>,
): Promise<ThinScene> {
  const fitOf = (thin: readonly ZoneMesh[]) => {
    const cut = cutIntoCells(thin, middle, { draws, visibleTriangles }, eyes);
    const isOver =
      (triangles !== null && countOf(thin) > triangles) ||
      (visibleTriangles !== null && trianglesInView(cut, eyes) > visibleTriangles);
    return { thin, cut, isOver, isOverDrawn: draws !== null && cut.cells.length > draws };
  };
  for (let error = USUAL_ERROR; ; error *= GROWTH) {
    const own = fitOf(await threads.thin(rings, error * pixel));
    const { isOver, isOverDrawn } = own;
    const joined = isOver || isOverDrawn ? await join(own.thin) : null;
    const fewer = joined && fitOf(joined.meshes);
    const isBetter = fewer !== null && (fewer.isOver ? isOverDrawn : isOver || isOverDrawn);
    const { isOverDrawn: _, ...made } = isBetter ? { ...fewer, joined } : { ...own, joined: null };
    if (!made.isOver || error * GROWTH > MAX_ERROR) return { ...made, error };
  }
}
