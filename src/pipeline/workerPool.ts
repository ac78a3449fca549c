// The threads that cook: as many as asked, each with one job at a time, started when there is enough to do and kept for
// the next source. One thread is none: its jobs run here, without copies. Which thread has which job decides nothing but
// the time.

import { Worker } from 'node:worker_threads';
import type { Diagnostic, Said } from '../diagnostics/diagnostic.ts';
import { JobFailure, JobRunner } from './jobRunner.ts';
import type { Job, JobResult, JobScene, ResultOf } from './jobs.ts';
import { buffersOf, withOwnArrays } from './transfer.ts';

export type Request =
  | { readonly kind: 'scene'; readonly scene: JobScene }
  | { readonly kind: 'shared'; readonly rows: Uint32Array }
  | { readonly kind: 'job'; readonly job: Job };

/** Of the job that the thread was given last: it has one at a time. */
export type Answer =
  | { readonly kind: 'done'; readonly result: JobResult }
  | { readonly kind: 'failed'; readonly errors: readonly Diagnostic[]; readonly said: readonly Said[] }
  | { readonly kind: 'bug'; readonly error: unknown };

/** Where jobs of one scene run. */
export interface Runners {
  /** How many run at once. */
  readonly count: number;
  /** Whether jobs go to other threads, so that they must be plain data. */
  readonly apart: boolean;
  /** The positions that levels keep, for all jobs from now on. */
  setShared(rows: Uint32Array): void;
  /**
   * Runs what `build` gives, which is called when runner number `runner` is free for it. Rejects with JobFailure where the
   * source is to blame, and with what `build` throws.
   */
  run<J extends Job>(build: (runner: number) => J): Promise<ResultOf<J>>;
  /** Gives up what waits; what runs is not answered any more, and what comes now is refused. */
  abandon(): void;
}

/** Runs jobs where it stands. */
class HereRunner implements Runners {
  readonly count = 1;
  readonly apart = false;
  readonly #runner: JobRunner;
  #last: Promise<unknown> = Promise.resolve();

  constructor(scene: JobScene) {
    this.#runner = new JobRunner(scene);
  }

  setShared(rows: Uint32Array): void {
    this.#runner.setShared(rows);
  }

  run<J extends Job>(build: (runner: number) => J): Promise<ResultOf<J>> {
    const done = this.#last.then(() => this.#runner.run(build(0)) as Promise<ResultOf<J>>);
    this.#last = done.catch(() => {});
    return done;
  }

  abandon(): void {}
}

interface Waiting {
  readonly build: (runner: number) => Job;
  readonly resolve: (result: JobResult) => void;
  readonly reject: (error: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  /** What it is at; null: nothing. */
  busy: Waiting | null;
}

/** Bundled, the thread's module stands beside this one; from the sources it is the one that the build made. */
const threadModule = new URL(import.meta.url.endsWith('.ts') ? '../../dist/worker.js' : './worker.js', import.meta.url);

/** The scene that jobs are of. */
interface Current {
  /** Why no more of them are taken; null: they are. */
  over: { readonly reason: unknown } | null;
}

export class WorkerPool {
  readonly #size: number;
  #threads: Thread[] = [];
  #queue: Waiting[] = [];
  /** Threads that the scene uses. */
  #count = 0;
  #current: Current = { over: null };

  /** `size`: threads at most, at least 1. */
  constructor(size: number) {
    this.#size = size;
  }

  /** Runners for the jobs of one scene; at most one scene at a time. With `wanted` 1 the jobs run here. */
  forScene(scene: JobScene, wanted: number): Runners {
    const count = Math.min(this.#size, wanted);
    if (count <= 1) return new HereRunner(scene);
    const bare = withoutBytes(scene);
    while (this.#threads.length < count) this.#threads.push(this.#start());
    const threads = this.#threads.slice(0, count);
    this.#count = count;
    const current: Current = { over: null };
    this.#current = current;
    for (const { worker } of threads) worker.postMessage({ kind: 'scene', scene: bare } satisfies Request);
    return {
      count,
      apart: true,
      setShared: (rows) => {
        for (const { worker } of threads) worker.postMessage({ kind: 'shared', rows } satisfies Request);
      },
      run: <J extends Job>(build: (runner: number) => J) =>
        new Promise<ResultOf<J>>((resolve, reject) => {
          // What was begun ahead of a failure may only now come to ask: the threads have another scene.
          if (current.over) return reject(current.over.reason);
          this.#queue.push({ build, resolve: resolve as Waiting['resolve'], reject });
          this.#dispatch();
        }),
      abandon: () => {
        current.over ??= { reason: new Error('the jobs of this scene were given up') };
        this.#queue = [];
      },
    };
  }

  /** Ends all threads; jobs that are still running are given up. */
  async close(): Promise<void> {
    const threads = this.#threads;
    this.#threads = [];
    this.#queue = [];
    await Promise.all(threads.map(({ worker }) => worker.terminate()));
  }

  #start(): Thread {
    const worker = new Worker(threadModule);
    const thread: Thread = { worker, busy: null };
    // A process that is done does not wait for idle threads.
    worker.unref();
    worker.on('message', (answer: Answer) => this.#take(thread, answer));
    worker.on('error', (error) => {
      this.#threads = this.#threads.filter((other) => other !== thread);
      // The numbers of the other threads are no longer those that jobs are built for.
      this.#current.over ??= { reason: error };
      const waiting = [...(thread.busy ? [thread.busy] : []), ...this.#queue];
      this.#queue = [];
      for (const { reject } of waiting) reject(error);
    });
    return thread;
  }

  #dispatch(): void {
    for (const [number, thread] of this.#threads.slice(0, this.#count).entries()) {
      while (!thread.busy && this.#queue.length > 0) {
        const waiting = this.#queue.shift() as Waiting;
        try {
          // Arrays of a job are views of a whole file or are still in use here: what goes is a copy.
          const request: Request = { kind: 'job', job: withOwnArrays(waiting.build(number)) };
          thread.worker.postMessage(request, buffersOf(request));
        } catch (error) {
          // Whoever's answer made room for this job has nothing to do with it.
          waiting.reject(error);
          continue;
        }
        thread.busy = waiting;
        thread.worker.ref();
      }
    }
  }

  #take(thread: Thread, answer: Answer): void {
    const waiting = thread.busy;
    thread.busy = null;
    thread.worker.unref();
    this.#dispatch();
    if (!waiting) return;
    if (answer.kind === 'done') waiting.resolve(answer.result);
    else if (answer.kind === 'failed') waiting.reject(new JobFailure(answer.errors, answer.said));
    else waiting.reject(answer.error);
  }
}

/** Threads name textures; their bytes stay here. Palettes are small, and levels read their colours. */
function withoutBytes(scene: JobScene): JobScene {
  const none = new Uint8Array(0);
  return {
    ...scene,
    textures: scene.textures.map((texture) => ({ ...texture, bytes: none })),
  };
}
