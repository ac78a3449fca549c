// Cooks small sources side by side, each whole in one thread. What depends on the machine is which thread cooks which
// source, and nothing that is written or reported.

import { Worker } from 'node:worker_threads';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { requireWasmMemory } from '../../diagnostics/environment.ts';
import { endAbandonedSets, type SetPlace } from '../../output/abandonedSets.ts';
import type { SharedCache } from '../../output/cache/cache.ts';
import { noteClosed, noteOpen } from '../../output/openSets.ts';
import { closeSetMutexes, makeSetMutex } from '../../output/setMutex.ts';
import { unlockThreadMutex } from '../../output/threadMutex.ts';
import { noteWorkingThread, requireAddressSpace, workingThreads } from '../../output/threadRoom.ts';
import { threadOptions, YOUNG_HEAP_OF_SOURCES_MB } from '../../workers/threadStart.ts';
import { setFiles } from '../outputs/setFiles.ts';
import type { CookJob, CookOutcome } from '../types.ts';
import type { SourceAnswer, SourceRequest, SourceThreadData, TexturesOfCall, TimedStep } from './messages.ts';

/** A source of a call, by its position. */
export interface SourceTask {
  readonly index: number;
  readonly job: CookJob;
  /** Bytes of memory that its cook is expected to take. */
  readonly bytes: number;
}

/** What becomes of the sources of a run, in any order. */
export interface SourceEvents {
  /** `time`: when the last step ended. */
  readonly onDone: (task: SourceTask, outcome: CookOutcome, steps: readonly TimedStep[], time: number) => void;
  readonly onBug: (task: SourceTask, error: unknown) => void;
  readonly onCacheFault: (fault: Diagnostic) => void;
  /** Shared textures that no file may name any more. */
  readonly onOrphans: (names: readonly string[]) => void;
  /** The source is to be cooked in another way: it is too large for one thread, or its thread is lost. */
  readonly onRefused: (task: SourceTask) => void;
}

interface Thread {
  readonly worker: Worker;
  /** Its number in locks. */
  readonly id: number;
  readonly mutex: SharedArrayBuffer;
  /** Sources that it was given and has not answered, by position. */
  readonly open: Map<number, SourceTask>;
  /** The source that it works on; null: it can take one. The others of `open` wait for the disk. */
  busy: number | null;
}

/** Sets of one thread that may wait for the disk: twice as many as share a sync of their folder. */
const MAX_WAITING = 512;

const threadModule = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/sourceThread.js' : './sourceThread.js',
  import.meta.url,
);

export class SourceThreads {
  readonly #cache: SharedCache | null;
  readonly #textures: TexturesOfCall | null;
  readonly #memoryLimit: number;
  readonly #module: URL;
  #threads: Thread[] = [];
  #tasks: readonly SourceTask[] = [];
  #next = 0;
  #events: SourceEvents | null = null;
  #unanswered = 0;
  #whenDone: () => void = () => {};

  /**
   * `memoryLimit`: while the process would exceed so many bytes, no source is begun beside another.
   */
  constructor(
    memoryLimit: number,
    cache: SharedCache | null,
    textures: TexturesOfCall | null,
    module: URL = threadModule,
  ) {
    this.#memoryLimit = memoryLimit;
    this.#cache = cache;
    this.#textures = textures;
    this.#module = module;
  }

