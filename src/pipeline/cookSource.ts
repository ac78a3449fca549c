// Cooks one source from start to end: read -> plan -> cook -> write -> read back -> move in. The only place that sees
// importers and emit both. Everything that was said on the way ends in the outcome; only bugs are thrown.

import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { neighbourBoxes } from '../cook/borders.ts';
import { cornerUvs } from '../cook/uvs.ts';
import { type Diagnostic, Diagnostics, fail, SourceError, sortDiagnostics } from '../diagnostics/diagnostic.ts';
import { applyPolicy, enforcePolicy } from '../diagnostics/policy.ts';
import { type EmittedTile, filesOfManifest, manifestText, planMapPath, tileRadii } from '../emit/manifest.ts';
import { OutputSet } from '../emit/outputSet.ts';
import { compressionWarnings, emitPayload } from '../emit/payload.ts';
import { planMap } from '../emit/planMap.ts';
import { UniqueNames } from '../emit/tile.ts';
import { verifySet } from '../emit/verify.ts';
import { diskFiles, type SourceFiles } from '../importers/files.ts';
import { importSource, recognise } from '../importers/index.ts';
import { readHead, readWholeText } from '../importers/wholeFile.ts';
import type { Bounds, Scene } from '../scene/types.ts';
import { stageMaterials } from '../textures/stage.ts';
import type { ReadUvTriangles, StagedMaterial, StagedTexture } from '../textures/types.ts';
import { estimate } from '../tiling/budgets.ts';
import { DEFAULT_TILING } from '../tiling/plan.ts';
import { boundsOf } from '../tiling/tile.ts';
import { inOrder } from './inOrder.ts';
import { JobFailure } from './jobRunner.ts';
import {
  DEFAULT_MATERIAL,
  type JobObject,
  type JobScene,
  type PayloadJob,
  type PayloadResult,
  Surfaces,
} from './jobs.ts';
import { MeshSources } from './meshSources.ts';
import { objectNames, sceneObjects } from './objects.ts';
import type { PlanOutcome } from './planOutcome.ts';
import {
  hasHashedName,
  type PlannedPayload,
  planOutcome,
  planPayloads,
  reportBudget,
  reportLadders,
} from './planPayloads.ts';
import { subdividedScene } from './subdivided.ts';
import type { CookJob, CookOutcome, CookTarget, CookTotals, OnProgress } from './types.ts';
import { materialOf, planColors } from './vertexColors.ts';
import { WorkerPool } from './workerPool.ts';
import { aheadOf, LevelWriter } from './writeLevels.ts';

/**
 * Cooks `job`. The outcome is 'ok' only when the whole set was written, read back, checked and moved in; otherwise
 * nothing has changed at the target. Throws only what is a bug. Tiles cook in the threads of `pool`, which lasts for as many
 * sources as its owner likes; their number does not show in any byte.
 */
export async function cookSource(
  job: CookJob,
  onProgress: OnProgress = () => {},
  pool: WorkerPool = new WorkerPool(1),
): Promise<CookOutcome> {
  const diagnostics = new Diagnostics();
  let files: SourceFiles | null = null;
  try {
    files = diskFiles(job.root);
    const done = await cook(job, { files, diagnostics, onProgress, pool });
    return {
      source: job.source,
      status: 'ok',
      outputs: done.outputs,
      totals: done.totals,
      ...(done.plan ? { plan: done.plan } : {}),
      diagnostics: sortDiagnostics(done.diagnostics),
      filesRead: files.list(),
    };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const said = new Diagnostics();
    for (const item of [...diagnostics.list, ...error.diagnostics]) said.add(applyPolicy(item, job.policy));
    return {
      source: job.source,
      status: 'failed',
      outputs: [],
      totals: null,
      diagnostics: sortDiagnostics(said.list),
      filesRead: files?.list() ?? [],
    };
  }
}

