// What passes between the cook of a source and the threads that do its heavy parts: plain values, so that a job gives
// the same result wherever it runs. A thread knows the scene's materials once, and of its meshes what its jobs bring.

import type { ReportedDiagnostic } from '../diagnostics/diagnostic.ts';
import type {
  Authored,
  EncodedPayload,
  FileType,
  MeshMaterial,
  MeshNaming,
  NamedFile,
  StoredMesh,
  WriteOptions,
} from '../formats/format.ts';
import type { FormatId } from '../formats/registry.ts';
import type { Palette } from '../geometry/mesh/colors.ts';
import type { Float32Mesh } from '../geometry/mesh/mesh.ts';
import type { BakedColors } from '../geometry/uv/colorCharts.ts';
import type { SharedCache } from '../output/cache/cache.ts';
import { DEFAULT_FACTORS, slotChannels } from '../scene/materialSlots.ts';
import type { NodeTree } from '../scene/nodeTree.ts';
import type { CutPlanes, PlaneCell } from '../scene/planes.ts';
import type { NodeRig } from '../scene/rig.ts';
import type { Bounds, Mat4, PolygonMesh, VariantMaterial, Vec4 } from '../scene/types.ts';
import type { FileOutcome, FileRequest } from '../textures/makeFile.ts';
import {
  NO_TEXTURES,
  type PaintedTexture,
  type PreparedMaterial,
  type PreparedTexture,
  type TextureSettings,
} from '../textures/types.ts';
import type { LodQuality } from '../tiling/streaming/lodQuality.ts';
import type { StreamingRange } from '../tiling/streaming/radii.ts';
import type { Losses } from '../zone/careful.ts';
import type { HoleLook, Made } from '../zone/holes.ts';
import type { Look, View } from '../zone/look.ts';
import type { NewParts } from '../zone/looker.ts';
import type { ZoneMesh } from '../zone/thin.ts';
import type { CoverageRequest, PayloadCoverage } from './jobs/coverage.ts';

/** What all jobs of one source need. */
export interface JobScene {
  /** The source's name in messages. */
  readonly source: string;
  /** In the order of the scene's, under the names that they have in every file. */
  readonly materials: readonly PreparedMaterial[];
  /** All prepared textures; materials refer to them by index. */
  readonly textures: readonly PreparedTexture[];
  /** Textures of vertex colours. */
  readonly palettes: readonly PaintedTexture[];
  /** The format that payloads are written in. */
  readonly format: FormatId;
  readonly textureSettings: TextureSettings;
  /** Where painted textures are kept from cook to cook; null: nowhere. */
  readonly cache: SharedCache | null;
  readonly write: Omit<WriteOptions, 'file'>;
}

/** What a mesh is drawn with, between threads: indices into the scene's materials and palettes, -1 for the default material or none. */
export interface MeshMaterialIndex {
  readonly material: number;
  readonly tint: Vec4 | null;
  readonly palette: number;
}

/**
 * What becomes of the vertex colours of a FaceGroup, as cook/steps/textures/vertexColors.ts decided. `palette` is the index of a palette
 * texture in JobScene.palettes, `cells` are the colours in that texture, `colors` says where a mesh has its own there.
 */
export type FaceColor =
  | { readonly kind: 'white' }
  | { readonly kind: 'tint'; readonly tint: Vec4 }
  | { readonly kind: 'palette'; readonly cells: Palette; readonly palette: number }
  | { readonly kind: 'baked'; readonly colors: BakedColors; readonly palette: number }
  | { readonly kind: 'store' };

/** The faces of one subset of a primitive, -1 for those that none claims. */
export interface FaceGroup {
  readonly subset: number;
  readonly path: string;
  readonly material: number;
  readonly color: FaceColor;
  /** As ScenePrimitive.variants; absent: none. */
  readonly variants?: readonly VariantMaterial[] | undefined;
}

export interface PrimitiveSource {
  readonly path: string;
  readonly faces: readonly FaceGroup[];
  /** The polygons, or how to get them where no thread lies between. */
  readonly polygons: PolygonMesh | (() => Promise<PolygonMesh>);
}

