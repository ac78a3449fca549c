// The input and result of a cook: a job for each source, and its outcome.

import type { AskedOptions, CookSettings, CookTarget } from '../config/types.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Limits } from '../diagnostics/limits.ts';
import type { SeverityPolicy } from '../diagnostics/policy.ts';
import type { AssetSearch } from '../importers/files.ts';
import type { ImportOptions } from '../importers/importer.ts';
import type { PlanOutcome } from './steps/plan/planOutcome.ts';
import type { StreamedFigures } from './steps/verify/checkStreamed.ts';
import type { ZoneFigures, ZonePair } from './zone/figures.ts';

/** A source of several that are cooked as one. */
export interface JoinedSource {
  /** As CookJob.source, content, root and search. */
  readonly source: string;
  readonly content?: Uint8Array | null;
  readonly root: string | null;
  readonly search?: AssetSearch;
  /** The name of the node above its nodes: letters, digits, `_` and `-`, unique. */
  readonly name: string;
  readonly options: ImportOptions;
}

export interface CookJob {
  /** The source, as the user wrote it; of several that are cooked as one, the name of the whole. */
  readonly source: string;
  /** The sources that are cooked as one; absent: it is one. */
  readonly joined?: readonly JoinedSource[];
  /** The content of the source where no file has it, as from standard input; absent or null: the file is read. */
  readonly content?: Uint8Array | null;
  /** Asset root, null for no bound. */
  readonly root: string | null;
  /** Where files are looked for that are not where the source says; absent: beside it only. */
  readonly search?: AssetSearch;
  readonly target: CookTarget;
  /** The colour grade, absolute; absent: none. */
  readonly colorGrade?: string;
  /** Files of --viewer-zone, absolute: their content is in the settings. Absent: none. */
  readonly zoneFiles?: readonly string[];
  readonly settings: CookSettings;
  /** The options that settings and policy are made of, for messages; absent: nobody wrote options. */
  readonly asked?: AskedOptions;
  readonly policy: SeverityPolicy;
  /** What the source may ask for; absent: the usual limits. */
  readonly limits?: Limits;
  /** When its time is over, in milliseconds since 1970; absent or null: never. */
  readonly deadline?: number | null;
  /** Replace files that no earlier cook of ours wrote. */
  readonly force: boolean;
  /** Plan only: nothing is cooked and nothing written. */
  readonly dryRun?: boolean;
  /** The working folder, if a complete cook is to be recorded in the cache; absent or null: it is not. */
  readonly recordedFrom?: string | null;
  /** What the sources are relative to, and paths in the main file of a shard; absent: the working folder of the process. */
  readonly workingFolder?: string;
  /** Seconds that it waits for another cook that holds the set; absent: 0. */
  readonly lockTimeout?: number;
  /** Whether the outcome says which parts were cooked again, and why. */
  readonly explains?: boolean;
  /** Cook this tile alone and leave the others as an earlier cook wrote them; absent or null: all. */
  readonly only?: string | null;
}

/** What became of one level over all tiles. */
export interface LevelTotals {
  /** `lod1` …, `hlod`; `far` for the HLODs of clusters, each of which counts as a tile. */
  readonly level: string;
  /** How many tiles have it; the others have a diagnostic with the reason, or are of a tier that gets no levels. */
  readonly tiles: number;
  readonly triangles: number;
}

/** A morph target of the output, over all meshes: apps set its weight by its name. */
export interface MorphTotals {
  readonly name: string;
  /** The weight of the source that the stored shape stands for: an app that sets w shows the source at `weight` + w. */
  readonly weight: number;
  /** Meshes of the source that it moves. */
  readonly meshes: number;
}

export interface CookTotals {
  readonly objects: number;
  /** Of a set or of a part of one, with its shared bucket; 0: a single file or a pack. */
  readonly tiles: number;
  /** Of a pack; 0: it is none. */
  readonly models: number;
  readonly trianglesIn: number;
  /** Triangles of tiles and shared bucket, without their levels. */
  readonly trianglesOut: number;
  /** The levels that the settings ask for. */
  readonly levels: readonly LevelTotals[];
  /** What pictures of the whole set show, streamed as by the engine; null: it has no levels, or is no set. */
  readonly streamed: StreamedFigures | null;
  readonly vertices: number;
  readonly materials: number;
  /** Files, the smaller ones for levels too; those that are part of another file are not counted. */
  readonly textures: number;
  /** Files of the output, each once, with the textures that it shares with others. */
  readonly files: number;
  /** Of these files. */
  readonly bytes: number;
  /** What became of the source for the eyes of a zone; absent: it is cooked for any. */
  readonly zone?: ZoneFigures;
  /** Absent: the output has no morph targets. */
  readonly morphs?: readonly MorphTotals[];
}

export interface CookOutput {
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** A shared texture that was in its place before: another file had brought it. Absent: it was written. */
  readonly isFound?: boolean;
}

export interface CookOutcome {
  readonly source: string;
  readonly status: 'ok' | 'failed';
  readonly outputs: readonly CookOutput[];
  readonly totals: CookTotals | null;
  /** The plan, after a dry run into a folder or file; absent otherwise. */
  readonly plan?: PlanOutcome;
  /** Sorted; severities after the policy. */
  readonly diagnostics: readonly Diagnostic[];
  /** Absolute paths of every file read, sorted; also when the cook failed. */
  readonly filesRead: readonly string[];
  /** For a zone, the pictures of source and result that are least alike; absent: none were drawn. */
  readonly pairs?: readonly ZonePair[];
  /** Parts that were cooked again and why, a line each; absent: nobody asked. */
  readonly rebuilt?: readonly string[];
}

/** How far a cook is: `done` of `total` steps of a phase; of textures, the texels of their images. */
export interface CookProgress {
  readonly phase: 'read' | 'textures' | 'cook' | 'levels' | 'write' | 'verify';
  readonly done: number;
  readonly total: number;
  /** Another cook that holds the set, in words: nothing is done until it ends. */
  readonly waitsFor?: string;
}

export type OnProgress = (progress: CookProgress) => void;
