// The interface of a target: what a cook asks of the format that it writes. A format is a folder beside this file and an
// entry of registry.ts; nothing outside of formats/ knows how a file is laid out.

import type { Diagnostic, Diagnostics } from '../diagnostics/diagnostic.ts';
import type { AttributeArray, Semantic } from '../geometry/mesh/attributes.ts';
import type { SourceLocation } from '../geometry/mesh/location.ts';
import type { Float32Mesh, Mesh } from '../geometry/mesh/mesh.ts';
import type { UvLimits } from '../geometry/uv/limits.ts';
import type { FileSlot } from '../scene/materialSlots.ts';
import type { NodeTree } from '../scene/nodeTree.ts';
import type { NodeRig, RigClip, RigSkeleton } from '../scene/rig.ts';
import type {
  AlphaMode,
  Bounds,
  CarriedFile,
  ColorGrade,
  Mat4,
  ParallelCamera,
  SceneAsset,
  SceneCamera,
  SceneLight,
  Vec3,
  Vec4,
} from '../scene/types.ts';
import type {
  PaintedTexture,
  PreparedMaterial,
  PreparedMaterials,
  PreparedTexture,
  TextureMode,
} from '../textures/types.ts';

/** What a payload is for. */
export type FileType = 'tile' | 'lod' | 'hlod' | 'shared' | 'animation';
/** How a chunk is stored. */
export type Compression = 'none' | 'lz4' | 'zstd';
/** What chunks can be packed with: `lz4-fast` makes larger blocks of `lz4` in less time. */
export const COMPRESSORS = ['none', 'lz4', 'lz4-fast', 'zstd'] as const;
export type Compressor = (typeof COMPRESSORS)[number];
/** How the geometry of a GLB is packed: EXT_meshopt_compression without loss, KHR_mesh_quantization, KHR_draco_mesh_compression. */
export const GEOMETRY_PACKERS = ['meshopt', 'quantize', 'draco'] as const;
export type GeometryPacker = (typeof GEOMETRY_PACKERS)[number];
/** The values of --compress. */
export const COMPRESS_VALUES = [...COMPRESSORS, ...GEOMETRY_PACKERS] as const;
export type CompressValue = (typeof COMPRESS_VALUES)[number];

export interface WriteOptions {
  readonly compression: Compressor;
  /** Raises the version; the lowest that holds the content is written otherwise. */
  readonly formatVersion?: number | undefined;
  /**
   * The path from the file to a folder of textures that many files share, with `/` at its end; textures there are named by
   * their content alone (sharedTextureName). Absent: `Textures/`, with names that begin as their images do.
   */
  readonly sharedTextures?: string | undefined;
  /** Whether files hold the edges that a wireframe shows; HLODs never do. */
  readonly edges?: boolean | undefined;
  /** What messages call the file. */
  readonly file?: string;
  /** Absent: geometry is stored as it is. */
  readonly geometry?: GeometryPacker | undefined;
  /** Of the two layouts of BPX packages; absent: 'spec'. */
  readonly layout?: 'spec' | 'crate' | undefined;
}

/** What a mesh is drawn with: a staged material, with the changes that its vertex colours brought. */
export interface MeshMaterial {
  readonly material: PreparedMaterial;
  /** Multiplied into the base colour; null: the base colour is unchanged. */
  readonly tint: Vec4 | null;
  /** A base colour texture that replaces the material's own; null: none does. */
  readonly palette: PaintedTexture | null;
  /** An emission texture that replaces the material's own; absent or null: none does. */
  readonly emission?: PaintedTexture | null;
}

/** What the cook has painted in place of a slot's texture. */
function paintedTexture({ palette, emission }: MeshMaterial, slot: FileSlot): PaintedTexture | null | undefined {
  if (slot === 'baseColor') return palette;
  return slot === 'emissive' ? emission : null;
}

/** The texture that a surface shows in a slot. `textures`: all that its material refers to. */
export function slotTexture(
  surface: MeshMaterial,
  slot: FileSlot,
  textures: readonly PreparedTexture[],
): PreparedTexture | undefined {
  return paintedTexture(surface, slot) ?? textures[surface.material.slots[slot]];
}

