// The outcome of a dry run: the plan, with what each payload is expected to hold. Counts are those of the source, or of what the
// eyes of a zone left of it; a cook may store fewer vertices, compresses the bytes, and takes radii from the exact bounds.

import type { Bounds } from '../../../scene/types.ts';
import type { PartitioningMode, SemanticTier } from '../../../tiling/types.ts';
import type { ZoneFigures } from '../../zone/figures.ts';

export interface TileOutcome {
  readonly id: string;
  /** Relative to the manifest; a cook puts a hash of the content before its ending. */
  readonly path: string;
  /** Objects; each piece of a cut object counts as one. */
  readonly objects: number;
  readonly triangles: number;
  readonly expected: { readonly vertices: number; readonly meshes: number; readonly bytes: number };
  /** Of a model of a pack in its own space. */
  readonly bounds: Bounds;
  /** Metres; null for a single file and a model of a pack, as the priority. */
  readonly streamingRadius: number | null;
  readonly unloadRadius: number | null;
  readonly priority: number | null;
  /** Floor and tier of a tile in a tree; null in grid mode. */
  readonly floor: number | null;
  readonly tier: SemanticTier | null;
  /** Budgets that the payload is expected to break. */
  readonly overBudget: readonly string[];
}

/** So many files with so many bytes, or fewer. */
export interface FilesAtMost {
  readonly files: number;
  readonly bytes: number;
}

export interface OutputAtMost {
  /** Of all files. */
  readonly bytes: number;
  /** Of full detail. */
  readonly payloads: FilesAtMost;
  /** With the smaller ones for levels; of a format whose files hold their textures, no files. */
  readonly textures: FilesAtMost;
  /** Where other outputs share their folder: the textures one by one. Those with equal keys are one file. */
  readonly common?: readonly { readonly key: string; readonly bytes: number }[];
  /** With the textures that proxies are painted with. */
  readonly levels: FilesAtMost;
  /** Main file, plan map, clips, colour grade. */
  readonly other: FilesAtMost;
}

export interface PlanOutcome {
  readonly mode: PartitioningMode | 'single_file' | 'pack';
  /** The profile of the scene in a tree mode; null in grid mode. */
  readonly profile: 'indoor' | 'outdoor' | null;
  readonly tileSize: number | null;
  readonly floors: number | null;
  readonly bounds: Bounds;
  /** Objects that are cut, and into how many pieces. */
  readonly cut: { readonly objects: number; readonly pieces: number };
  readonly tiles: readonly TileOutcome[];
  /** What the eyes of a zone left of the source; absent: it is cooked for any. */
  readonly zone?: ZoneFigures;
  /** What a cook would write at most. */
  readonly atMost: OutputAtMost;
}
