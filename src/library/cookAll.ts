// Cooks the sources of a call: small ones side by side where that is faster, all others one after the other, each by all
// threads. Which way is taken does not show in any result.

import { availableParallelism, totalmem } from 'node:os';
import { inexpressibleNames } from '../config/depfile.ts';
import { showPath } from '../config/showPath.ts';
import { mainFile } from '../config/targets.ts';
import type { SourcesBeside } from '../cook/cookSource.ts';
import type { SourceTask, SourceThreads } from '../cook/sideBySide/sourceThreads.ts';
import type { CookJob, CookOutcome, CookProgress } from '../cook/types.ts';
import { type Diagnostic, type Diagnostics, diagnostic } from '../diagnostics/diagnostic.ts';
import { applyPolicy } from '../diagnostics/policy.ts';
import type { Cache } from '../output/cache/cache.ts';
import type { FolderSyncs } from '../output/syncs.ts';
import type { WorkerPool } from '../workers/workerPool.ts';
import { thrownDiagnostics } from './call/faults.ts';
import { shownDiagnostic } from './call/shownDiagnostic.ts';
import type { CookPlan } from './cookPlan.ts';
import type { CookOptions, SourceResult } from './cookTypes.ts';
import { ResultsInOrder } from './inOrder.ts';
import { type Stretch, stretches } from './smallSources.ts';

const NOTHING = { outputs: [], totals: null, diagnostics: [], filesRead: [] } as const;

/** Cooks one source. */
async function cookOne(
  job: CookJob,
  pool: WorkerPool,
  onProgress: (progress: CookProgress) => void,
  signal: AbortSignal | undefined,
  beside: SourcesBeside | null,
  cache: Cache | null,
): Promise<CookOutcome & Pick<SourceResult, 'error'>> {
  try {
    const { cookSource } = await import('../cook/cookSource.ts');
    return await cookSource(job, onProgress, pool, signal, beside, cache);
  } catch (error) {
    return bugOutcome(job, error);
  }
}

/** A bug is an outcome too, so that the other sources are still cooked. */
function bugOutcome({ source }: CookJob, error: unknown): CookOutcome & Pick<SourceResult, 'error'> {
  const failed = { source, status: 'failed', outputs: [], totals: null, filesRead: [] } as const;
  return { ...failed, diagnostics: thrownDiagnostics(error, source), error };
}

/** A warning UC1014 for each name that Make cannot read in a depfile. */
function depfileWarnings(
  job: Pick<CookJob, 'target' | 'policy'>,
  filesRead: readonly string[],
  cwd: string,
): Diagnostic[] {
  const names = [mainFile(job.target), ...filesRead].map((file) => showPath(file, cwd));
  return inexpressibleNames(names).map((name) =>
    applyPolicy(diagnostic('UC1014', name, '', 'changes of this file will not be noticed'), job.policy),
  );
}

/** Sets that may wait for the disk while the next source is cooked: twice as many as share a sync of their folder. */
const MOST_WAITING = 512;

