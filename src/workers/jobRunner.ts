// Runs the jobs of one scene, one after the other: in a worker thread, or where no thread is worth its start. Loads what a kind of
// job needs with its first one, as most cooks have few kinds. Holds the
// geometry of one payload at a time, meshes that a later job uses again, and small copies of textures for HLODs.

import { type Diagnostic, Diagnostics, type ReportedDiagnostic } from '../diagnostics/diagnostic.ts';
import { faultsOf } from '../diagnostics/environment.ts';
import { type DrawnMesh, entityCount, type Format, type PayloadMesh } from '../formats/format.ts';
import { loadFormat } from '../formats/registry.ts';
import { textureFiles } from '../formats/textureFiles.ts';
import { storedTransform } from '../geometry/instances/instance.ts';
import { borderPositions, SharedPositions } from '../geometry/lod/borders.ts';
import type { Float32Mesh } from '../geometry/mesh/mesh.ts';
import { joinMeshes, pairMesh } from '../geometry/mesh/united.ts';
import { decodeMips, type Mips } from '../textures/atlas/mips.ts';
import { makeFile } from '../textures/makeFile.ts';
import type { PaintedTexture, PreparedTexture, TextureFiles } from '../textures/types.ts';
import { pixelAtDistance } from '../tiling/streaming/ladder.ts';
import type { Looker } from '../zone/looker.ts';
import { MAX_ATLASED_SIDE } from './jobs/atlasedSide.ts';
import type { ProxyImages } from './jobs/bakeProxy.ts';
import { cookPayload, cutObject } from './jobs/cookPayload.ts';
import type { AuthoredLevel, CookedLevel, TileMesh } from './jobs/levelJob.ts';
import type { ProxyFormat } from './jobs/mergeMaterials.ts';
import { PreparedMeshes } from './jobs/preparedMeshes.ts';
import {
  type BroughtImages,
  type ChainJob,
  type ChainResult,
  type ClusterJob,
  type ClusterResult,
  type DrawnIndex,
  type Job,
  type JobResult,
  type JobScene,
  jobName,
  type LevelResult,
  type LevelsJob,
  type LevelsResult,
  MeshMaterials,
  type PayloadJob,
  type PayloadResult,
  type SplitJob,
  type SplitResult,
  type StoredDrawing,
} from './jobs.ts';

/** A job that failed by the source or by the machine, with the diagnostics before it. */
export class JobFailure extends Error {
  readonly errors: readonly Diagnostic[];
  readonly reported: readonly ReportedDiagnostic[];

  constructor(errors: readonly Diagnostic[], reported: readonly ReportedDiagnostic[]) {
    super('the job failed');
    this.errors = errors;
    this.reported = reported;
  }
}

export class JobRunner {
  readonly #surfaces: MeshMaterials;
  readonly #format: Format;
  readonly #prepared: PreparedMeshes;
  readonly #proxies: ProxyFormat;
  /** The side of bakedSide(): it looks at every material, and each job asks for it. */
  readonly #bakedSide: () => number;
  /** By texture; null for a texture that cannot be decoded. */
  readonly #images = new Map<number, Mips | null>();
  /** Brought, and not asked for yet. */
  readonly #encoded = new Map<number, Uint8Array>();
  #shared = new SharedPositions(new Uint32Array(0));
  /** Null: no zone was looked from. */
  #looker: Looker | null = null;