/**
 * Names of its own, or those of a mesh that belongs to the tile as a whole: `<tile>_<mesh>`, or where it is merged from
 * several `<tile>_<material>`, as the material is called in the file. Entities beyond the first of a name get `_1`, `_2` …
 */
export type MeshNaming =
  | { readonly entity: string; readonly mesh: string }
  | { readonly tile: string; readonly mesh?: string };

/** A mesh in world space with what it is drawn with. */
export interface DrawnMesh {
  readonly naming: MeshNaming;
  readonly surface: MeshMaterial;
  readonly mesh: Float32Mesh;
}

/** A mesh and where it stands: its world matrix; null: it is in world space. */
export interface PlacedMesh {
  readonly mesh: Mesh;
  readonly world: Mat4 | null;
}

/** A mesh as a format stores it; the rest is the format's own. */
export interface StoredMesh {
  readonly vertexCount: number;
  readonly indices: { readonly length: number };
  /** The bounds of the positions as stored. */
  readonly bounds: Bounds;
}

/** What a mesh is drawn with in some variants of the file, in place of its own. */
export interface VariantSurface {
  readonly surface: MeshMaterial;
  /** Indices into Authored.materialVariants. */
  readonly variants: readonly number[];
}

/** A stored mesh of a payload. */
export interface PayloadMesh<S extends StoredMesh = StoredMesh> {
  readonly naming: MeshNaming;
  readonly surface: MeshMaterial;
  /** Given to formats that keep them (FormatFacts.keepsMaterials); absent: none. */
  readonly variants?: readonly VariantSurface[];
  readonly stored: S;
  /**
   * `stored` is in its own space and is drawn once at each of these: translation, rotation and positive scale, stored as
   * float32. Absent: it is in world space and drawn once. Meshes that share `stored` share what is in the file.
   */
  readonly placements?: readonly Mat4[];
  /** What moves it, if a skeleton does. Such a mesh is in world space. */
  readonly rig?: NodeRig;
  /** How many coarser levels made by hand its objects have; absent: none. */
  readonly coarser?: number;
  /** The node of the object, where each object keeps entities of its own; absent: objects may be merged. Nodes of `PayloadInput.tree` are named by it. */
  readonly node?: number;
}

/** How often the mesh is drawn: its entities. */
export function entityCount({ placements }: Pick<PayloadMesh, 'placements'>): number {
  return placements?.length ?? 1;
}

/** With the node of the file's tree at which it stands: index into Scene.nodes. Absent: it stands at the root. */
export type Standing<T> = T & { readonly node?: number };

/** What a file carries by itself, without a manifest: lights, cameras and the skeletons of its meshes. */
export interface Authored {
  readonly lights?: readonly Standing<SceneLight>[];
  readonly cameras?: readonly Standing<SceneCamera>[];
  readonly parallelCameras?: readonly Standing<ParallelCamera>[];
  readonly skeletons?: readonly RigSkeleton[];
  /** Clips that lie in the file itself: given to formats that hold theirs (FormatFacts.isWhole). */
  readonly clips?: readonly RigClip[];
  readonly colorGrade?: ColorGrade;
  /** What the source, a file of this format, holds that is not known here. */
  readonly carried?: CarriedFile;
  /** What the source says of itself. */
  readonly asset?: SceneAsset;
  /** Names of the variants of materials. */
  readonly materialVariants?: readonly string[];
}

export interface PayloadInput<S extends StoredMesh = StoredMesh> {
  readonly fileType: FileType;
  readonly meshes: readonly PayloadMesh<S>[];
  /** All staged textures; materials refer to them by index. */
  readonly textures: readonly PreparedTexture[];
  /** Lights and cameras that the file itself carries. */
  readonly authored: Authored;
  /** The nodes of the file; absent: there are none but those that draw a mesh, at the root. */
  readonly tree?: NodeTree;
  readonly options: WriteOptions;
}

/** What a payload holds. */
export interface PayloadMeasures {
  /** The smallest box around all vertices, after each entity's placement is applied. */
  readonly bounds: Bounds;
  /** Vertices and indices of each entity: the engine gives each mesh record buffers of its own. */
  readonly gpuBytes: number;
  /** Entities that are drawn, and their vertices: what the engine puts into batches. */
  readonly meshes: number;
  readonly vertices: number;
}

