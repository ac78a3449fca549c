// Which of a tile's payloads the engine's loader shows from a distance, once all that it asks for is loaded. Source, of
// UntoldEngine: GeometryStreamingSystem+TileStreaming.swift. The rules for cameras that have just moved are left out: the
// dwell between swaps, and the tenth by which a camera must come nearer before a nearer level replaces a further one.

import { loaderBands, MAX_QUERY_RADIUS, REQUEST_MARGIN } from './streaming.ts';

/** Distances of a tile in metres, as a manifest gives them. */
export interface TileDistances {
  readonly streaming: number;
  readonly unload: number;
  /** The distance at which full detail is requested; null or 0: half-way between the radii. */
  readonly prefetch: number | null;
  /** In any order. */
  readonly lods: readonly number[];
  readonly hlod: number | null;
  /** The floor gate keeps full detail from being requested. */
  readonly isGated: boolean;
}

/** `lod`: by its index in TileDistances.lods. */
export type ShownLevel = { readonly kind: 'full' | 'hlod' } | { readonly kind: 'lod'; readonly index: number };

/**
 * What is shown of a tile whose bounds are `distance` metres away, null for nothing. Between full detail and the distance of
 * the first level, that level is shown: the loader falls back to it while full detail is not there.
 */
export function shownLevel(tile: TileDistances, distance: number): ShownLevel | null {
  if (distance > MAX_QUERY_RADIUS) return null;
  const order = tile.lods.map((_, i) => i).sort((a, b) => tile.lods[a] - tile.lods[b] || a - b);
  const bands = loaderBands(tile.streaming, tile.unload, tile.hlod, tile.lods);
  const lods = order.flatMap((index, i) => {
    const from = bands.lods[i];
    return from === null ? [] : [{ index, from }];
  });
  const middle = (tile.streaming + bands.unload) / 2;
  const { prefetch } = tile;
  const reach = prefetch ? Math.max(tile.streaming, Math.min(prefetch, bands.unload)) : middle;
  const isFull = distance <= reach + REQUEST_MARGIN && (lods.length === 0 || distance <= lods[0].from);
  if (isFull && !tile.isGated) return { kind: 'full' };
  if (bands.hlod !== null && (distance >= bands.hlod || lods.length === 0)) return { kind: 'hlod' };
  const begun = lods.filter(({ from }) => from <= distance).at(-1) ?? lods[0];
  return begun ? { kind: 'lod', index: begun.index } : null;
}

/** What the loader shows of the shared bucket: it has no levels, and its radii count as they are. */
export function showsShared(streaming: number | null, unload: number | null, distance: number): boolean {
  const reach = streaming === null || unload === null ? Infinity : (streaming + unload) / 2 + REQUEST_MARGIN;
  return distance <= Math.min(MAX_QUERY_RADIUS, reach);
}
