// The distances of all tiles of a set: the radii of each with the ladder of its levels, and how far tiles without a level
// are shown. The engine draws the last level of a tile as far as it looks for tiles; full detail it draws only up to a
// radius. So that no tile ends while its neighbours are still drawn, full detail of a tile without levels is asked for as
// far out as the furthest tile of the set is drawn.

import { EVICT_ABOVE, GEOMETRY_SHARE, MIN_MEMORY } from '../../engine/loading.ts';
import { BAND_GAP, HLOD_MARGIN, MAX_QUERY_RADIUS, REQUEST_MARGIN } from '../../engine/streaming.ts';
import type { Bounds } from '../../scene/types.ts';
import type { TileSummary } from '../types.ts';
import { ceilCentimetre } from './centimetres.ts';
import { getsLevels } from './hlodClusters.ts';
import { type Ladder, type LevelLimits, ladder, nearestDistance } from './ladder.ts';
import { judgedStreaming, nearerRadii, type Radii, radiiUpTo, rangeRadii, type StreamingRange } from './radii.ts';

/** The radii of a payload with the distances of its levels, in metres. */
export interface TileRadii extends Radii, Ladder {
  /** Distance at which full detail is requested; absent: the engine uses the middle between the others. */
  readonly prefetch?: number;
}

/** What of a tile decides its distances. */
export interface PlacedTile {
  readonly planned: Pick<TileSummary, 'id' | 'tree' | 'range'>;
  /** Contain its levels, too. */
  readonly bounds: Bounds;
  /** From near to far; absent: none. */
  readonly lods?: readonly LevelLimits[];
  readonly hlod?: LevelLimits | null;
  /** Of full detail. */
  readonly gpuBytes: number;
}

/** From where a level may be shown if its error may be as many times larger in the picture as `scale` is less than 1. */
const nearerLevel = ({ error, looksFrom }: LevelLimits, scale: number): LevelLimits => ({
  error: error * scale,
  ...(looksFrom === undefined ? {} : { looksFrom: looksFrom * scale }),
});

/**
 * The radii of each tile with its ladder, moved out beyond the distance of the last level. `scene`: the bounds of all. `scale`: the
 * share of their distances that levels are shown from.
 */
export function tileRadii<T extends PlacedTile>(tiles: readonly T[], scene: Bounds, scale = 1): Map<T, TileRadii> {
  const radii = ({ planned, bounds, lods = [], hlod = null }: T): TileRadii => {
    const usual = rangeRadii(planned.range, scene, bounds);
    const hasLevels = lods.length > 0 || hlod !== null;
    const { streaming, unload } = hasLevels ? nearerRadii(usual, planned.range.kind, scale) : usual;
    const nearer = (level: LevelLimits) => nearerLevel(level, scale);
    const levels = [lods.map(nearer), hlod && nearer(hlod)] as const;
    const from = judgedFrom(planned.range, bounds, levels[0][0]);
    if (from !== null && from < streaming + BAND_GAP) {
      const near = radiiUpTo(from);
      return { streaming: near.streaming, ...ladder(near.streaming, near.unload, ...levels) };
    }
    return requestedToFirst({ streaming, ...ladder(streaming, unload, ...levels) });
  };
  return new Map(tiles.map((tile) => [tile, radii(tile)]));
}

/** From where pictures let the nearest level of a tile be shown, whatever its usual radii; null: they say nothing. */
function judgedFrom(range: StreamingRange, content: Bounds, first: LevelLimits | undefined): number | null {
  const least = judgedStreaming(range, content);
  if (least === null || first?.looksFrom === undefined) return null;
  return Math.max(nearestDistance(first), least + BAND_GAP + 0.01);
}

/** The radii with full detail requested up to the nearest level: the loader would show that one before it looks like full detail. */
function requestedToFirst(radii: TileRadii): TileRadii {
  const first = radii.lods[0] ?? radii.hlod;
  const asked = (radii.streaming + radii.unload) / 2 + REQUEST_MARGIN;
  return first === undefined || first === null || first <= asked ? radii : { ...radii, prefetch: first };
}

