// Cooks and writes the payloads of a plan. Runners cook them in any order; they are written in the order of the plan.

import type { RiggedScene } from '../../animation/rig.ts';
import type { Diagnostics, ReportedDiagnostic } from '../../diagnostics/diagnostic.ts';
import type { Authored } from '../../formats/format.ts';
import type { EmittedTile } from '../../formats/manifest/write.ts';
import type { Neighbour } from '../../geometry/lod/borders.ts';
import { emitPayload, type PayloadTarget } from '../../output/payloads.ts';
import type { Scene } from '../../scene/types.ts';
import type { PreparedMaterial, PreparedTexture } from '../../textures/types.ts';
import { type Budgets, estimate } from '../../tiling/partition/budgets.ts';
import type { PlannedObject, PlannedTile } from '../../tiling/types.ts';
import { inOrder } from '../../workers/inOrder.ts';
import {
  type InstanceLimits,
  type JobObject,
  type JobScene,
  type PayloadJob,
  type PayloadResult,
  Surfaces,
} from '../../workers/jobs.ts';
import type { Runners } from '../../workers/workerPool.ts';
import { type PlannedPayload, reportBudget } from '../outputs/tileSet/planTiles.ts';
import type { CookJob } from '../types.ts';
import { KeptPayloads, meshesOf, type ObjectSources } from '../units/keptPayloads.ts';
import type { Ingredients, KeptUnits, Unit, UnitStore } from '../units/unitStore.ts';
import { CutObjects } from './payloads/cutObjects.ts';
import { MeshSources } from './payloads/meshSources.ts';
import { objectNames } from './read/objects.ts';
import { type ColorPlans, materialOf } from './textures/vertexColors.ts';
import { aheadOf, type LevelWriter } from './writeLevels.ts';

/** A thread is started for this many triangles: for fewer, starting it takes longer than the work. */
const TRIANGLES_A_THREAD = 40_000;
/** With levels, a triangle takes about this many times as long. */
const LEVELS_COST = 4;
/** Passing an object to a thread takes about as long as cooking this many triangles in the main thread. */
const HANDING_OVER = 20;

/** For how many threads there is work in the payloads. */
export function wantedThreads(payloads: readonly PlannedPayload[], withLevels: boolean): number {
  let work = 0;
  for (const { objects } of payloads) {
    work += estimate(objects).triangles * (withLevels ? LEVELS_COST : 1);
    work -= HANDING_OVER * objects.length;
  }
  return Math.min(payloads.length, Math.max(1, Math.ceil(work / TRIANGLES_A_THREAD)));
}

/** A payload to be cooked. */
export interface WantedPayload {
  readonly payload: PlannedPayload;
  /** Payloads that it may touch; empty where no levels are made. */
  readonly neighbours: readonly Neighbour[];
  readonly instances: InstanceLimits | null;
  /** It is cooked only for the vertices that its neighbours share: nothing of it is written or reported. */
  readonly silent: boolean;
}

export interface PayloadContext extends PayloadTarget {
  readonly job: CookJob;
  readonly scene: Scene;
  /** Skeletons of a single file; null: none. */
  readonly rig: RiggedScene | null;
  /** What each payload carries by itself. */
  readonly authored: Authored;
  readonly jobScene: JobScene;
  readonly colors: ColorPlans;
  readonly budgets: Budgets;
  readonly runners: Runners;
  readonly diagnostics: Diagnostics;
  readonly levelWriter: LevelWriter | null;
  /** Where payloads are kept from cook to cook; null: nowhere. */
  readonly kept: KeptUnits | null;
  readonly onPayload: (done: number, total: number) => void;
  /** The diagnostics of a payload are reported next. */
  readonly onReport?: ((tile: string) => void) | undefined;
}

/** The result of a payload's job, or of an earlier cook's. */
interface CookedPayload {
  readonly result: PayloadResult;
  /** Where it is to be kept; null: nowhere, or it is there. */
  readonly unit: Unit | null;
}