interface Cooked {
  readonly outputs: CookOutcome['outputs'];
  readonly totals: CookTotals | null;
  readonly plan?: PlanOutcome;
  readonly diagnostics: readonly Diagnostic[];
}

interface CookContext {
  readonly files: SourceFiles;
  readonly diagnostics: Diagnostics;
  readonly onProgress: OnProgress;
  readonly pool: WorkerPool;
}

async function cook(job: CookJob, { files, diagnostics, onProgress, pool }: CookContext): Promise<Cooked> {
  const { settings, target } = job;
  onProgress({ stage: 'read', done: 0, total: 1 });
  const levels = settings.subdivide ?? 0;
  const options = { ...settings.source, subdivides: levels > 0 };
  const imported = await importSource(resolve(job.source), job.source, { files, diagnostics, options });
  const scene = subdividedScene(imported, levels, diagnostics);
  const objects = sceneObjects(scene, diagnostics);
  const plan = planPayloads(objects, job, place(target).main, diagnostics);
  const { payloads } = plan;
  const { budgets } = settings.tiling ?? DEFAULT_TILING;
  const withLevels = (settings.lods ?? []).length > 0 || (settings.hlod ?? null) !== null;
  if (withLevels && target.kind === 'file') {
    diagnostics.report('UC2061', job.source, '', 'no levels are made for a single file');
  }
  if (job.dryRun) {
    for (const { tile } of payloads) if (tile) reportBudget(tile, tile.estimate, budgets, scene, diagnostics);
    return {
      outputs: [],
      totals: null,
      plan: planOutcome(plan),
      diagnostics: enforcePolicy(diagnostics.list, job.policy),
    };
  }

  onProgress({ stage: 'textures', done: 0, total: 1 });
  const meshes = new Set(objects.map(({ node }) => scene.nodes[node].mesh));
  const staged = await stageMaterials(scene, settings, uvReader(scene, meshes), diagnostics);
  const materials = uniquelyNamed(staged.materials);
  const material = (index: number) => (index < 0 ? DEFAULT_MATERIAL : materials[index]);
  const colors = await planColors(scene, meshes, material);
  for (const warning of compressionWarnings(settings.compress, job.source)) diagnostics.add(warning);
  // What is wrong already is said before the long part begins.
  enforcePolicy(diagnostics.list, job.policy);

  const set = OutputSet.open({ ...place(target), force: job.force });
  const jobScene: JobScene = {
    source: job.source,
    materials,
    textures: staged.textures,
    palettes: colors.textures,
    write: { compression: settings.compress, formatVersion: settings.formatVersion },
  };
  const runners = pool.forScene(jobScene, wantedThreads(payloads, withLevels));
  try {
    const surfaces = new Surfaces(jobScene);
    const sources = new MeshSources(
      scene,
      colors,
      payloads.map((payload) => payload.objects),
      runners,
    );
    const levelWriter =
      withLevels && target.kind === 'folder'
        ? new LevelWriter({ set, settings, textures: staged.textures, diagnostics, runners })
        : null;
    const neighbours = levelWriter ? neighbourBoxes(payloads.map(boxOf)) : [];
    const nameOf = objectNames(scene);
    // A single file carries its lights and cameras; of a folder the manifest does.
    const { lights = [], cameras = [] } = scene;
    const authored = target.kind === 'file' ? { lights, cameras } : {};
    const begin = async ([number, payload]: [number, PlannedPayload]): Promise<PayloadResult> => {
      await sources.prepare(payload.objects);
      return runners.run(
        (runner): PayloadJob => ({
          kind: 'payload',
          tileId: payload.tile?.id ?? null,
          fileType: payload.fileType,
          authored,
          objects: payload.objects.map(({ node }) => jobObject(scene, node, nameOf)),
          ...sources.give(runner, payload.objects),
          neighbours: neighbours[number] ?? [],
        }),
      );
    };

    const tiles: EmittedTile[] = [];
    let shared: EmittedTile | null = null;
    const usedTextures = new Map<string, StagedTexture>();
    const use = (texture: StagedTexture) => {
      if (!usedTextures.has(texture.fileName)) usedTextures.set(texture.fileName, texture);
    };
    const usedMaterials = new Set<StagedMaterial>();
    const saidOfMeshes = new Set<number>();
    let written = 0;
    let done = 0;
    let trianglesOut = 0;
    let vertices = 0;
    onProgress({ stage: 'cook', done, total: payloads.length });
    for await (const [[, payload], result] of inOrder(payloads.entries(), aheadOf(runners), begin)) {
      onProgress({ stage: 'cook', done: ++done, total: payloads.length });
      // Every thread that prepares a mesh says the same of it.
      for (const { mesh, said } of result.prepared) {
        if (!saidOfMeshes.has(mesh)) diagnostics.repeat(said);
        saidOfMeshes.add(mesh);
      }
      diagnostics.repeat(result.said);
      if (result.payload === null) continue;
      for (const { surface } of result.drawn) {
        const { material: drawn, palette } = surfaces.surface(surface);
        for (const slot of Object.values(drawn.slots) as number[]) if (slot >= 0) use(staged.textures[slot]);
        if (palette) use(palette);
        usedMaterials.add(drawn);
      }
      const { triangles, ...encoded } = result.payload;
      const emitted = emitPayload(set, encoded, payload.path, hasHashedName(payload, settings));
      written++;
      trianglesOut += triangles;
      vertices += emitted.vertices;
      const { fileType, tile } = payload;
      if (tile === null) continue;
      reportBudget(tile, emitted, budgets, scene, diagnostics);
      const whole: EmittedTile = { ...emitted, planned: tile };
      if (fileType === 'shared') shared = whole;
      else tiles.push(whole);
      levelWriter?.add(payload, result, whole);
    }
    if (written === 0) fail('UC2200', job.source, '', 'every triangle is degenerate');

    const made = await levelWriter?.write((done, total) => onProgress({ stage: 'levels', done, total }));
    for (const [i, tile] of tiles.entries()) tiles[i] = made?.tiles.get(tile) ?? tile;
    for (const texture of made?.textures ?? []) use(texture);

    onProgress({ stage: 'write', done: 0, total: usedTextures.size });
    for (const texture of [...usedTextures.values()].sort((a, b) => (a.fileName < b.fileName ? -1 : 1))) {
      set.write(`${textureFolder(target)}${texture.fileName}`, texture.bytes);
    }
    if (target.kind === 'folder' && plan.scene) {
      const { sceneName } = target;
      const radii = tileRadii(shared ? [...tiles, shared] : tiles);
      reportLadders(radii, job.source, diagnostics);
      const map = planMap({ sceneName, plan: plan.scene, tiles, shared, radii, budgets });
      set.write(planMapPath(sceneName), new TextEncoder().encode(map));
      const text = manifestText({
        sceneName,
        plan: plan.scene,
        maxBatchVertices: budgets.vertices,
        tiles,
        shared,
        radii,
        authored: scene,
        files: set.files,
      });
      set.write(`${target.sceneName}.json`, new TextEncoder().encode(text));
    }

    const total = set.files.length;
    await verifySet(set, place(target).base, (done) => onProgress({ stage: 'verify', done, total }));
    const judged = enforcePolicy(diagnostics.list, job.policy);
    set.commit();
    const { base } = place(target);
    return {
      outputs: set.files.map(({ path, bytes, sha256 }) => ({ path: join(base, path), bytes, sha256 })),
      totals: {
        objects: objects.length,
        tiles: written,
        trianglesIn: objects.reduce((sum, object) => sum + object.triangles, 0),
        trianglesOut,
        levels: made?.totals ?? [],
        vertices,
        materials: usedMaterials.size,
        textures: usedTextures.size,
        bytes: set.files.reduce((sum, file) => sum + file.bytes, 0),
      },
      diagnostics: judged,
    };
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    diagnostics.repeat(error.said);
    throw new SourceError(error.errors);
  } finally {
    runners.abandon();
    set.discard();
  }
}

