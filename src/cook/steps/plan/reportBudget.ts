// Warns of tiles that break a budget.

import type { Diagnostics } from '../../../diagnostics/diagnostic.ts';
import type { Scene } from '../../../scene/types.ts';
import { type Budgets, brokenBudgets } from '../../../tiling/partition/budgets.ts';
import type { Estimate, PlannedTile } from '../../../tiling/types.ts';

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
  const heaviest = tile.objects.reduce((max, object) => (object.vertices > max.vertices ? object : max));
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
