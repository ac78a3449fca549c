// The surroundings of a zone, no finer than eyes can tell, and within what a device carries.

import type { Vec3 } from '../../scene/types.ts';
import type { Rings, ZoneMesh } from '../../zone/thin.ts';
import { type Budget, type Fitted, fitted } from './fitted.ts';
import type { Joined } from './joined/join.ts';
import type { ZoneView } from './keptMeshes.ts';
import type { ZoneThreads } from './zoneThreads.ts';

export interface ThinScene extends Omit<Fitted, 'share'> {
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

/**
 * The rings simplified, with an error that grows evenly until they are within the budgets of triangles. `eyes`: from where views
 * count. `join`: as fitted() has it.
 */
export async function withinBudget(
  rings: Rings,
  { middle, pixel }: ZoneView,
  budget: Budget,
  eyes: readonly Vec3[],
  threads: ZoneThreads,
  join: (meshes: readonly ZoneMesh[]) => Promise<Joined | null>,
): Promise<ThinScene> {
  for (let error = USUAL_ERROR; ; error *= GROWTH) {
    const thin = await threads.thin(rings, error * pixel);
    const { share, ...made } = await fitted(thin, middle, budget, eyes, join);
    const isOver = share > 1;
    if (!isOver || error * GROWTH > MAX_ERROR) return { ...made, error, isOver };
  }
}
