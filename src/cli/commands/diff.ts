// `untold diff`: what changed between two outputs, in words or as JSON.

import { type COMMAND_OPTIONS, diff as diffOutputs, type OptionsOf, SourceError } from '../../index.ts';
import { diffLines, diffSetsLines } from '../documents/diffLines.ts';
import { print, versioned } from '../documents/documents.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { textLog } from '../terminal/textLog.ts';

/** Compares two outputs and returns the exit code. Throws SourceError for what is refused or cannot be read. */
export async function diff(
  [a, b]: readonly string[],
  { json = false, verbose = false, pictures }: OptionsOf<typeof COMMAND_OPTIONS.diff>,
  terminal: Terminal,
): Promise<number> {
  const { document, sets, diagnostics, exitCode } = await diffOutputs(a, b, {
    pictures,
    environment: terminal.host,
  });
  const answer = document ?? sets;
  if (answer === null) throw new SourceError(diagnostics);
  textLog(terminal, { quiet: false, verbose }).diagnostics([...diagnostics, ...(sets?.diagnostics ?? [])]);
  if (json) terminal.answer(print(versioned(answer)));
  else {
    const look = { width: terminal.columns.out, colored: terminal.colored.out };
    const lines = document ? diffLines(document, look) : sets ? diffSetsLines(sets, look, verbose) : [];
    terminal.answer(lines.map((line) => `${line}\n`).join(''));
  }
  return exitCode;
}
