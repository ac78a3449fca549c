// What the page and its reading thread tell each other. Arrays are handed over, not copied.

import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import type {
  UntoldCamera,
  UntoldClip,
  UntoldLight,
  UntoldMaterial,
  UntoldSkeleton,
  UntoldTexture,
} from '../../../formats/untold/types.ts';
import type { Bounds, MorphDeltas } from '../../../scene/types.ts';
import type { ReadEnvironment } from './environment.ts';

export type Request = { readonly id: number } & (
  | { readonly kind: 'payload'; readonly url: string; readonly name: string }
  /** `content`: of a file that is on no server. */
  | { readonly kind: 'environment'; readonly url: string; readonly name: string; readonly content: Uint8Array | null }
  | { readonly kind: 'clips'; readonly url: string; readonly name: string }
  /** `astc`: the GPU takes blocks as they are. */
  | { readonly kind: 'texture'; readonly url: string; readonly name: string; readonly astc: boolean }
);

export type Reply =
  | { readonly id: number; readonly payload: ReadPayload }
  | { readonly id: number; readonly texture: ReadTexture }
  | { readonly id: number; readonly environment: ReadEnvironment }
  | { readonly id: number; readonly clips: readonly UntoldClip[] }
  /** Why there is nothing. `status`: of HTTP, where the file has not come; 0: there was no answer. */
  | { readonly id: number; readonly faults: readonly Diagnostic[]; readonly status?: number };

/** Unpacked vertices, each array once in a payload. */
export interface ReadGeometry {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  readonly tangents: Float32Array;
  /** V down: as textures have their first row at the top. */
  readonly uvs: Float32Array;
  readonly indices: Uint16Array | Uint32Array;
}

/** Joints that move the vertices of a mesh. */
export interface ReadSkin {
  /** Index into skeletons. */
  readonly skeleton: number;
  /** Indices into its joints, by the numbers that vertices have. */
  readonly joints: Uint32Array;
  /** Four a vertex. */
  readonly indices: Uint16Array;
  readonly weights: Float32Array;
  /** Over all poses, as the file states them. */
  readonly bounds: Bounds;
}

/** A morph target of a mesh. */
export interface ReadMorph extends MorphDeltas {
  readonly name: string;
}

/** A mesh of an entity that has a material. */
export interface ReadMesh {
  readonly name: string;
  /** Indices into entities, geometries and materials. */
  readonly entity: number;
  readonly geometry: number;
  readonly material: number;
  /** Null: no joints move it. */
  readonly skin: ReadSkin | null;
  /** No other mesh has its geometry if there are any. */
  readonly morphs: readonly ReadMorph[];
}

export interface ReadEntity {
  readonly id: number;
  /** The id of its parent. */
  readonly parent: number;
  readonly name: string;
  /** 16 numbers, column-major. */
  readonly world: Float64Array;
}

export interface ReadPayload {
  readonly fileType: string;
  readonly formatVersion: number;
  readonly bytes: number;
  /** Vertices and indices of each entity, as the engine stores them. */
  readonly gpuBytes: number;
  readonly triangles: number;
  readonly vertices: number;
  readonly entities: readonly ReadEntity[];
  readonly meshes: readonly ReadMesh[];
  readonly geometries: readonly ReadGeometry[];
  readonly skeletons: readonly UntoldSkeleton[];
  readonly materials: readonly UntoldMaterial[];
  readonly textures: readonly UntoldTexture[];
  readonly lights: readonly UntoldLight[];
  readonly cameras: readonly UntoldCamera[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface ReadMip {
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  /** Blocks, or RGBA; empty for an image. */
  readonly data: Uint8Array;
}

export interface ReadTexture {
  /** `astc4x4`, `png` …: as the file has it. */
  readonly format: string;
  readonly width: number;
  readonly height: number;
  /** Of the file. */
  readonly bytes: number;
  /** How `mips` hold it: ASTC blocks of this size, or RGBA; `image`: there is a picture instead. */
  readonly stored: 'astc' | 'rgba' | 'image';
  readonly blockWidth: number;
  readonly blockHeight: number;
  /** Green and alpha hold X and Y of normals. */
  readonly isPackedNormal: boolean;
  readonly mips: readonly ReadMip[];
  readonly image: ImageBitmap | null;
  readonly diagnostics: readonly Diagnostic[];
}
