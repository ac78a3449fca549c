// The payloads of a plan: cooked by the runners in whatever order, written in the plan's.

import type { Diagnostics, ReportedDiagnostic } from '../diagnostics/diagnostic.ts';
import type { EmittedTile } from '../formats/manifest/write.ts';
import type { Neighbour } from '../geometry/lod/borders.ts';
import { emitPayload, type PayloadTarget } from '../output/payloads.ts';
import type { Scene } from '../scene/types.ts';
import type { PreparedMaterial, PreparedTexture } from '../textures/types.ts';
import { type Budgets, estimate } from '../tiling/partition/budgets.ts';
import type { PlannedObject, PlannedTile } from '../tiling/types.ts';
import { inOrder } from '../workers/inOrder.ts';
import {
  type InstanceLimits,
  type JobObject,
  type JobScene,
  type PayloadJob,
  type PayloadResult,
  Surfaces,
} from '../workers/jobs.ts';
import type { Runners } from '../workers/workerPool.ts';
import { CutObjects } from './cutObjects.ts';
import { MeshSources } from './meshSources.ts';
import { objectNames } from './objects.ts';
import { type PlannedPayload, reportBudget } from './planPayloads.ts';
import type { CookJob } from './types.ts';
import type { ColorPlans } from './vertexColors.ts';
import { aheadOf, type LevelWriter } from './writeLevels.ts';

/** Below this many triangles a thread would be done sooner than it has begun. */
const TRIANGLES_A_THREAD = 40_000;
/** Levels make a triangle cost about so many times as much. */
const LEVELS_COST = 4;
/** To hand an object to a thread costs about as much as to cook so many triangles here. */
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
  /** Those that it may touch; none where nobody will ask. */
  readonly neighbours: readonly Neighbour[];
  readonly instances: InstanceLimits | null;
  /** Only what its neighbours meet is wanted: nothing is written, and nothing reported. */
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
  /** Those that hold anything, by their plan. */
  readonly tiles: ReadonlyMap<PlannedTile, EmittedTile>;
  /** What they are drawn with. */
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
  // Noted when a mesh is prepared, reported when a payload with it has its turn: which job prepared it is chance, and one of
  // a payload that is to be silent may have.
  const reportedForMesh = new Map<number, readonly ReportedDiagnostic[]>();
  const notePrepared = ({ prepared }: Pick<PayloadResult, 'prepared'>) => {
    // Every thread that prepares a mesh says the same of it.
    for (const { mesh, reported } of prepared) reportedForMesh.set(mesh, reported);
  };
  const cuts = new CutObjects(runners, sources, notePrepared);
  const nameOf = objectNames(scene);
  const whole = (node: number) => jobObject(scene, node, nameOf);
  // A single file carries its lights and cameras; of a folder the manifest does.
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
