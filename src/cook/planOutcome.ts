// What a dry run tells: the plan, with what is expected of each payload. Counts are those of the source; the cook may
// store fewer vertices, compresses the bytes, and takes radii from the exact bounds.

import type { Bounds } from '../scene/types.ts';
import type { PartitioningMode, SemanticTier } from '../tiling/types.ts';

export interface TileOutcome {
  readonly id: string;
  /** Relative to the manifest; a cook puts a hash of the content before its ending. */
  readonly path: string;
  /** Each piece of one that is cut counts. */
  readonly objects: number;
  readonly triangles: number;
  readonly expected: { readonly vertices: number; readonly meshes: number; readonly bytes: number };
  readonly bounds: Bounds;
  /** Metres; null for a single file, as the priority. */
  readonly streamingRadius: number | null;
  readonly unloadRadius: number | null;
  readonly priority: number | null;
  /** Of the tree modes. */
  readonly floor: number | null;
  readonly tier: SemanticTier | null;
  /** The budgets that are broken; empty: none. */
  readonly overBudget: readonly string[];
}

export interface PlanOutcome {
  readonly mode: PartitioningMode | 'single_file';
  /** Of the tree modes. */
  readonly profile: 'indoor' | 'outdoor' | null;
  readonly tileSize: number | null;
  readonly floors: number | null;
  readonly bounds: Bounds;
  /** Objects that are cut, and into how many pieces. */
  readonly cut: { readonly objects: number; readonly pieces: number };
  readonly tiles: readonly TileOutcome[];
}
