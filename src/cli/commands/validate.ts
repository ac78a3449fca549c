// `untold validate`: checks files and reports each one as soon as it is checked.

import {
  type CheckedFile,
  type COMMAND_OPTIONS,
  type Diagnostic,
  exitCodeOf,
  type OptionsOf,
  SourceError,
  stackLines,
  validate as validateFiles,
  worstExitCode,
} from '../../index.ts';
import { print, type ValidateDocument, versioned } from '../documents/documents.ts';
import type { Case } from '../reports/outcome.ts';
import { type Publisher, published } from '../reports/publish.ts';
import { onInterrupt } from '../terminal/interrupt.ts';
import type { Log } from '../terminal/log.ts';
import { openLog } from '../terminal/openLog.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { plural } from '../terminal/words.ts';

type Given = OptionsOf<typeof COMMAND_OPTIONS.validate>;

/** Validates what the words name and returns the exit code. Throws SourceError for what is refused. */
export async function validate(words: readonly string[], given: Given, terminal: Terminal): Promise<number> {
  return published('validate', given, terminal, (publisher) => validateAndReport(words, given, publisher, terminal));
}

async function validateAndReport(
  words: readonly string[],
  given: Given,
  publisher: Publisher,
  terminal: Terminal,
): Promise<number> {
  const {
    json = false,
    quiet,
    verbose,
    logFormat,
    hide,
    report: _report,
    annotations: _annotations,
    ...options
  } = given;
  const log = await openLog(terminal, { quiet, verbose, logFormat, hide });
  const checked = new Map<string, CheckedFile>();
  /** Publishes what is known, prints the document, and gives what kept a report from being written. */
  const answer = (files: readonly CheckedFile[], exitCode: number, ofCall: readonly Diagnostic[]) => {
    const documentWith = (diagnostics: readonly Diagnostic[]) =>
      versioned({ files, diagnostics } satisfies ValidateDocument);
    const cases = files.map(({ path, ok, diagnostics }): Case => {
      return { name: path, status: ok ? 'ok' : 'failed', diagnostics };
    });
    const document = () => documentWith(ofCall);
    const faults = publisher.publish({ command: 'validate', exitCode, cases, diagnostics: ofCall, document });
    log.diagnostics(faults);
    if (json) terminal.answer(print(documentWith([...ofCall, ...faults])));
    return faults;
  };
  const release = onInterrupt(log, terminal, (stopped, code) => answer([...checked.values()], code, [stopped]));
  const { exitCode, files, diagnostics } = await validateFiles(words, {
    ...options,
    environment: terminal.host,
    onProgress: ({ path, checked: done, remaining }) => {
      const fields = { event: 'progress', path };
      log.progress(`${path}  (${done} checked, ${remaining} to go)`, fields, false);
    },
    onResult: (file, error) => {
      checked.set(file.path, file);
      for (const line of stackLines(error)) log.detail(line, {});
      terminal.status('');
      log.diagnostics(file.diagnostics);
      const { path, ok } = file;
      log.detail(`${path}: ${ok ? 'ok' : 'has errors'}`, { event: 'validated', path, ok });
    },
  }).finally(release);
  if (files.length === 0) throw new SourceError(diagnostics);
  // What was found only once all files were known: tiles that no manifest lists.
  for (const { path, diagnostics: all } of files) {
    for (const item of all.slice(checked.get(path)?.diagnostics.length ?? 0)) log.diagnostic(item);
  }
  summarise(files, log);
  return worstExitCode([exitCode, exitCodeOf(answer(files, exitCode, diagnostics))]);
}

function summarise(files: readonly CheckedFile[], log: Log): void {
  const bad = files.filter((file) => !file.ok).length;
  const all = files.flatMap((file) => file.diagnostics);
  const errors = all.filter((d) => d.severity === 'error').length;
  const warnings = all.filter((d) => d.severity === 'warning').length;
  const verdict = bad === 0 ? 'valid' : `${files.length - bad} valid, ${bad} with errors`;
  const counts = [errors > 0 ? plural(errors, 'error') : '', warnings > 0 ? plural(warnings, 'warning') : ''];
  const found = counts.filter((part) => part !== '').join(', ');
  const fields = { event: 'finished', files: files.length, bad, errors, warnings };
  log.info(`${plural(files.length, 'file')}: ${verdict}${found === '' ? '' : ` (${found})`}`, fields);
}