export interface EncodedPayload extends PayloadMeasures {
  /** The whole file. */
  readonly file: Uint8Array;
}

export interface EmittedPayload extends PayloadMeasures {
  /** Relative to the set's base. */
  readonly path: string;
  readonly bytes: number;
}

/** An encoded file, from this cook or an earlier one. Its meshes are not instanced. `name` is for messages. */
export interface NamedFile {
  readonly name: string;
  readonly file: Uint8Array;
}

/** A mesh with several placements that entities can hold. */
export interface InstanceCandidate {
  readonly vertexCount: number;
  readonly indexCount: number;
  readonly placements: number;
  /** The size of an entity's name as UTF-8. */
  readonly nameBytes: number;
  /** Key of the merged mesh that it is baked into if it is not instanced; null: each placement is an entity in any case. */
  readonly merged: string | null;
}

export interface EntityLimits {
  /** Entities that a payload may have because of instances. A payload without instances may have any number. */
  readonly max: number;
  /** Entities that are never merged. */
  readonly own: number;
  /** For each merged mesh, by its key, the number of candidates and other parts that go into it. */
  readonly merged: ReadonlyMap<string, number>;
}

/** A mesh of a file where it is drawn, in world space. */
export interface DrawnFileMesh {
  readonly positions: Float32Array;
  /** Vectors of any length. */
  readonly normals: Float32Array;
  /** V up. */
  readonly uv0: Float32Array;
  readonly indices: Uint32Array;
  /** Index into DrawnFile.materials. */
  readonly material: number;
}

/** The properties of a material that a picture depends on; colours are linear. */
export interface DrawnFileMaterial {
  readonly alphaMode: AlphaMode;
  readonly alphaCutoff: number;
  readonly baseColor: Vec4;
  readonly emissive: Vec3;
  /** The share of the light from behind that passes: RasterMaterial has the same. */
  readonly transmission?: number;
  /** URIs as the file has them, relative to its folder; null for none. */
  readonly baseColorTexture: string | null;
  readonly emissiveTexture: string | null;
  /** How metallic and how rough it is: Finish of the renderer has the same; absent: the file does not say. */
  readonly finish?: {
    readonly metallic: number;
    readonly roughness: number;
    readonly metallicTexture: string | null;
    readonly roughnessTexture: string | null;
    readonly metallicChannel: number;
    readonly roughnessChannel: number;
  };
}

/** What is drawn of a file of this format, also of one that another program wrote. */
export interface DrawnFile {
  /** The names of its morph targets; absent: it has none, or the format holds none. */
  readonly morphs?: readonly string[];
  readonly meshes: readonly DrawnFileMesh[];
  readonly materials: readonly DrawnFileMaterial[];
}

/** A file of an output; the path is relative to its base, with `/`. */
export interface OutputFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A tile of a set, or all of a single file. */
export interface AssembledTile {
  readonly id: string;
  /** Metres from its nearest point beyond which it is not drawn; 0: at any distance. */
  readonly drawDistance: number;
  /** Payloads from near to far, each shown from its distance on, in metres from the nearest point; the first from 0. */
  readonly levels: readonly { readonly path: string; readonly distance: number }[];
}

export interface AssemblyInput {
  /** Of the scene, or of the single file without its extension. */
  readonly name: string;
  readonly isSet: boolean;
  readonly tiles: readonly AssembledTile[];
  /** With skeletons and clips. */
  readonly authored: Authored;
  /** Of a single file: the nodes of its payload; absent: none. */
  readonly tree?: NodeTree;
  /** A payload by its path, once for each time that a level names it. */
  readonly read: (path: string) => Uint8Array;
  /** A texture that payloads name. */
  readonly texture: (fileName: string) => Uint8Array;
  /** The source, for messages. */
  readonly source: string;
  readonly diagnostics: Diagnostics;
}

/** How an output is made of its payloads, where they are not its files themselves. */
export interface Assembly {
  /** The files of the output, among them its textures and clips. Reports losses; throws what the writers throw. */
  files(input: AssemblyInput): AsyncIterable<OutputFile>;
  /** Whether `verify` checks the file with that path. */
  isChecked(path: string): boolean;
}