/** One mesh of the scene. */
export interface MeshSource {
  /** Index into Scene.meshes. */
  readonly mesh: number;
  readonly primitives: readonly PrimitiveSource[];
}

/** One placement of one mesh. */
export interface JobObject {
  /** Index into Scene.nodes. */
  readonly node: number;
  /** Source path of the node. */
  readonly path: string;
  /** The object's name: the node's, or its replacement's. */
  readonly name: string;
  readonly mesh: number;
  readonly meshName: string;
  readonly world: Mat4;
  /** What moves it, if a skeleton does. */
  readonly rig?: NodeRig;
  /** Whether it is never merged, whatever its name; absent: its name says so. */
  readonly own?: true;
  /** How many coarser levels made by hand the levels of its tile use; absent: none. */
  readonly coarser?: number;
  /** Of an object that was cut, what lies in this payload; null: all of it does. */
  readonly cut: readonly CutMesh[] | null;
}

/** What lies in one cell of one part of a mesh that was cut, in world space. */
export interface CutMesh {
  readonly surface: MeshMaterialIndex;
  /** Equal for parts that may be merged. */
  readonly key: string;
  readonly mesh: Float32Mesh;
}

/** Make the file of a texture. */
export interface TextureJob {
  readonly kind: 'texture';
  /** What messages call it. */
  readonly name: string;
  readonly request: FileRequest;
}

export interface TextureResult {
  readonly kind: 'texture';
  readonly outcome: FileOutcome;
}

/** Place an object and cut it at planes. */
export interface SplitJob {
  readonly kind: 'split';
  readonly object: JobObject;
  readonly planes: CutPlanes;
  readonly sources: MeshSource[];
  readonly forget: readonly number[];
}

export interface SplitResult {
  readonly kind: 'split';
  readonly pieces: readonly (PlaneCell & { readonly parts: readonly CutMesh[] })[];
  readonly prepared: PayloadResult['prepared'];
  readonly reported: readonly ReportedDiagnostic[];
}

/** What a payload may have of instances. */
export interface InstanceLimits {
  /** Entities, instances and all others. What is never merged is an entity in any case, and becomes one without room. */
  readonly maxEntities: number;
  /**
   * Boxes of what other payloads hold (geometry/lod/borders.ts): inside, instances must have the positions of baked meshes to
   * the last bit.
   */
  readonly borders: readonly Bounds[];
}

/** Cook the objects of one payload and encode them. */
export interface PayloadJob {
  readonly kind: 'payload';
  /** Objects of a tile are merged into its entities; null: a single file, where each keeps its own. */
  readonly tileId: string | null;
  readonly fileType: FileType;
  readonly authored: Authored;
  /** The nodes of the file, in whose frames meshes are stored; absent: all meshes stand at the root. */
  readonly tree?: NodeTree;
  /** Whether objects of a single file are merged as those of a tile, but those that move; absent: each keeps its own. */
  readonly joins?: true;
  readonly objects: readonly JobObject[];
  /** Meshes that the thread does not have yet. Whoever runs the job empties the list. */
  readonly sources: MeshSource[];
  /** Meshes that no later job of this thread will ask for without bringing them. */
  readonly forget: readonly number[];
  /** Boxes of other payloads that vertices of this one may lie in; empty where nobody will ask. */
  readonly neighbours: readonly Bounds[];
  /** Null: every placement is baked. */
  readonly instances: InstanceLimits | null;
  /** Whether the result brings the stored meshes along, for levels. */
  readonly keepsMeshes: boolean;
}

/** What a mesh was drawn with, between threads. */
export interface DrawnIndex {
  readonly naming: MeshNaming;
  readonly surface: MeshMaterialIndex;
  /** How often it is drawn. */
  readonly entities: number;
  /** Of its objects, as JobObject.coarser. */
  readonly coarser?: number;
  /** Where each object keeps entities of its own: whose it is. Absent: objects may be merged. */
  readonly of?: DrawnObject;
}

