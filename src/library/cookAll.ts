// Cooks the sources of a call, but those whose last cook still holds, and gives the results of all.

import { setImmediate } from 'node:timers/promises';
import { inexpressibleNames } from '../config/depfile.ts';
import { showPath } from '../config/showPath.ts';
import { mainFile } from '../config/targets.ts';
import type { CookRecords, RecordCheck } from '../cook/kept/cookRecord.ts';
import type { CookMeans } from '../cook/session.ts';
import type { SourceTask, SourceThreads } from '../cook/sideBySide/sourceThreads.ts';
import type { CookJob, CookOutcome, CookProgress, CookTotals } from '../cook/types.ts';
import { type Diagnostic, type Diagnostics, diagnostic } from '../diagnostics/diagnostic.ts';
import { applyPolicy } from '../diagnostics/policy.ts';
import type { Cache } from '../output/cache/cache.ts';
import type { SharedTextures } from '../output/sharedTextures.ts';
import type { FolderSyncs } from '../output/syncs.ts';
import { RememberedFiles } from '../textures/rememberedFiles.ts';
import { thrownDiagnostics } from './call/faults.ts';
import { shownDiagnostic } from './call/shownDiagnostic.ts';
import type { CallWork } from './callSums.ts';
import { callWork } from './callTotals.ts';
import { DELAY, rateOf } from './check/deviceVerdict.ts';
import type { CookPlan } from './cookPlan.ts';
import type { CallCooks, Tools } from './cookRest.ts';
import type { CookOptions, SourceResult } from './cookTypes.ts';
import type { FitWish } from './fit/fitSource.ts';
import { ResultsInOrder } from './inOrder.ts';
import type { Stretch } from './smallSources.ts';

const NOTHING = { outputs: [], totals: null, diagnostics: [], filesRead: [] } as const;

/** Cooks one source; `fit`: so that its output fits a device. */
async function cookOne(
  job: CookJob,
  means: CookMeans,
  fit: FitWish | null,
): Promise<CookOutcome & Pick<SourceResult, 'error' | 'fit'>> {
  try {
    if (fit) return await (await import('./fit/fitSource.ts')).fitSource(job, means, fit);
    const { cookSource } = await import('../cook/cookSource.ts');
    return await cookSource(job, means);
  } catch (error) {
    return bugOutcome(job, error);
  }
}

/** What outputs are made to fit; null: nothing. */
function fitOf({ device, isFitted, options }: CookPlan, cwd: string): FitWish | null {
  const { deviceMemory, bandwidth, dryRun = false } = options;
  if (device === null || !isFitted || dryRun) return null;
  return { device, deviceMemory, connection: { delay: DELAY, rate: rateOf(bandwidth) }, cwd };
}

/** A bug is an outcome too, so that the other sources are still cooked. */
function bugOutcome({ source }: CookJob, error: unknown): CookOutcome & Pick<SourceResult, 'error'> {
  const failed = { source, status: 'failed', outputs: [], totals: null, filesRead: [] } as const;
  return { ...failed, diagnostics: thrownDiagnostics(error, source), error };
}

