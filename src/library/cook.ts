// cook(): finds the sources, decides where each one goes, and has them cooked. A source that fails does not stop the others.
// Threads belong to the call, so that calls may run at once.

import { resolve } from 'node:path';
import { showPath } from '../config/showPath.ts';
import { mainFile } from '../config/targets.ts';
import { unmatchedPatterns } from '../config/unmatchedPatterns.ts';
import { interruption, TIME_IS_OVER, throwIfAborted } from '../cook/interruption.ts';
import type { CookJob } from '../cook/types.ts';
import { Diagnostics, diagnostic, SourceError } from '../diagnostics/diagnostic.ts';
import { applyPolicy } from '../diagnostics/policy.ts';
import type { Cache } from '../output/cache/cache.ts';
import type { RemoteStore } from '../output/cache/remote/remoteStore.ts';
import { workingFolder } from './call/environment.ts';
import { exitCodeOf, worst } from './call/exitCode.ts';
import { failedCall } from './call/faults.ts';
import { shownDiagnostic } from './call/shownDiagnostic.ts';
import { callTotals, NO_WORK } from './callTotals.ts';
import { cookAll } from './cookAll.ts';
import { type CookPlan, planCook } from './cookPlan.ts';
import type { CookOptions, CookResult, SourceResult } from './cookTypes.ts';
import { repeatedTextures } from './repeatedTextures.ts';

/**
 * The cache of a call, if it wants one and there is a place for it, before that of the team if one is named. Throws UC1003 for
 * the environment.
 */
export async function callCache(plan: CookPlan, cwd: string, diagnostics: Diagnostics): Promise<Cache | null> {
  const { options, environment } = plan;
  const isWanted = options.cache ?? options.cacheDir !== undefined;
  if (!isWanted || options.dryRun) return null;
  const { cacheBytes, cachePlace } = await import('./call/cachePlace.ts');
  const place = cachePlace(options, cwd, environment.env);
  const maxBytes = cacheBytes(options, environment.env);
  if (place === null) {
    if (options.cacheSize !== undefined || isRemoteNamed(plan)) {
      diagnostics.report('UC1105', '', '', 'this user has no folder for caches outside of the working folder');
    }
    return null;
  }
  const isRefreshed = options.forceRebuild ?? false;
  const { openCache } = await import('../output/cache/cache.ts');
  const local = openCache({ ...place, maxBytes, isRefreshed, diagnostics });
  const remote = await callRemote(plan, diagnostics);
  return remote ? (await import('../output/cache/remote/layeredCache.ts')).layeredCache(local, remote) : local;
}

/** The cache of the team; null: none is named. */
async function callRemote(plan: CookPlan, diagnostics: Diagnostics): Promise<RemoteStore | null> {
  const { options, environment } = plan;
  if (!isRemoteNamed(plan)) return null;
  const { remotePlace } = await import('./call/remotePlace.ts');
  const place = remotePlace(options, environment.env);
  if (place === null) return null;
  const { RemoteStore: Store } = await import('../output/cache/remote/remoteStore.ts');
  const isRefreshed = options.forceRebuild ?? false;
  return new Store({ ...place, isRefreshed }, (reason) => {
    diagnostics.report('UC1109', '', '', `the remote cache ${place.url.origin} ${reason}`);
  });
}

const isRemoteNamed = ({ options: { remoteCache, remoteCacheReadOnly = false }, environment }: CookPlan): boolean =>
  remoteCache !== undefined || remoteCacheReadOnly || Boolean(environment.env.UNTOLD_REMOTE_CACHE);

/** The sources of a job that are files. */
const sourcesOf = (job: CookJob): string[] =>
  (job.joined ?? [job]).flatMap(({ source, content }) => (content ? [] : [source]));

/** Absolute paths of the sources of a call that are files. */
const sourcePaths = ({ jobs }: CookPlan, cwd: string): string[] =>
  jobs.flatMap(sourcesOf).map((source) => resolve(cwd, source));

