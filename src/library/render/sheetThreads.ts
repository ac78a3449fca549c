// Threads that compare levels with full detail. Each has the set open for itself. Which of them compares which tile does not
// change the results.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type Diagnostics, SourceError } from '../../diagnostics/diagnostic.ts';
import { noteWorkingThread, workingThreads } from '../../output/threadRoom.ts';
import type { LookKind } from '../../raster/judge.ts';
import { threadOptions, YOUNG_HEAP_OF_SOURCES_MB } from '../../workers/threadStart.ts';
import { type ComparesLevels, type Looked, levelsOf, type PicturedLevel } from './compareLevels.ts';
import type { CookedSet, CookedTile } from './cookedSet.ts';
import type { SheetAnswer, SheetTask, SheetThreadData } from './sheetMessages.ts';

/** Bundled, the thread's module stands beside this one; from the sources it is the one that the build made. */
const threadModule = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/sheetThread.js' : './sheetThread.js',
  import.meta.url,
);

/** Levels for which one more thread is worth its start. */
const LEVELS_OF_THREAD = 8;

type Done = Extract<SheetAnswer, { looked: unknown }>;

interface Waiting {
  readonly task: SheetTask;
  readonly resolve: (done: Done) => void;
  readonly reject: (error: unknown) => void;
}

/** How many threads compare these tiles; 1: none is started. `jobs`: at most so many; undefined: one for each core. */
export function sheetThreadCount(tiles: readonly CookedTile[], jobs: number | undefined): number {
  const levels = tiles.reduce((sum, tile) => sum + levelsOf(tile).length, 0);
  const most = Math.min(jobs ?? availableParallelism(), Math.ceil(levels / LEVELS_OF_THREAD));
  return Math.max(1, Math.min(most, workingThreads()));
}

export class SheetThreads implements ComparesLevels {
  /** Each thread has the next task at hand. */
  readonly ahead: number;
  readonly #set: CookedSet;
  readonly #from: { readonly diagnostics: Diagnostics; readonly found: Set<string> };
  readonly #threads: { readonly worker: Worker; busy: Waiting | null }[];
  readonly #queue: Waiting[] = [];
  #failure: unknown = null;

  /** `into`: takes what threads report, and the morph targets that they find. */
  constructor(
    set: CookedSet,
    data: SheetThreadData,
    count: number,
    into: { readonly diagnostics: Diagnostics; readonly found: Set<string> },
  ) {
    this.ahead = count * 2;
    this.#set = set;
    this.#from = into;
    this.#threads = Array.from({ length: count }, () => {
      const worker = new Worker(threadModule, threadOptions(data, YOUNG_HEAP_OF_SOURCES_MB));
      noteWorkingThread(worker);
      const thread = { worker, busy: null as Waiting | null };
      worker.on('message', (answer: SheetAnswer) => this.#take(thread, answer));
      worker.on('error', (error) => this.#lose(error));
      worker.on('exit', (code) => this.#lose(new Error(`a thread that compared levels ended with code ${code}`)));
      return thread;
    });
  }

  async look(tile: CookedTile, kind: LookKind): Promise<Looked[]> {
    const { looked } = await this.#run({ kind: 'look', look: kind, tile: this.#set.tiles.indexOf(tile) });
    return looked.map((one) => ({ ...one, tile }));
  }

  async pictures(looked: readonly Looked[]): Promise<PicturedLevel[]> {
    const tiles = [...new Set(looked.map(({ tile }) => tile))];
    const made = new Map<Looked, PicturedLevel>();
    await Promise.all(
      tiles.map(async (tile) => {
        const own = looked.filter((one) => one.tile === tile);
        const bare = own.map(({ tile: _, ...one }) => one);
        const { pictures } = await this.#run({ kind: 'pictures', tile: this.#set.tiles.indexOf(tile), looked: bare });
        for (const [i, one] of own.entries()) made.set(one, pictures[i]);
      }),
    );
    return looked.map((one) => made.get(one)!);
  }

  /** Ends all threads. */
  async close(): Promise<void> {
    this.#lose(new Error('the threads were closed'));
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }

  #run(task: SheetTask): Promise<Done> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) return reject(this.#failure);
      this.#queue.push({ task, resolve, reject });
      this.#dispatch();
    });
  }

  #dispatch(): void {
    for (const thread of this.#threads) {
      if (thread.busy !== null) continue;
      thread.busy = this.#queue.shift() ?? null;
      if (thread.busy !== null) thread.worker.postMessage(thread.busy.task);
    }
  }

  #take(thread: { busy: Waiting | null }, answer: SheetAnswer): void {
    const { busy } = thread;
    thread.busy = null;
    this.#dispatch();
    if ('errors' in answer) busy?.reject(new SourceError(answer.errors));
    else if ('bug' in answer) busy?.reject(answer.bug);
    else {
      for (const item of answer.diagnostics) this.#from.diagnostics.add(item);
      for (const name of answer.found) this.#from.found.add(name);
      busy?.resolve(answer);
    }
  }

  /** Rejects what waits and what runs, and all that comes. */
  #lose(error: unknown): void {
    this.#failure ??= error;
    const open = [...this.#threads.flatMap(({ busy }) => busy ?? []), ...this.#queue.splice(0)];
    for (const thread of this.#threads) thread.busy = null;
    for (const { reject } of open) reject(this.#failure);
  }
}