/** Options that some formats honour and others refuse, as flags without their dashes. */
export const TARGET_OPTIONS = [
  'compress',
  'format-version',
  'textures-dir',
  'share-textures',
  'meshopt',
  'optimize',
  'layout',
  'edges',
  'color-grade',
  'only',
  'shard',
] as const;
export type TargetOption = (typeof TARGET_OPTIONS)[number];

/** What is known of a format without its code: its entry in registry.ts. */
export interface FormatFacts {
  readonly id: string;
  /** The extension of its files, with the dot. */
  readonly extension: string;
  /** Whether sets of tiles with a manifest are written in it; otherwise every output is one file. */
  readonly hasTiles: boolean;
  /** Whether a file holds its textures and clips; otherwise they lie beside it. */
  readonly isWhole: boolean;
  /** Whether a file holds morph targets. */
  readonly hasMorphs: boolean;
  /**
   * The node tree of a file that is not a tile: none; 'rigid': nodes are turned and moved, and scales are part of the vertices;
   * 'scaled': they have their scales, too; 'bones': they are bones, and vertices stay in the space of the file.
   */
  readonly tree: 'none' | 'rigid' | 'scaled' | 'bones';
  /** Whether a file holds cameras as glTF has them: orthographic ones, and those that leave the far plane or the aspect open. */
  readonly hasLenses: boolean;
  /** Whether what reads its files draws the colours of vertices. */
  readonly drawsColors: boolean;
  /** Whether a vertex has all sets of colours of the source, otherwise what is drawn. */
  readonly hasColorSets: boolean;
  /** The same of texture coordinates. */
  readonly hasUvSets: boolean;
  /** Whether a file can say that a material is not lit. */
  readonly hasUnlit: boolean;
  /** Whether a file holds materials of glTF as they are, with extensions, samplers, sets of texture coordinates and variants. */
  readonly keepsMaterials: boolean;
  /** What textures may become, the usual first; empty: there is no place for them. */
  readonly textures: readonly TextureMode[];
  /** Whether a file packs texels itself, so that images need not be packed on their way; absent: it does not. */
  readonly packsTexels?: true;
  /** The values of --compress that it honours, the usual first; empty: it has none. */
  readonly compressors: readonly CompressValue[];
  /** Of the options that not every format honours, those that this one does. */
  readonly options: readonly TargetOption[];
}

/** A format as a cook uses it. */
export type Format<S extends StoredMesh = StoredMesh> = FormatFacts & FormatCode<S>;

/** What the folder of a format implements. Its functions use no `this`. */
export interface FormatCode<S extends StoredMesh = StoredMesh> {
  /** The attributes that a stored vertex may have; others are not made for it. */
  readonly attributes: readonly Semantic[];
  /** Which texture coordinates a stored vertex can have. */
  readonly uvs: UvLimits;
  readonly instances: {
    /** True for each candidate that is to be stored once and placed by entities. */
    choose(candidates: readonly InstanceCandidate[], limits: EntityLimits): boolean[];
    /** Whether storing the candidate once saves enough, apart from the limits on entities. */
    isWorth(candidate: InstanceCandidate): boolean;
  };

  /**
   * One stored mesh of all parts, which `surface` draws: placed, merged, welded, ordered. Null when nothing is left. Empties
   * `parts`. Throws UC2011; reports UC2000, UC2001 and UC2010.
   */
  storeParts(
    parts: PlacedMesh[],
    diagnostics: Diagnostics,
    location: SourceLocation,
    surface: MeshMaterial,
  ): Promise<S | null>;
  /** A mesh stored as it is: its vertices and triangles in their order. */
  storeMesh(mesh: Float32Mesh): S;
  /** What is drawn of a stored mesh, in world space, as decode gives it back. `placements`: matrices of its entities, if any. */
  drawn(stored: S, placements: readonly Mat4[] | null): Promise<Float32Mesh>;
  /** The positions of what is drawn, in any order; equal ones may occur several times. */
  drawnPositions(stored: S, placements: readonly Mat4[] | null): Float32Array;
  /** The values of an attribute as a file gives them back; null for an attribute that it does not hold. */
  round(semantic: Semantic, values: AttributeArray): AttributeArray | null;

