// The results of textures/: materials reduced to what formats can store, and the image files that they use.

import type { AlphaMode, UvChoice, Vec3, Vec4 } from '../scene/types.ts';

export type MissingTexture = 'error' | 'drop' | 'placeholder';

/** A PNG or JPEG ready to be written under Textures/; unique by content within a scene. */
export interface PreparedTexture {
  /** `<stem>_<8 hex of the content's SHA-256>.png` */
  readonly fileName: string;
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly width: number;
  readonly height: number;
  /** Texture flags of the container, over all uses: srgb 1, normalMap 2, emissive 64, occlusion 128. */
  readonly flags: number;
}

/** Index into the prepared textures, -1 for none. */
export interface PreparedSlots {
  readonly baseColor: number;
  readonly normal: number;
  readonly metallic: number;
  readonly roughness: number;
  readonly emissive: number;
  readonly occlusion: number;
}

/** Factors of a material that its textures may include, and the channels that its packed textures use. */
export interface MaterialFactors {
  readonly baseColor: Vec4;
  readonly metallic: number;
  readonly roughness: number;
  readonly emissive: Vec3;
  /** 0 r, 1 g, 2 b, 3 a. */
  readonly metallicChannel: number;
  readonly roughnessChannel: number;
}

export interface PreparedMaterial {
  readonly name: string;
  readonly alphaMode: AlphaMode;
  readonly alphaCutoff: number;
  readonly baseColor: Vec4;
  readonly metallic: number;
  readonly roughness: number;
  readonly emissive: Vec3;
  readonly normalScale: number;
  readonly occlusionStrength: number;
  readonly slots: PreparedSlots;
  /** 0 r, 1 g, 2 b, 3 a of the slot's texture. */
  readonly roughnessChannel: number;
  readonly metallicChannel: number;
  /** The UVs that every mesh drawn with this material gets as uv0. */
  readonly uv: UvChoice;
  /**
   * How the normal map was turned into the tangent space of uv0. `[tx, ty, bx, by]`: the new axes, of unit length, in the
   * old tangent (x) and bitangent (y); authored tangents are turned to them. `'anew'`: parts of the map were turned
   * differently, so tangents are made again from uv0. Null: the texels are as authored, and authored tangents are kept.
   */
  readonly tangentTurn: Vec4 | 'anew' | null;
  readonly usesVertexColors: boolean;
}

export interface PreparedMaterials {
  /** One for each of Scene.materials, in its order. */
  readonly materials: readonly PreparedMaterial[];
  readonly textures: readonly PreparedTexture[];
}

/**
 * Corner UVs of every triangle drawn with a material, over all meshes: for each set asked, 6 numbers for each triangle
 * (u, v of three corners), V up; zeros where a mesh lacks the set. Triangles agree between the sets.
 */
export type ReadUvTriangles = (material: number, sets: readonly string[]) => Promise<ReadonlyMap<string, Float32Array>>;
