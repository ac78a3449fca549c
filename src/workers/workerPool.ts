// The threads that cook: at most as many as the caller asks for, each with one job at a time, started when there is enough
// to do and kept for the next source. A pool of one thread starts none: its jobs run on the main thread, without copies.
// Which thread runs which job does not change the results.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type Diagnostic, diagnostic, type ReportedDiagnostic } from '../diagnostics/diagnostic.ts';
import { faultsOf, requireWasmMemory } from '../diagnostics/environment.ts';
import { FORMATS } from '../formats/registry.ts';
import { noteWorkingThread, requireAddressSpace, requireThread, workingThreads } from '../output/threadRoom.ts';
import { JobFailure, JobRunner } from './jobRunner.ts';
import { type Job, type JobResult, type JobScene, jobName, type ResultOf } from './jobs.ts';
import { threadOptions } from './threadStart.ts';
import { withOwnArrays } from './transfer.ts';

export type Request =
  | { readonly kind: 'scene'; readonly scene: JobScene }
  | { readonly kind: 'shared'; readonly rows: Uint32Array }
  | { readonly kind: 'job'; readonly number: number; readonly job: Job };

/** The answer to the job with this number. */
export type Answer = { readonly number: number } & (
  | { readonly kind: 'done'; readonly result: JobResult }
  | {
      readonly kind: 'failed';
      readonly errors: readonly Diagnostic[];
      readonly reported: readonly ReportedDiagnostic[];
    }
  | { readonly kind: 'bug'; readonly error: unknown }
);

/** The threads, or the main thread, that run the jobs of one scene. */
export interface Runners {
  /** How many jobs run at the same time. */
  readonly count: number;
  /** Whether jobs go to other threads, so that they must be plain data. */
  readonly apart: boolean;
  /** The positions that levels keep, for all jobs from now on. */
  setShared(rows: Uint32Array): void;
  /**
   * Runs the job that `build` makes; it is called when runner number `runner` is free. Rejects with JobFailure where the
   * source or the machine is to blame or a thread is lost, and with what `build` throws.
   */
  run<J extends Job>(build: (runner: number) => J): Promise<ResultOf<J>>;
  /** Rejects the jobs that wait, and new ones; those that run are answered while the pool is open. */
  abandon(): void;
  /** Rejects all jobs with `failure`, the running ones too, and ends the threads that run them. */
  interrupt(failure: JobFailure): void;
}

/** Jobs on the main thread give way to other events of the process about so often, in milliseconds. */
const TURN_MS = 50;

/** Runs jobs on the main thread. */
class HereRunner implements Runners {
  readonly count = 1;
  readonly apart = false;
  readonly #runner: Promise<JobRunner>;
  #last: Promise<unknown> = Promise.resolve();
  #failure: JobFailure | null = null;
  #turnBegan = performance.now();

  constructor(scene: JobScene) {
    this.#runner = JobRunner.open(scene);
    // Jobs report a failure. Attach a handler now so that Node does not report an unhandled rejection.
    this.#runner.catch(() => {});
  }

  setShared(rows: Uint32Array): void {
    this.#runner.then((runner) => runner.setShared(rows)).catch(() => {});
  }

  run<J extends Job>(build: (runner: number) => J): Promise<ResultOf<J>> {
    const done = this.#last.then(() => this.#run(build));
    this.#last = done.catch(() => {});
    return done;
  }

  async #run<J extends Job>(build: (runner: number) => J): Promise<ResultOf<J>> {
    if (performance.now() - this.#turnBegan > TURN_MS) {
      // Promises alone never let timers, signals and other cooks of the process run.
      await nextTurn();
      this.#turnBegan = performance.now();
    }
    if (this.#failure) throw this.#failure;
    const runner = await this.#runner;
    return (await runner.run(build(0))) as ResultOf<J>;
  }

  abandon(): void {}

  interrupt(failure: JobFailure): void {
    this.#failure = failure;
  }
}

interface Waiting {
  readonly build: (runner: number) => Job;
  readonly resolve: (result: JobResult) => void;
  readonly reject: (error: unknown) => void;
}

/** A job that a thread was given. */
interface Running extends Waiting {
  readonly number: number;
  readonly kind: Job['kind'];
  /** What messages call it, and its file. */
  readonly name: string;
  readonly source: string;
}

interface Thread {
  readonly worker: Worker;
  /** The job that it runs; null: none. */
  busy: Running | null;
}

/** Bundled, the thread's module stands beside this one; from the sources it is the one that the build made. */
const threadModule = new URL(import.meta.url.endsWith('.ts') ? '../../dist/worker.js' : './worker.js', import.meta.url);

/** The scene whose jobs run. */
interface Current {
  /** What messages call its file. */
  readonly source: string;
  /** Why no more of its jobs are accepted; null: they are accepted. */
  over: { readonly reason: unknown } | null;
}

