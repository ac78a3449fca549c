// cook(): finds the sources, decides where each one goes, and cooks them one after the other. A source that fails does not
// stop the others. Threads belong to the call, so that calls may run at once.

import { availableParallelism } from 'node:os';
import { inexpressibleNames } from '../config/depfile.ts';
import type { OptionsOf } from '../config/options/option.ts';
import type { COOK_CALL_OPTIONS } from '../config/options/table.ts';
import { outEachRoot } from '../config/outEach.ts';
import { showPath } from '../config/showPath.ts';
import { mainFile } from '../config/targets.ts';
import type { CookTarget } from '../config/types.ts';
import type { SourcesBeside } from '../cook/cookSource.ts';
import { interruption, throwIfAborted } from '../cook/interruption.ts';
import type { PlanOutcome } from '../cook/plan/planOutcome.ts';
import type { CookJob, CookOutcome, CookOutput, CookProgress, CookTotals } from '../cook/types.ts';
import { type Diagnostic, Diagnostics, diagnostic, SourceError } from '../diagnostics/diagnostic.ts';
import { faultsOf } from '../diagnostics/environment.ts';
import { applyPolicy } from '../diagnostics/policy.ts';
import type { Cache } from '../output/cache/cache.ts';
import type { SharedTextures } from '../output/sharedTextures.ts';
import type { WorkerPool } from '../workers/workerPool.ts';
import type { CallOptions } from './call/checkOptions.ts';
import { exitCodeOf, worst } from './call/exitCode.ts';
import { thrownDiagnostics } from './call/faults.ts';
import { shownDiagnostic } from './call/shownDiagnostic.ts';
import { folderOfMessages, workingFolder } from './call/workingFolder.ts';
import { type CookPlan, planCook } from './cookPlan.ts';
import { sweepTextures } from './sweepTextures.ts';
import { writeDepfile } from './writeDepfile.ts';

/** How far the cook of one source is: `done` of `total` steps of a phase. */
export interface SourceProgress extends CookProgress {
  /** The source, as SourceResult.source has it. */
  readonly source: string;
  /** The position of the source in the call, from 0, and the number of sources. */
  readonly index: number;
  readonly count: number;
}

/**
 * The options of `untold cook` in camelCase, and callbacks. Callbacks must not throw. There is no cache unless `cacheDir` or
 * `cache: true` asks for one, whatever the environment says, and no project file unless `config` names one or is true.
 */
export interface CookOptions extends OptionsOf<typeof COOK_CALL_OPTIONS>, CallOptions {
  /** The sources that were found, in order, before the first one is opened. */
  readonly onSources?: ((sources: readonly string[]) => void) | undefined;
  readonly onProgress?: ((progress: SourceProgress) => void) | undefined;
  /** The result of each source as soon as it is known. */
  readonly onResult?: ((result: SourceResult, index: number) => void) | undefined;
}

/** The outcome of one source. */
export interface SourceResult {
  /** Relative to the working folder, with `/`. */
  readonly source: string;
  /** Where the output goes. */
  readonly target: CookTarget;
  /**
   * 'ok': the whole set was written, read back, checked and moved in, or planned by a dry run. 'failed': nothing has
   * changed at the target. 'skipped': found in a folder or by a pattern and without geometry (UC1021), not begun after `failFast`, or not finished when the call was aborted.
   */
  readonly status: 'ok' | 'failed' | 'skipped';
  readonly outputs: readonly CookOutput[];
  /** Null when nothing was written. */
  readonly totals: CookTotals | null;
  /** The plan, after a dry run only. */
  readonly plan?: PlanOutcome;
  /** Sorted by file, element and code; severities after `strict`, `deny` and `allow`. */
  readonly diagnostics: readonly Diagnostic[];
  /** Absolute paths of every file that was read, sorted; of a source that failed too. */
  readonly filesRead: readonly string[];
  /** The exception behind UC1099, a bug. */
  readonly error?: unknown;
}

export interface CookResult {
  /** What `untold cook` would end with: 0 exactly when every source is 'ok'. */
  readonly exitCode: number;
  /** One for each source, in order; empty when the call was refused before a source was opened. */
  readonly results: readonly SourceResult[];
  /** What concerns the call as a whole: options, the depfile, an abort. */
  readonly diagnostics: readonly Diagnostic[];
}

const NOTHING = { outputs: [], totals: null, diagnostics: [], filesRead: [] } as const;

