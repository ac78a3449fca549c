// What a worker thread does: takes the scene, the positions that levels keep, and jobs; answers each job with its result.

import { parentPort, type Transferable, workerData } from 'node:worker_threads';
import { JobFailure, JobRunner } from './jobRunner.ts';
import { takeThreadData } from './threadStart.ts';
import { buffersOf } from './transfer.ts';
import type { Answer, Request } from './workerPool.ts';

const port = parentPort;
if (port === null) throw new Error('this module runs in a worker thread');

takeThreadData(workerData);

/** The runner of the current scene's jobs; rejected if the code of its format cannot be loaded. */
let opened: Promise<JobRunner> | null = null;

async function answer({ number, job }: Extract<Request, { kind: 'job' }>): Promise<Answer> {
  if (opened === null) throw new Error('a job came before its scene');
  try {
    const runner = await opened;
    return { number, kind: 'done', result: await runner.run(job) };
  } catch (error) {
    if (error instanceof JobFailure) return { number, kind: 'failed', errors: error.errors, reported: error.reported };
    return { number, kind: 'bug', error };
  }
}

port.on('message', (request: Request) => {
  if (request.kind === 'scene') {
    opened = JobRunner.open(request.scene);
    // The scene's jobs report a failure. Attach a handler now so that Node does not report an unhandled rejection.
    opened.catch(() => {});
  } else if (request.kind === 'shared') opened?.then((runner) => runner.setShared(request.rows)).catch(() => {});
  else void answer(request).then((done) => port.postMessage(done, buffersOf(done) as Transferable[]));
});
