// The plan of one cook in terms of files: which payloads there are, and what a dry run shows of them.

import type { Diagnostics } from '../../../diagnostics/diagnostic.ts';
import type { LimitWatch } from '../../../diagnostics/limits.ts';
import type { FileType } from '../../../formats/format.ts';
import { DEFAULT_FORMAT, FORMATS } from '../../../formats/registry.ts';
import type { Bounds, Scene } from '../../../scene/types.ts';
import { DEFAULT_TILING } from '../../../tiling/options.ts';
import { type Budgets, brokenBudgets, estimate } from '../../../tiling/partition/budgets.ts';
import type { CutLimits } from '../../../tiling/partition/split.ts';
import { boundsOf } from '../../../tiling/partition/tile.ts';
import { planScene } from '../../../tiling/plan.ts';
import { type Radii, reachRadii } from '../../../tiling/streaming/radii.ts';
import type { Estimate, PlannedObject, PlannedTile, ScenePlan } from '../../../tiling/types.ts';
import type { PlanOutcome, TileOutcome } from '../../steps/plan/planOutcome.ts';
import type { CookJob } from '../../types.ts';
import { finestCuts } from './multipliedCuts.ts';

export interface PlannedPayload {
  readonly fileType: FileType;
  /** Relative to the set's base; a hash of its content comes before the extension of a tile's when it is written. */
  readonly path: string;
  readonly objects: readonly PlannedObject[];
  /** Null for a single file: nothing is merged. */
  readonly tile: PlannedTile | null;
}

export interface PayloadPlan {
  /** Null for a single file. */
  readonly scene: ScenePlan | null;
  readonly payloads: readonly PlannedPayload[];
  /** Of a pack, whose payloads are its models; absent: it is none. */
  readonly pack?: {
    /** Of the scene, with all its root objects in their places. */
    readonly bounds: Bounds;
  };
}

/**
 * Reads the meshes that would be cut, and no other. Throws UC2202 and UC2211; notes UC2205, UC2208 and UC2209. `file` is
 * what a single file's path is relative to its folder.
 */
export async function planPayloads(
  objects: readonly PlannedObject[],
  input: Scene,
  { target, settings, source }: CookJob,
  file: string,
  diagnostics: Diagnostics,
  limits: LimitWatch,
): Promise<PayloadPlan> {
  if (target.kind === 'file') {
    return { scene: null, payloads: [{ fileType: 'tile', path: file, objects, tile: null }] };
  }
  const { format = DEFAULT_FORMAT, tileSize, tiling = DEFAULT_TILING } = settings;
  const plan = (finest: CutLimits['finest']) =>
    planScene(objects, tileSize, target.sceneName, tiling, { source, finest });
  const chosen = plan(new Map());
  const finest = await finestCuts(input, chosen.cut, tiling.split, diagnostics);
  const scene = finest.size === 0 ? chosen : plan(finest);
  const planned = `${scene.tiles.length} tiles at cells of ${scene.tileSize} m`;
  const larger = 'give a larger --tile-size, correct the scene’s unit, or give a larger --max-tiles';
  limits.need('tiles', scene.tiles.length, 'UC2202', source, '', planned, larger);
  for (const [tier, { streaming, unload }] of tiling.tierRadii) {
    const used = reachRadii({ kind: 'given', radii: { streaming, unload } }, scene.bounds, null);
    if (used.unload > unload) {
      diagnostics.report('UC2205', source, '', `${tier}: ${unload} m becomes ${used.unload} m`);
    }
  }
  reportCoarseCuts(scene, source, diagnostics);
  const tiles = scene.shared ? [...scene.tiles, scene.shared] : scene.tiles;
  const payloads = tiles.map(
    (tile): PlannedPayload => ({
      fileType: tile === scene.shared ? 'shared' : 'tile',
      path: `${target.sceneName}/${tile.stem}${FORMATS[format].extension}`,
      objects: tile.objects,
      tile,
    }),
  );
  return { scene, payloads };
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

const WHY = {
  'one object': 'it is one object',
  'same materials': 'its parts need the same materials',
  'shared bucket': 'the shared bucket is never cut',
} as const;

/** Warns (UC2204) of a tile that breaks a budget with what it holds; names its heaviest object. */
export function reportBudget(
  tile: PlannedTile,
  holds: Omit<Estimate, 'triangles'>,
  budgets: Budgets,
  scene: Scene,
  diagnostics: Diagnostics,
): void {
  const broken = brokenBudgets(holds, budgets);
  if (broken.length === 0) return;
  const heaviest = tile.objects.reduce((most, object) => (object.vertices > most.vertices ? object : most));
  const alone = heaviest.piece ? 'it is one piece of an object' : WHY['one object'];
  const why =
    tile.over && tile.over.why !== 'one object'
      ? WHY[tile.over.why]
      : tile.objects.length === 1
        ? alone
        : `by its counts it was expected to hold ${tile.estimate.vertices} vertices in ${tile.estimate.bytes} bytes`;
  const { path } = scene.nodes[heaviest.node];
  diagnostics.report('UC2204', scene.source, path, `${tile.id} holds ${broken.join(', ')}: ${why}`);
}

/** Notes (UC2205) unload radii that were given and that the levels of tiles are moved out beyond, by tier. */
export function reportLadders(
  radii: ReadonlyMap<{ readonly planned: Pick<PlannedTile, 'reach' | 'bounds' | 'tree'> }, Radii>,
  source: string,
  diagnostics: Diagnostics,
): void {
  const widened = new Map<string, { readonly given: number; readonly used: number }>();
  for (const [{ planned }, { unload }] of radii) {
    const { reach, bounds, tree } = planned;
    if (reach.kind !== 'given') continue;
    const given = reachRadii(reach, bounds, null);
    if (unload <= given.unload) continue;
    const tier = tree?.tier ?? 'cells';
    const used = Math.max(unload, widened.get(tier)?.used ?? 0);
    widened.set(tier, { given: given.unload, used });
  }
  for (const [tier, { given, used }] of widened) {
    diagnostics.report('UC2205', source, '', `${tier}: ${given} m becomes up to ${used} m, for the levels of tiles`);
  }
}

/** The plan as a dry run shows it. */
export function planOutcome({ scene, payloads, pack }: PayloadPlan): PlanOutcome {
  const bounds = scene?.bounds ?? pack?.bounds ?? boundsOf(payloads[0].objects);
  const cut = scene?.cut ?? [];
  const tiles = payloads.map(({ path, objects, tile }): TileOutcome => {
    const content = tile?.bounds ?? boundsOf(objects);
    const { triangles, vertices, meshes, bytes } = tile?.estimate ?? estimate(objects);
    const radii = tile ? reachRadii(tile.reach, bounds, content) : null;
    return {
      id: tile?.id ?? path,
      path,
      objects: objects.length,
      triangles,
      expected: { vertices, meshes, bytes },
      bounds: content,
      streamingRadius: radii?.streaming ?? null,
      unloadRadius: radii?.unload ?? null,
      priority: tile?.priority ?? null,
      floor: tile?.tree?.floor ?? null,
      tier: tile?.tree?.tier ?? null,
      overBudget: tile?.over?.broken ?? [],
    };
  });
  return {
    mode: scene?.mode ?? (pack ? 'pack' : 'single_file'),
    profile: scene && scene.mode !== 'uniform_grid' ? scene.profile : null,
    tileSize: scene?.tileSize ?? null,
    floors: scene?.floors ?? null,
    bounds,
    cut: { objects: cut.length, pieces: cut.reduce((sum, { pieces }) => sum + pieces, 0) },
    tiles,
  };
}
