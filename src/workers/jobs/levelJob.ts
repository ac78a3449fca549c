// What a thread gets to make the levels of one tile, and what it gives back.

import type { DrawnMesh } from '../../formats/format.ts';
import type { SharedPositions } from '../../geometry/lod/borders.ts';
import type { Bounds } from '../../scene/types.ts';
import type { LodQuality } from '../../tiling/streaming/lodQuality.ts';
import type { StreamingRange } from '../../tiling/streaming/radii.ts';
import type { ProxyImages } from './bakeProxy.ts';
import type { ProxyFormat } from './mergeMaterials.ts';

/** A mesh of a tile. */
export interface TileMesh extends DrawnMesh {
  /** How many coarser levels made by hand its objects have; absent: none. */
  readonly coarser?: number;
}

/** What artists have made of a tile's objects for one level. */
export interface AuthoredLevel {
  readonly meshes: readonly TileMesh[];
  /** As in AuthoredDrawing. */
  readonly coverageFrom: number | null;
}

export interface LevelJob {
  readonly tileId: string;
  readonly range: StreamingRange;
  /** Of the tile's vertices. */
  readonly bounds: Bounds;
  readonly meshes: readonly TileMesh[];
  /** From the nearest level on; absent: none is made by hand. */
  readonly authored?: readonly AuthoredLevel[];
  readonly lods: readonly number[];
  readonly hlod: number | null;
  /** Of an HLOD's textures, pixels along the longer side at most; null: materials are merged, nothing is baked. */
  readonly textureSize: number | null;
  readonly images: ProxyImages;
  readonly shared: SharedPositions;
  readonly format: ProxyFormat;
  /** How like full detail the pictures of levels must look; null: deviations alone decide. */
  readonly similarity: LodQuality | null;
  /** Whether the most similar level is kept where none looks like full detail. */
  readonly keepsCompromise: boolean;
}

export interface CookedLevel {
  /** `lod1` …, `hlod`: suffix of the file's name. Those left out take no number. `far`: a group's. */
  readonly name: string;
  readonly fileType: 'lod' | 'hlod';
  readonly meshes: readonly DrawnMesh[];
  readonly triangles: number;
  /** Measured, in metres. */
  readonly error: number;
  /** Metres: it is shown from no nearer. */
  readonly nearest: number;
  /** Metres from which pictures of it look like full detail; absent: nobody asked. */
  readonly looksFrom?: number | undefined;
}
