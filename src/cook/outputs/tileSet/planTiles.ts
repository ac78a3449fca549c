// The plan of a set of tiles in terms of files. Reads the meshes that would be cut, and no other.

import { payloadFolder } from '../../../config/targets.ts';
import type { FolderTarget } from '../../../config/types.ts';
import type { Diagnostics } from '../../../diagnostics/diagnostic.ts';
import { DEFAULT_FORMAT, FORMATS } from '../../../formats/registry.ts';
import { DEFAULT_TILING } from '../../../tiling/options.ts';
import type { CutLimits } from '../../../tiling/partition/split.ts';
import { planScene } from '../../../tiling/plan.ts';
import { rangeRadii } from '../../../tiling/streaming/radii.ts';
import type { ScenePlan } from '../../../tiling/types.ts';
import type { PayloadPlan, PlannedPayload, ReadScene } from '../../planned.ts';
import type { Session } from '../../session.ts';
import { finestCuts } from './multipliedCuts.ts';

/** Plans the tiles of a scene and its shared bucket. Throws UC2202 and UC2211; notes UC2205, UC2208 and UC2209. */
export async function planTiles(
  { scene, objects }: ReadScene,
  target: FolderTarget,
  { job, diagnostics, opened: { limits } }: Session,
): Promise<PayloadPlan> {
  const { source } = job;
  const { sceneName } = target;
  const { format = DEFAULT_FORMAT, tileSize, tiling = DEFAULT_TILING } = job.settings;
  const plan = (finest: CutLimits['finest']) => planScene(objects, tileSize, sceneName, tiling, { source, finest });
  const chosen = plan(new Map());
  const finest = await finestCuts(scene, chosen.cut, tiling.split, diagnostics);
  const tiles = finest.size === 0 ? chosen : plan(finest);
  const planned = `${tiles.tiles.length} tiles at cells of ${tiles.tileSize} m`;
  const larger = 'give a larger --tile-size, correct the scene’s unit, or give a larger --max-tiles';
  limits.need('tiles', tiles.tiles.length, 'UC2202', source, '', planned, larger);
  for (const [tier, { streaming, unload }] of tiling.tierRadii) {
    const used = rangeRadii({ kind: 'given', radii: { streaming, unload } }, tiles.bounds, null);
    if (used.unload > unload) {
      diagnostics.report('UC2205', source, '', `${tier}: ${unload} m becomes ${used.unload} m`);
    }
  }
  reportCoarseCuts(tiles, source, diagnostics);
  const all = tiles.shared ? [...tiles.tiles, tiles.shared] : tiles.tiles;
  const folder = payloadFolder(target);
  const payloads = all.map(
    (tile): PlannedPayload => ({
      fileType: tile === tiles.shared ? 'shared' : 'tile',
      path: `${folder}${tile.stem}${FORMATS[format].extension}`,
      objects: tile.objects,
      tile,
    }),
  );
  const shown = { mode: tiles.mode, bounds: tiles.bounds, payloads };
  return { scene, objects, payloads, tiles, name: sceneName, folder, shown };
}

/** Notes (UC2208) objects whose pieces had to be larger than cells, once. */
function reportCoarseCuts({ cut }: ScenePlan, source: string, diagnostics: Diagnostics): void {
  const coarse = cut.filter(({ limited }) => limited);
  if (coarse.length === 0) return;
  const [{ object, pieces, fineness }] = coarse;
  const others = coarse.length > 1 ? `, and ${coarse.length - 1} more` : '';
  const message = `"${object.name.trim()}" becomes ${pieces} pieces, ${2 ** -fineness} times as long as cells${others}`;
  diagnostics.report('UC2208', source, '', message);
}
