// `untold cook`: cooks sources and reports each one as soon as it is done.

import { availableParallelism } from 'node:os';
import {
  type COMMAND_OPTIONS,
  type CookOptions,
  type CookResult,
  callTotals,
  cook as cookSources,
  type Diagnostic,
  diagnostic,
  exitCodeOf,
  fitLine,
  type OptionsOf,
  type ReportedSet,
  SourceError,
  type SourceProgress,
  type SourceResult,
  showPath,
  stackLines,
  withPreset,
  workingFolder,
  worstExitCode,
} from '../../index.ts';
import { logOfCall, logRepeated, resultLine, summarise } from '../documents/cookSummary.ts';
import { type CookDocument, print, resultDocument, skippedDocument, versioned } from '../documents/documents.ts';
import { planLines } from '../documents/plan.ts';
import { Rebuilds } from '../documents/rebuilds.ts';
import { measure, PhaseTimes, type Run } from '../documents/run.ts';
import { logZone } from '../documents/zoneLine.ts';
import { type Publisher, published } from '../reports/publish.ts';
import { onInterrupt } from '../terminal/interrupt.ts';
import { openLog } from '../terminal/openLog.ts';
import { progressBar } from '../terminal/progressBar.ts';
import { openStdoutFile, readStdin, STANDARD_STREAM } from '../terminal/standardStreams.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { duration, size, steps, table } from '../terminal/words.ts';
import { VERSION } from '../version.ts';

/** Refuses `--lod 0.5 0.2`, of which the second number would be a source. */
function refuseRatios(
  words: readonly string[],
  { lod, hlod }: { readonly lod?: unknown; readonly hlod?: unknown },
): void {
  const ratio = words.find((word) => /^0?\.\d+%?$/.test(word));
  if (ratio === undefined || (lod === undefined && hlod === undefined)) return;
  const option = Array.isArray(lod) ? '--lod' : '--hlod';
  const remedy = Array.isArray(lod)
    ? `separate them by commas: --lod ${[...(lod as readonly number[]), ratio].join(',')}; a file of this name is ./${ratio}`
    : `it takes one number; a file of this name is ./${ratio}`;
  throw new SourceError(
    diagnostic('UC1003', '', option, `"${ratio}" is a second number, separated by a blank`, remedy),
  );
}

/** What standard input is called where --stdin-name says nothing. */
const STDIN_NAME = 'stdin';
const REDRAW_MS = 1000;

type Given = OptionsOf<typeof COMMAND_OPTIONS.cook>;

/** What a command that stands for `cook` adds. */
interface Added {
  /** What is to be known of its own flags. */
  readonly notes?: readonly Diagnostic[];
  readonly asExporter?: CookOptions['asExporter'];
}

/** Cooks what the words name and returns the exit code. Throws SourceError for what is refused before the first cook. */
export async function cook(
  words: readonly string[],
  given: Given,
  terminal: Terminal,
  added: Added = {},
): Promise<number> {
  const started = terminal.clock.now();
  return published('cook', given, terminal, (publisher) =>
    cookAndReport(words, given, added, publisher, terminal, started),
  );
}