/** Cooks one source. A bug is an outcome too, so that the other sources are still cooked. */
async function cookOne(
  job: CookJob,
  pool: WorkerPool,
  onProgress: (progress: CookProgress) => void,
  signal: AbortSignal | undefined,
  beside: SourcesBeside | null,
  cache: Cache | null,
  textures: SharedTextures | null,
): Promise<CookOutcome & Pick<SourceResult, 'error'>> {
  try {
    const { cookSource } = await import('../cook/cookSource.ts');
    return await cookSource(job, onProgress, pool, signal, beside, cache, textures);
  } catch (error) {
    const failed = { source: job.source, status: 'failed', outputs: [], totals: null, filesRead: [] } as const;
    return { ...failed, diagnostics: thrownDiagnostics(error, job.source), error };
  }
}

/** UC1021 for a source whose only fault is that it draws nothing: a layer of materials, say. Null for any other. */
function emptySource({ source, status, diagnostics }: CookOutcome): Diagnostic | null {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const isEmpty = status === 'failed' && errors.length > 0 && errors.every(({ code }) => code === 'UC2200');
  return isEmpty ? diagnostic('UC1021', source, '', 'there is nothing to draw in it') : null;
}

/** A warning UC1014 for each name that Make cannot read in a depfile. */
function depfileWarnings(job: CookJob, filesRead: readonly string[], cwd: string): Diagnostic[] {
  const names = [mainFile(job.target), ...filesRead].map((file) => showPath(file, cwd));
  return inexpressibleNames(names).map((name) =>
    applyPolicy(diagnostic('UC1014', name, '', 'changes of this file will not be noticed'), job.policy),
  );
}

/** The cache of a call, if it wants one and there is a place for it. Throws UC1003 for the environment. */
async function callCache({ options }: CookPlan, cwd: string, diagnostics: Diagnostics): Promise<Cache | null> {
  const isWanted = options.cache ?? options.cacheDir !== undefined;
  if (!isWanted || options.dryRun) return null;
  const { cacheBytes, cachePlace } = await import('./call/cachePlace.ts');
  const place = cachePlace(options, cwd);
  const mostBytes = cacheBytes(options);
  if (place !== null) return (await import('../output/cache/cache.ts')).openCache({ ...place, mostBytes, diagnostics });
  if (options.cacheSize !== undefined) {
    diagnostics.report('UC1105', '', '', 'this user has no folder for caches outside of the working folder');
  }
  return null;
}

/** Sets that may wait for the disk while the next source is cooked: twice as many as share a sync of their folder. */
const MOST_WAITING = 512;

async function openSharedTextures(folder: string, force: boolean): Promise<SharedTextures> {
  return new (await import('../output/sharedTextures.ts')).SharedTextures(folder, force);
}