/** Below this many triangles a thread would be done sooner than it has begun. */
const TRIANGLES_A_THREAD = 40_000;
/** Levels make a triangle cost about so many times as much. */
const LEVELS_COST = 4;

function wantedThreads(payloads: readonly PlannedPayload[], withLevels: boolean): number {
  const triangles = payloads.reduce((sum, { objects }) => sum + estimate(objects).triangles, 0);
  const work = triangles * (withLevels ? LEVELS_COST : 1);
  return Math.min(payloads.length, Math.ceil(work / TRIANGLES_A_THREAD));
}

/** A box that no vertex of the payload lies outside of. */
function boxOf({ objects }: PlannedPayload): Bounds {
  return boundsOf(objects);
}

function jobObject({ nodes, meshes }: Scene, node: number, nameOf: (node: number) => string): JobObject {
  const { path, mesh, world } = nodes[node];
  const name = nameOf(node);
  return { node, path, name, mesh, meshName: meshes[mesh].name || name, world };
}

/** Base folder, main file and the files that an earlier cook may have left there. */
function place(target: CookTarget): { base: string; main: string; earlier: ReadonlyMap<string, string | null> } {
  if (target.kind === 'folder') {
    const main = `${target.sceneName}.json`;
    const manifest = join(target.folder, main);
    const listed = existsSync(manifest) ? filesOfManifest(readText(manifest), target.sceneName) : null;
    return { base: target.folder, main, earlier: new Map(listed ? [[main, null], ...listed] : []) };
  }
  // A single file has no list of its own: a .untold in its place is what the user asked to replace, and textures carry
  // their content's hash in their names, so that one of the same name is the same texture.
  const base = dirname(target.path);
  const main = basename(target.path);
  return { base, main, earlier: new Map(isUntold(target.path) ? [[main, null]] : []) };
}

