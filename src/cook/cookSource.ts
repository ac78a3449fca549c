// Cooks one source from start to end: read, plan, cook, write, read back, move in. The only file that sees both importers
// and output. Every diagnostic on the way is part of the outcome; only bugs are thrown.

import { join } from 'node:path';
import { type RiggedScene, riggedScene } from '../animation/rig.ts';
import { settingsDigest } from '../config/settings.ts';
import { isPack } from '../config/targets.ts';
import type { CookTarget, RigSettings } from '../config/types.ts';
import { type Diagnostic, Diagnostics, fail, SourceError, sortDiagnostics } from '../diagnostics/diagnostic.ts';
import { faultsOf } from '../diagnostics/environment.ts';
import { applyPolicy, enforcePolicy } from '../diagnostics/policy.ts';
import type { Assembly, Authored } from '../formats/format.ts';
import type { EmittedTile } from '../formats/manifest/write.ts';
import { DEFAULT_FORMAT, FORMATS, loadFormat } from '../formats/registry.ts';
import { textureFiles } from '../formats/textureFiles.ts';
import { UniqueNames } from '../formats/uniqueNames.ts';
import { neighboursOf } from '../geometry/lod/borders.ts';
import type { FileStamp } from '../importers/fileStamp.ts';
import type { Cache } from '../output/cache/cache.ts';
import { openWhenFree } from '../output/openWhenFree.ts';
import type { OutputSet } from '../output/outputSet.ts';
import type { SharedTexture, SharedTextures } from '../output/sharedTextures.ts';
import type { FolderSyncs } from '../output/syncs.ts';
import { verifySet } from '../output/verify.ts';
import type { Scene, SceneMesh } from '../scene/types.ts';
import { prepareMaterials } from '../textures/prepare.ts';
import { KEPT_TEXTURES, type PreparedMaterial, type PreparedTexture } from '../textures/types.ts';
import { DEFAULT_TILING } from '../tiling/options.ts';
import { boundsOf } from '../tiling/partition/tile.ts';
import { type HlodCluster, planHlodClusters } from '../tiling/streaming/hlodClusters.ts';
import { fitsMemory, tileRadii } from '../tiling/streaming/setRadii.ts';
import type { PlannedObject, PlannedTile, ScenePlan } from '../tiling/types.ts';
import { JobFailure } from '../workers/jobRunner.ts';
import { type CoverageJob, DEFAULT_MATERIAL, type JobScene } from '../workers/jobs.ts';
import { WorkerPool } from '../workers/workerPool.ts';
import { gradeFile } from './colorGrade.ts';
import { interruption, throwIfAborted } from './interruption.ts';
import { CookRecords, type OutputStamps, rebuiltUnits, stampsOf } from './kept/cookRecord.ts';
import { SceneDigests } from './kept/sceneDigests.ts';
import { type UnitNote, UnitStore } from './kept/unitStore.ts';
import { type FoundSet, WholeSets } from './kept/wholeSets.ts';
import { sceneObjects } from './objects.ts';
import { keepPayloads, payloadOf } from './onlyTile.ts';
import { bytesOf, isThere, OpenSource, ofItsSource } from './openSource.ts';
import { instanceLimits } from './plan/instances.ts';
import type { PlanOutcome } from './plan/planOutcome.ts';
import { type PayloadPlan, type PlannedPayload, planOutcome, planPayloads, reportBudget } from './plan/planPayloads.ts';
import { namesLevels, type WantedLevels, wantedLevels } from './plan/wantedLevels.ts';
import { withSmaller } from './sceneTextures.ts';
import { earlierFiles, readText, setFiles } from './setFiles.ts';
import { ReportParts } from './shard/reportParts.ts';
import { type Share, shareOf } from './shard/shares.ts';
import { type CookedShard, writeShardFile } from './shard/writeShard.ts';
import { sharedFiles, texturesBefore } from './sharedFolder.ts';
import { subdividedScene } from './subdivided.ts';
import { withTextureMaker } from './textureMaker.ts';
import type { CookJob, CookOutcome, CookTotals, OnProgress } from './types.ts';
import { modelPrefix, type PackPlan, planPack } from './untoldpack/models.ts';
import { refuseOthersModels } from './untoldpack/packFiles.ts';
import { writePack } from './untoldpack/writePack.ts';
import { uvReader } from './uvTriangles.ts';
import { materialOf, planColors } from './vertexColors.ts';
import { assembleFile, assembleTiles } from './write/assembleFiles.ts';
import { hasLevels, type SetParts, writeManifest } from './write/assembleSet.ts';
import { checkStreamed, type StreamedFigures, streamedSet } from './write/checkStreamed.ts';
import { modelName } from './write/clipNames.ts';
import { writeClips } from './write/writeClips.ts';
import { writeClusters } from './write/writeClusters.ts';
import { aheadOf, LevelWriter } from './write/writeLevels.ts';
import { type WantedPayload, wantedThreads, writePayloads } from './write/writePayloads.ts';

