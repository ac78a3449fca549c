// What why() tells of an output: the largest of each kind, and what would make it smaller.

import type { Diagnostic } from '../../diagnostics/diagnostic.ts';

/** What an option saves. Absent: nothing of the kind, or it cannot be worked out. */
export interface Saving {
  /** On the disk. */
  readonly bytes?: number;
  /** Of textures on the GPU, with all mips. */
  readonly gpuBytes?: number;
  /** Of vertices and indices in memory. */
  readonly geometry?: number;
  readonly triangles?: number;
  readonly draws?: number;
}

/** An option that makes the output smaller. */
export interface Change {
  /** As it is typed. */
  readonly option: string;
  /** What it does, and what it costs. */
  readonly what: string;
  /** In the whole output: every file, wherever somebody stands. */
  readonly saves: Saving;
  /** In what was asked about alone; absent: nothing was named. */
  readonly savesHere?: Saving;
}

export interface WhyPayload {
  /** Of the tile, or the name of the file or model. */
  readonly tile: string;
  /** `full`, `lod1` …, `hlod`. */
  readonly level: string;
  /** Relative to the folder of the set. */
  readonly path: string;
  readonly bytes: number;
  readonly geometry: number;
  readonly triangles: number;
  readonly draws: number;
  /** Null: it is loaded as a whole. */
  readonly loading: {
    /** Metres from the bounds of the tile from which on this level is shown. */
    readonly from: number;
    /** Metres at which full detail is asked for, and at which the tile is let go. */
    readonly streaming: number | null;
    readonly unload: number | null;
    /** Higher ones come first. */
    readonly priority: number;
  } | null;
}

export interface WhyTexture {
  /** Relative to the folder of the set. */
  readonly path: string;
  readonly bytes: number;
  readonly gpuBytes: number;
  readonly width: number;
  readonly height: number;
  /** That name it. */
  readonly payloads: number;
  /** That read it, by name. */
  readonly materials: readonly string[];
}

export interface WhyMesh {
  readonly name: string;
  /** Of its entity: of merged meshes the tile's. */
  readonly entity: string;
  readonly tile: string;
  readonly level: string;
  /** Of vertices and indices. */
  readonly bytes: number;
  readonly vertices: number;
  readonly triangles: number;
  readonly material: string;
  /** How often the file places it. */
  readonly placements: number;
}

export interface WhyMaterial {
  readonly name: string;
  readonly draws: number;
  readonly triangles: number;
  readonly payloads: number;
  /** Of its textures, each once. */
  readonly gpuBytes: number;
}

/** What a part of a vertex, or another part of geometry, takes in memory. */
export interface WhyAttribute {
  readonly name: string;
  readonly bytes: number;
}

export interface WhyTotals {
  readonly payloads: number;
  /** Of payloads and textures on the disk. */
  readonly bytes: number;
  readonly geometry: number;
  readonly triangles: number;
  readonly draws: number;
  readonly textures: number;
  readonly gpuBytes: number;
}

export type SubjectKind = 'tile' | 'texture' | 'material' | 'node' | 'mesh';

export interface WhyDocument {
  /** Relative to the working folder. */
  readonly output: string;
  /** What was named; null: the whole output. All that follows is of it alone. */
  readonly subject: { readonly kind: SubjectKind; readonly name: string } | null;
  readonly totals: WhyTotals;
  /** The ten largest of each. */
  readonly payloads: readonly WhyPayload[];
  readonly textures: readonly WhyTexture[];
  readonly meshes: readonly WhyMesh[];
  readonly materials: readonly WhyMaterial[];
  readonly attributes: readonly WhyAttribute[];
  /** Other files that name the texture that was asked about, relative to the working folder. */
  readonly others: readonly string[];
  /** What saves most first. */
  readonly changes: readonly Change[];
  readonly diagnostics: readonly Diagnostic[];
}
