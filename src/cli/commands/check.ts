// `untold check`: whether an output fits a device.

import {
  type CheckDocument,
  type COMMAND_OPTIONS,
  check as checkOutputs,
  exitCodeOf,
  type OptionsOf,
  SourceError,
  worstExitCode,
} from '../../index.ts';
import { checkAllLines, checkLines } from '../documents/checkLines.ts';
import { print, versioned } from '../documents/documents.ts';
import type { Case } from '../reports/outcome.ts';
import { published } from '../reports/publish.ts';
import { openLog } from '../terminal/openLog.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Checks what the word names and returns the exit code. Throws SourceError for what is refused or cannot be read. */
export async function check(
  file: string | undefined,
  given: OptionsOf<typeof COMMAND_OPTIONS.check>,
  terminal: Terminal,
): Promise<number> {
  const { json = false, quiet, verbose, logFormat, hide, report: _report, annotations: _all, ...options } = given;
  return published('check', given, terminal, async (publisher) => {
    const log = await openLog(terminal, { quiet, verbose, logFormat, hide }, { isSummed: true });
    const onOutput = (output: string, done: number, total: number) =>
      log.progress(`check ${done + 1}/${total}  ${output}`, { event: 'progress', output, done, total }, done === 0);
    const result = await checkOutputs(file ?? null, { config: true, ...options, onOutput, environment: terminal.host });
    terminal.status('');
    const { document, all, exitCode } = result;
    const answer = document ?? all;
    if (answer === null) throw new SourceError(result.diagnostics);
    const outputs = all?.outputs ?? (document ? [document] : []);
    for (const { diagnostics } of outputs) log.diagnostics(diagnostics);
    const ofCall = all?.diagnostics ?? [];
    log.diagnostics(ofCall);
    log.repeated();
    const faults = publisher.publish({
      command: 'check',
      exitCode,
      cases: outputs.map(caseOf),
      diagnostics: ofCall,
      document: () => versioned(answer),
    });
    log.diagnostics(faults);
    if (json) terminal.answer(print(versioned(answer)));
    else if (!quiet) {
      const lines = document ? checkLines(document) : all ? checkAllLines(all, terminal.room) : [];
      terminal.answer(lines.map((line) => `${line}\n`).join(''));
    }
    return worstExitCode([exitCode, exitCodeOf(faults)]);
  });
}

function caseOf(document: CheckDocument): Case {
  const { output, diagnostics } = document;
  const isFailed = diagnostics.some(({ severity }) => severity === 'error');
  return { name: output, status: isFailed ? 'failed' : 'ok', diagnostics, verdict: document };
}