/** UC1021 for a source whose only fault is that it draws nothing: a layer of materials, say. Null for any other. */
function emptySource({ source, status, diagnostics }: CookOutcome): Diagnostic | null {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const isEmpty = status === 'failed' && errors.length > 0 && errors.every(({ code }) => code === 'UC2200');
  return isEmpty ? diagnostic('UC1021', source, '', 'there is nothing to draw in it') : null;
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
const MAX_WAITING = 512;

/** The clock of SourceProgress.time. */
const now = () => performance.timeOrigin + performance.now();

const joinedOf = ({ joined }: CookJob) => (joined ? { joined: joined.map(({ source }) => source) } : {});

const skipped = (job: CookJob): SourceResult => {
  const { source, target } = job;
  return { source, ...joinedOf(job), target, status: 'skipped', ...NOTHING };
};

class Call implements CallCooks {
  readonly #plan: CookPlan;
  readonly #given: CookOptions;
  readonly #cwd: string;
  readonly #cache: Cache | null;
  readonly #made: RememberedFiles | null;
  readonly #inOrder: ResultsInOrder;
  /** Why sources are cooked that were cooked before, by position; only if that was asked for. */
  readonly #reasons = new Map<number, readonly string[]>();
  /** What the last complete cook of a source came to, by position, where that is recorded. */
  readonly #before = new Map<number, CookTotals>();
  /** By source, what finishes it if its last cook still holds. */
  readonly #checkLater = new Map<number, () => boolean>();
  /** Files that were written, by path; of the textures that files share, those that were not there. */
  readonly written = new Set<string>();
  #isOver = false;

  constructor(plan: CookPlan, given: CookOptions, cwd: string, cache: Cache | null) {
    this.#plan = plan;
    this.#given = given;
    this.#cwd = cwd;
    this.#cache = cache;
    this.#made = plan.jobs.length > 1 ? new RememberedFiles(cache) : null;
    this.#inOrder = new ResultsInOrder(
      plan.jobs.map(({ source }) => source),
      given,
    );
  }

  get results(): SourceResult[] {
    return this.#inOrder.results;
  }

  /** The option that has every source cooked again; null: none was given. */
  get #forced(): '--force-rebuild' | '--force' | null {
    const { forceRebuild = false, force = false } = this.#plan.options;
    return forceRebuild ? '--force-rebuild' : force ? '--force' : null;
  }

  /** The sources that are to be cooked, by position; the others have their results. */
  select(): Map<number, CookJob> {
    const { onSelect = () => true } = this.#given;
    const all = new Map(this.#plan.jobs.entries());
    const selected = new Map([...all].filter(([, { source }]) => onSelect(source)));
    for (const [index, job] of all) if (!selected.has(index)) this.#inOrder.result(index, skipped(job), now());
    return selected;
  }

  /** Finishes the sources whose last cook still holds, and gives the others. */
  async notRecorded(selected: ReadonlyMap<number, CookJob>): Promise<ReadonlyMap<number, CookJob>> {
    const cache = this.#cache;
    const { explainRebuild = false, failFast = false } = this.#plan.options;
    if (cache === null || (this.#forced !== null && !explainRebuild)) return selected;
    const { CookRecords: Records } = await import('../cook/kept/cookRecord.ts');
    const isRecorded = (index: number, job: CookJob): boolean =>
      job.recordedFrom != null && this.#isRecorded(index, job, new Records(cache, job.recordedFrom));
    const rest = new Map<number, CookJob>();
    for (const [index, job] of selected) {
      // Checking may read many bytes: an interruption is heard in between.
      await setImmediate();
      if (this.#given.signal?.aborted || this.#plan.faults[index]) rest.set(index, job);
      else if (failFast && rest.size > 0) {
        // A source before it may fail, and then it is not even looked at.
        this.#checkLater.set(index, () => isRecorded(index, job));
        rest.set(index, job);
      } else if (!isRecorded(index, job)) rest.set(index, job);
    }
    return rest;
  }

  /** Whether the last cook of a source still holds, or cannot be compared for a bug of ours: it is finished then. */
  #isRecorded(index: number, job: CookJob, records: Pick<CookRecords, 'check'>): boolean {
    const { explainRebuild = false } = this.#plan.options;
    let checked: RecordCheck;
    try {
      checked = records.check(job, (path) => showPath(path, this.#cwd));
    } catch (error) {
      this.#finish(index, job, bugOutcome(job, error), now());
      return true;
    }
    const { outcome, reasons } = checked;
    const before = checked.outcome ? checked.outcome.totals : checked.before;
    if (before) this.#before.set(index, before);
    if (outcome && this.#forced === null) {
      if (explainRebuild) this.#reasons.set(index, []);
      this.#finish(index, job, outcome, now(), true);
      return true;
    }
    const forced = this.#forced === null ? [] : [`${this.#forced} was given`];
    if (explainRebuild) this.#reasons.set(index, [...forced, ...reasons]);
    return false;
  }

  async oneByOne(tasks: readonly SourceTask[], folders: FolderSyncs, tools: Tools): Promise<void> {
    const begun = new Set<Promise<void>>();
    try {
      for (const { index, job } of tasks) {
        const isSkipped = this.#isOver || this.#given.signal?.aborted === true;
        await new Promise<void>((resolve) => {
          const done = isSkipped
            ? Promise.resolve(this.#inOrder.result(index, skipped(job), now()))
            : this.#cook({ index, job }, resolve, folders, tools);
          begun.add(done);
          const end = () => {
            begun.delete(done);
            resolve();
          };
          // A failure is thrown below, by whoever awaits all that was begun.
          done.then(end, () => resolve());
        });
        while (begun.size > MAX_WAITING) await Promise.race(begun);
      }
      folders.end();
      await Promise.all(begun);
    } finally {
      folders.end();
      await Promise.allSettled(begun);
    }
  }

  async #cook(
    { index, job }: Pick<SourceTask, 'index' | 'job'>,
    onStaged: () => void,
    folders: FolderSyncs,
    { pool, textures }: Tools,
  ): Promise<void> {
    const { signal } = this.#given;
    const { failFast = false } = this.#plan.options;
    if (this.#checkLater.get(index)?.()) return;
    let staged: number | null = null;
    const onlyWaits = () => {
      staged = now();
      onStaged();
    };
    // Whoever may stop after a result gets it before the next source begins.
    const beside = failFast || signal || this.#plan.isFitted ? null : { onStaged: onlyWaits, folders };
    const report = (step: CookProgress) => this.#inOrder.progress(index, { ...step, time: now() });
    const means = {
      onProgress: report,
      pool,
      signal,
      beside,
      cache: this.#cache,
      textures,
      made: this.#made,
    };
    const outcome = this.#refused(job, index) ?? (await cookOne(job, means, fitOf(this.#plan, this.#cwd)));
    if (outcome.status === 'failed' && signal?.aborted) this.#inOrder.result(index, skipped(job), now());
    else {
      const { status } = this.#finish(index, job, outcome, staged ?? now());
      this.#isOver ||= status === 'failed' && failFast;
    }
  }

  /** The outcome of a source that is not begun; null for all others. */
  #refused({ source, policy }: CookJob, index: number): CookOutcome | null {
    const fault = this.#plan.faults[index];
    return fault ? { ...NOTHING, source, status: 'failed', diagnostics: [applyPolicy(fault, policy)] } : null;
  }

  async sideBySide(
    { tasks, threads }: Stretch,
    apart: SourceThreads,
    textures: SharedTextures | null,
    ofCache: Diagnostics,
  ): Promise<SourceTask[]> {
    const refused: SourceTask[] = [];
    const begun = tasks.filter(({ index, job }) => {
      const outcome = this.#refused(job, index);
      if (outcome) this.#finish(index, job, outcome, now());
      return outcome === null;
    });
    await apart.run(begun, threads, {
      onDone: ({ index, job }, outcome, steps, time) => {
        for (const step of steps) this.#inOrder.progress(index, step);
        this.#finish(index, job, outcome, time);
      },
      onBug: ({ index, job }, error) => this.#finish(index, job, bugOutcome(job, error), now()),
      onCacheFault: (fault) => {
        if (!ofCache.list.some(({ code }) => code === fault.code)) ofCache.add(fault);
      },
      onOrphans: (names) => textures?.addOrphans(names),
      onRefused: (task) => refused.push(task),
    });
    return refused.sort((a, b) => a.index - b.index);
  }

  #finish(
    index: number,
    job: CookJob,
    outcome: CookOutcome & Pick<SourceResult, 'error' | 'fit'>,
    time: number,
    isRecorded = false,
  ): SourceResult {
    const { target, policy } = job;
    const withoutGeometry = this.#plan.isNamed[index] ? null : emptySource(outcome);
    let result: SourceResult;
    if (withoutGeometry) {
      result = { ...skipped(job), diagnostics: [withoutGeometry], filesRead: outcome.filesRead };
    } else {
      const { depfile } = this.#plan.options;
      const unnoticed = depfile === undefined ? [] : depfileWarnings({ target, policy }, outcome.filesRead, this.#cwd);
      const diagnostics = [...outcome.diagnostics, ...unnoticed].map((item) => shownDiagnostic(item, this.#cwd));
      const reasons = this.#reasons.get(index);
      const rebuilt = reasons && { rebuilt: [...reasons, ...(outcome.rebuilt ?? [])] };
      const known = this.#before.get(index);
      const before = known ? { before: known } : {};
      const recorded = isRecorded ? { isRecorded } : {};
      const outputs = isRecorded ? outcome.outputs : this.#noted(outcome.outputs);
      result = { ...outcome, outputs, ...joinedOf(job), ...rebuilt, ...recorded, ...before, target, diagnostics };
    }
    this.#inOrder.result(index, result, time);
    return result;
  }

  /** Notes the files that were written. Which source brings a texture that several name depends on the threads: results do not say. */
  #noted(outputs: CookOutcome['outputs']): CookOutcome['outputs'] {
    return outputs.map(({ isFound = false, ...output }) => {
      if (!isFound) this.written.add(output.path);
      return output;
    });
  }
}

/** Cooks the sources of a call. `ofCache` gets what is wrong with the cache. */
export async function cookAll(
  plan: CookPlan,
  given: CookOptions,
  cwd: string,
  cache: Cache | null,
  ofCache: Diagnostics,
): Promise<{ readonly results: SourceResult[]; readonly work: CallWork }> {
  const call = new Call(plan, given, cwd, cache);
  try {
    const rest = await call.notRecorded(call.select());
    // What cooks takes longer to load than it takes to see that nothing has changed.
    if (rest.size > 0) await (await import('./cookRest.ts')).cookRest(call, rest, plan, given, cache, ofCache);
  } finally {
    await cache?.close();
  }
  return { results: call.results, work: callWork(call.results, call.written) };
}
