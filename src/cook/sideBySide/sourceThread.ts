// What a thread that cooks whole sources does: takes sources, cooks one after the other, and begins the next one while small
// sets wait for the disk.

import { parentPort, workerData } from 'node:worker_threads';
import { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { type Cache, openSharedCache } from '../../output/cache/cache.ts';
import { useSetMutex } from '../../output/setMutex.ts';
import { SharedTextures } from '../../output/sharedTextures.ts';
import { FolderSyncs } from '../../output/syncs.ts';
import { RememberedFiles } from '../../textures/rememberedFiles.ts';
import { takeThreadData } from '../../workers/threadStart.ts';
import { WorkerPool } from '../../workers/workerPool.ts';
import { cookSource } from '../cookSource.ts';
import { LargeSource } from '../session.ts';
import type { CookProgress } from '../types.ts';
import type { SourceAnswer, SourceRequest, SourceThreadData, TimedStep } from './messages.ts';

const port = parentPort;
if (port === null) throw new Error('this module runs in a worker thread');

const { mutex, cache: shared, textures: ofCall } = takeThreadData(workerData as SourceThreadData);
useSetMutex(mutex);

const ofCache = new Diagnostics();
const cache: Cache | null =
  shared === null ? null : { ...openSharedCache(shared, ofCache), share: () => shared, async close() {} };

const made = new RememberedFiles(cache);

const textures = ofCall && new SharedTextures(ofCall.folder, ofCall.force, ofCall.mutex);

/**
 * Work of more threads than this is left to the main thread, whose pool divides it. Reading such a source twice takes little
 * time beside cooking it.
 */
const MAX_THREADS_OF_WORK = 32;

/** A pool of one thread: all work of a source is done here. */
const pool = new WorkerPool(1);
let folders = new FolderSyncs();

function post(answer: SourceAnswer): void {
  try {
    port?.postMessage(answer);
  } catch (error) {
    // An exception may hold what cannot be copied.
    if (answer.kind === 'bug') port?.postMessage({ ...answer, error: new Error(String(answer.error)) });
    else throw error;
  }
}

const now = () => performance.timeOrigin + performance.now();

async function cook({ index, job }: Extract<SourceRequest, { kind: 'cook' }>): Promise<SourceAnswer> {
  const steps: TimedStep[] = [];
  let staged: number | null = null;
  const onStaged = () => {
    staged = now();
    post({ kind: 'staged', index });
  };
  const beside = { onStaged, folders, maxThreads: MAX_THREADS_OF_WORK };
  const onProgress = (step: CookProgress) => steps.push({ ...step, time: now() });
  const orphans = () => textures?.takeOrphans() ?? [];
  try {
    const outcome = await cookSource(job, { onProgress, pool, beside, cache, textures, made });
    const time = staged ?? now();
    return { kind: 'done', index, outcome, steps, time, ofCache: ofCache.list, orphans: orphans() };
  } catch (error) {
    return error instanceof LargeSource ? { kind: 'large', index } : { kind: 'bug', index, error, orphans: orphans() };
  }
}

port.on('message', (request: SourceRequest) => {
  if (request.kind === 'cook') void cook(request).then(post);
  else {
    folders.end();
    // More sources may come in a later run.
    folders = new FolderSyncs();
  }
});