async function cookAndReport(
  words: readonly string[],
  given: Given,
  { notes = [], asExporter }: Added,
  publisher: Publisher,
  terminal: Terminal,
  started: number,
): Promise<number> {
  refuseRatios(words, given);
  const { clock, host: environment } = terminal;
  const cwd = workingFolder({ environment });
  const { config = true, watch = false } = given;
  const merged = withPreset({ ...given, config }, { environment }, words);
  const { json = false, quiet = false, verbose = false, logFormat, hide, timing = false } = merged;
  // cook() puts preset and project file below these itself: what they say differs from source to source.
  const {
    json: _json,
    quiet: _quiet,
    verbose: _verbose,
    logFormat: _logFormat,
    hide: _hide,
    timing: _timing,
    log: shown,
    watch: _watch,
    report = [],
    reportPictures = 'worst',
    annotations: _annotations,
    ...own
  } = given;
  const { cache = true, incremental = true } = merged;
  const options = { ...own, config, cache, incremental, environment };
  const log = await openLog(terminal, { quiet, verbose, logFormat, hide, log: shown }, { isSummed: !watch });
  if (watch) {
    const { refuseUnwatchable, watch: watchSources } = await import('./watch.ts');
    refuseUnwatchable(words, { ...options, asOne: merged.asOne }, { json, timing, report, log: shown });
    return watchSources(words, options, log, terminal);
  }
  const { dryRun, depfile } = merged;
  const stdout =
    options.out === STANDARD_STREAM ? openStdoutFile({ json, dryRun, depfile, target: merged.target }, terminal) : null;
  const stdin = words.includes(STANDARD_STREAM) ? await readStdin(terminal) : undefined;
  const finished: SourceResult[] = [];
  let sources: readonly string[] = [];
  let release = () => {};

  /** Publishes what is known, prints the document or the plans, and gives what kept a report from being written. */
  const answer = (
    run: Run,
    exitCode: number,
    ofCall: readonly Diagnostic[],
    { work, verdicts, repeated }: Partial<Pick<CookResult, 'work' | 'verdicts' | 'repeated'>> = {},
    sets: ReadonlyMap<string, ReportedSet> = new Map(),
    pageSeconds?: number,
  ): readonly Diagnostic[] => {
    // Of sources that are cooked as one there is one result.
    const left = sources.length - finished.length;
    const sums = callTotals(finished);
    const totals = { ...sums, sources: sums.sources + left, skipped: sums.skipped + left };
    const documentWith = (diagnostics: readonly Diagnostic[]) =>
      versioned({
        version: VERSION,
        results: sources.map((source, i) =>
          i < finished.length ? resultDocument(finished[i], cwd) : skippedDocument(source),
        ),
        totals,
        ...(verdicts && { verdicts }),
        ...(repeated && { repeated }),
        diagnostics,
        run: { ...run, ...work },
      } satisfies CookDocument);
    const cases = sources.map((given, i) => {
      const { source, status, diagnostics } = finished[i] ?? skippedDocument(given);
      const { totals, before, isRecorded }: Partial<SourceResult> = finished[i] ?? {};
      const isFile = merged.asOne === undefined && !(stdin && merged.stdinName === undefined && source === STDIN_NAME);
      const verdict = verdicts?.find((one) => one.source === source);
      return { name: source, isFile, status, diagnostics, totals, before, isRecorded, verdict, set: sets.get(source) };
    });
    const faults = publisher.publish(
      {
        command: 'cook',
        exitCode,
        cases,
        diagnostics: ofCall,
        document: () => documentWith(ofCall),
        run: { ...run, phases: phases.list, pageSeconds },
        sums: { totals, ...(work ? { work } : {}) },
      },
      merged,
    );
    log.diagnostics(faults);
    if (json) terminal.answer(print(documentWith([...ofCall, ...faults])));
    else {
      const plans = finished.flatMap(({ source, plan }) => (plan ? [planLines(source, plan)] : []));
      if (plans.length > 0) terminal.answer(`${plans.map((lines) => lines.join('\n')).join('\n\n')}\n`);
    }
    return faults;
  };
  const numbered = (index: number) => (sources.length > 1 ? `[${index + 1}/${sources.length}] ` : '');
  const bar = progressBar(options.jobs ?? availableParallelism());
  const phases = new PhaseTimes();
  const rebuilds = new Rebuilds();
  const measured = (): Run => ({ ...measure(started, clock), ...(timing ? { phases: phases.list } : {}) });
  let before: { readonly index: number; readonly phase: string } | null = null;
  let began = 0;
  let running: SourceProgress | null = null;
  const liveLine = (progress: SourceProgress) =>
    bar.line(progress, (clock.now() - started) / 1000, terminal.columns.err - 1);
  // The clock in the line goes on while one step takes long.
  const redraw = () => {
    if (running) terminal.status(liveLine(running));
  };
  const redrawing = terminal.live ? setInterval(redraw, REDRAW_MS).unref() : undefined;
  const onProgress = (progress: SourceProgress) => {
    const { source, index, phase, done, total, time, waitsFor } = progress;
    if (waitsFor !== undefined) log.info(`${source}: ${waitsFor}: waiting`, { event: 'waiting', source, waitsFor });
    const begins = before?.index !== index || before.phase !== phase;
    if (before?.index !== index) began = time;
    before = { index, phase };
    phases.enter(phase, time);
    const fields = { event: 'progress', source, stage: phase, done, total };
    running = progress;
    const line = terminal.live ? liveLine(progress) : `${numbered(index)}${steps(phase, done, total)}  ${source}`;
    log.progress(line, fields, begins);
  };
  const onResult = (result: SourceResult, index: number, seconds: number) => {
    phases.end(began + seconds * 1000);
    finished.push(result);
    const { source, status, diagnostics, totals, outputs } = result;
    for (const line of stackLines(result.error)) log.detail(line, {});
    running = null;
    terminal.status('');
    log.diagnostics(diagnostics);
    const { zone, ...sums } = totals ?? {};
    const fields = { event: 'cooked', source, status, ...sums };
    log.info(`${numbered(index)}${source}: ${resultLine(result)}`, fields);
    logZone(source, zone, log);
    const told = verbose || logFormat === 'json' ? result.rebuilt : rebuilds.of(result.rebuilt ?? []);
    for (const line of told ?? []) log.info(`  ${line}`, { event: 'rebuilt', source, reason: line });
    for (const { path, bytes } of verbose && !stdout ? outputs : []) {
      log.detail(`  ${showPath(path, cwd)} ${size(bytes)}`, { event: 'wrote', path: showPath(path, cwd), bytes });
    }
  };
  const onSources = (found: readonly string[]) => {
    sources = found;
    release = onInterrupt(log, terminal, (stopped, code) => answer(measured(), code, [stopped]));
  };

  const cooked = await cookSources(words, {
    ...options,
    out: stdout?.path ?? options.out,
    stdin,
    asExporter,
    onSources,
    onProgress,
    onResult,
  })
    .then((done) => ({ ...done, unpassed: stdout?.pass(done.results) ?? [] }))
    .finally(() => {
      clearInterval(redrawing);
      release();
      stdout?.close();
    });
  const { results, unpassed } = cooked;
  if (results.length === 0) throw new SourceError(cooked.diagnostics);
  const ofCall = [...notes, ...cooked.diagnostics, ...unpassed];
  logOfCall(ofCall, log);
  const run = measured();
  const { pages } = publisher;
  const beforePage = pages ? clock.now() : 0;
  const questions = { levels: reportPictures, budgets: cooked.verdicts === undefined, jobs: options.jobs };
  const sets = await pages?.read(results, questions);
  const pageSeconds = pages ? (clock.now() - beforePage) / 1000 : undefined;
  log.repeated();
  if (pageSeconds !== undefined) {
    log.info(`the page of the report took ${duration(pageSeconds)}`, { event: 'page', seconds: pageSeconds });
  }
  log.lines(rebuilds.summary);
  const shows = verbose ? 'all' : quiet ? 'failures' : 'warnings';
  summarise(results, cooked, options.dryRun ?? false, run, log, { shows, room: terminal.room });
  for (const { output, line, device, fits, fit } of cooked.verdicts ?? []) {
    log.info(`${output}: ${line}`, { event: 'checked', output, device, fits });
    const done = fit ? fitLine(fit) : null;
    if (fit && done !== null) log.info(`  ${done}; before: ${fit.before}`, { event: 'fitted', output, device, done });
  }
  if (cooked.repeated) logRepeated(cooked.repeated, log);
  const timed = run.phases ?? [];
  if (timed.length > 0) {
    const rows = timed.map(({ phase, seconds, peakBytes }) => [phase, duration(seconds), size(peakBytes)]);
    log.lines(table([['phase', 'time', 'peak memory'], ...rows], new Set([1, 2])));
  }
  const exitCode = worstExitCode([cooked.exitCode, exitCodeOf(unpassed)]);
  return worstExitCode([exitCode, exitCodeOf(answer(run, exitCode, ofCall, cooked, sets, pageSeconds))]);
}