/** The object that an entity of its own is of. */
export interface DrawnObject {
  /** Index into Scene.nodes. */
  readonly node: number;
  /** Whether the entity places the mesh; otherwise its vertices stand where they are drawn. */
  readonly isPlaced: boolean;
}

export interface PayloadResult {
  readonly kind: 'payload';
  /** Null: nothing has an area. */
  readonly payload: (EncodedPayload & { readonly triangles: number }) | null;
  readonly drawn: readonly DrawnIndex[];
  /** The meshes of the payload's file, in the order of `drawn`; null unless the job asks for them. */
  readonly stored: readonly StoredDrawing[] | null;
  /** Of its vertices those inside the neighbours' boxes (borders.ts). */
  readonly borders: Uint32Array;
  /** Diagnostics of meshes that were prepared for this job, by mesh. */
  readonly prepared: readonly { readonly mesh: number; readonly reported: readonly ReportedDiagnostic[] }[];
  /** Diagnostics of the payload itself. */
  readonly reported: readonly ReportedDiagnostic[];
}

/** A mesh as the format stores it, and where entities draw it: null for one that is in world space. */
export interface StoredDrawing {
  readonly stored: StoredMesh;
  /** As they are stored. */
  readonly placements: readonly Mat4[] | null;
}

/** What artists have made of a tile's objects for one level. */
export interface AuthoredDrawing {
  readonly drawn: readonly DrawnIndex[];
  /** In the order of `drawn`. */
  readonly stored: readonly StoredDrawing[];
  /** Metres from which screen coverage asks for it; null: it does not for all of the objects. */
  readonly coverageFrom: number | null;
}

/** Make the levels of one tile. */
export interface LevelsJob {
  readonly kind: 'levels';
  readonly tileId: string;
  readonly range: StreamingRange;
  /** Of the tile's vertices. */
  readonly bounds: Bounds;
  /** The tile's meshes, or its file where memory had no room to keep them. */
  readonly tile: { readonly stored: readonly StoredDrawing[] } | { readonly file: Uint8Array };
  /** In the order of the tile's meshes. */
  readonly drawn: readonly DrawnIndex[];
  /** What artists have made of its objects for each level, from the nearest on; absent: nothing. */
  readonly authored?: readonly AuthoredDrawing[];
  readonly lods: readonly number[];
  readonly hlod: number | null;
  /** How like full detail the pictures of levels must look; null: deviations alone decide. */
  readonly similarity: LodQuality | null;
  /** Whether the most similar level is kept where none looks like full detail. */
  readonly keepsCompromise: boolean;
  /** Of an HLOD's textures, pixels along the longer side at most; null: materials are merged, nothing is baked. */
  readonly textureSize: number | null;
  readonly images: BroughtImages;
}

/** Files of the scene's base colour and emission textures that HLODs take their colours from, which the thread does not have yet. */
export type BroughtImages = readonly { readonly texture: number; readonly bytes: Uint8Array }[];

export interface LevelResult extends EncodedPayload {
  /** `lod1` …, `hlod`; `far` for an HLOD cluster's. */
  readonly name: string;
  readonly fileType: 'lod' | 'hlod';
  readonly triangles: number;
  /** Measured, in metres. */
  readonly error: number;
  /** Metres from which pictures of it look like full detail; absent: nobody asked. */
  readonly looksFrom?: number | undefined;
  /** File names of the scene's textures that it is drawn with, or of smaller files of them. */
  readonly textures: readonly string[];
  /** Textures that were made for it or for colours. */
  readonly made: readonly PaintedTexture[];
}

export interface LevelsResult {
  readonly kind: 'levels';
  readonly levels: readonly LevelResult[];
  readonly reported: readonly ReportedDiagnostic[];
}

