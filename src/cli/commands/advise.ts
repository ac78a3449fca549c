// `untold advise`: what a source could do without.

import { advise as adviseOn, type COMMAND_OPTIONS, type OptionsOf, SourceError } from '../../index.ts';
import { adviseLines } from '../documents/adviseLines.ts';
import { print, versioned } from '../documents/documents.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { textLog } from '../terminal/textLog.ts';

/** Advises on a source and returns the exit code. Throws SourceError for what is refused or cannot be read. */
export async function advise(
  file: string,
  given: OptionsOf<typeof COMMAND_OPTIONS.advise>,
  terminal: Terminal,
): Promise<number> {
  const { json = false, verbose = false, ...options } = given;
  const { document, diagnostics, exitCode } = await adviseOn(file, { ...options, environment: terminal.host });
  if (document === null) throw new SourceError(diagnostics);
  if (json) terminal.answer(print(versioned(document)));
  else {
    for (const line of adviseLines(document)) terminal.answer(`${line}\n`);
    textLog(terminal, { quiet: false, verbose }).diagnostics(document.diagnostics);
  }
  return exitCode;
}
