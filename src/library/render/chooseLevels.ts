// Which payload of each tile a picture shows.

import { fail } from '../../diagnostics/diagnostic.ts';
import { fullOf, hlodOf, lodOf, type ShownPayload, shownOf } from '../../formats/manifest/shownTiles.ts';
import type { Vec3 } from '../../scene/types.ts';
import type { CookedSet, CookedTile } from './cookedSet.ts';

/** One level of every tile; a tile without it shows the next finer that it has. Throws UC5002 where no tile has it. */
function chooseOne({ tiles, file }: CookedSet, level: string): ShownPayload[] {
  const index = level === 'hlod' ? Infinity : Number(level.slice('lod'.length)) - 1;
  const has = (tile: CookedTile) => (level === 'hlod' ? tile.hlod !== null : index < tile.lods.length);
  if (!tiles.some(has)) fail('UC5002', file, '--level', `no tile has the level ${level}`);
  return tiles.map((tile) => {
    if (level === 'hlod' && tile.hlod !== null) return hlodOf(tile);
    return tile.lods.length === 0 ? fullOf(tile) : lodOf(tile, Math.min(index, tile.lods.length - 1));
  });
}

/** What the engine's loader shows to a camera at `position` that has been there for a while. */
function chooseStreamed({ tiles }: CookedSet, position: Vec3): ShownPayload[] {
  return tiles.map((tile) => shownOf(tile, position)).filter((shown) => shown !== null);
}

/** `level`: `full`, `lodN`, `hlod` or `streamed`, which the camera's position decides. Throws UC5002. */
export function chooseLevels(set: CookedSet, level: string, position: Vec3): ShownPayload[] {
  if (level === 'full') return set.tiles.map(fullOf);
  return level === 'streamed' ? chooseStreamed(set, position) : chooseOne(set, level);
}
