// What a cook takes and gives: settings, one job a source, its outcome.

import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { SeverityPolicy } from '../diagnostics/policy.ts';
import type { Compression } from '../emit/payload.ts';
import type { ImportOptions } from '../importers/importer.ts';
import type { MissingTexture } from '../textures/types.ts';
import type { TilingOptions } from '../tiling/plan.ts';
import type { PlanOutcome } from './planOutcome.ts';
import type { SubdivisionLevels } from './subdivided.ts';

/** The settings that decide the bytes: equal source files and settings give equal output. */
export interface CookSettings {
  /** What is taken from the source, and how it is read; undefined: everything, as it is authored. */
  readonly source?: ImportOptions | undefined;
  /** How often subdivision surfaces are refined; undefined: not at all, their cages are drawn. */
  readonly subdivide?: SubdivisionLevels | undefined;
  readonly missingTexture: MissingTexture;
  /** Edge of a grid cell in metres. */
  readonly tileSize: number;
  /** How the scene is cut; absent: a grid with the usual budgets. */
  readonly tiling?: TilingOptions | undefined;
  /** Most triangles of each level of detail as a share of its tile's, falling; absent or empty: none. */
  readonly lods?: readonly number[];
  /** The same for the stand-in of a far tile; absent or null: none. */
  readonly hlod?: number | null;
  /** From 2 on far tiles share stand-ins, 2^(n-1) squared of them each; absent or 1: each tile has its own alone. */
  readonly hlodLevels?: number | undefined;
  /** Whether a mesh of several placements may be stored once; absent: 'auto', where that makes a file smaller. */
  readonly instances?: 'auto' | 'bake' | undefined;
  readonly compress: Compression;
  /** Raises the format version. */
  readonly formatVersion?: number | undefined;
}

/** Where the output goes: a manifest with its payload folder, or one file. Absolute paths. */
export type CookTarget =
  | {
      readonly kind: 'folder';
      /** `DIR/<sub>`; holds `<scene>.json` and `<scene>/`. */
      readonly folder: string;
      readonly sceneName: string;
    }
  | { readonly kind: 'file'; readonly path: string };

export interface CookJob {
  /** As the user named it. */
  readonly source: string;
  /** Asset root, null for no bound. */
  readonly root: string | null;
  readonly target: CookTarget;
  readonly settings: CookSettings;
  readonly policy: SeverityPolicy;
  /** Replace files that no earlier cook of ours wrote. */
  readonly force: boolean;
  /** Plan only: nothing is cooked and nothing written. */
  readonly dryRun?: boolean;
  /** Cook this tile alone and leave the others as an earlier cook wrote them; absent or null: all. */
  readonly only?: string | null;
}

/** What became of one level over all tiles. */
export interface LevelTotals {
  /** `lod1` …, `hlod`; `far` for the stand-ins of groups, each of which counts as a tile. */
  readonly level: string;
  /** How many have it; the others have a diagnostic that says why not, or are of a tier that gets none. */
  readonly tiles: number;
  readonly triangles: number;
}

export interface CookTotals {
  readonly objects: number;
  readonly tiles: number;
  readonly trianglesIn: number;
  /** Of tiles and shared bucket, without their levels. */
  readonly trianglesOut: number;
  /** Those that were asked for. */
  readonly levels: readonly LevelTotals[];
  readonly vertices: number;
  readonly materials: number;
  readonly textures: number;
  readonly bytes: number;
}

export interface CookOutput {
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface CookOutcome {
  readonly source: string;
  readonly status: 'ok' | 'failed';
  readonly outputs: readonly CookOutput[];
  readonly totals: CookTotals | null;
  /** Of a dry run into a folder or file; absent otherwise. */
  readonly plan?: PlanOutcome;
  /** Sorted; severities after the policy. */
  readonly diagnostics: readonly Diagnostic[];
  /** Absolute paths of every file read, sorted; also when the cook failed. */
  readonly filesRead: readonly string[];
}

/** Stages of one cook, for progress: `done` of `total` steps. */
export interface CookProgress {
  readonly stage: 'read' | 'textures' | 'cook' | 'levels' | 'write' | 'verify';
  readonly done: number;
  readonly total: number;
}

export type OnProgress = (progress: CookProgress) => void;
