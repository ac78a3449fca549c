// Cooks one source from start to end: read -> plan -> cook -> write -> read back -> move in. The only place that sees
// importers and emit both. Everything that was said on the way ends in the outcome; only bugs are thrown.

import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { cornerUvs } from '../cook/uvs.ts';
import { type Diagnostic, Diagnostics, fail, SourceError, sortDiagnostics } from '../diagnostics/diagnostic.ts';
import { applyPolicy, enforcePolicy } from '../diagnostics/policy.ts';
import { type EmittedTile, filesOfManifest, manifestText, planMapPath, tileRadii } from '../emit/manifest.ts';
import { OutputSet } from '../emit/outputSet.ts';
import { compressionWarnings, emitPayload } from '../emit/payload.ts';
import { planMap } from '../emit/planMap.ts';
import { type TileMesh, UniqueNames } from '../emit/tile.ts';
import { verifySet } from '../emit/verify.ts';
import { diskFiles, type SourceFiles } from '../importers/files.ts';
import { importSource, recognise } from '../importers/index.ts';
import { readHead, readWholeText } from '../importers/wholeFile.ts';
import type { Scene } from '../scene/types.ts';
import { stageMaterials } from '../textures/stage.ts';
import type { ReadUvTriangles, StagedMaterial, StagedTexture } from '../textures/types.ts';
import { DEFAULT_TILING } from '../tiling/plan.ts';
import { cookPayload, DEFAULT_MATERIAL, type PayloadCook, PreparedMeshes } from './cookPayload.ts';
import { sceneObjects } from './objects.ts';
import type { PlanOutcome } from './planOutcome.ts';
import { hasHashedName, planOutcome, planPayloads, reportBudget, reportLadders } from './planPayloads.ts';
import { subdividedScene } from './subdivided.ts';
import type { CookJob, CookOutcome, CookTarget, CookTotals, OnProgress } from './types.ts';
import { materialOf, planColors } from './vertexColors.ts';
import { LevelWriter } from './writeLevels.ts';

/**
 * Cooks `job`. The outcome is 'ok' only when the whole set was written, read back, checked and moved in; otherwise
 * nothing has changed at the target. Throws only what is a bug.
 */
export async function cookSource(job: CookJob, onProgress: OnProgress = () => {}): Promise<CookOutcome> {
  const diagnostics = new Diagnostics();
  let files: SourceFiles | null = null;
  try {
    files = diskFiles(job.root);
    const done = await cook(job, files, diagnostics, onProgress);
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

async function cook(
  job: CookJob,
  files: SourceFiles,
  diagnostics: Diagnostics,
  onProgress: OnProgress,
): Promise<Cooked> {
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
  try {
    const payloadCook: PayloadCook = {
      scene,
      material,
      colors,
      textureSize: (of) => largestTexture(of, staged.textures),
      diagnostics,
    };
    const prepared = new PreparedMeshes(payloadCook, objects);
    let tiles: EmittedTile[] = [];
    let shared: EmittedTile | null = null;
    let written = 0;
    const usedTextures = new Set<StagedTexture>();
    const usedMaterials = new Set<StagedMaterial>();
    const levelWriter =
      withLevels && target.kind === 'folder'
        ? new LevelWriter(payloads, { set, settings, textures: staged.textures, diagnostics, source: job.source })
        : null;
    let trianglesOut = 0;
    let vertices = 0;
    for (const [done, payload] of payloads.entries()) {
      onProgress({ stage: 'cook', done, total: payloads.length });
      const cooked = await cookPayload(payloadCook, prepared, payload.objects, payload.tile?.id ?? null);
      if (cooked.length === 0) continue;
      for (const texture of texturesOf(cooked, staged.textures)) usedTextures.add(texture);
      for (const { surface } of cooked) usedMaterials.add(surface.material);
      const { path, fileType, tile } = payload;
      const emitted = await emitPayload(set, {
        path,
        hashedName: hasHashedName(payload, settings),
        fileType,
        meshes: cooked,
        textures: staged.textures,
        // A single file carries its lights and cameras; of a folder the manifest does.
        authored: target.kind === 'file' ? scene : {},
        options: { compression: settings.compress, formatVersion: settings.formatVersion, file: job.source },
      });
      written++;
      if (tile) {
        reportBudget(tile, emitted, budgets, scene, diagnostics);
        const whole: EmittedTile = { ...emitted, planned: tile };
        if (fileType === 'shared') shared = whole;
        else tiles.push(whole);
        levelWriter?.add(payload, cooked, whole);
      }
      for (const { packed } of cooked) {
        trianglesOut += packed.indices.length / 3;
        vertices += packed.vertexCount;
      }
    }
    if (written === 0) fail('UC2200', job.source, '', 'every triangle is degenerate');

    const made = await levelWriter?.write((done, total) => onProgress({ stage: 'levels', done, total }));
    tiles = tiles.map((tile) => made?.tiles.get(tile) ?? tile);
    for (const level of made?.meshes ?? []) {
      for (const texture of texturesOf(level, staged.textures)) usedTextures.add(texture);
    }

    const textureFiles = new Map([...usedTextures].map((texture) => [texture.fileName, texture]));
    onProgress({ stage: 'write', done: 0, total: textureFiles.size });
    for (const texture of [...textureFiles.values()].sort((a, b) => (a.fileName < b.fileName ? -1 : 1))) {
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
        textures: textureFiles.size,
        bytes: set.files.reduce((sum, file) => sum + file.bytes, 0),
      },
      diagnostics: judged,
    };
  } finally {
    set.discard();
  }
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

function texturesOf(cooked: readonly Pick<TileMesh, 'surface'>[], textures: readonly StagedTexture[]): StagedTexture[] {
  return cooked.flatMap(({ surface: { material, palette } }) => {
    const slots = Object.values(material.slots) as number[];
    const own = slots.flatMap((slot) => (slot < 0 ? [] : [textures[slot]]));
    return palette ? [...own, palette] : own;
  });
}

/** The materials with names that no two share and none lacks, so that every tile calls a material the same. */
function uniquelyNamed(materials: readonly StagedMaterial[]): StagedMaterial[] {
  const names = new UniqueNames();
  names.take(DEFAULT_MATERIAL.name, '');
  return materials.map((material) => ({ ...material, name: names.take(material.name, 'material') }));
}

/** Width and height of the material's largest texture. */
function largestTexture(
  { slots }: StagedMaterial,
  textures: readonly StagedTexture[],
): readonly [number, number] | null {
  let size: readonly [number, number] | null = null;
  for (const slot of Object.values(slots) as number[]) {
    if (slot < 0) continue;
    const { width, height } = textures[slot];
    size = [Math.max(size?.[0] ?? 0, width), Math.max(size?.[1] ?? 0, height)];
  }
  return size;
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