/** Cooks source by source. While small sets wait for the disk the next ones are cooked; results come in order. */
async function cookAll(plan: CookPlan, given: CookOptions, cwd: string, cache: Cache | null): Promise<SourceResult[]> {
  const { jobs, faults, isNamed, options, policy } = plan;
  const { signal, onProgress, onResult } = given;
  const [{ WorkerPool }, { FolderSyncs }] = await Promise.all([
    import('../workers/workerPool.ts'),
    import('../output/syncs.ts'),
  ]);
  const textures = plan.shared === null ? null : await openSharedTextures(plan.shared, options.force ?? false);
  const pool = new WorkerPool(options.jobs ?? availableParallelism());
  const results: SourceResult[] = [];
  const folders = new FolderSyncs();
  const begun: { readonly result: Promise<SourceResult>; isOver: boolean }[] = [];
  let isOver = false;
  const finishOldest = async () => {
    const result = await (begun[0] as (typeof begun)[number]).result;
    begun.shift();
    // One that is skipped without a reason of its own was not begun.
    if (result.status !== 'skipped' || result.diagnostics.length > 0) onResult?.(result, results.length);
    results.push(result);
    isOver = result.status === 'failed' && options.failFast === true;
  };
  const skipped = ({ source, target }: CookJob): SourceResult => ({ source, target, status: 'skipped', ...NOTHING });

  const cooked = async (job: CookJob, index: number, onStaged: () => void): Promise<SourceResult> => {
    const { source, target } = job;
    const fault = faults[index];
    if (fault) return { ...NOTHING, source, target, status: 'failed', diagnostics: [applyPolicy(fault, policy)] };
    // Whoever may stop after a result gets it before the next source begins.
    const beside = options.failFast || signal ? null : { onStaged, folders };
    const report = (progress: CookProgress) => onProgress?.({ source, index, count: jobs.length, ...progress });
    const outcome = await cookOne(job, pool, report, signal, beside, cache, textures);
    if (outcome.status === 'failed' && signal?.aborted) return skipped(job);
    const withoutGeometry = isNamed[index] ? null : emptySource(outcome);
    if (withoutGeometry) return { ...skipped(job), diagnostics: [withoutGeometry], filesRead: outcome.filesRead };
    const unnoticed = options.depfile === undefined ? [] : depfileWarnings(job, outcome.filesRead, cwd);
    const diagnostics = [...outcome.diagnostics, ...unnoticed].map((item) => shownDiagnostic(item, cwd));
    return { ...outcome, target, diagnostics };
  };
  try {
    for (const [index, job] of jobs.entries()) {
      const isSkipped = isOver || signal?.aborted;
      await new Promise<void>((resolve) => {
        const result = isSkipped ? Promise.resolve(skipped(job)) : cooked(job, index, resolve);
        const entry = { result, isOver: false };
        begun.push(entry);
        const end = () => {
          entry.isOver = true;
          resolve();
        };
        // Whoever awaits it reports a failure.
        result.then(end, end);
      });
      while (begun.length > MOST_WAITING || begun[0]?.isOver) await finishOldest();
    }
    folders.end();
    while (begun.length > 0) await finishOldest();
    if (textures && options.outEach !== undefined) await sweepTextures(textures, outEachRoot(options.outEach));
  } finally {
    folders.end();
    await Promise.allSettled(begun.map(({ result }) => result));
    await pool.close();
    await cache?.close();
  }
  return results;
}

/** The rule of a source in the depfile. */
function depfileRules({ preset, project }: CookPlan, results: readonly SourceResult[], cwd: string) {
  const presets = [preset, project].flatMap((file) => (file ? [file.path] : []));
  return results.map(({ source, target, status, filesRead }) => ({
    target: showPath(mainFile(target), cwd),
    // The source itself too, should it not even have been readable.
    prerequisites: [source, ...filesRead, ...presets].map((file) => showPath(file, cwd)),
    state: status === 'ok' ? ('done' as const) : status,
  }));
}

const exitCodeOfResult = ({ status, diagnostics }: SourceResult): number =>
  worst([exitCodeOf(diagnostics), status === 'failed' ? 1 : 0]);

/** Runs a call of cook(). Rejects only for a bug. */
export async function runCook(words: readonly string[], given: CookOptions): Promise<CookResult> {
  const { signal } = given;
  try {
    throwIfAborted(signal);
    const cwd = workingFolder();
    const plan = await planCook(words, given, cwd);
    given.onSources?.(plan.jobs.map(({ source }) => source));
    const ofCache = new Diagnostics();
    const results = await cookAll(plan, given, cwd, await callCache(plan, cwd, ofCache));
    const { depfile, dryRun = false } = plan.options;
    // The set is complete without a cache, so that --strict does not count its warning.
    const lenient = { ...plan.policy, strict: false };
    const diagnostics = [...plan.notes, ...ofCache.list].map((item) =>
      shownDiagnostic(applyPolicy(item, lenient), cwd),
    );
    if (depfile !== undefined && !dryRun) {
      try {
        writeDepfile(depfile, depfileRules(plan, results, cwd));
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        diagnostics.push(...error.diagnostics.map((item) => shownDiagnostic(item, cwd)));
      }
    }
    if (results.length > 0 && results.every(({ diagnostics: [first] }) => first?.code === 'UC1021')) {
      diagnostics.push(diagnostic('UC1022', '', '', `${results.length} were found, and nothing is to be drawn in any`));
    }
    if (signal?.aborted && results.some(({ status }) => status === 'skipped')) diagnostics.push(interruption());
    return { exitCode: worst([exitCodeOf(diagnostics), ...results.map(exitCodeOfResult)]), results, diagnostics };
  } catch (error) {
    const faults = faultsOf(error, '');
    if (faults === null) throw error;
    const diagnostics = faults.map((item) => shownDiagnostic(item, folderOfMessages()));
    return { exitCode: exitCodeOf(diagnostics), results: [], diagnostics };
  }
}
