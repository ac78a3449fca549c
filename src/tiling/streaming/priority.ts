// The order in which the engine loads tiles: the exporter's default priority, raised by the tags of objects.

import type { NodeTags } from '../../scene/tags.ts';
import type { PlannedObject } from '../types.ts';

/** Written by the exporter into every tile and the defaults. */
export const DEFAULT_PRIORITY = 10;

/** What is always loaded comes first, as a hint of Critical does. */
export const ALWAYS_PRIORITY = 15;

/** The exporter's numbers. */
const HINTS: Readonly<Record<NonNullable<NodeTags['priority']>, number>> = {
  Low: 3,
  Normal: 8,
  High: 12,
  Critical: 15,
};

/** The highest of what the tile has anyway and the hints of its objects. */
export function tilePriority(objects: readonly PlannedObject[], base = DEFAULT_PRIORITY): number {
  let priority = base;
  for (const { tags } of objects) {
    if (tags?.priority) priority = Math.max(priority, HINTS[tags.priority]);
  }
  return priority;
}
