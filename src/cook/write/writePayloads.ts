// Cooks and writes the payloads of a plan. Runners cook them in any order; they are written in the order of the plan.

import type { Diagnostics, ReportedDiagnostic } from '../../diagnostics/diagnostic.ts';
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
import { objectNames } from '../objects.ts';
import { type PlannedPayload, reportBudget } from '../plan/planPayloads.ts';
import type { CookJob } from '../types.ts';
import type { ColorPlans } from '../vertexColors.ts';
import { CutObjects } from './cutObjects.ts';
import { MeshSources } from './meshSources.ts';
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
  readonly jobScene: JobScene;
  readonly colors: ColorPlans;
  readonly budgets: Budgets;
  readonly runners: Runners;
  readonly diagnostics: Diagnostics;
  readonly levelWriter: LevelWriter | null;
  readonly onPayload: (done: number, total: number) => void;
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
  const { job, scene, jobScene, colors, runners, diagnostics } = context;
  const sources = new MeshSources(scene, colors, jobsOf(wanted), runners);
  // Diagnostics of a mesh are noted when it is prepared, and reported in the turn of the first payload that uses it. Which
  // job prepares a mesh is chance, and it may be the job of a silent payload.
  const reportedForMesh = new Map<number, readonly ReportedDiagnostic[]>();
  const notePrepared = ({ prepared }: Pick<PayloadResult, 'prepared'>) => {
    // Every thread that prepares a mesh reports the same.
    for (const { mesh, reported } of prepared) reportedForMesh.set(mesh, reported);
  };
  const cuts = new CutObjects(runners, sources, notePrepared);
  const nameOf = objectNames(scene);
  const whole = (node: number) => jobObject(scene, node, nameOf);
  // A single file carries its lights and cameras; in a folder the manifest carries them.
  const { lights = [], cameras = [] } = scene;
  const authored = job.target.kind === 'file' ? { lights, cameras } : {};
  const begin = async ({ payload, neighbours, instances }: WantedPayload): Promise<PayloadResult> => {
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
  for await (const [{ payload, silent }, result] of inOrder(wanted, aheadOf(runners), begin)) {
    context.onPayload(++done, wanted.length);
    context.levelWriter?.meet(payload, result);
    if (silent) continue;
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
