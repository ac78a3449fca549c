// What of each tile is to be shown: one level of all, or what the loader shows.

import type { CookedTile } from '../../formats/manifest/tiles.ts';
import type { LoaderState, StreamLoader } from '../streaming/loader.ts';

/** `full`, `lod1` …, `hlod`, `streamed`. */
export type ShowMode = string;

export interface ShownPayload {
  readonly level: string;
  readonly path: string;
}

/** The modes that a set has, with their names. */
export function modesOf(tiles: readonly CookedTile[]): [ShowMode, string][] {
  const lods = tiles.reduce((max, tile) => Math.max(max, tile.lods.length), 0);
  return [
    ...(tiles.some(({ distances, shared }) => distances || shared)
      ? [['streamed', 'Streamed'] as [string, string]]
      : []),
    ['full', 'Full detail'],
    ...Array.from({ length: lods }, (_, i): [string, string] => [`lod${i + 1}`, `LOD ${i + 1}`]),
    ...(tiles.some(({ hlod }) => hlod) ? [['hlod', 'HLOD'] as [string, string]] : []),
  ];
}

const full = (tile: CookedTile): ShownPayload => ({ level: 'full', path: tile.full });

/** One level of a tile; a tile without it shows the next finer one, as in `untold render`. */
export function levelOf(tile: CookedTile, mode: ShowMode): ShownPayload {
  if (mode === 'full') return full(tile);
  if (mode === 'hlod' && tile.hlod) return { level: 'hlod', path: tile.hlod.path };
  const wanted = mode === 'hlod' ? Infinity : Number(mode.slice('lod'.length));
  const index = Math.min(wanted, tile.lods.length) - 1;
  return index < 0 ? full(tile) : { level: `lod${index + 1}`, path: tile.lods[index].path };
}

/**
 * The distance in metres at which a level comes in: a coarser one where it takes over, full detail at the streaming radius.
 * Null: it has none.
 */
export function streamingDistance(tile: CookedTile, level: string): number | null {
  if (level === 'full') return tile.distances?.streaming ?? tile.shared?.streaming ?? null;
  if (level === 'hlod') return tile.hlod?.distance ?? null;
  return tile.lods[Number(level.slice('lod'.length)) - 1]?.distance ?? null;
}

/** What the loader shows of a tile, and what it holds or loads beside that. */
export function streamed(
  loader: StreamLoader,
  state: LoaderState,
  tile: number,
): { readonly shown: ShownPayload | null; readonly beside: readonly string[] } {
  const index = state.shown[tile];
  const path = index < 0 ? null : loader.path(tile, index);
  const beside: string[] = [];
  const held = state.loaded[tile] | state.loading[tile];
  for (let bit = 0; held >>> bit !== 0; bit++) {
    const other = (held >>> bit) & 1 ? loader.path(tile, bit) : null;
    if (other !== null && bit !== index) beside.push(other);
  }
  return { shown: path === null ? null : { level: loader.levelName(tile, index), path }, beside };
}