  /** One payload as a file. Throws what the writer throws. */
  encode(payload: PayloadInput<S>): Promise<EncodedPayload>;
  /** A payload that draws nothing; asked of formats with tiles alone. The engine counts it as loaded and hides the level that it replaces. */
  encodeBlank(name: string, options: WriteOptions): Promise<EncodedPayload>;
  /** A clip as a file of its own; null: the format has none, or its models hold theirs. */
  readonly clips: {
    /** With the dot. */
    readonly extension: string;
    /** Throws what the writer throws. */
    encode(clip: RigClip, options: WriteOptions): Promise<Uint8Array>;
    /** The name that a clip has in its file; null: it is no file of clips. */
    nameIn(file: Uint8Array): Promise<string | null>;
  } | null;
  /** Null: payloads are the files of the output. */
  readonly assembly: Assembly | null;
  /** What a file leaves out or changes of what the scene holds: one finding a kind. `file`: for messages. */
  lossesOf(authored: Authored, file: string, prepared: PreparedMaterials): readonly Diagnostic[];
  /** Warnings about a compression that engines may not read. `file`: for messages. */
  compressionWarnings(compression: Compressor, file: string): readonly Diagnostic[];

  /**
   * The meshes of an encoded payload in world space: one for each that was given to `encode` and in that order, each of which
   * became as many entities as `entities` lists for it.
   */
  decode(file: Uint8Array, name: string, entities: readonly number[]): Promise<Float32Mesh[]>;
  /**
   * The meshes of files with what they are drawn with; asked of formats with tiles alone. `textures`: all staged ones, which materials refer to by index;
   * `palettes`: by file name, the bytes of all other textures that the files use as base colours and emission. Throws what
   * the reader throws.
   */
  decodeDrawn(
    files: readonly NamedFile[],
    textures: readonly PreparedTexture[],
    palettes: ReadonlyMap<string, Uint8Array>,
  ): Promise<DrawnMesh[]>;
  /**
   * What is drawn of a file, at each of its entities. `morphs`: weights of morph targets by name; others are 0. Throws what the
   * reader throws.
   */
  drawnFile(file: Uint8Array, name: string, morphs?: ReadonlyMap<string, number>): Promise<DrawnFile>;
  /** The file names of the textures that a payload names. */
  textureNames(file: Uint8Array): Promise<string[]>;
  /** The paths of these textures as the file has them, relative to its folder. Throws SourceError for a damaged file. */
  textureUris(file: Uint8Array): Promise<string[]>;
  /** Measures a payload that an earlier cook wrote; `textures` are the files that it names. */
  measure(
    file: Uint8Array,
    name: string,
  ): Promise<Pick<PayloadMeasures, 'meshes' | 'vertices'> & { readonly textures: readonly string[] }>;
  /** All findings of a file by the format's own rules, and with `engine` by what today's engine loads. */
  verify(file: Uint8Array, name: string, rules: VerifyRules): Promise<readonly Diagnostic[]>;
  /** What is wrong with the textures that the file names as far as the file itself is concerned. */
  checkTextures(file: Uint8Array, name: string, probe: TextureProbe): Promise<TextureCheck>;
  /** Whether a file is one of a tiled set, which only a manifest makes a scene; by its name without folders and its content. */
  isTileOfSet(fileName: string, file: Uint8Array): boolean;
}

/** Files beside a payload; paths are relative to its folder, with `/`. */
export interface TextureProbe {
  exists(path: string): boolean;
  /** The first bytes of a file that exists, at most so many; null when it cannot be read. */
  head(path: string, bytes: number): Uint8Array | null;
}

export interface TextureCheck {
  /** A finding for each texture that is nowhere the engine looks, or that is another than the file says. */
  readonly diagnostics: readonly Diagnostic[];
  /** Paths of the textures that the engine loads as .utex files, each once. They are not checked themselves. */
  readonly cooked: readonly string[];
}

export interface VerifyRules {
  readonly engine: boolean;
}
