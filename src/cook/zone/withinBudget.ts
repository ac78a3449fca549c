// The surroundings of a zone, no finer than eyes can tell, and within what a device carries.

import type { Vec3 } from '../../scene/types.ts';
import type { Rings, ZoneMesh } from '../../zone/thin.ts';
import { firstThatFits, growingErrors } from './errorSearch.ts';
import { type Budget, countOf, type Fitted, fitted } from './fitted.ts';
import type { Joined } from './joined/join.ts';
import type { ZoneView } from './keptMeshes.ts';
import type { ZoneThreads } from './zoneThreads.ts';

export interface ThinScene extends Omit<Fitted, 'share'> {
  /** Pixels. */
  readonly error: number;
  /** More triangles are left than the device is advised to have. */
  readonly isOver: boolean;
}

/** Pixels that a surface may be off in the first try: half a pixel is not seen. */
export const USUAL_ERROR = 0.5;
/** By how much the error grows until the budget holds. */
const GROWTH = 1.25;
/** More than this many pixels off is no picture of the scene any more. */
const MAX_ERROR = 8;

/**
 * The rings simplified, with an error that grows evenly until they are within the budgets of triangles: those that must stay as they are
 * do not count where they take more than half of it. `eyes`: from where views count. `join`: as fitted() has it. `first`: the least error that may be; `grows`:
 * whether it may be more.
 */
export async function withinBudget(
  rings: Rings,
  { middle, pixel }: ZoneView,
  budget: Budget,
  eyes: readonly Vec3[],
  threads: ZoneThreads,
  join: (meshes: readonly ZoneMesh[]) => Promise<Joined | null>,
  { first, grows }: { readonly first: number; readonly grows: boolean },
): Promise<ThinScene> {
  const made = await firstThatFits(grows ? growingErrors(first, GROWTH, MAX_ERROR) : [first], async (error) => {
    const thin = await threads.thin(rings, error * pixel, pixel);
    const { share, ...made } = await fitted(thin, middle, budget, eyes, join);
    const free = share * (countOf(thin.filter(({ care }) => care !== 'exact')) / Math.max(1, countOf(thin)));
    // Where what must stay as it is takes more than half of the budget, no error makes that good.
    return { ...made, error, isOver: share > 1, share: share - free > 0.5 ? free : share };
  });
  return made;
}
