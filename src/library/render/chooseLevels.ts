// Which payload of each tile a picture shows.

import { fail } from '../../diagnostics/diagnostic.ts';
import { shownLevel, showsShared } from '../../engine/shownLevel.ts';
import { FLOOR_GATE } from '../../engine/streaming.ts';
import { distanceToBounds } from '../../raster/camera.ts';
import type { Vec3 } from '../../scene/types.ts';
import type { CookedSet, CookedTile } from './cookedSet.ts';

/** A payload that is drawn. */
export interface ChosenPayload {
  readonly tile: CookedTile;
  /** `full`, `lod1` …, `hlod`. */
  readonly level: string;
  readonly path: string;
}

const full = (tile: CookedTile): ChosenPayload => ({ tile, level: 'full', path: tile.full });

function lod(tile: CookedTile, index: number): ChosenPayload {
  return { tile, level: `lod${index + 1}`, path: tile.lods[index].path };
}

function hlod(tile: CookedTile): ChosenPayload {
  return { tile, level: 'hlod', path: tile.hlod!.path };
}

/** One level of every tile; a tile without it shows the next finer that it has. Throws UC5002 where no tile has it. */
function chooseOne({ tiles, file }: CookedSet, level: string): ChosenPayload[] {
  const index = level === 'hlod' ? Infinity : Number(level.slice('lod'.length)) - 1;
  const has = (tile: CookedTile) => (level === 'hlod' ? tile.hlod !== null : index < tile.lods.length);
  if (!tiles.some(has)) fail('UC5002', file, '--level', `no tile has the level ${level}`);
  return tiles.map((tile) => {
    if (level === 'hlod' && tile.hlod !== null) return hlod(tile);
    return tile.lods.length === 0 ? full(tile) : lod(tile, Math.min(index, tile.lods.length - 1));
  });
}

/** What the engine's loader shows to a camera at `position` that has been there for a while. */
function chooseStreamed({ tiles }: CookedSet, position: Vec3): ChosenPayload[] {
  return tiles.flatMap((tile) => {
    const distance = tile.bounds ? distanceToBounds(position, tile.bounds) : 0;
    if (tile.shared) return showsShared(tile.shared.streaming, tile.shared.unload, distance) ? [full(tile)] : [];
    if (!tile.distances) return [full(tile)];
    const isGated = tile.gateHeight !== null && Math.abs(tile.gateHeight - position[1]) > FLOOR_GATE;
    const shown = shownLevel({ ...tile.distances, isGated }, distance);
    if (shown === null) return [];
    if (shown.kind === 'lod') return [lod(tile, shown.index)];
    return [shown.kind === 'full' ? full(tile) : hlod(tile)];
  });
}

/** `level`: `full`, `lodN`, `hlod` or `streamed`, which the camera's position decides. Throws UC5002. */
export function chooseLevels(set: CookedSet, level: string, position: Vec3): ChosenPayload[] {
  if (level === 'full') return set.tiles.map(full);
  return level === 'streamed' ? chooseStreamed(set, position) : chooseOne(set, level);
}