/** Make the proxy of an HLOD cluster from its members' last levels. */
export interface ClusterJob {
  readonly kind: 'cluster';
  readonly clusterId: string;
  /** The members' last levels, most often their HLODs. */
  readonly files: readonly NamedFile[];
  /** Bytes of the textures that the files name and the scene does not have, by file name. */
  readonly palettes: ReadonlyMap<string, Uint8Array>;
  /** Most triangles, as a share of the members'. */
  readonly ratio: number;
  /** Error in metres that it may have besides theirs. */
  readonly limit: number;
  /** The largest error of theirs, in metres. */
  readonly error: number;
  /** Metres from which on it is shown if nothing can be seen of its error. */
  readonly start: number;
  /** As a tile's. */
  readonly textureSize: number | null;
  readonly images: BroughtImages;
}

export interface ClusterResult {
  readonly kind: 'cluster';
  /** Null: it would be no gain. */
  readonly hlod: LevelResult | null;
  readonly reported: readonly ReportedDiagnostic[];
}

/** Make the LOD chain of one model of a pack. */
export interface ChainJob {
  readonly kind: 'chain';
  /** The path of the model. */
  readonly name: string;
  /** Its file. */
  readonly file: Uint8Array;
  /** In the order of its meshes. */
  readonly drawn: readonly DrawnIndex[];
  /** Shares of the triangles; null: what looks like the model decides. */
  readonly ratios: readonly number[] | null;
  /** As in LevelsJob. */
  readonly similarity: LodQuality | null;
  readonly images: BroughtImages;
  /** What artists have made of the model for its levels, the finest first; absent: nothing. */
  readonly authored?: readonly AuthoredChainLevel[];
}

/** What artists have made of a model for one level. */
export interface AuthoredChainLevel {
  /** From 1. */
  readonly number: number;
  /** Each is of an object of the model, and placed or not as that is (DrawnIndex.of). */
  readonly drawn: readonly DrawnIndex[];
  /** In the order of `drawn`. */
  readonly stored: readonly StoredDrawing[];
  /** Metres from the centre from which screen coverage asks for it; null: it does not for all of the objects. */
  readonly coverageFrom: number | null;
}

/** A level file, and from where it is shown. */
export interface ChainFile {
  readonly file: Uint8Array;
  /** The share of the view's height from which it is shown. */
  readonly screenSize: number;
  readonly triangles: number;
  /** Measured, in metres. */
  readonly error: number;
}

export interface ChainResult {
  readonly kind: 'chain';
  readonly levels: readonly ChainFile[];
  /** In words why there are none; null: there are some. */
  readonly leftOut: string | null;
  readonly reported: readonly ReportedDiagnostic[];
}

/** Draw what one payload of a finished set covers of the pictures of cameras. */
export interface CoverageJob extends CoverageRequest {
  readonly kind: 'coverage';
}

export interface CoverageResult extends PayloadCoverage {
  readonly kind: 'coverage';
}

/** Find what an eye sees of the parts of a scene (src/zone). */
export interface LookJob {
  readonly kind: 'look';
  readonly name: string;
  readonly view: View;
  /** Parts that the thread does not have yet, or has without triangles. */
  readonly parts: NewParts;
}

export interface LookResult {
  readonly kind: 'look';
  readonly look: Look;
}

/** Find what an eye sees of the parts of a scene and misses in what was made of them. */
export interface HolesJob extends Omit<LookJob, 'kind'> {
  readonly kind: 'holes';
  readonly made: Made;
}

export interface HolesResult {
  readonly kind: 'holes';
  readonly look: HoleLook;
}

/** Simplify what lies in one ring around a zone. */
export interface ThinJob {
  readonly kind: 'thin';
  readonly name: string;
  readonly meshes: readonly ZoneMesh[];
  readonly losses: Losses;
}

export interface ThinResult {
  readonly kind: 'thin';
  readonly meshes: readonly ZoneMesh[];
}

/** What messages call a job: its tile or cluster, or what it cuts or writes alone. */
export function jobName(job: Job): string {
  switch (job.kind) {
    case 'texture':
    case 'coverage':
    case 'chain':
    case 'look':
    case 'holes':
    case 'thin':
      return job.name;
    case 'split':
      return job.object.path;
    case 'payload':
      return job.tileId ?? job.objects[0]?.path ?? '';
    case 'levels':
      return job.tileId;
    case 'cluster':
      return job.clusterId;
  }
}

