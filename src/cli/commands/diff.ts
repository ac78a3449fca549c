// `untold diff`: what changed between two outputs, in words or as JSON.

import { type COMMAND_OPTIONS, diff as diffOutputs, type OptionsOf, SourceError } from '../../index.ts';
import { diffLines } from '../documents/diffLines.ts';
import { print, versioned } from '../documents/documents.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { textLog } from '../terminal/textLog.ts';

/** Compares two outputs and returns the exit code. Throws SourceError for what is refused or cannot be read. */
export async function diff(
  [a, b]: readonly string[],
  { json = false, verbose = false, pictures }: OptionsOf<typeof COMMAND_OPTIONS.diff>,
  terminal: Terminal,
): Promise<number> {
  const { document, diagnostics, exitCode } = await diffOutputs(a, b, { pictures, environment: terminal.host });
  if (document === null) throw new SourceError(diagnostics);
  textLog(terminal, { quiet: false, verbose }).diagnostics(diagnostics);
  if (json) terminal.answer(print(versioned(document)));
  else {
    const { out } = terminal.columns;
    const lines = diffLines(document, { width: out, colored: terminal.colored.out });
    terminal.answer(lines.map((line) => `${line}\n`).join(''));
  }
  return exitCode;
}
