// The results of textures/: materials reduced to what formats can store, and the image files that they use.

import { type GltfLayer, layerImages, type SlotPlaces } from '../scene/gltfMaterial.ts';
import {
  type FileSlot,
  fileSlots,
  type HeightMap,
  type MaterialFactors,
  type SlotChannels,
} from '../scene/materialSlots.ts';
import type { AlphaMode, UvChoice, Vec4 } from '../scene/types.ts';
import type { Pixels } from './decode/pixels.ts';

export type MissingTexture = 'error' | 'drop' | 'placeholder';

/** What becomes of textures: cooked for the GPU, written as PNG, WebP or KTX2, or kept as they are where nothing must change. */
export const TEXTURE_MODES = ['utex', 'png', 'webp', 'ktx2', 'keep'] as const;
export type TextureMode = (typeof TEXTURE_MODES)[number];
export const TEXTURE_QUALITIES = ['fast', 'medium', 'thorough'] as const;
export type TextureQuality = (typeof TEXTURE_QUALITIES)[number];
/** How sides become powers of two. */
export const TEXTURE_POTS = ['nearest', 'up', 'keep'] as const;
export type TexturePot = (typeof TEXTURE_POTS)[number];
/** How mips are filtered: in linear light, or as the engine's own tool does it. */
export const MIP_FILTERS = ['linear', 'engine'] as const;
export type MipFilter = (typeof MIP_FILTERS)[number];

/**
 * Texels along the sides of a block of ASTC. `auto`: the largest of these that keep the looks; `engine`: what the engine's own tool
 * makes, 6x6 for data and 4x4 for all else.
 */
export const TEXTURE_BLOCKS = ['auto', 'engine', '4x4', '5x5', '6x6', '8x8'] as const;
export type TextureBlocks = (typeof TEXTURE_BLOCKS)[number];

/** Who makes blocks of ASTC: the kernel, or the astcenc of the user's own. */
export const ASTC_ENCODERS = ['wasm', 'astcenc'] as const;
export type AstcEncoder = (typeof ASTC_ENCODERS)[number];

/** How texture files are made. All but the mode is for cooked textures alone. */
export interface TextureSettings {
  readonly mode: TextureMode;
  /** PNG files are not packed: the format packs their texels itself. Absent: they are. */
  readonly unpacked?: true;
  /** Null: fast, but medium for normals. */
  readonly quality: TextureQuality | null;
  /** Pixels along the longer side at most; null: as many as the source has. */
  readonly maxSize: number | null;
  readonly pot: TexturePot;
  readonly mipFilter: MipFilter;
  readonly blocks: TextureBlocks;
  /** With `auto`, what colours keep in dB; data may have less, and normals have an angle (encode/blockLoss.ts). */
  readonly psnr: number;
  readonly encoder: AstcEncoder;
  /** The version of an encoder of the user's own; null for the kernel's, whose version is the program's. */
  readonly encoderVersion: string | null;
}

/** Files of textures are the source's own where nothing must change, and PNG otherwise. */
export const KEPT_TEXTURES: TextureSettings = {
  mode: 'keep',
  quality: null,
  maxSize: null,
  pot: 'nearest',
  mipFilter: 'linear',
  blocks: 'auto',
  psnr: 42,
  encoder: 'wasm',
  encoderVersion: null,
};

/**
 * What texels mean, which decides how they are filtered and stored: colours in sRGB, tangent-space normals, or linear values
 * (roughness, metalness, occlusion, alone or packed), or heights, of which red alone counts.
 */
export type TextureRole = 'color' | 'normal' | 'data' | 'height';

/** Texels that become a file. */
export interface TexelImage {
  readonly width: number;
  readonly height: number;
  /** RGB or RGBA, rows from the top. */
  readonly data: Uint8Array;
  readonly channels: 3 | 4;
  /** Whether a fourth channel counts; otherwise it is dropped. */
  readonly alpha: boolean;
  /** Red with 16 bits a pixel, of heights; absent: `data` has all that there is. */
  readonly deep?: Uint16Array;
}

export interface TexelUse {
  readonly role: TextureRole;
  /** Alpha from which on a texel is drawn, for cut-outs; null for all else. */
  readonly alphaCutoff: number | null;
  /**
   * Cells or charts that stand at multiples of 4 pixels and that mips must not mix: each mip is the mean of four texels of
   * the one before, and sides stay as they are.
   */
  readonly split: boolean;
  /** Normals of the surface that roughness is widened by, and the channel of the roughness; null: nothing is widened. */
  readonly roughness: { readonly normals: TexelImage; readonly channel: number } | null;
}

/** Blocks of ASTC in an image file, for a cooked texture that takes them as they are. */
export interface AstcImage {
  readonly blockWidth: number;
  readonly blockHeight: number;
  readonly srgb: boolean;
  /** From the largest: row by row from the top, without padding. */
  readonly levels: readonly Uint8Array[];
  readonly width: number;
  readonly height: number;
}

