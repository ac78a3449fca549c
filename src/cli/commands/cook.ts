// `untold cook`: cooks sources and reports each one as soon as it is done.

import {
  type COMMAND_OPTIONS,
  cook as cookSources,
  type OptionsOf,
  SourceError,
  type SourceProgress,
  type SourceResult,
  showPath,
  stackLines,
  withPreset,
  workingFolder,
} from '../../index.ts';
import { resultLine, summarise } from '../documents/cookSummary.ts';
import { type CookDocument, print, resultDocument, skippedDocument } from '../documents/documents.ts';
import { planLines } from '../documents/plan.ts';
import { measure, type Run } from '../documents/run.ts';
import { onInterrupt } from '../terminal/interrupt.ts';
import { openLog } from '../terminal/openLog.ts';
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
  const { config = true } = given;
  const { json = false, quiet, verbose, logFormat } = withPreset({ ...given, config });
  // cook() puts preset and project file below these itself: what they say differs from source to source.
  const { json: _json, quiet: _quiet, verbose: _verbose, logFormat: _logFormat, ...options } = given;
  const log = await openLog(terminal, { quiet, verbose, logFormat });
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
    for (const { path, bytes } of outputs) {
      log.detail(`  ${showPath(path, cwd)} ${size(bytes)}`, { event: 'wrote', path: showPath(path, cwd), bytes });
    }
  };
  const onSources = (found: readonly string[]) => {
    sources = found;
    release = onInterrupt(log, () => answer(measure(started)));
  };

  const { exitCode, results, diagnostics } = await cookSources(words, {
    ...options,
    config,
    cache: options.cache ?? true,
    onSources,
    onProgress,
    onResult,
  });
  if (results.length === 0) throw new SourceError(diagnostics);
  for (const item of diagnostics) {
    // What a folder leaves out is worth a line without --verbose.
    if (item.code === 'UC1020') log.info(item.message, { event: 'parts' });
    else log.diagnostic(item);
  }
  release();
  const run = measure(started);
  summarise(results, options.dryRun ?? false, run, log);
  answer(run);
  return exitCode;
}
