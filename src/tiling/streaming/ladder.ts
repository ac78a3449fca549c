// Switch distances of a tile's levels: the exporter's ladder between the streaming and the unload radius. A level whose
// measured error would be visible moves outwards, and the unload radius with it. The engine's loader does not change the
// result.

import { BAND_GAP } from '../../engine/streaming.ts';
import { ceilCentimetre } from './centimetres.ts';

/** The exporter ends its ladder this far before the unload radius; the loader needs 1 (HLOD_MARGIN). */
const OUTER_MARGIN = 4;
/** The positions of levels between near (0) and far (1) by default, as in the exporter. */
const LOD_FRACTIONS = [0.3, 0.78] as const;
/** More than BAND_GAP, so that two rounded float32 distances are never a hair too close. */
const ROUNDED_GAP = BAND_GAP + 0.01;

/** An error of at most this many pixels counts as invisible, */
const PIXELS = 2;
/** in an image of this height in pixels */
const IMAGE_HEIGHT = 1080;
/** with this vertical field of view. */
const FIELD_OF_VIEW = Math.PI / 3;

/** Metres of distance at which one metre of error covers the pixels allowed. */
const DISTANCE_OF_ERROR = IMAGE_HEIGHT / (PIXELS * 2 * Math.tan(FIELD_OF_VIEW / 2));

export interface Ladder {
  /** Ascending, in the order of the levels. */
  readonly lods: readonly number[];
  /** Null: there is no HLOD. */
  readonly hlod: number | null;
  /** Not below what was given. */
  readonly unload: number;
}

/** From this distance on, an error in metres is too small to be seen. */
export function distanceOfError(error: number): number {
  return error * DISTANCE_OF_ERROR;
}

/** The largest error in metres that is not seen from a distance. */
export function errorAtDistance(distance: number): number {
  return distance / DISTANCE_OF_ERROR;
}

/** Metres that a pixel covers at a distance. */
export function pixelAtDistance(distance: number): number {
  return errorAtDistance(distance) / PIXELS;
}

/** The position of level `i` of `count` between 0 and 1: the exporter's fractions for two, evenly spread for more. */
function fraction(i: number, count: number): number {
  return count <= LOD_FRACTIONS.length ? LOD_FRACTIONS[i] : (i + 1) / (count + 1);
}

/**
 * The exporter's distances, unrounded: the HLOD at the far end of [s + 4, u - margin], `count` LODs between s + 4 and 4
 * before the HLOD by the curve t^1.25, at least 4 apart.
 */
export function exporterLadder(
  streaming: number,
  unload: number,
  count: number,
  withHlod: boolean,
): { readonly lods: readonly number[]; readonly hlod: number | null } {
  const low = streaming + BAND_GAP;
  const high = Math.max(low, unload - Math.min(OUTER_MARGIN, 0.25 * Math.max(unload - streaming, 8)));
  const hlod = withHlod ? high : null;
  let far = (hlod ?? unload) - BAND_GAP;
  let near = Math.max(low, 0.45 * streaming, 4);
  if (far < near + BAND_GAP * (count - 1)) {
    near = Math.max(4, far - BAND_GAP * (count - 1));
    far = Math.max(far, near + BAND_GAP * (count - 1));
  }
  const lods: number[] = [];
  for (let i = 0; i < count; i++) {
    const wanted = near + (far - near) * fraction(i, count) ** 1.25;
    const min = i === 0 ? near : lods[i - 1] + BAND_GAP;
    lods.push(Math.max(min, Math.min(wanted, far - BAND_GAP * (count - 1 - i))));
  }
  return { lods, hlod };
}

/** What decides from where a level may be shown, in metres. */
export interface LevelLimits {
  /** Its deviation from full detail. */
  readonly error: number;
  /** The distance from which it looks like full detail in pictures; absent: the error alone decides. */
  readonly looksFrom?: number | undefined;
}

/** The nearest distance at which a level may be shown. */
export function nearestDistance({ error, looksFrom = 0 }: LevelLimits): number {
  return Math.max(distanceOfError(error), looksFrom);
}

/**
 * The ladder of a tile from its radii and the limits of its levels, all in metres; `hlodLevel` null for none. No level
 * starts inside streaming + 4, nor nearer than its limits allow. Whole centimetres.
 */
export function ladder(
  streaming: number,
  unload: number,
  lodLevels: readonly LevelLimits[],
  hlodLevel: LevelLimits | null,
): Ladder {
  const count = lodLevels.length;
  const steps = count + (hlodLevel === null ? 0 : 1);
  if (steps === 0) return { lods: [], hlod: null, unload };
  // Room for the whole ladder outside of the streaming radius; the exporter's would move inside of it.
  const room = Math.max(unload, streaming + BAND_GAP + BAND_GAP * (steps - 1) + OUTER_MARGIN);
  const base = exporterLadder(streaming, room, count, hlodLevel !== null);
  let min = streaming + BAND_GAP;
  const next = (wanted: number, level: LevelLimits): number => {
    const at = roundUpFrom(Math.max(wanted, nearestDistance(level)), min);
    min = at + ROUNDED_GAP;
    return at;
  };
  const lods = base.lods.map((wanted, i) => next(wanted, lodLevels[i]));
  const hlod = base.hlod === null || hlodLevel === null ? null : next(base.hlod, hlodLevel);
  const last = hlod ?? lods[lods.length - 1];
  return { lods, hlod, unload: Math.max(unload, ceilCentimetre(last + OUTER_MARGIN + 0.01)) };
}

/** `wanted` to the nearest centimetre, as the exporter rounds, or `min` raised to one where that is further out. */
function roundUpFrom(wanted: number, min: number): number {
  return Math.max(Math.round(wanted * 100) / 100, ceilCentimetre(min));
}
