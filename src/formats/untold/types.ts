// A .untold file as values: what the writer takes and the reader gives. Field names follow the format text; numbers are
// the format's own. Geometry is packed already (mesh/packMesh.ts).

import type {
  FileSlot,
  HeightMap,
  MATERIAL_FACTORS,
  MaterialFactor,
  MaterialFactors,
  SlotChannels,
} from '../../scene/materialSlots.ts';
import type { Bounds, CarriedFile, ColorGrade, Mat4, MorphDriver, Vec2, Vec3 } from '../../scene/types.ts';
import type { Compression, Compressor, FileType, WriteOptions } from '../format.ts';

/** UInt32.max: "none" in every index and string field. */
export const NONE = 0xffffffff;

export type { Compression, Compressor, FileType, WriteOptions };

export interface UntoldScene {
  readonly fileType: FileType;
  /** Union of the entities' world bounds; zeros when there is no geometry. */
  readonly worldBounds: Bounds;
  readonly entities: readonly UntoldEntity[];
  readonly meshes: readonly UntoldMesh[];
  readonly materials: readonly UntoldMaterial[];
  readonly textures: readonly UntoldTexture[];
  /** Absent: no chunk of that kind. Their ids continue those of the entities; the entity table has no records for them. */
  readonly lights?: readonly UntoldLight[];
  readonly cameras?: readonly UntoldCamera[];
  /** Absent: no chunk of that kind. */
  readonly colorGrade?: ColorGrade;
  /** Absent: no chunk of that kind. One skeleton an entity, one skin a mesh. */
  readonly skeletons?: readonly UntoldSkeleton[];
  readonly skins?: readonly UntoldSkin[];
  /** Absent: no chunk of that kind. */
  readonly morphs?: readonly UntoldMorph[];
  /** All that a file of type `animation` has: its other tables are not written. */
  readonly clips?: readonly UntoldClip[];
  /** What of a file is not known here; absent: nothing. */
  readonly carried?: CarriedFile;
}

export interface UntoldEntity {
  readonly id: number;
  /** Parent's id, NONE for a root. */
  readonly parent: number;
  readonly name: string;
  readonly firstMesh: number;
  readonly meshCount: number;
  readonly localBounds: Bounds;
  readonly worldBounds: Bounds;
  readonly localTransform: Mat4;
}

export interface UntoldMesh {
  /** Id of the entity that owns it. */
  readonly entity: number;
  readonly name: string;
  /** Index into materials, NONE for none. */
  readonly material: number;
  readonly vertexCount: number;
  /** 32 bytes a vertex, PBR static layout V1. An array that several meshes share is stored once. */
  readonly vertices: Uint8Array;
  /** Little-endian; the element type is the index type. An array that several meshes share is stored once. */
  readonly indices: Uint16Array | Uint32Array;
  /** Pairs of vertices, of the type of the indices. An array that several meshes share is stored once. Absent: none. */
  readonly edges?: Uint16Array | Uint32Array;
  readonly localBounds: Bounds;
}

/** The factors of a material under the names of its record. */
export type UntoldFactors = {
  readonly [F in MaterialFactor as (typeof MATERIAL_FACTORS)[F]['untold']]: MaterialFactors[F];
};

/** Indices into textures, NONE for none. */
export type UntoldTextures = { readonly [S in FileSlot as `${S}Texture`]: number };

export interface UntoldMaterial extends UntoldFactors, UntoldTextures, SlotChannels {
  readonly name: string;
  readonly alphaMode: 'opaque' | 'mask' | 'blend';
  readonly alphaCutoff: number;
  /** What the texels of `heightTexture` mean; null where there is none. */
  readonly height: HeightMap | null;
}

export interface UntoldTexture {
  readonly name: string;
  /** Relative to the folder of the .untold: `Textures/albedo_1a2b3c4d.png`. */
  readonly uri: string;
  /** 0 for PNG and JPEG. */
  readonly format: number;
  /** srgb 1, normalMap 2, lut 4, height 8, emissive 64, occlusion 128. */
  readonly flags: number;
  readonly width: number;
  readonly height: number;
  readonly mipCount: number;
}

