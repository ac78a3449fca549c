// `untold cook`: finds the sources, decides where each one goes, cooks them one after the other, and reports. A source
// that fails does not stop the others.

import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname } from 'node:path';
import { type DepfileRule, formatDepfile, inexpressibleNames } from '../config/depfile.ts';
import { loadPreset, type Preset } from '../config/presets.ts';
import { cookSettings, defaultValues, layerValues, type OptionValue } from '../config/settings.ts';
import { expandSources, SOURCE_EXTENSIONS, showPath } from '../config/sources.ts';
import { mainFile, planTargets } from '../config/targets.ts';
import type { CookTarget } from '../config/types.ts';
import type { CookJob, CookOutcome, CookProgress } from '../cook/types.ts';
import { type Diagnostic, diagnostic, fail, SourceError } from '../diagnostics/diagnostic.ts';
import { applyPolicy, type SeverityPolicy } from '../diagnostics/policy.ts';
import { defaultRoot } from '../importers/files.ts';
import { codeOf, isFolder, readWholeText, refusal } from '../importers/wholeFile.ts';
import { OutputSet } from '../output/outputSet.ts';
import type { WorkerPool } from '../workers/workerPool.ts';
import { stackLines, thrownDiagnostics } from './bug.ts';
import { type CookDocument, print, resultDocument, shownDiagnostic, skippedDocument } from './documents.ts';
import { exitCodeOf, worst } from './exitCode.ts';
import { onInterrupt } from './interrupt.ts';
import { type Log, openLog } from './log.ts';
import { logOptions, PRESET_OPTIONS, severityPolicy } from './options.ts';
import { planLines } from './plan.ts';
import type { Terminal } from './terminal.ts';
import { VERSION } from './version.ts';
import { count, duration, plural, size, table } from './words.ts';
import { workingFolder } from './workingFolder.ts';

type Values = ReadonlyMap<string, OptionValue>;

interface Plan {
  readonly jobs: readonly CookJob[];
  readonly preset: Preset | null;
  readonly values: Values;
  readonly policy: SeverityPolicy;
}

