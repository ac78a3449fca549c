// Reads and plans a source, and writes nothing.

import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { enforcePolicy } from '../diagnostics/policy.ts';
import { DEFAULT_TILING } from '../tiling/options.ts';
import { estimate } from '../tiling/partition/budgets.ts';
import { boundsOf } from '../tiling/partition/tile.ts';
import { rangeRadii } from '../tiling/streaming/radii.ts';
import type { Output } from './outputs/output.ts';
import type { CookPlan } from './planned.ts';
import type { Session } from './session.ts';
import { outputAtMost } from './steps/plan/atMost.ts';
import type { OutputAtMost, PlanOutcome, TileOutcome } from './steps/plan/planOutcome.ts';
import { reportBudget } from './steps/plan/reportBudget.ts';
import { planCook } from './steps/planCook.ts';
import { readScene } from './steps/readScene.ts';

/** The plan of a cook, and what is reported until then. Throws as cook() does. */
export async function dryRun(
  session: Session,
  output: Output,
): Promise<{ readonly plan: PlanOutcome; readonly diagnostics: readonly Diagnostic[] }> {
  const { job, diagnostics } = session;
  const read = await readScene(session, output);
  const plan = await planCook(read, session, output);
  const { budgets } = job.settings.tiling ?? DEFAULT_TILING;
  for (const { tile } of plan.payloads) if (tile) reportBudget(tile, tile.estimate, budgets, plan.scene, diagnostics);
  const atMost = await outputAtMost(plan, session, output);
  return { plan: planOutcome(plan, atMost), diagnostics: enforcePolicy(diagnostics.list, job.policy) };
}

/** The plan as a dry run shows it. */
function planOutcome({ tiles: plan, shown, zone }: CookPlan, atMost: OutputAtMost): PlanOutcome {
  const { mode, bounds } = shown;
  const cut = plan?.cut ?? [];
  const tiles = shown.payloads.map(({ path, objects, tile }): TileOutcome => {
    const content = tile?.bounds ?? boundsOf(objects);
    const { triangles, vertices, meshes, bytes } = tile?.estimate ?? estimate(objects);
    const radii = tile ? rangeRadii(tile.range, bounds, content) : null;
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
    mode,
    profile: plan && plan.mode !== 'uniform_grid' ? plan.profile : null,
    tileSize: plan?.tileSize ?? null,
    floors: plan?.floors ?? null,
    bounds,
    cut: { objects: cut.length, pieces: cut.reduce((sum, { pieces }) => sum + pieces, 0) },
    tiles,
    ...(zone ? { zone: zone.figures } : {}),
    atMost,
  };
}
