// The plan of a cook: which object goes to which payload. Made from bounds and counts alone.

import type { NodeTags } from '../scene/tags.ts';
import type { Bounds } from '../scene/types.ts';

/** One placement of one mesh. */
export interface PlannedObject {
  /** Index into Scene.nodes. */
  readonly node: number;
  /** World bounds, never too small. */
  readonly bounds: Bounds;
  readonly triangles: number;
  /** What its author says of it; absent or null: nothing. */
  readonly tags?: NodeTags | null;
}

export interface PlannedTile {
  readonly id: string;
  /** File name inside the payload folder. */
  readonly fileName: string;
  /** Cell numbers (x, y, z) as the manifest spells them; null for the shared bucket. */
  readonly cell: readonly [number, number, number] | null;
  readonly objects: readonly PlannedObject[];
}

export interface GridPlan {
  /** Of all objects, loose. */
  readonly bounds: Bounds;
  readonly tileSize: number;
  /** In order of (z, y, x) of their cells. */
  readonly tiles: readonly PlannedTile[];
  /** Objects too wide for the cells; null when there are none. */
  readonly shared: PlannedTile | null;
}
