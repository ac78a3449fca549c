// `untold check`: whether an output fits a device.

import {
  type CheckDocument,
  type COMMAND_OPTIONS,
  check as checkOutput,
  exitCodeOf,
  type OptionsOf,
  SourceError,
  worstExitCode,
} from '../../index.ts';
import { checkLines } from '../documents/checkLines.ts';
import { print, versioned } from '../documents/documents.ts';
import type { Case } from '../reports/outcome.ts';
import { published } from '../reports/publish.ts';
import { openLog } from '../terminal/openLog.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Checks an output and returns the exit code. Throws SourceError for what is refused or cannot be read. */
export async function check(
  file: string,
  given: OptionsOf<typeof COMMAND_OPTIONS.check>,
  terminal: Terminal,
): Promise<number> {
  const { json = false, quiet, verbose, logFormat, hide, report: _report, annotations: _all, ...options } = given;
  return published('check', given, terminal, async (publisher) => {
    const log = await openLog(terminal, { quiet, verbose, logFormat, hide });
    const { document, diagnostics, exitCode } = await checkOutput(file, {
      ...options,
      config: options.config ?? true,
      environment: terminal.host,
    });
    if (document === null) throw new SourceError(diagnostics);
    log.diagnostics(document.diagnostics);
    const faults = publisher.publish({
      command: 'check',
      exitCode,
      cases: [caseOf(document)],
      diagnostics: [],
      document: versioned(document),
    });
    log.diagnostics(faults);
    if (json) terminal.answer(print(versioned(document)));
    else if (!quiet)
      terminal.answer(
        checkLines(document)
          .map((line) => `${line}\n`)
          .join(''),
      );
    return worstExitCode([exitCode, exitCodeOf(faults)]);
  });
}

function caseOf(document: CheckDocument): Case {
  const { output, diagnostics } = document;
  const isFailed = diagnostics.some(({ severity }) => severity === 'error');
  return { name: output, status: isFailed ? 'failed' : 'ok', diagnostics, verdict: document };
}
