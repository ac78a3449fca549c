// Which levels a cook makes: those that the settings ask for, or the usual ones where they can ever be shown.

import type { CookSettings } from '../../../config/types.ts';
import type { LodQuality } from '../../../tiling/streaming/lodQuality.ts';
import type { ScenePlan } from '../../../tiling/types.ts';

/** Ratios of triangles, as in the settings. */
export interface WantedLevels {
  /** Falling. */
  readonly lods: readonly number[];
  /** How many of `lods` every tile gets; the others are for tiles with so many levels made by hand. */
  readonly usual: number;
  /** Null: no HLOD. */
  readonly hlod: number | null;
}

/** What 'auto' makes; of a tile with more levels made by hand, further ones each have so much of the one before. */
const AUTO_LODS = [0.5, 0.2] as const;
const AUTO_HLOD = 0.1;
const FURTHER = 0.4;
/** How many levels made by hand are used at most, where no ratios are given. */
export const MAX_LODS = 8;

const NONE: WantedLevels = { lods: [], usual: 0, hlod: null };

/**
 * `plan`: null for a single file, which has no levels. A scene of one tile gets none from 'auto': the engine shows levels of
 * tiles that it has not loaded, and one that holds the whole scene is loaded first. `authored`: how many coarser levels an
 * object has that were made by hand, at most; 'auto' has ratios for so many.
 */
export function wantedLevels(
  { lods = [], hlod = null }: CookSettings,
  plan: ScenePlan | null,
  authored: number,
): WantedLevels {
  if (plan === null) return NONE;
  const isAlone = plan.tiles.length < 2;
  const ratios = lods === 'auto' ? (isAlone ? [] : autoLods(authored)) : lods;
  const usual = lods === 'auto' ? Math.min(AUTO_LODS.length, ratios.length) : ratios.length;
  return { lods: ratios, usual, hlod: hlod === 'auto' ? (isAlone ? null : AUTO_HLOD) : hlod };
}

function autoLods(authored: number): readonly number[] {
  const lods: number[] = [...AUTO_LODS];
  while (lods.length < Math.min(authored, MAX_LODS)) lods.push(lods[lods.length - 1] * FURTHER);
  return lods;
}

/** The LOD chains of the models of a pack. */
export interface WantedChains {
  /** Shares of the triangles, falling, as the engine's cook takes them; null: what looks like the model decides. */
  readonly ratios: readonly number[] | null;
  /** How like the model pictures must look; null: deviations alone decide. */
  readonly similarity: LodQuality | null;
}

/** Null: no chains are asked for. */
export function wantedChains({ lods = [], lodCheck, lodQuality = 'good' }: CookSettings): WantedChains | null {
  if (lods !== 'auto') return lods.length > 0 ? { ratios: lods, similarity: null } : null;
  return { ratios: null, similarity: lodCheck === 'pictures' ? lodQuality : null };
}

/** In words which levels the settings name that an output without tiles does not get; null: none. */
export function levelsWithoutTiles({ lods = [], hlod = null }: CookSettings, arePlaced: boolean): string | null {
  if (arePlaced) return typeof hlod === 'number' ? 'no HLODs are made for the models of a pack' : null;
  const namesLevels = (lods !== 'auto' && lods.length > 0) || typeof hlod === 'number';
  return namesLevels ? 'no levels are made for a single file' : null;
}