/** World space; angles in degrees. */
export interface UntoldLight {
  readonly entity: number;
  readonly name: string;
  readonly type: 'directional' | 'point' | 'spot' | 'area';
  readonly castsShadow: boolean;
  /** The intensity is in W, or W/m2 of a directional light, and `falloff` is a range; an artistic factor otherwise. */
  readonly radiometric: boolean;
  /** `falloff` limits the light; without this the light is unbounded. */
  readonly customDistance: boolean;
  /** Linear rgb, 0 to 1. */
  readonly color: Vec3;
  readonly intensity: number;
  readonly position: Vec3;
  readonly radius: number;
  /** Where it shines: -Z of its transform. */
  readonly direction: Vec3;
  readonly falloff: number;
  readonly right: Vec3;
  /** Half-angles. */
  readonly innerCone: number;
  readonly up: Vec3;
  readonly outerCone: number;
  readonly areaSize: Vec2;
  readonly sourcePower: number;
  readonly sourceExposure: number;
  readonly localTransform: Mat4;
}

/** World space, metres, degrees. */
export interface UntoldCamera {
  readonly entity: number;
  readonly name: string;
  readonly position: Vec3;
  readonly fovYDegrees: number;
  readonly forward: Vec3;
  readonly nearClip: number;
  readonly up: Vec3;
  readonly farClip: number;
  readonly right: Vec3;
  readonly aspectRatio: number;
  /** Columns right, up, forward: its determinant is -1. */
  readonly localTransform: Mat4;
}

export interface UntoldSkeleton {
  /** Id of the entity that it hangs on. */
  readonly entity: number;
  readonly name: string;
  /** Parents before their children. */
  readonly joints: readonly UntoldJoint[];
}

export interface UntoldJoint {
  /** Index in the skeleton, NONE for a root. */
  readonly parent: number;
  /** "/Hip/Leg": channels of clips name joints by it. */
  readonly path: string;
  /** Joint to model space in the pose of the stored vertices. */
  readonly bind: Mat4;
  /** Joint to its parent's space at rest; of a root to model space. */
  readonly rest: Mat4;
}

export interface UntoldSkin {
  /** Id of the entity with the mesh. */
  readonly entity: number;
  /** Index into meshes. */
  readonly mesh: number;
  /** Id of the entity with the skeleton. */
  readonly skeletonEntity: number;
  /** Joints of the skeleton that vertices refer to. */
  readonly joints: Uint32Array;
  /** Four a vertex: indices into `joints`. An array that several skins share is stored once. */
  readonly indices: Uint16Array;
  /** Parallel to `indices`; the four of a vertex add up to 1. An array that several skins share is stored once. */
  readonly weights: Float32Array;
}

/** A morph target of one mesh record. Its name may be that of targets of other meshes, which then have one weight. */
export interface UntoldMorph {
  /** Index into meshes. */
  readonly mesh: number;
  readonly name: string;
  readonly hasNormals: boolean;
  /** Multiplies the deltas of positions. */
  readonly positionScale: number;
  /** Ascending. */
  readonly vertices: Uint32Array;
  /** Parallel to `vertices`: the halves x, y, z of the position's delta, then of the normal's. */
  readonly deltas: Uint16Array;
  readonly drivers: readonly MorphDriver[];
}

export interface UntoldClip {
  readonly name: string;
  /** Seconds. */
  readonly duration: number;
  readonly channels: readonly UntoldChannel[];
}

/** Values relative to the parent joint; no keys of a kind leave the rest value. */
export interface UntoldChannel {
  /** Path of a joint. */
  readonly path: string;
  /** x, y, z. */
  readonly translations: UntoldKeys;
  /** x, y, z, w. */
  readonly rotations: UntoldKeys;
}

export interface UntoldKeys {
  /** Seconds, ascending. */
  readonly times: Float32Array;
  /** The numbers of each key, one key after another. */
  readonly values: Float32Array;
}
