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

/** What 'auto' makes. */
const AUTO_LODS = [0.5, 0.2] as const;
const AUTO_HLOD = 0.1;

const NONE: WantedLevels = { lods: [], hlod: null };

/**
 * `plan`: null for a single file, which has no levels. A scene of one tile gets none from 'auto': the engine shows levels of
 * tiles that it has not loaded, and one that holds the whole scene is loaded first.
 */
export function wantedLevels({ lods = [], hlod = null }: CookSettings, plan: ScenePlan | null): WantedLevels {
  if (plan === null) return NONE;
  const isAlone = plan.tiles.length < 2;
  return {
    lods: lods === 'auto' ? (isAlone ? [] : AUTO_LODS) : lods,
    hlod: hlod === 'auto' ? (isAlone ? null : AUTO_HLOD) : hlod,
  };
}

/** Whether the settings name levels themselves. */
export function namesLevels({ lods = [], hlod = null }: CookSettings): boolean {
  return (lods !== 'auto' && lods.length > 0) || typeof hlod === 'number';
}
