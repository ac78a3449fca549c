// `untold check`: whether an output fits a device.

import { type COMMAND_OPTIONS, check as checkOutput, type OptionsOf, SourceError } from '../../index.ts';
import { checkLines } from '../documents/checkLines.ts';
import { print, versioned } from '../documents/documents.ts';
import { openLog } from '../terminal/openLog.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Checks an output and returns the exit code. Throws SourceError for what is refused or cannot be read. */
export async function check(
  file: string,
  { json = false, quiet, verbose, logFormat, hide, ...options }: OptionsOf<typeof COMMAND_OPTIONS.check>,
  terminal: Terminal,
): Promise<number> {
  const log = await openLog(terminal, { quiet, verbose, logFormat, hide });
  const { document, diagnostics, exitCode } = await checkOutput(file, { ...options, environment: terminal.host });
  if (document === null) throw new SourceError(diagnostics);
  log.diagnostics(document.diagnostics);
  if (json) terminal.answer(print(versioned(document)));
  else if (!quiet)
    terminal.answer(
      checkLines(document)
        .map((line) => `${line}\n`)
        .join(''),
    );
  return exitCode;
}