/** The memory that the machine, or the container, has for this process. */
function memoryOfMachine(): number {
  const constrained = process.constrainedMemory?.() ?? 0;
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

const skipped = ({ source, target }: CookJob): SourceResult => ({ source, target, status: 'skipped', ...NOTHING });

class Call {
  readonly #plan: CookPlan;
  readonly #given: CookOptions;
  readonly #cwd: string;
  readonly #cache: Cache | null;
  readonly #pool: WorkerPool;
  readonly #inOrder: ResultsInOrder;
  #isOver = false;

  constructor(plan: CookPlan, given: CookOptions, cwd: string, cache: Cache | null, pool: WorkerPool) {
    this.#plan = plan;
    this.#given = given;
    this.#cwd = cwd;
    this.#cache = cache;
    this.#pool = pool;
    this.#inOrder = new ResultsInOrder(
      plan.jobs.map(({ source }) => source),
      given,
    );
  }

  get results(): SourceResult[] {
    return this.#inOrder.results;
  }

  /** The sources that are to be cooked, by position; the others have their results. */
  select(): Map<number, CookJob> {
    const { onSelect = () => true } = this.#given;
    const all = new Map(this.#plan.jobs.entries());
    const selected = new Map([...all].filter(([, { source }]) => onSelect(source)));
    for (const [index, job] of all) if (!selected.has(index)) this.#inOrder.result(index, skipped(job));
    return selected;
  }

  /** Cooks one source after the other. While small sets wait for the disk the next ones are cooked. */
  async oneByOne(tasks: readonly SourceTask[], folders: FolderSyncs): Promise<void> {
    const begun = new Set<Promise<void>>();
    try {
      for (const { index, job } of tasks) {
        const isSkipped = this.#isOver || this.#given.signal?.aborted === true;
        await new Promise<void>((resolve) => {
          const done = isSkipped
            ? Promise.resolve(this.#inOrder.result(index, skipped(job)))
            : this.#cook(job, index, resolve, folders);
          begun.add(done);
          const end = () => {
            begun.delete(done);
            resolve();
          };
          // A failure is thrown below, by whoever awaits all that was begun.
          done.then(end, () => resolve());
        });
        while (begun.size > MOST_WAITING) await Promise.race(begun);
      }
      folders.end();
      await Promise.all(begun);
    } finally {
      folders.end();
      await Promise.allSettled(begun);
    }
  }

  async #cook(job: CookJob, index: number, onStaged: () => void, folders: FolderSyncs): Promise<void> {
    const { signal } = this.#given;
    const { failFast = false } = this.#plan.options;
    // Whoever may stop after a result gets it before the next source begins.
    const beside = failFast || signal ? null : { onStaged, folders };
    const report = (step: CookProgress) => this.#inOrder.progress(index, step);
    const outcome = await cookOne(job, this.#pool, report, signal, beside, this.#cache);
    if (outcome.status === 'failed' && signal?.aborted) this.#inOrder.result(index, skipped(job));
    else {
      this.#isOver ||= outcome.status === 'failed' && failFast;
      this.#finish(index, job, outcome);
    }
  }

  /** Cooks small sources side by side; gives those that have to be cooked one by one, in order. */
  async sideBySide({ tasks, threads }: Stretch, apart: SourceThreads, ofCache: Diagnostics): Promise<SourceTask[]> {
    const refused: SourceTask[] = [];
    await apart.run(tasks, threads, {
      onDone: ({ index, job }, outcome, steps) => {
        for (const step of steps) this.#inOrder.progress(index, step);
        this.#finish(index, job, outcome);
      },
      onBug: ({ index, job }, error) => this.#finish(index, job, bugOutcome(job, error)),
      onCacheFault: (fault) => {
        if (!ofCache.list.some(({ code }) => code === fault.code)) ofCache.add(fault);
      },
      onRefused: (task) => refused.push(task),
    });
    return refused.sort((a, b) => a.index - b.index);
  }

  #finish(index: number, { target, policy }: CookJob, outcome: CookOutcome & Pick<SourceResult, 'error'>): void {
    const { depfile } = this.#plan.options;
    const unnoticed = depfile === undefined ? [] : depfileWarnings({ target, policy }, outcome.filesRead, this.#cwd);
    const diagnostics = [...outcome.diagnostics, ...unnoticed].map((item) => shownDiagnostic(item, this.#cwd));
    this.#inOrder.result(index, { ...outcome, target, diagnostics });
  }
}

/** Cooks the sources of a call. `ofCache` gets what is wrong with the cache. */
export async function cookAll(
  plan: CookPlan,
  given: CookOptions,
  cwd: string,
  cache: Cache | null,
  ofCache: Diagnostics,
): Promise<SourceResult[]> {
  const { jobs, failFast, memoryLimit = memoryOfMachine() / 2 } = plan.options;
  const [{ WorkerPool }, { FolderSyncs }] = await Promise.all([
    import('../workers/workerPool.ts'),
    import('../output/syncs.ts'),
  ]);
  const most = jobs ?? availableParallelism();
  const pool = new WorkerPool(most);
  const call = new Call(plan, given, cwd, cache, pool);
  // Whoever may stop after a result gets it before the next source begins.
  const threadsBeside = failFast || given.signal ? 1 : most;
  let apart: SourceThreads | null = null;
  try {
    const selected = call.select();
    for (const { tasks, threads } of stretches(selected, threadsBeside)) {
      let rest = tasks;
      if (threads > 1) {
        const { SourceThreads: Threads } = await import('../cook/sideBySide/sourceThreads.ts');
        apart ??= new Threads(memoryLimit, cache?.share() ?? null);
        rest = await call.sideBySide({ tasks, threads }, apart, ofCache);
      }
      if (rest.length > 0) await call.oneByOne(rest, new FolderSyncs());
    }
  } finally {
    await Promise.all([pool.close(), (apart as SourceThreads | null)?.close()]);
    cache?.close();
  }
  return call.results;
}
