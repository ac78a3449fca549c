// Chooses how much nearer levels are shown, where an output is over what its device holds or draws: by the loader's simulation with
// distances as they would be.

import type { Device, Measure } from '../../engine/devices.ts';
import { BAND_GAP } from '../../engine/streaming.ts';
import type { CookedTile } from '../../formats/manifest/tiles.ts';
import type { Connection } from '../../viewer/streaming/loader.ts';
import { type FactTile, type Figures, type MeasuredPlace, measurePlace, type PlaceMeasure } from '../check/measure.ts';
import type { MeasuredOutput } from '../check/measureOutput.ts';

/** Shares of their distances that levels may be shown from, the mildest first: errors of two pixels become four at most. */
const SCALES = [0.9, 0.8, 0.7, 0.6, 0.5] as const;
/** What fewer levels in memory lower. */
const LOWERED = ['geometry', 'textures', 'triangles', 'visibleTriangles', 'draws', 'entities'] as const;
/** A step that lowers what is over by less than this share of its limit is not worth what it costs. */
const WORTH = 0.02;

export type Limits = ReadonlyMap<PlaceMeasure, number>;

/** The bounds of a device on what is in memory and in view. */
export function placeLimits({ limits }: Device, geometry: number | undefined): Limits {
  const all = LOWERED.map((measure: Measure & PlaceMeasure): [PlaceMeasure, number | undefined] => [
    measure,
    measure === 'geometry' && geometry !== undefined ? geometry : limits[measure]?.value,
  ]);
  return new Map(all.flatMap(([measure, limit]) => (limit === undefined ? [] : [[measure, limit] as const])));
}

/** How far figures are over, as shares of limits. */
export function excess(figures: readonly Figures[], limits: Limits): number {
  let sum = 0;
  for (const [measure, limit] of limits) {
    const most = figures.reduce((highest, one) => Math.max(highest, one[measure]), 0);
    sum += Math.max(0, most / limit - 1);
  }
  return sum;
}

/** A tile about as it would be with its levels shown from a share of their distances. */
function nearer(tile: CookedTile, scale: number): CookedTile {
  const { distances } = tile;
  if (distances === null || (tile.lods.length === 0 && tile.hlod === null)) return tile;
  const streaming = distances.streaming * scale;
  let last = streaming;
  const after = (distance: number) => {
    last = Math.max(distance * scale, last + BAND_GAP + 0.01);
    return last;
  };
  const lods = distances.lods.map(after);
  const hlod = distances.hlod === null ? null : after(distances.hlod);
  const unload = Math.max(distances.unload * scale, last + BAND_GAP);
  const prefetch = distances.prefetch === null ? null : distances.prefetch * scale;
  return {
    ...tile,
    lods: tile.lods.map((level, i) => ({ ...level, distance: lods[i] })),
    hlod: tile.hlod && { ...tile.hlod, distance: hlod ?? tile.hlod.distance },
    distances: { ...distances, streaming, unload, prefetch, lods, hlod },
  };
}

/** Places for each measure at which distances are tried: what comes out is measured as a whole afterwards. */
const TRIED = 4;

/** The places at which the measures are worst. */
function worstOf(places: readonly MeasuredPlace[], limits: Limits): MeasuredPlace[] {
  const chosen = new Set<MeasuredPlace>();
  for (const measure of limits.keys()) {
    const sorted = [...places].sort((a, b) => b.figures[measure] - a.figures[measure]);
    for (const place of sorted.slice(0, TRIED)) chosen.add(place);
  }
  return places.filter((place) => chosen.has(place));
}

/**
 * The share of their distances that levels are to be shown from, of those below `now`: the mildest with which all fits, else the mildest
 * of those that come nearest to it. Null: none helps.
 */
export function nearerLevels(
  { tiles, places, facts, isWhole }: MeasuredOutput,
  limits: Limits,
  now: number,
  connection: Connection,
): number | null {
  const hasLevels = tiles.some(({ tile }) => tile.lods.length > 0 || tile.hlod !== null);
  if (isWhole || !hasLevels) return null;
  const worst = worstOf(places, limits);
  let best: number | null = null;
  let least = excess(
    worst.map(({ figures }) => figures),
    limits,
  );
  for (const scale of SCALES) {
    if (scale >= now || least === 0) continue;
    const moved = tiles.map((row): FactTile => ({ ...row, tile: nearer(row.tile, scale / now) }));
    const figures = worst.map(({ position }) => measurePlace(moved, position, facts, connection).figures);
    const left = excess(figures, limits);
    if (left === 0 || left < least - WORTH) [best, least] = [scale, left];
  }
  return best;
}