/** Metres from its bounds up to which something of a tile is drawn. */
export function drawnUntil({ streaming, unload, lods, hlod, prefetch }: TileRadii): number {
  if (lods.length > 0 || hlod !== null) return MAX_QUERY_RADIUS;
  return Math.min(MAX_QUERY_RADIUS, (prefetch ?? (streaming + unload) / 2) + REQUEST_MARGIN);
}

export interface LastingTiles<T> {
  /** New radii of tiles without levels, which now are drawn as far as the others. */
  readonly widened: ReadonlyMap<T, TileRadii>;
  /** Tiles that end nearer than others because the engine's memory has no room for all: of tiers and sets without levels. */
  readonly ended: readonly T[];
  /** Metres from a tile up to which all tiles but those are drawn. */
  readonly until: number;
}

/** Whether a tile ends where it ends, whatever others do: its user said where, or it is always loaded. */
const endsByItself = ({ planned }: PlacedTile): boolean =>
  planned.range.kind === 'given' || planned.range.kind === 'always';

/**
 * Makes tiles without levels last as long as the furthest tile of the set. In a set with levels this holds for every tile that
 * could have had one. All others (tiers without levels, sets without any) last where the geometry of all tiles fits the
 * memory that the engine has at least.
 * `shared`: the shared bucket, whose radii the engine takes as they are.
 */
export function lastTogether<T extends PlacedTile>(
  radii: ReadonlyMap<T, TileRadii>,
  shared: T | null,
): LastingTiles<T> {
  const tiles = [...radii].filter(([tile]) => !endsByItself(tile));
  const until = Math.max(0, ...tiles.map(([, one]) => drawnUntil(one)));
  const hasLevels = tiles.some(([, { lods, hlod }]) => lods.length > 0 || hlod !== null);
  const short = tiles.filter(([, one]) => drawnUntil(one) < until);
  const isLeft = ([tile]: readonly [T, TileRadii]) => !hasLevels || !getsLevels(tile.planned);
  const fits = short.some(isLeft) && fitsMemory(tiles.map(([{ bounds, gpuBytes }]) => ({ bounds, bytes: gpuBytes })));
  const widened = new Map<T, TileRadii>();
  const ended: T[] = [];
  for (const entry of short) {
    const [tile, one] = entry;
    if (isLeft(entry) && !fits) ended.push(tile);
    else widened.set(tile, tile === shared ? sharedUntil(one, until) : requestedUntil(one, until));
  }
  return { widened, ended, until };
}

/** Full detail is requested up to `until`, and unloaded beyond. */
function requestedUntil(radii: TileRadii, until: number): TileRadii {
  const prefetch = ceilCentimetre(until - REQUEST_MARGIN);
  return { ...radii, prefetch, unload: Math.max(radii.unload, ceilCentimetre(until + HLOD_MARGIN)) };
}

/** The engine requests the shared bucket up to the middle of its radii. */
function sharedUntil(radii: TileRadii, until: number): TileRadii {
  return { ...radii, unload: Math.max(radii.unload, ceilCentimetre(2 * until - radii.streaming)) };
}

/** Bytes of geometry that the engine keeps on every platform without evicting any. */
const MIN_GEOMETRY = MIN_MEMORY * GEOMETRY_SHARE * EVICT_ABOVE;

/**
 * Whether the geometry of all tiles that are within the engine's reach of one place fits the memory that it has at least, for
 * every place. The tiles around a place are estimated from above: those that touch its square, as wide as the reach, or one
 * of the eight around it.
 */
export function fitsMemory(tiles: readonly { readonly bounds: Bounds; readonly bytes: number }[]): boolean {
  const total = tiles.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= MIN_GEOMETRY) return true;
  const squares = new Map<string, number>();
  let everywhere = 0;
  for (const { bounds, bytes } of tiles) {
    const [x0, x1, z0, z1] = [bounds.min[0], bounds.max[0], bounds.min[2], bounds.max[2]].map((at) =>
      Math.floor(at / MAX_QUERY_RADIUS),
    );
    if (x1 - x0 > 2 || z1 - z0 > 2) everywhere += bytes;
    else
      for (let x = x0 - 1; x <= x1 + 1; x++)
        for (let z = z0 - 1; z <= z1 + 1; z++) squares.set(`${x} ${z}`, (squares.get(`${x} ${z}`) ?? 0) + bytes);
  }
  return Math.max(0, ...squares.values()) + everywhere <= MIN_GEOMETRY;
}