/**
 * Cooks `job`. The outcome is 'ok' only when the whole set was written, read back, checked and moved in; otherwise
 * nothing has changed at the target, unless the disk fails after all was moved in (UC4000). Throws only what is a bug. Tiles cook in the threads of `pool`, which lasts for as many
 * sources as its owner likes; their number does not show in any byte. Once `signal` is aborted the cook fails with UC1098.
 * `beside`: for a caller that cooks the next source while a small set waits for the disk. `cache` spares work and changes no
 * byte; its owner closes it. `sharedTextures`: the folder of the target's textures, if it names one.
 */
export async function cookSource(
  job: CookJob,
  onProgress: OnProgress = () => {},
  pool: WorkerPool = new WorkerPool(1),
  signal?: AbortSignal,
  beside: SourcesBeside | null = null,
  cache: Cache | null = null,
  sharedTextures: SharedTextures | null = null,
): Promise<CookOutcome> {
  const diagnostics = new Diagnostics();
  let opened: OpenSource | null = null;
  const progress: OnProgress = (step) => {
    throwIfAborted(signal);
    opened?.limits.checkTime();
    onProgress(step);
  };
  try {
    opened = new OpenSource(job);
    const done = await cook(job, {
      opened,
      diagnostics,
      onProgress: progress,
      pool,
      signal,
      beside,
      cache,
      sharedTextures,
    });
    const outcome: CookOutcome = {
      source: job.source,
      status: 'ok',
      outputs: done.outputs,
      totals: done.totals,
      ...(done.plan ? { plan: done.plan } : {}),
      diagnostics: sortDiagnostics(done.diagnostics.map((item) => ofItsSource(job, item))),
      filesRead: done.found?.outcome.filesRead ?? opened.filesRead,
    };
    return cache === null || job.recordedFrom == null
      ? outcome
      : recorded(job, outcome, opened, done, cache, job.recordedFrom);
  } catch (error) {
    const errors = faultsOf(error, job.source);
    if (errors === null) throw error;
    const all = new Diagnostics();
    for (const item of [...diagnostics.list, ...errors]) all.add(applyPolicy(item, job.policy));
    return {
      source: job.source,
      status: 'failed',
      outputs: [],
      totals: null,
      diagnostics: sortDiagnostics(all.list.map((item) => ofItsSource(job, item))),
      filesRead: opened?.filesRead ?? [],
    };
  }
}

/** Records a complete cook, for other machines too, and says what of it was done again. `cwd`: the working folder. */
function recorded(
  job: CookJob,
  outcome: CookOutcome,
  opened: OpenSource,
  { found, units = [], stamps = new Map() }: Cooked,
  cache: Cache,
  cwd: string,
): CookOutcome {
  const records = new CookRecords(cache, cwd);
  const rebuilt = job.explains ? { rebuilt: rebuiltUnits(records.units(job), units) } : {};
  const notes = found ?? { trace: opened.trace(), units, used: opened.limitUse };
  records.record(job, outcome, { ...notes, stamps });
  if (cache.far && !found) new WholeSets(cache.far, cwd).put(job, outcome, notes);
  return { ...outcome, ...rebuilt };
}

/** What cooks of small sets share with those of the sources that follow. */
export interface SourcesBeside {
  /** Called when the set only waits for the disk: the pool is free for the next source. */
  readonly onStaged: () => void;
  readonly folders: FolderSyncs;
  /** A source with work for more threads than this throws LargeSource; absent: none does. */
  readonly mostThreads?: number;
}

/** The source is too large for a caller that gave `mostThreads`. */
export class LargeSource extends Error {}