  private constructor(scene: JobScene, format: Format, textures: TextureFiles) {
    this.#surfaces = new MeshMaterials(scene);
    this.#format = format;
    this.#prepared = new PreparedMeshes(this.#surfaces, format);
    this.#proxies = { round: format.round, textures };
    let side: number | null = null;
    this.#bakedSide = () => {
      side ??= bakedSide(scene);
      return side;
    };
  }

  /** A runner for the jobs of a scene, with the code of the scene's format loaded. */
  static async open(scene: JobScene): Promise<JobRunner> {
    const { format, textureSettings, cache } = scene;
    const store = cache && (await import('../output/cache/cache.ts')).openSharedCache(cache);
    return new JobRunner(scene, await loadFormat(format), textureFiles(textureSettings, store));
  }

  /** The positions that levels keep: three words each (borders.ts). */
  setShared(rows: Uint32Array): void {
    this.#shared = new SharedPositions(rows);
  }

  /** Throws JobFailure where the source or the machine is to blame. */
  async run(job: Job): Promise<JobResult> {
    const diagnostics = new Diagnostics();
    try {
      switch (job.kind) {
        case 'texture':
          return { kind: 'texture', outcome: await makeFile(job.request, this.#proxies.textures) };
        case 'split':
          return await this.#split(job, diagnostics);
        case 'payload':
          return await this.#payload(job, diagnostics);
        case 'levels':
          return await this.#levels(job, diagnostics);
        case 'cluster':
          return await this.#cluster(job, diagnostics);
        case 'chain':
          return await this.#chain(job, diagnostics);
        case 'coverage':
          return { kind: 'coverage', ...(await (await import('./jobs/coverage.ts')).coverageOf(this.#format, job)) };
        case 'look':
          return { kind: 'look', look: (await this.#openLooker()).look(job.view, job.parts) };
        case 'holes':
          return { kind: 'holes', look: (await this.#openLooker()).holes(job.view, job.parts, job.made) };
        case 'thin': {
          const { thinned } = await import('../zone/thin.ts');
          return { kind: 'thin', meshes: await thinned(job.meshes, job.losses, this.#shared) };
        }
      }
    } catch (error) {
      const errors = faultsOf(error, this.#surfaces.scene.source, jobName(job));
      if (errors === null) throw error;
      const prepared = this.#prepared.takeReported().flatMap(({ reported }) => reported);
      throw new JobFailure(errors, [...prepared, ...diagnostics.reported]);
    }
  }

  async #openLooker(): Promise<Looker> {
    if (this.#looker === null) {
      const { Looker } = await import('../zone/looker.ts');
      this.#looker = new Looker();
    }
    return this.#looker;
  }

  async #split(job: SplitJob, diagnostics: Diagnostics): Promise<SplitResult> {
    this.#prepared.bring(job.sources);
    const { object, planes } = job;
    const pieces = await cutObject(this.#prepared, object, planes, diagnostics);
    for (const mesh of job.forget) this.#prepared.forget(mesh);
    return { kind: 'split', pieces, prepared: this.#prepared.takeReported(), reported: diagnostics.reported };
  }

  async #payload(job: PayloadJob, diagnostics: Diagnostics): Promise<PayloadResult> {
    const { scene } = this.#surfaces;
    const format = this.#format;
    this.#prepared.bring(job.sources);
    const meshes = await cookPayload(this.#prepared, job, diagnostics);
    for (const mesh of job.forget) this.#prepared.forget(mesh);
    const prepared = this.#prepared.takeReported();
    const { reported } = diagnostics;
    if (meshes.length === 0) {
      return { kind: 'payload', payload: null, drawn: [], stored: null, borders: NO_ROWS, prepared, reported };
    }
    const { fileType, authored, tree } = job;
    const options = { ...scene.write, file: scene.source };
    const drawings = meshes.map(drawingOf);
    const encoded = await format.encode({
      fileType,
      meshes,
      textures: scene.textures,
      authored,
      options,
      ...(tree ? { tree } : {}),
    });
    return {
      kind: 'payload',
      payload: { ...encoded, triangles: triangleCount(meshes) },
      drawn: meshes.map((mesh) => ({
        naming: mesh.naming,
        surface: this.#surfaces.index(mesh.surface),
        entities: entityCount(mesh),
        ...(mesh.coarser === undefined ? {} : { coarser: mesh.coarser }),
        ...(mesh.node === undefined ? {} : { of: { node: mesh.node, isPlaced: mesh.placements !== undefined } }),
      })),
      stored: job.keepsMeshes ? drawings : null,
      borders: job.neighbours.length > 0 ? borderPositions(positionsOf(drawings, format), job.neighbours) : NO_ROWS,
      prepared,
      reported,
    };
  }

  async #levels(job: LevelsJob, diagnostics: Diagnostics): Promise<LevelsResult> {
    const { scene } = this.#surfaces;
    const meshes = await this.#mergeDrawn(job.drawn, await this.#drawnOf(job));
    const authored: AuthoredLevel[] = [];
    for (const { drawn, stored, coverageFrom } of job.authored ?? []) {
      authored.push({ coverageFrom, meshes: await this.#mergeDrawn(drawn, await this.#worldMeshes(stored)) });
    }
    const common = { images: this.#imagesFor(job), shared: this.#shared, format: this.#proxies };
    const levelJob = { ...job, ...common, meshes, authored };
    const { cookLevels } = await import('./jobs/cookLevels.ts');
    const cooked = await cookLevels(levelJob, diagnostics, scene.source);
    const levels: LevelResult[] = [];
    for (const level of cooked) levels.push(await this.#encode(level));
    return { kind: 'levels', levels, reported: diagnostics.reported };
  }

  /** A tile's meshes as its file gives them back; read from the file only where they were not kept. */
  async #drawnOf({ tile, tileId, drawn }: LevelsJob): Promise<Float32Mesh[]> {
    const format = this.#format;
    if ('file' in tile) {
      const counts = drawn.map(({ entities }) => entities);
      return format.decode(tile.file, tileId, counts);
    }
    return this.#worldMeshes(tile.stored);
  }

  async #worldMeshes(drawings: readonly StoredDrawing[]): Promise<Float32Mesh[]> {
    const meshes: Float32Mesh[] = [];
    for (const { stored, placements } of drawings) meshes.push(await this.#format.drawn(stored, placements));
    return meshes;
  }

  async #cluster(job: ClusterJob, diagnostics: Diagnostics): Promise<ClusterResult> {
    const { scene } = this.#surfaces;
    const format = this.#format;
    const meshes = await format.decodeDrawn(job.files, scene.textures, job.palettes);
    const lockedVertices = (positions: Float32Array) => this.#shared.lockedVertices(positions);
    const request = { ...job, meshes, lockedVertices, images: this.#imagesFor(job), format: this.#proxies };
    const { cookCluster } = await import('./jobs/cookCluster.ts');
    const cooked = await cookCluster(request, diagnostics, scene.source);
    return { kind: 'cluster', hlod: cooked && (await this.#encode(cooked)), reported: diagnostics.reported };
  }

  async #chain(job: ChainJob, diagnostics: Diagnostics): Promise<ChainResult> {
    const { makeChain } = await import('./jobs/chain/makeChain.ts');
    const images = this.#imagesOf(job.images, this.#bakedSide());
    const made = await makeChain(job, this.#surfaces, { images, textures: this.#proxies.textures }, diagnostics);
    return { kind: 'chain', ...made, reported: diagnostics.reported };
  }

  async #encode(level: CookedLevel): Promise<LevelResult> {
    const { name, fileType, meshes, triangles, error, looksFrom, nearest } = level;
    const { scene } = this.#surfaces;
    const { levelTextures } = await import('./jobs/levelTextures.ts');
    const textures = levelTextures(meshes, scene.textures, pixelAtDistance(nearest));
    const format = this.#format;
    const options = { ...scene.write, file: scene.source };
    const stored = meshes.map(({ naming, surface, mesh }) => ({
      naming,
      surface,
      stored: format.storeMesh(pairMesh(mesh)),
    }));
    const payload = { fileType, meshes: stored, textures, authored: {}, options };
    const used = texturesOf(meshes, textures);
    return { ...(await format.encode(payload)), name, fileType, triangles, error, looksFrom, ...used };
  }

  /**
   * A tile's meshes as levels are made from them: what the tile owns of one surface is one mesh again, whether it was
   * merged or placed as instances. Far away a draw call costs as much as near by, and the bytes are few.
   */
  async #mergeDrawn(drawn: readonly DrawnIndex[], meshes: readonly Float32Mesh[]): Promise<TileMesh[]> {
    const groups = new Map<string, Omit<TileMesh, 'mesh'> & { readonly meshes: Float32Mesh[] }>();
    for (const [i, { naming, surface, coarser = 0 }] of drawn.entries()) {
      const { material, tint, palette } = surface;
      const isTiles = 'tile' in naming;
      const key = isTiles ? `${material}|${tint?.join() ?? ''}|${palette}|${coarser}` : `own ${i}`;
      const group = groups.get(key);
      if (group) group.meshes.push(meshes[i]);
      else {
        const merged = isTiles ? { tile: naming.tile } : naming;
        groups.set(key, { naming: merged, surface: this.#surfaces.surface(surface), coarser, meshes: [meshes[i]] });
      }
    }
    const merged: TileMesh[] = [];
    for (const { meshes: same, ...group } of groups.values()) {
      merged.push({ ...group, mesh: await joinMeshes(same) });
    }
    return merged;
  }

  #imagesFor({ images, textureSize }: Pick<LevelsJob, 'images' | 'textureSize'>): ProxyImages {
    return this.#imagesOf(images, textureSize === null ? MAX_ATLASED_SIDE : this.#bakedSide());
  }

  /**
   * Texels of the textures that jobs have brought, at most `side` pixels along a side: decoded when first asked for, and kept, as tiles
   * share their textures.
   */
  #imagesOf(images: BroughtImages, side: number): ProxyImages {
    for (const { texture, bytes } of images) this.#encoded.set(texture, bytes);
    return async (texture) => {
      const known = this.#images.get(texture);
      if (known !== undefined) return known;
      const bytes = this.#encoded.get(texture);
      if (!bytes) return null;
      const mips = await decodeMips(bytes, side, this.#proxies.textures);
      this.#encoded.delete(texture);
      this.#images.set(texture, mips);
      return mips;
    };
  }
}

/** Bytes that the images of one scene take in a thread, about, and the longest side of one. */
const IMAGE_BYTES = 64e6;
const MAX_SIDE = 512;

/** The longest side, in pixels, of the images that HLODs take their colours from. `textureSize`: as in a job. */
export function imageSide(textureSize: number | null, scene: Pick<JobScene, 'materials'>): number {
  return textureSize === null ? MAX_ATLASED_SIDE : bakedSide(scene);
}

/**
 * The longest side, in pixels, of the images that proxies are baked from: MAX_SIDE, halved until all images fit into
 * IMAGE_BYTES or the side is down to MAX_FOLDED_SIDE.
 */
function bakedSide({ materials }: Pick<JobScene, 'materials'>): number {
  const count = new Set(materials.flatMap(({ slots }) => [slots.baseColor, slots.emissive])).size;
  let side = MAX_SIDE;
  // Four bytes a pixel, and a third more for the smaller levels.
  while (side > MAX_ATLASED_SIDE && (count * side * side * 16) / 3 > IMAGE_BYTES) side /= 2;
  return side;
}

/** The names of the scene's textures, and others with their bytes. */
function texturesOf(
  meshes: readonly DrawnMesh[],
  ofScene: readonly PreparedTexture[],
): Pick<LevelResult, 'textures' | 'made'> {
  const textures = new Set<string>();
  const made = new Set<PaintedTexture>();
  for (const { surface } of meshes) {
    for (const slot of Object.values(surface.material.slots) as number[])
      if (slot >= 0) textures.add(ofScene[slot].fileName);
    if (surface.palette) made.add(surface.palette);
    if (surface.emission) made.add(surface.emission);
  }
  return { textures: [...textures], made: [...made] };
}

function triangleCount(meshes: readonly PayloadMesh[]): number {
  return meshes.reduce((sum, mesh) => sum + (entityCount(mesh) * mesh.stored.indices.length) / 3, 0);
}

const NO_ROWS = new Uint32Array(0);

function drawingOf({ stored, placements }: PayloadMesh): StoredDrawing {
  return { stored, placements: placements?.map(storedTransform) ?? null };
}

/** The positions of what each mesh draws, instances at all their placements. */
function positionsOf(drawings: readonly StoredDrawing[], format: Format): Float32Array[] {
  return drawings.map(({ stored, placements }) => format.drawnPositions(stored, placements));
}
