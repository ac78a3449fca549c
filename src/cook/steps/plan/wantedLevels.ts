// Which levels a cook makes: those that the settings ask for, or the usual ones where they can ever be shown.

import type { CookSettings } from '../../../config/types.ts';
import type { ScenePlan } from '../../../tiling/types.ts';

/** Ratios of triangles, as in the settings. */
export interface WantedLevels {
  /** Falling. */
  readonly lods: readonly number[];
  /** Null: no HLOD. */
  readonly hlod: number | null;
}

/** What 'auto' makes; of an object with more levels made by hand, further ones each have so much of the one before. */
const AUTO_LODS = [0.5, 0.2] as const;
const AUTO_HLOD = 0.1;
const FURTHER = 0.4;
const MAX_LODS = 8;

const NONE: WantedLevels = { lods: [], hlod: null };

/**
 * `plan`: null for a single file, which has no levels. A scene of one tile gets none from 'auto': the engine shows levels of
 * tiles that it has not loaded, and one that holds the whole scene is loaded first. `authored`: how many coarser levels an
 * object has that were made by hand, at most; 'auto' makes so many.
 */
export function wantedLevels(
  { lods = [], hlod = null }: CookSettings,
  plan: ScenePlan | null,
  authored: number,
): WantedLevels {
  if (plan === null) return NONE;
  const isAlone = plan.tiles.length < 2;
  return {
    lods: lods === 'auto' ? (isAlone ? [] : autoLods(authored)) : lods,
    hlod: hlod === 'auto' ? (isAlone ? null : AUTO_HLOD) : hlod,
  };
}

function autoLods(authored: number): readonly number[] {
  const lods: number[] = [...AUTO_LODS];
  while (lods.length < Math.min(authored, MAX_LODS)) lods.push(lods[lods.length - 1] * FURTHER);
  return lods;
}

/** Whether the settings name levels themselves. */
export function namesLevels({ lods = [], hlod = null }: CookSettings): boolean {
  return (lods !== 'auto' && lods.length > 0) || typeof hlod === 'number';
}
