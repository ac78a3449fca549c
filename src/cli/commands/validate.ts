// `untold validate`: checks files and reports each one as soon as it is checked.

import {
  type CheckedFile,
  type COMMAND_OPTIONS,
  type OptionsOf,
  SourceError,
  stackLines,
  validate as validateFiles,
} from '../../index.ts';
import { print } from '../documents/documents.ts';
import { onInterrupt } from '../terminal/interrupt.ts';
import type { Log } from '../terminal/log.ts';
import { openLog } from '../terminal/openLog.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { plural } from '../terminal/words.ts';

/** Validates what the words name and returns the exit code. Throws SourceError for what is refused. */
export async function validate(
  words: readonly string[],
  given: OptionsOf<typeof COMMAND_OPTIONS.validate>,
  terminal: Terminal,
): Promise<number> {
  const { json = false, quiet, verbose, logFormat, hide, ...options } = given;
  const log = await openLog(terminal, { quiet, verbose, logFormat, hide });
  const checked = new Map<string, CheckedFile>();
  const answer = (files: readonly CheckedFile[]) => {
    if (json) terminal.answer(print({ files }));
  };
  const release = onInterrupt(log, () => answer([...checked.values()]));
  const { exitCode, files, diagnostics } = await validateFiles(words, {
    ...options,
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
  });
  release();
  if (files.length === 0) throw new SourceError(diagnostics);
  // What was found only once all files were known: tiles that no manifest lists.
  for (const { path, diagnostics: all } of files) {
    for (const item of all.slice(checked.get(path)?.diagnostics.length ?? 0)) log.diagnostic(item);
  }
  report(files, log);
  answer(files);
  return exitCode;
}

function report(files: readonly CheckedFile[], log: Log): void {
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
