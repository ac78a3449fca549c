// `untold cook`: cooks sources and reports each one as soon as it is done.

import {
  type COMMAND_OPTIONS,
  cook as cookSources,
  exitCodeOf,
  type OptionsOf,
  SourceError,
  type SourceProgress,
  type SourceResult,
  showPath,
  stackLines,
  withPreset,
  workingFolder,
  worstExitCode,
} from '../../index.ts';
import { resultLine, summarise } from '../documents/cookSummary.ts';
import { type CookDocument, print, resultDocument, skippedDocument } from '../documents/documents.ts';
import { planLines } from '../documents/plan.ts';
import { measure, type Run } from '../documents/run.ts';
import { onInterrupt } from '../terminal/interrupt.ts';
import { openLog } from '../terminal/openLog.ts';
import { openStdoutFile, readStdin, STANDARD_STREAM } from '../terminal/standardStreams.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { size } from '../terminal/words.ts';
import { VERSION } from '../version.ts';

/** Cooks what the words name and returns the exit code. Throws SourceError for what is refused before the first cook. */
export async function cook(
  words: readonly string[],
  given: OptionsOf<typeof COMMAND_OPTIONS.cook>,
  terminal: Terminal,
): Promise<number> {
  const started = performance.now();
  const cwd = workingFolder();
  const { json = false, quiet, verbose, logFormat, watch = false, ...options } = withPreset(given);
  const log = await openLog(terminal, { quiet, verbose, logFormat });
  if (watch) {
    const { refuseUnwatchable, watch: watchSources } = await import('./watch.ts');
    refuseUnwatchable(words, options, json);
    return watchSources(words, { ...options, cache: options.cache ?? true }, log);
  }
  const stdout = options.out === STANDARD_STREAM ? openStdoutFile({ json, ...options }) : null;
  const stdin = words.includes(STANDARD_STREAM) ? await readStdin() : undefined;
  const finished: SourceResult[] = [];
  let sources: readonly string[] = [];
  let release = () => {};

  const answer = (run: Run) => {
    if (!json) {
      const plans = finished.flatMap(({ source, plan }) => (plan ? [planLines(source, plan)] : []));
      if (plans.length > 0) terminal.answer(`${plans.map((lines) => lines.join('\n')).join('\n\n')}\n`);
      return;
    }
    const results = sources.map((source, i) =>
      i < finished.length ? resultDocument(finished[i], cwd) : skippedDocument(source),
    );
    terminal.answer(print({ version: VERSION, results, run } satisfies CookDocument));
  };
  const numbered = (index: number) => (sources.length > 1 ? `[${index + 1}/${sources.length}] ` : '');
  let before: { readonly index: number; readonly phase: string } | null = null;
  const onProgress = ({ source, index, phase, done, total }: SourceProgress) => {
    const begins = before?.index !== index || before.phase !== phase;
    before = { index, phase };
    const counted = total > 1 ? ` ${done}/${total}` : '';
    const fields = { event: 'progress', source, stage: phase, done, total };
    log.progress(`${numbered(index)}${phase}${counted}  ${source}`, fields, begins);
  };
  const onResult = (result: SourceResult, index: number) => {
    finished.push(result);
    const { source, status, diagnostics, totals, outputs } = result;
    for (const line of stackLines(result.error)) log.detail(line, {});
    terminal.status('');
    for (const item of diagnostics) log.diagnostic(item);
    const fields = { event: 'cooked', source, status, ...totals };
    log.info(`${numbered(index)}${source}: ${resultLine(result)}`, fields);
    for (const { path, bytes } of stdout ? [] : outputs) {
      log.detail(`  ${showPath(path, cwd)} ${size(bytes)}`, { event: 'wrote', path: showPath(path, cwd), bytes });
    }
  };
  const onSources = (found: readonly string[]) => {
    sources = found;
    release = onInterrupt(log, () => answer(measure(started)));
  };

  const cooked = await cookSources(words, {
    ...options,
    out: stdout?.path ?? options.out,
    stdin,
    cache: options.cache ?? true,
    onSources,
    onProgress,
    onResult,
  });
  const { results } = cooked;
  if (results.length === 0) throw new SourceError(cooked.diagnostics);
  const unpassed = stdout?.pass(results, terminal) ?? [];
  stdout?.close();
  const diagnostics = [...cooked.diagnostics, ...unpassed];
  for (const item of diagnostics) log.diagnostic(item);
  release();
  const run = measure(started);
  summarise(results, options.dryRun ?? false, run, log);
  answer(run);
  return worstExitCode([cooked.exitCode, exitCodeOf(unpassed)]);
}