interface Cooked {
  readonly outputs: CookOutcome['outputs'];
  readonly totals: CookTotals | null;
  readonly plan?: PlanOutcome;
  readonly diagnostics: readonly Diagnostic[];
  readonly units?: readonly UnitNote[];
  /** What another machine has cooked and this one has not; absent: this one has cooked. */
  readonly found?: FoundSet;
  /** Of the outputs, taken as soon as they were in place; absent: nothing was written. */
  readonly stamps?: OutputStamps;
}

interface CookContext {
  readonly opened: OpenSource;
  readonly diagnostics: Diagnostics;
  /** Throws UC1098 once the signal is aborted. */
  readonly onProgress: OnProgress;
  readonly pool: WorkerPool;
  readonly signal: AbortSignal | undefined;
  readonly beside: SourcesBeside | null;
  /** Where products are kept from cook to cook; null: nowhere. */
  readonly cache: Cache | null;
  readonly sharedTextures: SharedTextures | null;
}

async function cook(job: CookJob, context: CookContext): Promise<Cooked> {
  // A source that is no file fails in planSource, before a folder or lock is made.
  if (job.dryRun || !isThere(job)) return dryRun(job, await planSource(job, context));
  const { far } = context.cache ?? {};
  if (far && job.recordedFrom != null) {
    const sets = new WholeSets(far, job.recordedFrom);
    const fetched = await inSet(job, context, (set) => fetchSet(set, sets, job, context));
    if (fetched) return fetched;
  }
  return inSet(job, context, async (set) => {
    startEarly(job, context.pool);
    const planned = await planSource(job, context);
    const staged = await stage(set, planned, context.beside?.mostThreads);
    return moveIn(set, staged, job, context);
  });
}

/** Locks the set of a job and gives it to `fill`, which moves it in or returns null. Nothing stays of a set that is not moved in. */
async function inSet<T extends Cooked | null>(
  job: CookJob,
  context: CookContext,
  fill: (set: OutputSet) => Promise<T>,
): Promise<T> {
  const { target } = job;
  // Lock before anything is read, so that a second cook of the set waits, or fails, at once and not in the end.
  const { base, main } = setFiles(target);
  const options = {
    base,
    main,
    earlier: () => earlierFiles(target),
    force: job.force,
    // Clips lie in a folder of many models. What a pack has is its own, but for textures, which are no part of its set.
    sharesFiles: target.kind === 'file' && !isPack(target),
    onBytes: (bytes: number) => countOutput(bytes, job, context.opened),
  };
  const stamps = new Map<string, FileStamp>();
  const note = (paths: readonly string[]) => {
    if (job.recordedFrom == null) return;
    for (const [path, stamp] of stampsOf(paths)) stamps.set(path, stamp);
  };
  const onMoved = () => note(set.written.map(({ path }) => set.pathOf(path)));
  const set: OutputSet = await openWhenFree(
    { ...options, onMoved },
    {
      most: (job.lockTimeout ?? 0) * 1000,
      onWait: (waitsFor) => context.onProgress({ phase: 'read', done: 0, total: 1, waitsFor }),
      onLook: () => throwIfAborted(context.signal),
    },
  );
  try {
    const cooked = await fill(set);
    if (cooked === null) return cooked;
    // Textures that other sets share are no part of the locked set. Their names carry a hash of their content.
    note(cooked.outputs.map(({ path }) => path).filter((path) => !stamps.has(path)));
    return { ...cooked, stamps };
  } finally {
    set.discard();
  }
}

/** Moves in a set that another machine has cooked; null: there is none of this job, or not all of it can be had. */
async function fetchSet(set: OutputSet, sets: WholeSets, job: CookJob, context: CookContext): Promise<Cooked | null> {
  const { onProgress } = context;
  const found = await sets.find(job);
  if (found === null) return null;
  const { totals } = found.outcome;
  const total = found.outputs.length;
  if (totals === null || !(await sets.fetch(job, found, set, (done) => onProgress({ phase: 'write', done, total })))) {
    return null;
  }
  const format = await loadFormat(job.settings.format ?? DEFAULT_FORMAT);
  try {
    await verifySet(set, format, (done) => onProgress({ phase: 'verify', done, total }));
  } catch (error) {
    // What the other machine has made is not sound. A cook of this one will tell whether its own is.
    if (error instanceof SourceError) return null;
    throw error;
  }
  const staged = { totals, diagnostics: found.outcome.diagnostics, shared: [], units: found.units };
  const moved = await moveIn(set, staged, job, context);
  // Files arrive in any order: they are told in that of the cook.
  const places = new Map(found.outputs.map(({ path }, i) => [set.pathOf(path), i]));
  const placeOf = ({ path }: { readonly path: string }) => places.get(path) ?? total;
  return { ...moved, outputs: [...moved.outputs].sort((a, b) => placeOf(a) - placeOf(b)), found };
}