/** The rule of a source in the depfile. */
function depfileRules({ preset, project, jobs }: CookPlan, results: readonly SourceResult[], cwd: string) {
  const presets = [preset, project].flatMap((file) => (file ? [file.path] : []));
  return results.map(({ target, status, filesRead }, i) => ({
    target: showPath(mainFile(target), cwd),
    // The sources themselves too, should one not even have been readable.
    prerequisites: [...sourcesOf(jobs[i]), ...filesRead, ...presets].map((file) => showPath(file, cwd)),
    state: status === 'ok' ? ('done' as const) : status,
  }));
}

const exitCodeOfResult = ({ status, diagnostics }: SourceResult): number =>
  worst([exitCodeOf(diagnostics), status === 'failed' ? 1 : 0]);

/** The signal of a call with that of its deadline, and what ends the clock. */
function startTimer({ deadline }: CookPlan, given: AbortSignal | undefined) {
  if (deadline === null) return { signal: given, stop: () => {} };
  const over = new AbortController();
  const left = deadline - performance.timeOrigin - performance.now();
  const clock = setTimeout(() => over.abort(TIME_IS_OVER), Math.max(0, left));
  return {
    signal: given ? AbortSignal.any([given, over.signal]) : over.signal,
    stop: () => clearTimeout(clock),
  };
}

/** Whether the outputs fit the device of the call; null: it names none. */
async function fitOf({ options, device }: CookPlan, results: readonly SourceResult[], cwd: string) {
  const { deviceMemory, bandwidth } = options;
  if (device === null) return null;
  const { cookVerdicts } = await import('./check/cookVerdicts.ts');
  return cookVerdicts(results, { device, deviceMemory, bandwidth }, cwd);
}

/** Runs a call of cook(). Rejects only for a bug. */
export async function runCook(words: readonly string[], given: CookOptions): Promise<CookResult> {
  const { signal: signalOfCaller } = given;
  try {
    throwIfAborted(signalOfCaller);
    const cwd = workingFolder(given);
    const plan = await planCook(words, given);
    given.onSources?.(plan.jobs.map(({ source }) => source));
    const ofCache = new Diagnostics();
    // As things are before outputs are written, which a pattern might match.
    const unmatched = plan.project ? unmatchedPatterns(plan.project, sourcePaths(plan, cwd), cwd) : [];
    const timer = startTimer(plan, signalOfCaller);
    const { signal } = timer;
    const stopped = signal ? { ...given, signal } : given;
    const cache = await callCache(plan, cwd, ofCache);
    const { results, work } = await cookAll(plan, stopped, cwd, cache, ofCache).finally(timer.stop);
    const { depfile, dryRun = false } = plan.options;
    const fit = dryRun ? null : await fitOf(plan, results, cwd);
    // The set is complete without a cache, so that --strict does not count its warning.
    const lenient = { ...plan.policy, strict: false };
    const diagnostics = [
      ...[...unmatched, ...(fit?.diagnostics ?? [])].map((item) => applyPolicy(item, plan.policy)),
      ...[...plan.notes, ...ofCache.list].map((item) => applyPolicy(item, lenient)),
    ].map((item) => shownDiagnostic(item, cwd));
    if (depfile !== undefined && !dryRun) {
      try {
        const { writeDepfile } = await import('./writeDepfile.ts');
        writeDepfile(depfile, depfileRules(plan, results, cwd));
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        diagnostics.push(...error.diagnostics.map((item) => shownDiagnostic(item, cwd)));
      }
    }
    if (results.length > 0 && results.every(({ diagnostics: [first] }) => first?.code === 'UC1021')) {
      diagnostics.push(diagnostic('UC1022', '', '', `${results.length} were found, and nothing is to be drawn in any`));
    }
    if (signal?.aborted && results.some(({ status }) => status === 'skipped')) diagnostics.push(interruption(signal));
    const repeated = plan.options.remote ? null : repeatedTextures(results, plan.jobs[0]?.settings.format);
    const exitCode = worst([exitCodeOf(diagnostics), ...results.map(exitCodeOfResult)]);
    const verdicts = fit ? { verdicts: fit.verdicts } : {};
    const more = { ...verdicts, ...(repeated ? { repeated } : {}) };
    return { exitCode, results, totals: callTotals(results), work, ...more, diagnostics };
  } catch (error) {
    return { results: [], totals: callTotals([]), work: NO_WORK, ...failedCall(error, given) };
  }
}