export interface WrittenPayloads {
  /** By their plan, the tiles that were written; empty ones are not. */
  readonly tiles: ReadonlyMap<PlannedTile, EmittedTile>;
  /** The materials of the tiles. */
  readonly materials: ReadonlySet<PreparedMaterial>;
  readonly textures: ReadonlySet<PreparedTexture>;
  readonly payloads: number;
  readonly triangles: number;
  readonly vertices: number;
}

/** Throws JobFailure where the source is to blame, and what the set throws. */
export async function writePayloads(
  wanted: readonly WantedPayload[],
  context: PayloadContext,
): Promise<WrittenPayloads> {
  const { scene, jobScene, colors, runners, diagnostics } = context;
  const { store = null, digests = null } = context.kept ?? {};
  const sources = new MeshSources(scene, colors, jobsOf(wanted), runners, digests);
  // Diagnostics of a mesh are noted when it is prepared, and reported in the turn of the first payload that uses it. Which
  // job prepares a mesh is chance, and it may be the job of a silent payload.
  const reportedForMesh = new Map<number, readonly ReportedDiagnostic[]>();
  const notePrepared = ({ prepared }: Pick<PayloadResult, 'prepared'>) => {
    // Every thread that prepares a mesh reports the same.
    for (const { mesh, reported } of prepared) reportedForMesh.set(mesh, reported);
  };
  const cuts = new CutObjects(runners, sources, notePrepared);
  const nameOf = objectNames(scene);
  const { rig } = context;
  const whole = (node: number): JobObject => {
    const moved = rig?.ofNode.get(node);
    return { ...jobObject(scene, node, nameOf), ...(moved ? { rig: moved } : {}) };
  };
  const { authored } = context;
  const keptPayloads = store && digests ? new KeptPayloads(store, digests) : null;
  const from: ObjectSources = {
    jobObject: whole,
    meshDigest: (mesh) => sources.digestOf(mesh),
    materialsOf: (mesh) => materialsOf(scene, mesh),
  };
  const ingredientsOf = ({ payload, neighbours, instances }: WantedPayload, kept: KeptPayloads): Ingredients => {
    const { tile, fileType, objects } = payload;
    const boxes = neighbours.map(({ box }) => box);
    return kept.ingredients({ name: tile?.id ?? '', fileType, authored, neighbours: boxes, instances, objects }, from);
  };
  const begin = async (one: WantedPayload): Promise<CookedPayload> => {
    if (keptPayloads === null) return { result: await make(one), unit: null };
    const { objects } = one.payload;
    const read = await sources.digest(objects);
    try {
      const ingredients = ingredientsOf(one, keptPayloads);
      const unit = (store as UnitStore).unit('payload', ingredients);
      const meshes = meshesOf(objects, whole);
      const cutObjects = objects.filter(isCut);
      const found = await keptPayloads.find(unit, meshes.length, cutObjects.length);
      (store as UnitStore).note('payload', one.payload.tile?.id ?? '', ingredients, found === null);
      if (found === null) return { result: await make(one), unit };
      notePrepared({ prepared: meshes.map((mesh, i) => ({ mesh, reported: found.meshes[i] })) });
      for (const [i, object] of cutObjects.entries()) cuts.know(object, found.cuts[i]);
      sources.skip(objects.filter(isWhole));
      return { result: found.result, unit: null };
    } finally {
      sources.release(read);
    }
  };
  const keep = async ({ payload }: WantedPayload, { result, unit }: CookedPayload): Promise<void> => {
    if (keptPayloads === null || unit === null) return;
    const reported = await Promise.all(payload.objects.filter(isCut).map((object) => cuts.reportedFor(object)));
    const meshes = meshesOf(payload.objects, whole).map((mesh) => reportedForMesh.get(mesh) ?? []);
    keptPayloads.put(unit, result, { meshes, cuts: reported });
  };
  const make = async ({ payload, neighbours, instances }: WantedPayload): Promise<PayloadResult> => {
    const { tile, fileType } = payload;
    const objects: JobObject[] = [];
    for (const object of payload.objects) {
      const cut = object.piece ? await cuts.take(object, whole) : null;
      objects.push({ ...whole(object.node), cut });
    }
    const uncut = payload.objects.filter(isWhole);
    await sources.prepare(uncut);
    const result = await runners.run(
      (runner): PayloadJob => ({
        kind: 'payload',
        tileId: tile?.id ?? null,
        fileType,
        authored,
        objects,
        ...sources.give(runner, uncut),
        neighbours: neighbours.map(({ box }) => box),
        instances,
        keepsMeshes: context.levelWriter?.keepsMeshesOf(payload) ?? false,
      }),
    );
    notePrepared(result);
    return result;
  };

  const surfaces = new Surfaces(jobScene);
  const repeat = async (objects: readonly PlannedObject[], reported: readonly ReportedDiagnostic[]) => {
    const repeatMesh = ({ node }: PlannedObject) =>
      diagnostics.repeat(reportedForMesh.get(scene.nodes[node].mesh) ?? []);
    for (const object of objects) {
      if (!object.piece) continue;
      repeatMesh(object);
      diagnostics.repeat(await cuts.reportedFor(object));
    }
    objects.filter(isWhole).forEach(repeatMesh);
    diagnostics.repeat(reported);
  };
  const tiles = new Map<PlannedTile, EmittedTile>();
  const materials = new Set<PreparedMaterial>();
  const textures = new Set<PreparedTexture>();
  let payloads = 0;
  let triangles = 0;
  let vertices = 0;
  let done = 0;
  context.onPayload(done, wanted.length);
  for await (const [one, cooked] of inOrder(wanted, aheadOf(runners), begin)) {
    const { payload, silent } = one;
    const { result } = cooked;
    context.onPayload(++done, wanted.length);
    await keep(one, cooked);
    context.levelWriter?.meet(payload, result);
    if (silent) continue;
    context.onReport?.(payload.tile?.id ?? '');
    await repeat(payload.objects, result.reported);
    if (result.payload === null) continue;
    for (const { surface } of result.drawn) {
      const { material, palette } = surfaces.surface(surface);
      materials.add(material);
      for (const slot of Object.values(material.slots) as number[])
        if (slot >= 0) textures.add(jobScene.textures[slot]);
      if (palette) textures.add(palette);
    }
    const { triangles: drawn, ...encoded } = result.payload;
    const emitted = await emitPayload(context, encoded, payload.path, payload.tile !== null);
    payloads++;
    triangles += drawn;
    vertices += emitted.vertices;
    const { tile } = payload;
    if (tile === null) continue;
    reportBudget(tile, emitted, context.budgets, scene, diagnostics);
    const whole: EmittedTile = { ...emitted, planned: tile };
    tiles.set(tile, whole);
    context.levelWriter?.add(payload, result, whole);
  }
  return { tiles, materials, textures, payloads, triangles, vertices };
}