/** Bytes of a source for each thread that starts before it is read: far more than a thread needs to be worth its start. */
const EARLY_BYTES_A_THREAD = 8e6;

/** Starts threads that the cook of a large source will use: they load their code while it is read. */
function startEarly(job: CookJob, pool: WorkerPool): void {
  if (job.target.kind === 'file' || job.only != null) return;
  pool.start(Math.floor(bytesOf(job) / EARLY_BYTES_A_THREAD));
}

/** Asks for the bytes of the output. Throws UC1209. */
function countOutput(bytes: number, { source }: CookJob, { limits }: OpenSource): void {
  const remedy = 'give a larger --max-output-bytes, or cook with fewer levels or smaller textures';
  limits.need('outputBytes', bytes, 'UC1209', source, '', `the output has ${bytes} bytes or more`, remedy);
}

async function planSource(job: CookJob, { beside: _, ...context }: CookContext): Promise<PlannedCook> {
  const { settings, target } = job;
  const { opened, diagnostics, onProgress } = context;
  onProgress({ phase: 'read', done: 0, total: 1 });
  const subdivisions = settings.subdivide ?? 0;
  const keepsRigs = target.kind === 'file' && !isPack(target);
  const read = await opened.read({ subdivides: subdivisions > 0, keepsRigs }, diagnostics);
  const rig = await rigOf(read, job, diagnostics);
  const whole = subdividedScene(rig?.scene ?? read, subdivisions, diagnostics);
  const placed = sceneObjects(whole, diagnostics);
  const { main } = setFiles(target);
  const pack = isPack(target) ? planPack(whole, placed, modelPrefix(target), diagnostics, opened.limits) : null;
  const { scene, objects } = pack ?? { scene: whole, objects: placed };
  const plan = pack?.plan ?? (await planPayloads(objects, scene, job, main, diagnostics, opened.limits));
  const levels = wantedLevels(settings, plan.scene);
  if (target.kind === 'file' && namesLevels(settings)) {
    diagnostics.report('UC2061', job.source, '', 'no levels are made for a single file');
  }
  const only = job.only == null ? null : payloadOf(job.only, plan.payloads, job.source);
  return { ...context, job, scene, rig, objects, plan, pack, only, levels };
}

const USUAL_RIG: RigSettings = { animations: 'all', keepKeys: false, animateNodes: false };

/** Skeletons and clips of a scene for a single file; null: tiles stand still, or nothing moves. */
async function rigOf(scene: Scene, { settings, target, source }: CookJob, diagnostics: Diagnostics) {
  if (target.kind !== 'file' || isPack(target)) {
    const what = target.kind === 'file' ? 'packs, whose models' : 'tiles, which';
    if (settings.rig) diagnostics.report('UC1015', source, '--animations', `no effect on ${what} stand still`);
    return null;
  }
  if ((scene.skins ?? []).length === 0 && (scene.clips ?? []).length === 0) return null;
  const subdivides = (settings.subdivide ?? 0) > 0;
  return riggedScene(scene, { ...(settings.rig ?? USUAL_RIG), subdivides }, diagnostics);
}

/** The plan as a dry run shows it. */
function dryRun({ settings, policy }: CookJob, { scene, plan, only, diagnostics }: PlannedCook): Cooked {
  const { budgets } = settings.tiling ?? DEFAULT_TILING;
  for (const { tile } of plan.payloads) if (tile) reportBudget(tile, tile.estimate, budgets, scene, diagnostics);
  return {
    outputs: [],
    totals: null,
    plan: planOutcome(only ? { ...plan, payloads: [only] } : plan),
    diagnostics: enforcePolicy(diagnostics.list, policy),
  };
}

/** A source that was read and planned. */
interface PlannedCook extends Omit<CookContext, 'beside'> {
  readonly job: CookJob;
  readonly scene: Scene;
  /** Null: no skeleton moves anything. */
  readonly rig: RiggedScene | null;
  readonly objects: readonly PlannedObject[];
  readonly plan: PayloadPlan;
  /** Null: the target is no pack. */
  readonly pack: PackPlan | null;
  /** The one payload that is wanted; null: all. */
  readonly only: PlannedPayload | null;
  readonly levels: WantedLevels;
}