/** The file of a texture. */
export interface TextureFile {
  readonly bytes: Uint8Array;
  /** Without a dot. */
  readonly extension: string;
  /** Of the first mip. */
  readonly width: number;
  readonly height: number;
  /** The texture format of the container's record: 0 for an image, 4 to 7 for blocks of ASTC. */
  readonly format: number;
  readonly mipCount: number;
}

/** The file of a texture without its largest mips. */
export type SmallerFile = Pick<TextureFile, 'bytes' | 'width' | 'height' | 'mipCount'> & { readonly sha256: string };

/** Makes and reads the files of textures. */
export interface TextureFiles {
  readonly mode: TextureMode;
  encode(image: TexelImage, use: TexelUse): Promise<TextureFile>;
  /**
   * The file of a colour texture whose blocks are what `encode` would make; null if they differ from that in any way. `alpha`:
   * whether alpha is drawn. Absent: files of this kind hold no blocks.
   */
  pass?(image: AstcImage, alpha: boolean): Promise<TextureFile | null>;
  /** The texels of a file, of a cooked one those of the largest mip with at most `side` pixels; null: it is broken. */
  decode(bytes: Uint8Array, side?: number): Promise<Pixels | null>;
  /** Smaller files of the same texture, each half as large as the one before; none of images. */
  smaller(bytes: Uint8Array): Promise<readonly SmallerFile[]>;
}

/** Where the bytes of finished files wait until they are written, so that those of a whole scene are never in memory. */
export interface HeldFiles {
  /** False: the caller keeps the bytes, because few are in memory so far. */
  hold(sha256: string, bytes: Uint8Array): boolean;
  /** Bytes that `hold` took. */
  read(sha256: string): Uint8Array;
}

/** The bytes of a texture's file. */
export function fileBytes({ bytes, sha256 }: PreparedTexture, held: HeldFiles): Uint8Array {
  return bytes ?? held.read(sha256);
}

/** A file ready to be written under Textures/; unique by content within a scene. */
export interface PreparedTexture extends Omit<TextureFile, 'extension' | 'bytes'> {
  /** Null: HeldFiles has them under the SHA-256. */
  readonly bytes: Uint8Array | null;
  /** `<stem>_<8 hex of the content's SHA-256>.png`, `<stem>.<8 hex>.utex` */
  readonly fileName: string;
  readonly sha256: string;
  /** The same texture without its first mip, without its first two, and so on, for levels; absent: there are none. */
  readonly smaller?: readonly PreparedTexture[];
  /** Texture flags of the container, over all uses: srgb 1, normalMap 2, emissive 64, occlusion 128. */
  readonly flags: number;
}

/** A texture that the cook paints itself. Levels read its texels. */
export interface PaintedTexture extends PreparedTexture {
  readonly bytes: Uint8Array;
}

/** Index into the prepared textures, -1 for none. */
export type PreparedSlots = { readonly [S in FileSlot]: number };

export const NO_TEXTURES: PreparedSlots = fileSlots(() => -1);

/** Factors beside the textures of a material, and the channels that these are read from. */
export interface PreparedFactors extends MaterialFactors, SlotChannels {}

export interface PreparedMaterial extends PreparedFactors {
  readonly name: string;
  readonly alphaMode: AlphaMode;
  readonly alphaCutoff: number;
  readonly slots: PreparedSlots;
  /** What the texels of the height map mean; absent where there is none. */
  readonly height?: HeightMap;
  /** The UVs that every mesh drawn with this material gets as uv0. */
  readonly uv: UvChoice;
  /**
   * How the normal map was turned into the tangent space of uv0. `[tx, ty, bx, by]`: the new axes, of unit length, in the
   * old tangent (x) and bitangent (y); authored tangents are turned to them. `'anew'`: parts of the map were turned
   * differently, so tangents are made again from uv0. Null: the texels are as authored, and authored tangents are kept.
   */
  readonly tangentTurn: Vec4 | 'anew' | null;
  readonly usesVertexColors: boolean;
  /** Absent: it is lit. 'emission': its colour is its emission, over black. 'kept': its base colour is shown as it is. */
  readonly unlit?: 'emission' | 'kept';
  /** Absent: one side is drawn, where a viewer cares; the engine always draws both. */
  readonly doubleSided?: true;
  /** As SceneMaterial.layers, with indices into the prepared textures. */
  readonly layers?: readonly GltfLayer[];
  /** As SceneMaterial.places; then `uv` says nothing. */
  readonly places?: SlotPlaces;
}

/** The prepared textures that a material uses: of its slots, then of its layers. */
export function texturesOf({ slots, layers }: Pick<PreparedMaterial, 'slots' | 'layers'>): number[] {
  return [...(Object.values(slots) as number[]).filter((texture) => texture >= 0), ...layerImages(layers)];
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

/**
 * Texture coordinates of a set for each unit of the points, over all that a material is drawn on: the root of the ratio of the
 * areas. Null: there is no area, or no such coordinates.
 */
export type ReadUvDensity = (material: number, set: string) => Promise<number | null>;
