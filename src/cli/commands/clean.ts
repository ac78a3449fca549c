// `untold clean`: removes outputs whose source is gone, and prints each one.

import { type COMMAND_OPTIONS, clean as cleanFolder, type OptionsOf, SourceError } from '../../index.ts';
import { print, versioned } from '../documents/documents.ts';
import { openLog } from '../terminal/openLog.ts';
import { printable, type Terminal } from '../terminal/terminal.ts';
import { plural, size } from '../terminal/words.ts';

/** Removes what no source writes any more and returns the exit code. Throws SourceError for what is refused. */
export async function clean(
  folder: string | undefined,
  { json = false, quiet, ...options }: OptionsOf<typeof COMMAND_OPTIONS.clean>,
  terminal: Terminal,
): Promise<number> {
  const log = await openLog(terminal, { quiet });
  const { document, diagnostics, exitCode } = await cleanFolder(folder ?? null, {
    config: true,
    ...options,
    environment: terminal.host,
  });
  if (document === null) throw new SourceError(diagnostics);
  log.diagnostics(document.diagnostics);
  const { removed, kept, dryRun } = document;
  if (json) terminal.answer(print(versioned(document)));
  else {
    const verb = dryRun ? 'would remove' : 'removed';
    for (const { path, files, bytes } of removed) {
      terminal.answer(`${verb} ${printable(path)}: ${plural(files, 'file')}, ${size(bytes)}\n`);
    }
  }
  const bytes = removed.reduce((sum, output) => sum + output.bytes, 0);
  const ending = dryRun ? ' to remove, nothing changed' : ' removed';
  const line = `${plural(removed.length, 'output')}${ending}, ${size(bytes)}; ${kept} kept`;
  log.info(line, { event: 'cleaned', removed: removed.length, kept, bytes, dryRun });
  return exitCode;
}