/** What is known of a set once it is staged and checked; it holds nothing of the scene. */
interface StagedCook {
  readonly totals: CookTotals;
  readonly diagnostics: readonly Diagnostic[];
  /** Textures that go into a folder which other files share. */
  readonly shared: readonly SharedTexture[];
  /** What is kept for later cooks. */
  readonly units: readonly UnitNote[];
}

/** Larger sets are moved in before the next source is read: each file that waits to be synced is open. */
const SMALL_SET_BYTES = 1 << 20;
const SMALL_SET_FILES = 5;

/** Moves a staged set in. */
async function moveIn(
  set: OutputSet,
  { totals, diagnostics, shared: textures, units }: StagedCook,
  { policy, settings, target }: CookJob,
  { signal, beside, sharedTextures }: CookContext,
): Promise<Cooked> {
  const { written } = set;
  const isSmall = totals.bytes <= SMALL_SET_BYTES && written.length <= SMALL_SET_FILES;
  const shared = isSmall ? beside : null;
  shared?.onStaged();
  shared?.folders.expect();
  const commit = () => ({ committed: shared ? set.commitTogether(shared.folders) : set.commit() });
  let moved: ReturnType<typeof commit>;
  try {
    await set.synced();
    // The last chance to stop: what is moved in is complete.
    throwIfAborted(signal);
    moved = sharedTextures
      ? await sharedTextures.commit(
          textures,
          await texturesBefore(target, sharedTextures.folder, settings.format),
          commit,
        )
      : commit();
  } finally {
    shared?.folders.arrive();
  }
  const warnings = await moved.committed;
  const leftOver = warnings.map((warning) => applyPolicy(warning, policy));
  return {
    outputs: [
      ...written.map(({ path, bytes, sha256 }) => ({ path: set.pathOf(path), bytes, sha256 })),
      ...textures.map(({ name, size, sha256 }) => ({
        path: join(sharedTextures?.folder ?? '', name),
        bytes: size,
        sha256,
      })),
    ],
    totals,
    diagnostics: [...diagnostics, ...leftOver],
    units,
  };
}