function readText(path: string): string {
  try {
    return readWholeText(path);
  } catch {
    return '';
  }
}

/** Whether the file begins as a .untold does; false when it cannot be read. */
function isUntold(path: string): boolean {
  try {
    return recognise(readHead(path, 16)) === 'untold';
  } catch {
    return false;
  }
}

const textureFolder = (target: CookTarget) =>
  target.kind === 'folder' ? `${target.sceneName}/Textures/` : 'Textures/';

/** The materials with names that no two share and none lacks, so that every tile calls a material the same. */
function uniquelyNamed(materials: readonly StagedMaterial[]): StagedMaterial[] {
  const names = new UniqueNames();
  names.take(DEFAULT_MATERIAL.name, '');
  return materials.map((material) => ({ ...material, name: names.take(material.name, 'material') }));
}

/** Gives the textures room the corner UVs of everything that a material is drawn on. */
function uvReader(scene: Scene, meshes: ReadonlySet<number>): ReadUvTriangles {
  return async (material, sets) => {
    const pieces = new Map<string, Float32Array[]>(sets.map((name) => [name, []]));
    for (const mesh of meshes) {
      for (const primitive of scene.meshes[mesh].primitives) {
        const subsets = [-1, ...primitive.subsets.keys()].filter((s) => materialOf(primitive, s) === material);
        if (subsets.length === 0 || primitive.triangleCount === 0) continue;
        const polygons = await primitive.read();
        for (const subset of subsets) {
          const corners = cornerUvs(polygons, subset, sets);
          for (const name of sets) pieces.get(name)?.push(corners.get(name) as Float32Array);
        }
      }
    }
    return new Map(sets.map((name) => [name, concatenate(pieces.get(name) as Float32Array[])]));
  };
}

function concatenate(pieces: readonly Float32Array[]): Float32Array {
  if (pieces.length === 1) return pieces[0];
  const all = new Float32Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