export type Job =
  | TextureJob
  | SplitJob
  | PayloadJob
  | LevelsJob
  | ClusterJob
  | ChainJob
  | CoverageJob
  | LookJob
  | HolesJob
  | ThinJob;
export type JobResult =
  | TextureResult
  | SplitResult
  | PayloadResult
  | LevelsResult
  | ClusterResult
  | ChainResult
  | CoverageResult
  | LookResult
  | HolesResult
  | ThinResult;
export type ResultOf<J extends Job> = Extract<JobResult, { readonly kind: J['kind'] }>;

/** What meshes without a material are drawn with: the exporter's defaults. Without any, the engine draws nothing. */
export const DEFAULT_MATERIAL: PreparedMaterial = {
  name: 'default_material',
  alphaMode: 'opaque',
  alphaCutoff: 0.5,
  ...DEFAULT_FACTORS,
  metallic: 0,
  roughness: 0.5,
  slots: NO_TEXTURES,
  ...slotChannels(() => 0),
  uv: { set: null, transform: null },
  tangentTurn: null,
  usesVertexColors: true,
};

/** An unlit material whose colour is emission, with colours of vertices: these are emission, too. Alpha stays in the base colour. */
function glowingSurface(material: PreparedMaterial, tint: Vec4 | null, painted: PaintedTexture | null): MeshMaterial {
  const [r, g, b, a] = tint ?? [1, 1, 1, 1];
  const [red, green, blue] = material.emissive;
  return {
    material: { ...material, emissive: [red * r, green * g, blue * b] },
    tint: tint && [1, 1, 1, a],
    palette: material.alphaMode === 'opaque' ? null : painted,
    emission: painted,
  };
}

/** What meshes of one scene are drawn with, to indices and back. */
export class MeshMaterials {
  readonly scene: JobScene;
  readonly #materials: ReadonlyMap<PreparedMaterial, number>;
  readonly #palettes: ReadonlyMap<PaintedTexture, number>;
  /** Surfaces of unlit materials with colours of vertices, by their index, and back. */
  readonly #glowing = new Map<string, MeshMaterial>();
  readonly #indices = new Map<MeshMaterial, MeshMaterialIndex>();

  constructor(scene: JobScene) {
    this.scene = scene;
    this.#materials = new Map(scene.materials.map((material, i) => [material, i]));
    this.#palettes = new Map(scene.palettes.map((palette, i) => [palette, i]));
  }

  material(index: number): PreparedMaterial {
    return index < 0 ? DEFAULT_MATERIAL : this.scene.materials[index];
  }

  surface(index: MeshMaterialIndex): MeshMaterial {
    const material = this.material(index.material);
    const { tint, palette } = index;
    const painted = palette < 0 ? null : this.scene.palettes[palette];
    if (material.unlit !== 'emission' || (tint === null && painted === null)) {
      return { material, tint, palette: painted };
    }
    const key = `${index.material}|${tint?.join() ?? ''}|${palette}`;
    const known = this.#glowing.get(key);
    if (known) return known;
    const surface = glowingSurface(material, tint, painted);
    this.#glowing.set(key, surface);
    this.#indices.set(surface, index);
    return surface;
  }

  /** Of a surface that `surface` made. */
  index(surface: MeshMaterial): MeshMaterialIndex {
    const { material, tint, palette } = surface;
    return (
      this.#indices.get(surface) ?? {
        material: this.#materials.get(material) ?? -1,
        tint,
        palette: palette === null ? -1 : (this.#palettes.get(palette) as number),
      }
    );
  }

  /** Width and height of the largest texture of a material, null when it has none. */
  textureSize({ slots }: PreparedMaterial): readonly [number, number] | null {
    let size: readonly [number, number] | null = null;
    for (const slot of Object.values(slots) as number[]) {
      if (slot < 0) continue;
      const { width, height } = this.scene.textures[slot];
      size = [Math.max(size?.[0] ?? 0, width), Math.max(size?.[1] ?? 0, height)];
    }
    return size;
  }
}