/** Stages textures, cooks payloads and levels into the set, and checks it. */
async function stage(
  set: OutputSet,
  planned: PlannedCook,
  mostThreads = Number.POSITIVE_INFINITY,
): Promise<StagedCook> {
  const { job, scene, rig, objects, plan, pack, only, levels, diagnostics, onProgress, pool, signal, cache } = planned;
  const { settings, target } = job;
  const sharedFolder = target.kind === 'file' ? target.shared : undefined;
  if (pack && !sharedFolder) throw new Error('a pack has a folder of textures beside its models');
  const { base, main } = setFiles(target);
  const { payloads } = plan;
  if (pack)
    refuseOthersModels(
      base,
      main,
      payloads.map(({ path }) => path),
      job.source,
    );
  const { budgets } = settings.tiling ?? DEFAULT_TILING;
  const inLevels = levels.lods.length > 0 || levels.hlod !== null;
  const { hlodLevels = 1 } = settings;
  const clusters =
    inLevels && plan.scene && levels.hlod !== null && hlodLevels > 1
      ? planHlodClusters(plan.scene, hlodLevels - 1)
      : [];
  const shard = target.kind === 'folder' ? target.shard : undefined;
  const share = shard ? shareOf(payloads, clusters, shard) : null;
  const wanted = wantedPayloads(payloads, only, { inLevels, scene, job, clusters, share });
  const reports = new ReportParts(diagnostics);
  const threads = wantedThreads(
    wanted.map(({ payload }) => payload),
    inLevels,
  );
  if (threads > mostThreads) throw new LargeSource('the source is too large for one thread');
  pool.start(threads);
  const grade = job.colorGrade === undefined ? null : gradeFile(job.colorGrade, job.source, diagnostics);
  const gradeAt = (folder: string): Pick<Authored, 'colorGrade'> =>
    grade ? { colorGrade: { uri: `${folder}${grade.fileName}`, ...grade.grade } } : {};
  onProgress({ phase: 'textures', done: 0, total: 1 });
  const meshes = new Set(objects.map(({ node }) => scene.nodes[node].mesh));
  const formatId = settings.format ?? DEFAULT_FORMAT;
  const { isWhole } = FORMATS[formatId];
  const jobSettings = {
    source: job.source,
    format: formatId,
    textureSettings: settings.textures ?? KEPT_TEXTURES,
    cache: cache?.share() ?? null,
    write: {
      compression: settings.compress,
      formatVersion: settings.formatVersion,
      edges: settings.edges,
      sharedTextures: sharedFolder?.uri,
      meshopt: settings.meshopt,
      layout: settings.layout,
    },
  };
  const files = textureFiles(jobSettings.textureSettings, cache);
  const prepared = await withTextureMaker({ scene, jobSettings, pool, signal, cache }, (maker) =>
    prepareMaterials(
      scene,
      {
        ...settings,
        ...maker,
        maxPixels: job.limits?.pixels,
        // The bytes of textures that go into the file itself stay at hand.
        ...(isWhole ? {} : { held: set.held }),
        onTexels: (done, total) => onProgress({ phase: 'textures', done, total }),
      },
      uvReader(scene, meshes),
      diagnostics,
    ),
  );
  const withDefault = [...meshes].some((mesh) => drawsWithoutMaterial(scene.meshes[mesh]));
  const materials = uniquelyNamed(prepared.materials, withDefault);
  const material = (index: number) => (index < 0 ? DEFAULT_MATERIAL : materials[index]);
  const colors = await planColors(scene, meshes, material, files);
  const format = await loadFormat(formatId);
  if (target.kind === 'file')
    for (const loss of format.lossesOf(authoredOf(scene, rig, isWhole), job.source, prepared)) diagnostics.add(loss);
  for (const warning of format.compressionWarnings(settings.compress, job.source)) diagnostics.add(warning);
  // Report errors that are known already before the long part begins.
  enforcePolicy(diagnostics.list, job.policy);

  const textures = inLevels ? await withSmaller(prepared.textures, files, set.held) : prepared.textures;
  const jobScene: JobScene = {
    ...jobSettings,
    materials,
    textures,
    palettes: colors.textures,
  };
  // A single file is one payload: what is kept of its source spares all of it, or nothing.
  const units =
    cache && target.kind === 'folder' ? { store: new UnitStore(cache), digests: new SceneDigests(jobScene) } : null;
  const runners = pool.forScene(jobScene, threads);
  const interrupt = () => runners.interrupt(new JobFailure([interruption(signal)], []));
  signal?.addEventListener('abort', interrupt);
  if (signal?.aborted) interrupt();
  try {
    const kept = only
      ? await keepPayloads({
          set,
          format,
          manifest: { path: join(base, main), text: readText(join(base, main)) },
          files: set.earlier,
          settings: settingsDigest(settings),
          only,
          payloads: payloads.filter((payload) => payload !== only),
          payloadFolder: payloadFolder(target),
        })
      : null;
    const levelWriter = inLevels
      ? new LevelWriter({
          set,
          format,
          levels,
          keepsCompromise: plan.scene !== null && !fitsMemory(estimatedTiles(plan.scene)),
          settings,
          materials,
          textures,
          diagnostics,
          runners,
          kept: units,
          onReport: (id) => reports.begin('levels', id),
        })
      : null;
    const written = await writePayloads(wanted, {
      job,
      scene,
      rig,
      authored: target.kind === 'file' ? { ...authoredOf(scene, rig, isWhole), ...gradeAt('Textures/') } : {},
      jobScene,
      colors,
      budgets,
      set,
      format,
      runners,
      diagnostics,
      levelWriter,
      kept: units,
      onReport: (id) => reports.begin('payload', id),
      onPayload: (done, total) => onProgress({ phase: 'cook', done, total }),
    });
    // Other shards may have tiles: that none has any is found when they are merged.
    if (!share && written.payloads + (kept?.tiles.size ?? 0) === 0) {
      fail('UC2200', job.source, '', 'every triangle is degenerate');
    }
    const made = await levelWriter?.write((done, total) => onProgress({ phase: 'levels', done, total }));

    const emitted = (tile: PlannedTile): EmittedTile | null => {
      const own = written.tiles.get(tile);
      return own ? (made?.tiles.get(own) ?? own) : (kept?.tiles.get(tile) ?? null);
    };
    const tiles = (plan.scene?.tiles ?? []).map(emitted).filter((tile) => tile !== null);
    const shared = plan.scene?.shared ? emitted(plan.scene.shared) : null;
    const far =
      levelWriter && made && target.kind === 'folder' && hlodLevels > 1
        ? await writeClusters(share?.clusters ?? clusters, {
            set,
            format,
            settings,
            jobScene,
            diagnostics,
            runners,
            sceneName: target.sceneName,
            emitted,
            radii: plan.scene ? tileRadii(tiles, plan.scene.bounds) : new Map(),
            levelWriter,
            textures: made.textures,
            payloadOf: payloadsByTile(payloads),
            kept: units,
            only: only?.tile && kept ? { tile: only.tile, keepHlod: kept.keepHlod } : null,
            onReport: (id) => reports.begin('cluster', id),
            onCluster: (done, total) => onProgress({ phase: 'levels', done, total }),
          })
        : null;

    const named = new Map<string, PreparedTexture>();
    for (const texture of [...written.textures, ...(made?.textures ?? []), ...(far?.textures ?? [])]) {
      const path = `${payloadFolder(target)}Textures/${texture.fileName}`;
      if (!named.has(path)) named.set(path, texture);
    }
    onProgress({ phase: 'write', done: 0, total: named.size });
    const sharedTextures = sharedFolder ? sharedFiles([...named.values()], sharedFolder.folder, set.held) : [];
    if (grade) set.write(`${payloadFolder(target)}Textures/${grade.fileName}`, grade.bytes, grade.sha256);
    const own = sharedFolder || isWhole || format.assembly ? [] : [...named.keys()].sort();
    for (const path of own) {
      // Names carry a hash of the content: a texture with this name that was kept is equal.
      if (kept?.textures.has(path)) continue;
      const { bytes, sha256 } = named.get(path) as PreparedTexture;
      if (bytes === null) set.writeHeld(path, sha256);
      else set.write(path, bytes, sha256);
    }
    const assembling = (assembly: Assembly) => ({
      set,
      assembly,
      authored: authoredOf(scene, rig, true),
      textures: named.values(),
      source: job.source,
      diagnostics,
    });
    if (format.assembly && target.kind === 'file') {
      await assembleFile(modelName(main), main, assembling(format.assembly));
    }
    let streamed: StreamedFigures | null = null;
    if (target.kind === 'folder' && plan.scene) {
      const parts: SetParts = {
        sceneName: target.sceneName,
        source: job.source,
        settings: settingsDigest(settings),
        plan: plan.scene,
        budgets,
        authored: {
          lights: scene.lights ?? [],
          cameras: scene.cameras ?? [],
          ...gradeAt(`${payloadFolder(target)}Textures/`),
        },
        tiles,
        shared,
        clusters: far?.clusters ?? [],
        counts: only ? null : (far?.counts ?? null),
      };
      const levelTotals = [...(made?.totals ?? []), ...(far ? [far.total] : [])];
      if (share && shard) {
        const cooked: CookedShard = {
          job: { ...job, target: { ...target, shard } },
          opened: planned.opened,
          plan: plan.scene,
          share,
          clusterIds: clusters.map(({ id }) => id),
          objects,
          parts,
          totals: { triangles: written.triangles, levels: levelTotals },
          materials: [...written.materials].map(({ name }) => name).sort(),
          reports: reports.end(),
        };
        writeShardFile(cooked, set, main);
      } else if (format.assembly) await assembleTiles(parts, assembling(format.assembly));
      else {
        writeManifest(parts, set, diagnostics);
        // A cook of one tile changes nothing of the others.
        if (hasLevels(parts) && !only) {
          streamed = await checkStreamed({
            ...streamedSet(new TextDecoder().decode(set.readBack(main)), parts),
            draw: async (path, bounds, views) => {
              const file = set.readBack(path);
              return (await runners.run((): CoverageJob => ({ kind: 'coverage', name: path, file, bounds, views })))
                .covered;
            },
            ahead: aheadOf(runners),
            source: job.source,
            onPayload: (done, total) => onProgress({ phase: 'verify', done, total }),
          });
        }
      }
    }

    if (pack) writePack(pack, set, main, job.source);
    if (target.kind === 'file' && rig) {
      await writeClips(rig.clips, { set, format, target, job, diagnostics });
    }
    const total = set.files.length;
    await verifySet(set, format, (done) => onProgress({ phase: 'verify', done, total }));
    const counted = share ? [...share.payloads].flatMap((one) => one.objects) : (only?.objects ?? objects);
    return {
      diagnostics: enforcePolicy(diagnostics.list, job.policy),
      shared: sharedTextures,
      units: units?.store.notes ?? [],
      totals: {
        objects: counted.length,
        tiles: written.payloads,
        trianglesIn: counted.reduce((sum, object) => sum + object.triangles, 0),
        trianglesOut: written.triangles,
        levels: [...(made?.totals ?? []), ...(far ? [far.total] : [])],
        streamed,
        vertices: written.vertices,
        materials: written.materials.size,
        textures: FORMATS[formatId].textures.length > 0 ? named.size : 0,
        bytes: [...set.written, ...sharedTextures.map(({ size }) => ({ bytes: size }))].reduce(
          (sum, file) => sum + file.bytes,
          0,
        ),
      },
    };
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    diagnostics.repeat(error.reported);
    throw new SourceError(error.errors);
  } finally {
    signal?.removeEventListener('abort', interrupt);
    runners.abandon();
  }
}