function jobObject({ nodes, meshes }: Scene, node: number, nameOf: (node: number) => string): JobObject {
  const { path, mesh, world } = nodes[node];
  const name = nameOf(node);
  return { node, path, name, mesh, meshName: meshes[mesh].name || name, world, cut: null };
}

const isWhole = ({ piece }: PlannedObject): boolean => !piece;
const isCut = (object: PlannedObject): boolean => !isWhole(object);

/** The materials that a mesh is drawn with, each once; -1 for none. */
function materialsOf({ meshes }: Scene, mesh: number): readonly number[] {
  const drawn = meshes[mesh].primitives.filter(({ triangleCount }) => triangleCount > 0);
  const used = drawn.flatMap((primitive) =>
    [-1, ...primitive.subsets.keys()].map((subset) => materialOf(primitive, subset)),
  );
  return [...new Set(used)];
}

/** The objects whose meshes each job will need: one job for each object that is cut, one for the whole ones of a payload. */
function jobsOf(wanted: readonly WantedPayload[]): (readonly PlannedObject[])[] {
  const cut = new Map<number, PlannedObject>();
  for (const { payload } of wanted) {
    for (const object of payload.objects) if (object.piece) cut.set(object.node, object);
  }
  return [
    ...[...cut.values()].map((object) => [object]),
    ...wanted.map(({ payload }) => payload.objects.filter(isWhole)),
  ];
}
