// Cooks what is left of the sources of a call: small ones side by side where that is faster, all others one after the other, each by
// all threads. Which way is taken does not show in any result.

import { existsSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { outEachRoot } from '../config/outEach.ts';
import { isPack, mainFile } from '../config/targets.ts';
import { TEXTURE_FOLDER } from '../cook/outputs/pack/modelNames.ts';
import { type SourceTask, SourceThreads } from '../cook/sideBySide/sourceThreads.ts';
import type { CookJob } from '../cook/types.ts';
import type { Diagnostics } from '../diagnostics/diagnostic.ts';
import type { Cache } from '../output/cache/cache.ts';
import { SharedTextures } from '../output/sharedTextures.ts';
import { FolderSyncs } from '../output/syncs.ts';
import { makeThreadMutex } from '../output/threadMutex.ts';
import { WorkerPool } from '../workers/workerPool.ts';
import { collectTextures } from './collectTextures.ts';
import type { CookPlan } from './cookPlan.ts';
import type { CookOptions } from './cookTypes.ts';
import { type Stretch, stretches } from './smallSources.ts';

/** What sources of one call are cooked with. */
export interface Tools {
  readonly pool: WorkerPool;
  readonly textures: SharedTextures | null;
}

/** The ways to cook sources of a call; each source gets its result. */
export interface CallCooks {
  /** Cooks one source after the other. While small sets wait for the disk the next ones are cooked. */
  oneByOne(tasks: readonly SourceTask[], folders: FolderSyncs, tools: Tools): Promise<void>;
  /** Cooks small sources side by side; gives those that have to be cooked one by one, in order. */
  sideBySide(
    stretch: Stretch,
    apart: SourceThreads,
    textures: SharedTextures | null,
    ofCache: Diagnostics,
  ): Promise<SourceTask[]>;
}

/** The memory that the machine, or the container, has for this process. */
function memoryOfMachine(): number {
  const constrained = process.constrainedMemory?.() ?? 0;
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/** The folder that all files lie in which may name textures of the call's own folder; null: it has none of its own. */
function filesFolder({ options: { out, outEach }, jobs }: CookPlan): string | null {
  if (areSets(jobs)) return out ?? null;
  if (outEach !== undefined) return outEachRoot(outEach);
  const pack = jobs.find(({ target }) => isPack(target));
  return pack ? dirname(mainFile(pack.target)) : null;
}

const areSets = (jobs: CookPlan['jobs']): boolean => jobs.every(({ target }) => target.kind === 'folder');

/** The folder of textures that sets of earlier cooks may share, of which some go when these sets share none; null: there is none. */
function sharedBefore({ jobs, options: { out } }: CookPlan): string | null {
  const folder = out !== undefined && areSets(jobs) ? join(out, TEXTURE_FOLDER) : null;
  return folder !== null && existsSync(folder) ? folder : null;
}

/** The folder of shared textures of a call, and the mutex of the threads that use it. */
function sharedTextures(plan: CookPlan) {
  const { options } = plan;
  const shared = plan.shared ?? sharedBefore(plan);
  if (shared === null) return null;
  const mutex = makeThreadMutex();
  const { force = false } = options;
  return { here: new SharedTextures(shared, force, mutex), forThreads: { folder: shared, force, mutex } };
}

/** Cooks the sources of a call that have no result yet. */
export async function cookRest(
  call: CallCooks,
  rest: ReadonlyMap<number, CookJob>,
  plan: CookPlan,
  { signal }: CookOptions,
  cache: Cache | null,
  ofCache: Diagnostics,
): Promise<void> {
  const { jobs, failFast, memoryLimit = memoryOfMachine() / 2, remoteCache } = plan.options;
  const isRemote = cache !== null && (remoteCache ?? plan.environment.env.UNTOLD_REMOTE_CACHE ?? '') !== '';
  const max = jobs ?? availableParallelism();
  // A thread can be ended at any time; work on the main thread ends only where it looks at the clock. One KTX2 file would stop
  // it for seconds.
  const isSlow = plan.jobs.some(({ settings }) => settings.textures?.mode === 'ktx2');
  const pool = new WorkerPool(max, undefined, { isApart: plan.deadline !== null || isSlow });
  cache?.waitsWhile?.(() => pool.idleMilliseconds);
  const shared = sharedTextures(plan);
  const textures = shared?.here ?? null;
  // Whoever may stop after a result gets it before the next source begins.
  // Threads know the cache of this machine alone.
  // Only the main thread measures outputs.
  const threadsBeside = failFast || signal || isRemote || plan.isFitted ? 1 : max;
  let apart: SourceThreads | null = null;
  try {
    for (const { tasks, threads } of stretches(rest, threadsBeside)) {
      let left = tasks;
      if (threads > 1) {
        apart ??= new SourceThreads(memoryLimit, cache?.share() ?? null, shared?.forThreads ?? null);
        left = await call.sideBySide({ tasks, threads }, apart, textures, ofCache);
      }
      if (left.length > 0) await call.oneByOne(left, new FolderSyncs(), { pool, textures });
    }
    const files = filesFolder(plan);
    if (textures && files !== null) await collectTextures(textures, files);
  } finally {
    await Promise.all([pool.close(), (apart as SourceThreads | null)?.close()]);
  }
}