/**
 * The payloads to cook: all; or a share of them, or `only` one and the other members of its cluster, which is made again;
 * and with levels the payloads that these touch: levels keep the vertices that payloads share.
 */
function wantedPayloads(
  payloads: readonly PlannedPayload[],
  only: PlannedPayload | null,
  {
    inLevels,
    scene,
    job,
    clusters,
    share,
  }: {
    readonly inLevels: boolean;
    readonly scene: Scene;
    readonly job: CookJob;
    readonly clusters: readonly HlodCluster[];
    readonly share: Share | null;
  },
): WantedPayload[] {
  const instances = instanceLimits(payloads, scene, job);
  const neighbours = inLevels ? neighboursOf(payloads.map(({ objects }) => boundsOf(objects))) : [];
  const wanted = payloads.map(
    (payload, i): WantedPayload => ({
      payload,
      neighbours: neighbours[i] ?? [],
      instances: instances[i],
      silent: only ? payload !== only : share?.payloads.has(payload) === false,
    }),
  );
  if (only === null && share === null) return wanted;
  const cluster = only && clusters.find(({ members }) => members.some((tile) => tile === only.tile));
  const core = wanted.filter(
    ({ payload }) =>
      payload === only || share?.payloads.has(payload) || cluster?.members.some((tile) => tile === payload.tile),
  );
  const touched = new Set(core.flatMap(({ neighbours }) => neighbours.map(({ index }) => index)));
  const kept = new Set(core);
  return wanted.filter((one, i) => kept.has(one) || touched.has(i));
}

