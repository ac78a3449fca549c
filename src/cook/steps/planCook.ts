// Plans what is cooked: payloads, levels, clusters, and which of them this cook makes.

import { neighboursOf } from '../../geometry/lod/borders.ts';
import type { Scene } from '../../scene/types.ts';
import { estimate } from '../../tiling/partition/budgets.ts';
import { boundsOf } from '../../tiling/partition/tile.ts';
import { planHlodClusters } from '../../tiling/streaming/hlodClusters.ts';
import type { Output } from '../outputs/output.ts';
import type { AuthoredPayloads, CookPlan, PayloadPlan, ReadScene, Selection, WantedPayload } from '../planned.ts';
import type { Session } from '../session.ts';
import type { CookJob } from '../types.ts';
import { shareCopies } from './copies/shareCopies.ts';
import { authoredModels, authoredTiles } from './plan/authoredPayloads.ts';
import { instanceLimits } from './plan/instances.ts';
import { levelsWithoutTiles, wantedChains, wantedLevels } from './plan/wantedLevels.ts';
import { withoutMeshesOf } from './read/authoredLevels.ts';

/** Plans the payloads of a scene. Throws and reports what the plan of the output does. */
export async function planPayloads(read: ReadScene, session: Session, output: Output): Promise<PayloadPlan> {
  const { job, diagnostics } = session;
  const plan = await output.plan(read, session);
  const none = plan.tiles === null ? levelsWithoutTiles(job.settings, plan.placements !== undefined) : null;
  if (none !== null) diagnostics.report('UC2061', job.source, '', none);
  return plan;
}

/** Plans a cook: its payloads, the levels and HLOD clusters that they get, and what of all that this cook makes. */
export async function planCook(read: ReadScene, session: Session, output: Output): Promise<CookPlan> {
  const { job, diagnostics } = session;
  const plan = await shareCopies(await planPayloads(read, session, output), read, session);
  const coarser = read.authored.reduce((max, object) => Math.max(max, object.coarser.length), 0);
  const asked = wantedLevels(job.settings, plan.tiles, coarser);
  const { lods, hlod } = asked;
  const levels = lods.length > 0 || hlod !== null ? asked : null;
  const chains = plan.placements ? wantedChains(job.settings) : null;
  const authored = chains
    ? authoredModels(read.authored, plan, chains, diagnostics)
    : authoredTiles(read.authored, plan, lods.length, diagnostics);
  const { hlodLevels = 1 } = job.settings;
  const areShared = plan.tiles !== null && levels !== null && hlodLevels > 1;
  const clusters = areShared ? (hlod === null ? [] : planHlodClusters(plan.tiles, hlodLevels - 1)) : null;
  const selection = output.select(plan, clusters ?? [], session);
  const wanted = wantedPayloads(plan, selection, levels !== null, job);
  const threads = wantedThreads(wanted, levels !== null || chains !== null);
  const scene = withoutUnused(plan.scene, read.hidden, authored);
  return {
    ...plan,
    scene,
    rig: read.rig,
    zone: read.zone,
    levels,
    authored,
    chains,
    clusters,
    selection,
    wanted,
    threads,
  };
}

/** The scene without the meshes of levels that are not used: nothing is to be prepared for them. */
function withoutUnused(scene: Scene, hidden: ReadonlySet<number>, { objectsOf }: AuthoredPayloads): Scene {
  const used = new Set([...objectsOf.values()].flatMap((objects) => objects.flatMap(({ coarser }) => coarser.flat())));
  return withoutMeshesOf(scene, new Set([...hidden].filter((node) => !used.has(node))));
}

/**
 * The payloads to cook: those that are selected, and with levels the payloads that these touch, because levels keep the
 * vertices that payloads share.
 */
function wantedPayloads(plan: PayloadPlan, selection: Selection, hasLevels: boolean, job: CookJob): WantedPayload[] {
  const { payloads, scene } = plan;
  const instances = instanceLimits(payloads, scene, job);
  const neighbours = hasLevels ? neighboursOf(payloads.map(({ objects }) => boundsOf(objects))) : [];
  const all = payloads.map(
    (payload, i): WantedPayload => ({
      payload,
      neighbours: neighbours[i] ?? [],
      instances: instances[i],
      silent: !selection.written.has(payload),
    }),
  );
  const whole = new Set(all.filter(({ payload }) => selection.whole.has(payload)));
  const touched = new Set([...whole].flatMap((one) => one.neighbours.map(({ index }) => index)));
  return all.filter((one, i) => whole.has(one) || touched.has(i));
}

/** A thread is started for this many triangles: for fewer, starting it takes longer than the work. */
const TRIANGLES_A_THREAD = 40_000;
/** With levels, a triangle takes about this many times as long. */
const LEVELS_COST = 4;
/** Passing an object to a thread takes about as long as cooking this many triangles in the main thread. */
const HANDING_OVER = 20;

/** For how many threads there is work in the payloads. */
function wantedThreads(wanted: readonly WantedPayload[], hasLevels: boolean): number {
  let work = 0;
  for (const { payload } of wanted) {
    work += estimate(payload.objects).triangles * (hasLevels ? LEVELS_COST : 1);
    work -= HANDING_OVER * payload.objects.length;
  }
  return Math.min(wanted.length, Math.max(1, Math.ceil(work / TRIANGLES_A_THREAD)));
}
