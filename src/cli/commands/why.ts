// `untold why`: what makes an output, or a part of it, large.

import { type COMMAND_OPTIONS, type OptionsOf, SourceError, why as whyOf } from '../../index.ts';
import { print, versioned } from '../documents/documents.ts';
import { whyLines } from '../documents/whyLines.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { textLog } from '../terminal/textLog.ts';

/** Tells of an output and returns the exit code. Throws SourceError for what is refused or cannot be read. */
export async function why(
  file: string,
  name: string | undefined,
  { json = false }: OptionsOf<typeof COMMAND_OPTIONS.why>,
  terminal: Terminal,
): Promise<number> {
  const { document, diagnostics, exitCode } = await whyOf(file, name, { environment: terminal.host });
  if (document === null) throw new SourceError(diagnostics);
  if (json) terminal.answer(print(versioned(document)));
  else {
    for (const line of whyLines(document)) terminal.answer(`${line}\n`);
    textLog(terminal, { quiet: false, verbose: false }).diagnostics(document.diagnostics);
  }
  return exitCode;
}