/** What the tiles of a plan take in the engine's memory in full detail, estimated, so that every shard finds the same. */
const estimatedTiles = ({ tiles }: ScenePlan) =>
  tiles.map(({ bounds, estimate }) => ({ bounds, bytes: estimate.bytes }));

function payloadsByTile(payloads: readonly PlannedPayload[]): (tile: PlannedTile) => PlannedPayload {
  const byTile = new Map(payloads.map((payload) => [payload.tile, payload]));
  return (tile) => byTile.get(tile) as PlannedPayload;
}

/** What a single file carries by itself; in a folder the manifest carries lights and cameras, and nothing moves. */
function authoredOf({ lights = [], cameras = [] }: Scene, rig: RiggedScene | null, isWhole: boolean): Authored {
  const skeletons = rig && rig.skeletons.length > 0 ? { skeletons: rig.skeletons } : {};
  return { lights, cameras, ...skeletons, ...(isWhole && rig && rig.clips.length > 0 ? { clips: rig.clips } : {}) };
}

/** The folder of payloads, relative to the base. */
const payloadFolder = (target: CookTarget) => (target.kind === 'folder' ? `${target.sceneName}/` : '');

/**
 * The materials with names that no two share and none lacks, so that every tile calls a material the same. `withDefault`:
 * something is drawn without a material, and the name of the default one is taken.
 */
function uniquelyNamed(materials: readonly PreparedMaterial[], withDefault: boolean): PreparedMaterial[] {
  const names = new UniqueNames();
  if (withDefault) names.take(DEFAULT_MATERIAL.name, '');
  return materials.map((material) => ({ ...material, name: names.take(material.name, 'material') }));
}

function drawsWithoutMaterial({ primitives }: SceneMesh): boolean {
  return primitives.some((primitive) =>
    [-1, ...primitive.subsets.keys()].some((subset) => materialOf(primitive, subset) < 0),
  );
}