  /**
   * Cooks sources in `count` threads, or in fewer where a limit leaves room for fewer; resolves when each has had its event.
   * One run at a time. Throws UC1102 where threads get no memory.
   */
  async run(tasks: readonly SourceTask[], count: number, events: SourceEvents): Promise<void> {
    requireAddressSpace();
    requireWasmMemory();
    const max = this.#threads.length < count ? this.#threads.length + workingThreads() : count;
    while (this.#threads.length < Math.min(count, max)) this.#threads.push(this.#start());
    this.#tasks = tasks;
    this.#next = 0;
    this.#events = events;
    this.#unanswered = tasks.length;
    noteOpen(this);
    try {
      await new Promise<void>((resolve) => {
        this.#whenDone = resolve;
        this.#feed();
      });
    } finally {
      noteClosed(this);
    }
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    const threads = this.#threads;
    this.#threads = [];
    await Promise.all(threads.map(({ worker }) => worker.terminate()));
  }

  /** Stops all threads for good and tidies up what they have begun; synchronous, for the end of the process. */
  discard(): void {
    closeSetMutexes(this.#threads.map(({ mutex }) => mutex));
    for (const thread of this.#threads) endAbandonedSets(this.#placesOf(thread), thread.id);
  }

  #start(): Thread {
    const mutex = makeSetMutex();
    const data: SourceThreadData = { mutex, cache: this.#cache, textures: this.#textures };
    const worker = new Worker(this.#module, threadOptions(data, YOUNG_HEAP_OF_SOURCES_MB));
    noteWorkingThread(worker);
    const thread: Thread = { worker, id: worker.threadId, mutex, open: new Map(), busy: null };
    worker.on('message', (answer: SourceAnswer) => this.#take(thread, answer));
    worker.on('messageerror', () => this.#lose(thread));
    worker.on('error', () => this.#lose(thread));
    worker.on('exit', () => this.#lose(thread));
    return thread;
  }

  #feed(): void {
    for (const thread of this.#threads) {
      while (thread.busy === null && thread.open.size < MAX_WAITING && this.#next < this.#tasks.length) {
        const task = this.#tasks[this.#next];
        if (!this.#hasRoom(task)) return;
        this.#next++;
        thread.busy = task.index;
        thread.open.set(task.index, task);
        thread.worker.postMessage({ kind: 'cook', index: task.index, job: task.job } satisfies SourceRequest);
        if (this.#next < this.#tasks.length) continue;
        for (const { worker } of this.#threads) worker.postMessage({ kind: 'end' } satisfies SourceRequest);
      }
    }
    if (this.#threads.length === 0) while (this.#next < this.#tasks.length) this.#refuse(this.#tasks[this.#next++]);
    if (this.#unanswered === 0) this.#whenDone();
  }

  #hasRoom({ bytes }: SourceTask): boolean {
    if (this.#threads.every(({ busy }) => busy === null)) return true;
    return process.memoryUsage.rss() + bytes <= this.#memoryLimit;
  }

  #refuse(task: SourceTask): void {
    this.#unanswered--;
    this.#events?.onRefused(task);
  }

  #take(thread: Thread, answer: SourceAnswer): void {
    const task = thread.open.get(answer.index);
    if (task === undefined) return;
    if (thread.busy === answer.index) thread.busy = null;
    if (answer.kind !== 'staged') {
      thread.open.delete(answer.index);
      if (answer.kind === 'large') this.#refuse(task);
      else {
        this.#unanswered--;
        this.#events?.onOrphans(answer.orphans);
        if (answer.kind === 'bug') this.#events?.onBug(task, answer.error);
        else {
          for (const fault of answer.ofCache) this.#events?.onCacheFault(fault);
          this.#events?.onDone(task, answer.outcome, answer.steps, answer.time);
        }
      }
    }
    this.#feed();
  }

  /** A thread has died, of lack of memory perhaps: what it had begun is undone, and cooked in another way. */
  #lose(thread: Thread): void {
    if (!this.#threads.includes(thread)) return;
    this.#threads = this.#threads.filter((other) => other !== thread);
    // A set changes in no other thread, so that this may wait until the thread has ended. Answers may still come until then.
    void thread.worker.terminate().then(() => {
      const lost = [...thread.open.values()];
      if (this.#textures) unlockThreadMutex(this.#textures.mutex, thread.id);
      endAbandonedSets(this.#placesOf(thread), thread.id);
      thread.open.clear();
      for (const task of lost) this.#refuse(task);
      this.#feed();
    });
  }

  /** The sets that a thread may have open. */
  #placesOf({ open }: Thread): SetPlace[] {
    const ofTextures = this.#textures && open.size > 0 ? [{ base: this.#textures.folder, main: null }] : [];
    return [...[...open.values()].map(({ job }) => setFiles(job.target)), ...ofTextures];
  }
}
