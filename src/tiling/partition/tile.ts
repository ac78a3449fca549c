// One tile of a plan from a group of objects.

import { unite } from '../../scene/bounds.ts';
import type { Bounds } from '../../scene/types.ts';
import { tilePriority } from '../streaming/priority.ts';
import type { PlannedObject, PlannedTile } from '../types.ts';
import type { BudgetedGroup } from './budgets.ts';
import { byNode } from './order.ts';

/** The union of the objects' bounds; there must be at least one object. */
export function boundsOf(objects: readonly PlannedObject[]): Bounds {
  let bounds: Bounds | null = null;
  for (const object of objects) bounds = unite(bounds, object.bounds);
  if (bounds === null) throw new Error('no objects to plan with');
  return bounds;
}

/** A tile of a group or of a part of one, which then has `_s` and its cuts at the end of its id. */
export function makeTile(
  base: string,
  part: BudgetedGroup,
  location: Pick<PlannedTile, 'cell' | 'tree' | 'range' | 'priority'>,
): PlannedTile {
  const id = part.cuts === '' ? base : `${base}_s${part.cuts}`;
  const objects = [...part.objects].sort(byNode);
  return {
    ...location,
    id,
    stem: id,
    objects,
    bounds: boundsOf(objects),
    priority: tilePriority(objects, location.priority),
    estimate: part.estimate,
    over: part.over,
  };
}
