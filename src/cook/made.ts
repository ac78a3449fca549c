// What the steps after the plan make: plain values, each the input of the next step, and where they make them.

import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Authored, EmittedPayload, Format } from '../formats/format.ts';
import type { EmittedCluster, EmittedLevel, EmittedTile, SetTile } from '../formats/manifest/write.ts';
import type { ChainLevel } from '../formats/untoldpack/document.ts';
import type { OutputSet } from '../output/outputSet.ts';
import type { SharedTexture } from '../output/sharedTextures.ts';
import type { FilesBeside } from '../output/verify.ts';
import type { Bounds } from '../scene/types.ts';
import type { PreparedMaterial, PreparedTexture } from '../textures/types.ts';
import type { HlodCluster } from '../tiling/streaming/hlodClusters.ts';
import type { PlannedTile } from '../tiling/types.ts';
import type { DrawnIndex, JobScene } from '../workers/jobs.ts';
import type { Runners } from '../workers/workerPool.ts';
import type { CookPlan } from './planned.ts';
import type { ReportParts } from './reportParts.ts';
import type { LevelImages } from './steps/levels/levelImages.ts';
import type { LevelSources } from './steps/levels/levelSources.ts';
import type { GradeFile } from './steps/textures/colorGrade.ts';
import type { ColorPlans } from './steps/textures/vertexColors.ts';
import type { CookTotals, LevelTotals } from './types.ts';
import type { KeptUnits, UnitNote } from './units/unitStore.ts';
import type { ZonePair } from './zone/figures.ts';

/** The scene as threads need it: materials and textures are ready. */
export interface PreparedScene {
  readonly format: Format;
  readonly jobScene: JobScene;
  readonly colors: ColorPlans;
  /** Null: nobody asks for one. */
  readonly grade: GradeFile | null;
  /** What each payload carries by itself. */
  readonly authored: Authored;
}

/** Where payloads are made and written: the prepared scene, the threads that have it, and the open set. */
export interface Workshop extends PreparedScene {
  readonly set: OutputSet;
  readonly runners: Runners;
  /** Where tiles and levels are kept from cook to cook; null: nowhere. */
  readonly units: KeptUnits | null;
  /** Which part of the cook reports what. */
  readonly reports: ReportParts;
}

/** What of an earlier cook stays in the set: only a cook of one tile keeps any. */
export interface KeptTiles {
  readonly tiles: ReadonlyMap<PlannedTile, EmittedTile>;
  /** Relative to the set's base; hlodOf adds to them. */
  readonly textures: ReadonlySet<string>;
  /** Of these, the textures that other sets share, with their SHA-256. */
  readonly sharedTextures: ReadonlyMap<string, string>;
  /** Adds the kept HLOD of a cluster to the set. Null: the earlier cook made none. Undefined: this cook must make it. Throws what the set and the reader throw. */
  readonly hlodOf: (cluster: HlodCluster) => Promise<EmittedLevel | null | undefined>;
}

export interface WrittenPayloads {
  /** By their plan, the tiles that were written; empty ones are not. */
  readonly tiles: ReadonlyMap<PlannedTile, EmittedTile>;
  /** The materials of the tiles. */
  readonly materials: ReadonlySet<PreparedMaterial>;
  readonly textures: ReadonlySet<PreparedTexture>;
  readonly payloads: number;
  readonly triangles: number;
  readonly vertices: number;
  /** Null: no levels are made. */
  readonly forLevels: LevelSources | null;
  /** What each model that gets a chain is drawn with, by path. */
  readonly models: ReadonlyMap<string, readonly DrawnIndex[]>;
}

export interface WrittenLevels {
  /** All tiles of the set, kept ones too, with their levels and with bounds that hold those. */
  readonly tiles: ReadonlyMap<PlannedTile, EmittedTile>;
  /** What the levels are drawn with. */
  readonly textures: ReadonlySet<PreparedTexture>;
  readonly totals: readonly LevelTotals[];
  /** Null: no levels are made. */
  readonly images: LevelImages | null;
}

/** An HLOD cluster whose file was written. */
export interface WrittenCluster {
  readonly planned: EmittedCluster['planned'];
  /** Those with levels, as they are in the set. */
  readonly members: readonly SetTile[];
  /** The bounds of the members with their levels. */
  readonly bounds: Bounds;
  readonly hlod: EmittedLevel;
  /** The file without meshes, which all clusters share. */
  readonly blank: EmittedPayload;
}

/** How many clusters were planned, and how many of them have no place for an HLOD. */
export interface ClusterCounts {
  readonly clusters: number;
  /** Fewer than two members have levels. */
  readonly few: number;
  /** Members would be seen too far off. */
  readonly far: number;
}

export interface WrittenClusters {
  readonly clusters: readonly WrittenCluster[];
  readonly counts: ClusterCounts;
  /** What the HLODs are drawn with. */
  readonly textures: readonly PreparedTexture[];
  readonly total: LevelTotals;
}

/** The LOD chains of the models of a pack. */
export interface WrittenChains {
  /** By the path of a model, its levels, the finest first. */
  readonly chains: Readonly<Record<string, readonly Required<ChainLevel>[]>>;
  readonly totals: readonly LevelTotals[];
}

/** All that was made of a plan. */
export interface MadeScene {
  readonly plan: CookPlan;
  readonly kept: KeptTiles;
  readonly payloads: WrittenPayloads;
  readonly levels: WrittenLevels;
  /** Null: nobody asks for HLODs of clusters. */
  readonly clusters: WrittenClusters | null;
  readonly chains: WrittenChains;
  /** All that its files name, by file name. */
  readonly textures: ReadonlyMap<string, PreparedTexture>;
}

/** An output that is complete in its staging folder. */
export interface FinishedOutput {
  /** Textures that go into a folder which other files share. */
  readonly shared: readonly SharedTexture[];
  /** Files that its main file names and that are not in the set, by path relative to it; absent: none. */
  readonly beside?: FilesBeside;
  /** The tiles of a set that is drawn as a whole to find holes; null: it has no levels, or is no whole set. */
  readonly streamed: { readonly tiles: readonly SetTile[]; readonly shared: SetTile | null } | null;
}

/** What is known of an output once it is staged and checked; it holds nothing of the scene. */
export interface StagedSet {
  readonly totals: CookTotals;
  readonly diagnostics: readonly Diagnostic[];
  /** Textures that go into a folder which other files share. */
  readonly shared: readonly SharedTexture[];
  /** What is kept for later cooks. */
  readonly units: readonly UnitNote[];
  /** Pictures of source and result that are least alike; absent: none were drawn. */
  readonly pairs?: readonly ZonePair[];
}
