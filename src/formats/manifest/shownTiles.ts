// Which payload of each tile the engine's loader shows to a camera that has been at its place for a while.

import { shownLevel, showsShared } from '../../engine/shownLevel.ts';
import { FLOOR_GATE } from '../../engine/streaming.ts';
import { distanceToBounds } from '../../scene/bounds.ts';
import type { Vec3 } from '../../scene/types.ts';
import type { CookedTile } from './tiles.ts';

/** A payload that is drawn. */
export interface ShownPayload {
  readonly tile: CookedTile;
  /** `full`, `lod1` …, `hlod`. */
  readonly level: string;
  readonly path: string;
}

export const fullOf = (tile: CookedTile): ShownPayload => ({ tile, level: 'full', path: tile.full });

export function lodOf(tile: CookedTile, index: number): ShownPayload {
  return { tile, level: `lod${index + 1}`, path: tile.lods[index].path };
}

export function hlodOf(tile: CookedTile): ShownPayload {
  return { tile, level: 'hlod', path: tile.hlod!.path };
}

/** What of a tile a camera at `position` sees; null: nothing. */
export function shownOf(tile: CookedTile, position: Vec3): ShownPayload | null {
  const distance = tile.bounds ? distanceToBounds(position, tile.bounds) : 0;
  if (tile.shared) return showsShared(tile.shared.streaming, tile.shared.unload, distance) ? fullOf(tile) : null;
  if (!tile.distances) return fullOf(tile);
  const isGated = tile.gateHeight !== null && Math.abs(tile.gateHeight - position[1]) > FLOOR_GATE;
  const shown = shownLevel({ ...tile.distances, isGated }, distance);
  if (shown === null) return null;
  if (shown.kind === 'lod') return lodOf(tile, shown.index);
  return shown.kind === 'full' ? fullOf(tile) : hlodOf(tile);
}