export class WorkerPool {
  readonly #size: number;
  readonly #module: URL;
  readonly #isApart: boolean;
  #threads: Thread[] = [];
  #queue: Waiting[] = [];
  /** Threads that the scene uses. */
  #count = 0;
  /** The number of the last job. */
  #number = 0;
  #current: Current = { source: '', over: null };
  /** When the last thread became free, by performance.now(); null: one works. */
  #idleSince: number | null = performance.now();
  #idleFor = 0;

  /** `size`: threads at most, at least 1. `module`: what each of them runs. `isApart`: no job runs on the main thread. */
  constructor(size: number, module: URL = threadModule, { isApart = false }: { readonly isApart?: boolean } = {}) {
    this.#isApart = isApart;
    this.#size = size;
    this.#module = module;
  }

  /** Threads at most. */
  get size(): number {
    return this.#size;
  }

  /** Whether no job runs on the main thread. */
  get isApart(): boolean {
    return this.#isApart;
  }

  /** How long no thread had work so far, in milliseconds. */
  get idleMilliseconds(): number {
    return this.#idleFor + (this.#idleSince === null ? 0 : performance.now() - this.#idleSince);
  }

  #noteWork(): void {
    const isIdle = this.#threads.every(({ busy }) => busy === null);
    if (isIdle === (this.#idleSince !== null)) return;
    this.#idleFor = this.idleMilliseconds;
    this.#idleSince = isIdle ? performance.now() : null;
  }

  /**
   * Starts the threads that forScene() will use for so many, if it will use any: they load their code while the caller
   * prepares the scene. Throws UC1102 where the cook, or its threads, would have too little memory: V8 ends the process over it.
   */
  start(wanted: number): void {
    requireAddressSpace();
    const count = Math.max(this.#isApart ? 1 : 0, this.#countFor(wanted));
    if ((count <= 1 && !this.#isApart) || this.#threads.length >= count) return;
    requireWasmMemory();
    if (this.#threads.length === 0) requireThread();
    while (this.#threads.length < count) this.#threads.push(this.#startThread());
  }

  /** Threads for so many that are wanted, as far as a limit of address space leaves room for them. */
  #countFor(wanted: number): number {
    const max = Math.min(this.#size, wanted);
    return max <= this.#threads.length ? max : Math.min(max, this.#threads.length + workingThreads());
  }

  /**
   * Runners for the jobs of one scene; at most one scene at a time. With `wanted` 1, or room for one thread, the jobs run
   * here. Throws what start() throws.
   */
  forScene(scene: JobScene, wanted: number): Runners {
    const count = Math.max(1, this.#countFor(wanted));
    if (count === 1 && !this.#isApart) return new HereRunner(scene);
    requireWasmMemory();
    const bare = withoutBytes(scene);
    const current: Current = { source: scene.source, over: null };
    this.#current = current;
    this.#count = count;
    let shared: Uint32Array | null = null;
    let threads: readonly Thread[] | null = null;
    const tell = (request: Request) => {
      for (const { worker } of threads ?? []) worker.postMessage(request);
    };
    // Where everything is kept from an earlier cook, there are no jobs, and no thread has to start.
    const begin = () => {
      if (threads) return;
      this.start(count);
      threads = this.#threads.slice(0, count);
      tell({ kind: 'scene', scene: bare });
      if (shared) tell({ kind: 'shared', rows: shared });
    };
    return {
      count,
      apart: true,
      setShared: (rows) => {
        shared = rows;
        tell({ kind: 'shared', rows });
      },
      run: <J extends Job>(build: (runner: number) => J) =>
        new Promise<ResultOf<J>>((resolve, reject) => {
          // This job was queued before its scene failed. Reject it: the workers already serve another scene.
          if (current.over) return reject(current.over.reason);
          begin();
          this.#queue.push({ build, resolve: resolve as Waiting['resolve'], reject });
          this.#dispatch();
        }),
      abandon: () => {
        current.over ??= { reason: new Error('the jobs of this scene were dropped') };
        const dropped = this.#queue;
        this.#queue = [];
        for (const { reject } of dropped) reject(current.over.reason);
      },
      interrupt: (failure) => {
        if (current.over) return;
        current.over = { reason: failure };
        this.#interrupt(failure);
      },
    };
  }

  /** Rejects what waits and what runs; the threads that run it end, for their answers have no owner any more. */
  #interrupt(failure: JobFailure): void {
    const busy = this.#threads.filter((thread) => thread.busy !== null);
    this.#threads = this.#threads.filter((thread) => thread.busy === null);
    const waiting = [...busy.flatMap(({ busy: job }) => job ?? []), ...this.#queue];
    this.#queue = [];
    for (const thread of busy) {
      thread.busy = null;
      void thread.worker.terminate();
    }
    this.#noteWork();
    for (const { reject } of waiting) reject(failure);
  }

  /** Ends all threads and rejects the jobs that they run. Resolves when they have ended. */
  async close(): Promise<void> {
    const threads = this.#threads;
    const given = [...threads.flatMap(({ busy }) => busy ?? []), ...this.#queue];
    this.#threads = [];
    this.#queue = [];
    for (const thread of threads) thread.busy = null;
    for (const { reject } of given) reject(new Error('the threads were closed'));
    await Promise.all(threads.map(({ worker }) => worker.terminate()));
  }

  #startThread(): Thread {
    const worker = new Worker(this.#module, threadOptions());
    noteWorkingThread(worker);
    const thread: Thread = { worker, busy: null };
    // A process that is done does not wait for idle threads.
    worker.unref();
    worker.on('message', (answer: unknown) => this.#take(thread, answer));
    worker.on('messageerror', (error) => this.#lose(thread, `gave an answer that cannot be read: ${error.message}`));
    worker.on('error', (error) => this.#lose(thread, `ended by ${describe(error)}`, error));
    // After an error, and when a pool is closed, the thread is not one of ours any more.
    worker.on('exit', (code) => this.#lose(thread, `ended with code ${code}`));
    return thread;
  }

  /**
   * A thread that died, or whose answers mean nothing, ends the scene: its job fails with UC1104, or with the fault of the
   * machine that `error` shows, and all waiting jobs fail with it. The next scene starts another thread.
   */
  #lose(thread: Thread, what: string, error: unknown = null): void {
    if (!this.#threads.includes(thread)) return;
    this.#threads = this.#threads.filter((other) => other !== thread);
    void thread.worker.terminate();
    const { name, source } = thread.busy ?? { name: '', source: this.#current.source };
    const work = thread.busy ? 'the thread that cooked it' : 'a thread without work';
    const fault = faultsOf(error, source, name) ?? [diagnostic('UC1104', source, name, `${work} ${what}`)];
    const failure = new JobFailure(fault, []);
    // The numbers of the other threads are no longer those that jobs are built for.
    this.#current.over ??= { reason: failure };
    const waiting = [...(thread.busy ? [thread.busy] : []), ...this.#queue];
    thread.busy = null;
    this.#queue = [];
    this.#noteWork();
    for (const { reject } of waiting) reject(failure);
  }

  #dispatch(): void {
    for (const [runner, thread] of this.#threads.slice(0, this.#count).entries()) {
      while (!thread.busy && this.#queue.length > 0) {
        const waiting = this.#queue.shift() as Waiting;
        try {
          // Arrays of a job are views of a whole file or are still in use here: what goes is a copy.
          const { copy: job, buffers } = withOwnArrays(waiting.build(runner));
          const number = ++this.#number;
          thread.worker.postMessage({ kind: 'job', number, job } satisfies Request, buffers);
          const { source } = this.#current;
          thread.busy = { ...waiting, number, kind: job.kind, name: jobName(job), source };
        } catch (error) {
          // The answer that freed this thread belongs to another job: only this one fails.
          waiting.reject(error);
          continue;
        }
        thread.worker.ref();
      }
    }
    this.#noteWork();
  }

  #take(thread: Thread, answer: unknown): void {
    // An answer may be on its way while close() ends the thread. Without a reference Node would not wait for that end.
    if (!this.#threads.includes(thread)) return;
    const waiting = thread.busy;
    if (waiting === null || !isAnswer(answer, waiting)) {
      this.#lose(thread, waiting ? 'gave an answer that is none' : 'gave an answer without a job');
      return;
    }
    thread.busy = null;
    thread.worker.unref();
    this.#dispatch();
    if (answer.kind === 'done') waiting.resolve(answer.result);
    else if (answer.kind === 'failed') waiting.reject(new JobFailure(answer.errors, answer.reported));
    else waiting.reject(answer.error);
  }
}

/** Whether a message is an answer to a job. */
function isAnswer(message: unknown, { number, kind }: Running): message is Answer {
  if (typeof message !== 'object' || message === null) return false;
  const answer = message as Partial<Record<'number' | 'kind' | 'result' | 'errors' | 'reported', unknown>>;
  if (answer.number !== number) return false;
  if (answer.kind === 'done') return (answer.result as JobResult | null | undefined)?.kind === kind;
  if (answer.kind === 'failed') return Array.isArray(answer.errors) && Array.isArray(answer.reported);
  return answer.kind === 'bug';
}

/** The error that ended a thread; threads may throw anything. */
function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/**
 * Threads name textures; their bytes stay here, unless files hold them. Palettes are small, and levels read their colours.
 */
function withoutBytes(scene: JobScene): JobScene {
  if (FORMATS[scene.format].isWhole) return scene;
  const none = new Uint8Array(0);
  return {
    ...scene,
    textures: scene.textures.map(({ smaller, ...texture }) => ({
      ...texture,
      bytes: none,
      ...(smaller && { smaller: smaller.map((file) => ({ ...file, bytes: none })) }),
    })),
  };
}