/** Defaults, then the preset, then what was given. */
function mergeValues(given: Values, cwd: string): { values: Values; preset: Preset | null } {
  const pipeline = given.get('pipeline') as string | undefined;
  const preset =
    pipeline === undefined ? null : loadPreset(pipeline, cwd, PRESET_OPTIONS, (path) => showPath(path, cwd));
  const values = layerValues(defaultValues(PRESET_OPTIONS), preset?.values ?? new Map(), given);
  return { values, preset };
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Everything that can be refused before the first byte is read. Throws SourceError with exit code 2. */
function planJobs(words: readonly string[], values: Values, preset: Preset | null, cwd: string): Plan {
  const policy = severityPolicy(values);
  const dryRun = values.get('dry-run') === true;
  // Names in a plan are relative to the output: it is the same for any.
  const out = (values.get('out') as string | undefined) ?? (dryRun ? cwd : undefined);
  if (out === undefined)
    fail('UC1002', '', '--out', 'nothing says where the output goes', 'give --out DIR or --out FILE.untold');
  const given = values.get('root') as string | undefined;
  if (given !== undefined && !isFolder(given)) {
    fail('UC1003', '', '--root', `${showPath(given, cwd)} is not a folder`, 'give a folder that exists');
  }
  const root = given === undefined ? null : realFolder(given);
  const paths = expandSources(words, cwd, SOURCE_EXTENSIONS);
  const sources = paths.map((path) => ({ path, folder: realFolder(dirname(path)), name: showPath(path, cwd) }));
  const targets = planTargets(sources, out, root);
  const only = (values.get('only') as string | undefined) ?? null;
  if (only !== null && targets.length > 1) {
    fail('UC1003', '', '--only', `${targets.length} sources were named`, 'name the one source of that tile');
  }
  if (only !== null && targets[0]?.kind === 'file') {
    fail('UC1003', '', '--only', 'a single file has no tiles', 'give the folder of the tiles to --out');
  }
  const settings = cookSettings(values);
  const force = values.get('force') === true;
  const jobs = sources.map(
    ({ path, name }, i): CookJob => ({
      source: name,
      root: root ?? defaultRoot(path),
      target: targets[i],
      settings,
      policy,
      force,
      dryRun,
      only,
    }),
  );
  return { jobs, preset, values, policy };
}

/** Cooks with the threads of `pool`. A bug is an outcome too, so that the other sources still have their turn. */
async function cookOne(
  job: CookJob,
  pool: WorkerPool,
  log: Log,
  onProgress: (progress: CookProgress) => void,
): Promise<CookOutcome> {
  try {
    const { cookSource } = await import('../cook/cookSource.ts');
    return await cookSource(job, onProgress, pool);
  } catch (error) {
    const failed = { source: job.source, status: 'failed', outputs: [], totals: null, filesRead: [] } as const;
    for (const line of stackLines(error)) log.detail(line, {});
    return { ...failed, diagnostics: thrownDiagnostics(error, job.source) };
  }
}

function outcomeLine(outcome: CookOutcome, target: CookTarget): string {
  if (outcome.plan) {
    const { tiles } = outcome.plan;
    const triangles = tiles.reduce((sum, tile) => sum + tile.triangles, 0);
    const bytes = tiles.reduce((sum, tile) => sum + tile.expected.bytes, 0);
    return `planned ${plural(tiles.length, 'payload')}, ${plural(triangles, 'triangle')}, at most about ${size(bytes)}`;
  }
  if (!outcome.totals) return 'failed';
  const { tiles, trianglesOut, levels, bytes } = outcome.totals;
  const what = target.kind === 'folder' ? plural(tiles, 'tile') : 'one file';
  const made = levels.map((level) => `, ${level.level} ${count(level.triangles)} in ${plural(level.tiles, 'tile')}`);
  return `${what}, ${plural(trianglesOut, 'triangle')}${made.join('')}, ${size(bytes)}`;
}

function exitCodeOfOutcome({ status, diagnostics }: CookOutcome): number {
  return worst([exitCodeOf(diagnostics), status === 'ok' ? 0 : 1]);
}

/** The table at the end: every source with its outcome. */
function outcomeTable(jobs: readonly CookJob[], outcomes: readonly CookOutcome[]): string[] {
  const rows = [['source', 'outcome', 'tiles', 'triangles in', 'out', 'bytes']];
  jobs.forEach((job, i) => {
    const outcome = outcomes[i] as CookOutcome | undefined;
    if (outcome?.plan) {
      const { tiles } = outcome.plan;
      const triangles = tiles.reduce((sum, tile) => sum + tile.triangles, 0);
      rows.push([job.source, 'planned', count(tiles.length), count(triangles), '', '']);
      return;
    }
    if (!outcome?.totals) {
      const codes = outcome?.diagnostics.filter((d) => d.severity === 'error').map((d) => d.code) ?? [];
      rows.push([
        job.source,
        outcome ? `failed ${[...new Set(codes)].join(' ')}`.trimEnd() : 'skipped',
        '',
        '',
        '',
        '',
      ]);
      return;
    }
    const { tiles, trianglesIn, trianglesOut, bytes } = outcome.totals;
    rows.push([job.source, 'ok', count(tiles), count(trianglesIn), count(trianglesOut), size(bytes)]);
  });
  return table(rows, new Set([2, 3, 4, 5]));
}

interface Run {
  readonly seconds: number;
  readonly peakBytes: number;
}

/** Time and memory so far. */
function measure(started: number): Run {
  return { seconds: Math.round(performance.now() - started) / 1000, peakBytes: peakMemory() };
}

/** Bytes of memory at the peak. On Linux maxRSS also counts the process that started this one; VmHWM does not. */
function peakMemory(): number {
  try {
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
    if (peak) return Number(peak[1]) * 1024;
  } catch {
    // No such file: not Linux.
  }
  return process.resourceUsage().maxRSS * 1024;
}

function summarise(jobs: readonly CookJob[], outcomes: readonly CookOutcome[], run: Run, log: Log): void {
  if (jobs.length > 1) log.lines(outcomeTable(jobs, outcomes));
  const sum = { tiles: 0, trianglesIn: 0, trianglesOut: 0, bytes: 0, textures: 0 };
  for (const { totals } of outcomes) {
    if (!totals) continue;
    for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += totals[key];
  }
  const cooked = outcomes.filter((outcome) => outcome.status === 'ok').length;
  const failed = outcomes.length - cooked;
  const skipped = jobs.length - outcomes.length;
  const warnings = outcomes.flatMap((o) => o.diagnostics).filter((d) => d.severity === 'warning').length;
  // A dry run writes nothing: what it would write stands in its table.
  const dryRun = jobs.some((job) => job.dryRun === true);
  const counts = [
    `${count(cooked)} of ${plural(jobs.length, 'source')} ${dryRun ? 'planned, nothing written' : 'cooked'}`,
  ];
  if (failed > 0) counts.push(`${count(failed)} failed`);
  if (skipped > 0) counts.push(`${count(skipped)} skipped`);
  if (warnings > 0) counts.push(plural(warnings, 'warning'));
  const written = [
    plural(sum.tiles, 'tile'),
    `${plural(sum.trianglesIn, 'triangle')} in, ${count(sum.trianglesOut)} out`,
    plural(sum.textures, 'texture'),
    size(sum.bytes),
  ];
  const parts = [...(dryRun ? [] : written), duration(run.seconds), `${size(run.peakBytes)} peak memory`];
  const fields = { event: 'finished', sources: jobs.length, cooked, failed, skipped, warnings, ...sum, ...run };
  log.info(`${counts.join(', ')}: ${parts.join(', ')}`, fields);
}

/** Another cook writes the same depfile for a moment only. */
const DEPFILE_WAIT_MS = 5_000;

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** The rules of earlier cooks, '' where there is no file. One that cannot be read is not replaced: they would be lost. */
function earlierRules(path: string): string {
  try {
    return readWholeText(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') fail('UC4000', path, '', `the earlier depfile ${refusal(codeOf(error))}`);
    return '';
  }
}

/** The file that a depfile's path leads to, so that a link stays and its file is replaced: /dev/stdout is one. */
function behindLinks(given: string): string {
  earlierRules(given);
  try {
    return realpathSync(given);
  } catch {
    if (isLink(given)) fail('UC4000', given, '', 'it is a link that leads to no file', 'give the path of a file');
    return given;
  }
}

/** Writes the depfile as a set of one file: whole or not at all. Throws UC4000. */
function writeDepfile(given: string, plan: Plan, outcomes: readonly CookOutcome[], cwd: string): void {
  const presets = plan.preset ? [plan.preset.path] : [];
  const rules = plan.jobs.map(({ source, target }, i): DepfileRule => {
    const outcome = outcomes[i] as CookOutcome | undefined;
    return {
      target: showPath(mainFile(target), cwd),
      // The source itself too, should it not even have been readable.
      prerequisites: [source, ...(outcome?.filesRead ?? []), ...presets].map((file) => showPath(file, cwd)),
      state: outcome === undefined ? 'skipped' : outcome.status === 'ok' ? 'done' : 'failed',
    };
  });
  const path = behindLinks(given);
  const main = basename(path);
  const earlierFiles = () => new Map([[main, null]]);
  // Several cooks that run at once may keep their rules in one depfile.
  const set = OutputSet.open({ base: dirname(path), main, earlier: earlierFiles, force: true, wait: DEPFILE_WAIT_MS });
  try {
    set.write(main, new TextEncoder().encode(formatDepfile(rules, earlierRules(path))));
    set.commit();
  } finally {
    set.discard();
  }
}

/** Cooks what the words name and returns the exit code. Throws SourceError for what is refused before the first cook. */
export async function cook(words: readonly string[], given: Values, terminal: Terminal): Promise<number> {
  const started = performance.now();
  const cwd = workingFolder();
  const { values, preset } = mergeValues(given, cwd);
  const log = await openLog(terminal, logOptions(values));
  const plan = planJobs(words, values, preset, cwd);
  const { jobs, policy } = plan;
  const depfile = values.get('depfile') as string | undefined;
  const json = values.get('json') === true;
  const outcomes: CookOutcome[] = [];

  const answer = (run: Run) => {
    if (!json) {
      const plans = outcomes.flatMap(({ source, plan }) => (plan ? [planLines(source, plan)] : []));
      if (plans.length > 0) terminal.answer(`${plans.map((lines) => lines.join('\n')).join('\n\n')}\n`);
      return;
    }
    const results = jobs.map((job, i) =>
      i < outcomes.length ? resultDocument(outcomes[i], cwd) : skippedDocument(job.source),
    );
    terminal.answer(print({ version: VERSION, results, run } satisfies CookDocument));
  };
  const release = onInterrupt(log, () => answer(measure(started)));
  // Loaded when the first cook is about to begin, so that what is refused before is refused at once.
  const { WorkerPool } = await import('../workers/workerPool.ts');
  const pool = new WorkerPool((values.get('jobs') as number | undefined) ?? availableParallelism());

  for (const [i, job] of jobs.entries()) {
    const number = jobs.length > 1 ? `[${i + 1}/${jobs.length}] ` : '';
    let stage: CookProgress['stage'] | null = null;
    const outcome = await cookOne(job, pool, log, (progress) => {
      const { done, total } = progress;
      const counted = total > 1 ? ` ${done}/${total}` : '';
      const begins = progress.stage !== stage;
      stage = progress.stage;
      log.progress(
        `${number}${stage}${counted}  ${job.source}`,
        { event: 'progress', source: job.source, ...progress },
        begins,
      );
    });
    const unheard: Diagnostic[] =
      depfile === undefined
        ? []
        : inexpressibleNames([mainFile(job.target), ...outcome.filesRead].map((file) => showPath(file, cwd))).map(
            (name) => applyPolicy(diagnostic('UC1014', name, '', 'changes of this file will not be noticed'), policy),
          );
    const whole: CookOutcome = { ...outcome, diagnostics: [...outcome.diagnostics, ...unheard] };
    outcomes.push(whole);
    terminal.status('');
    for (const item of whole.diagnostics) log.diagnostic(shownDiagnostic(item, cwd));
    const { source, status } = whole;
    log.info(`${number}${source}: ${outcomeLine(whole, job.target)}`, {
      event: 'cooked',
      source,
      status,
      ...whole.totals,
    });
    for (const { path, bytes } of whole.outputs) {
      log.detail(`  ${showPath(path, cwd)} ${size(bytes)}`, { event: 'wrote', path: showPath(path, cwd), bytes });
    }
    if (whole.status === 'failed' && values.get('fail-fast') === true) break;
  }

  await pool.close();

  const codes = outcomes.map(exitCodeOfOutcome);
  if (depfile !== undefined && values.get('dry-run') !== true) {
    try {
      writeDepfile(depfile, plan, outcomes, cwd);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      for (const item of error.diagnostics) log.diagnostic(shownDiagnostic(item, cwd));
      codes.push(exitCodeOf(error.diagnostics));
    }
  }
  release();
  const run = measure(started);
  summarise(jobs, outcomes, run, log);
  answer(run);
  return worst(codes);
}
