// `untold verify`: checks a whole output, and whether it is up to date.

import {
  type COMMAND_OPTIONS,
  type OptionsOf,
  SourceError,
  type VerifyDocument,
  verify as verifyOutput,
} from '../../index.ts';
import { print, versioned } from '../documents/documents.ts';
import { openLog } from '../terminal/openLog.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { plural } from '../terminal/words.ts';

/** Verifies an output and returns the exit code. Throws SourceError for what is refused. */
export async function verify(
  folder: string | undefined,
  { json = false, quiet, verbose, logFormat, hide, ...options }: OptionsOf<typeof COMMAND_OPTIONS.verify>,
  terminal: Terminal,
): Promise<number> {
  const log = await openLog(terminal, { quiet, verbose, logFormat, hide });
  const given = {
    config: true,
    ...options,
    environment: terminal.host,
    cache: options.cache ?? true,
    incremental: options.incremental ?? true,
  };
  const { document, diagnostics, exitCode } = await verifyOutput(folder ?? null, given);
  if (document === null) throw new SourceError(diagnostics);
  for (const file of document.files) log.diagnostics(file.diagnostics);
  for (const source of document.sources) log.diagnostics(source.diagnostics);
  log.diagnostics(document.diagnostics);
  if (json) terminal.answer(print(versioned(document)));
  if (document.files.length > 0 || exitCode === 0)
    log.info(summary(document), { event: 'verified', sound: document.sound, fresh: document.fresh });
  return exitCode;
}

function summary({ files, sources, sound, fresh }: VerifyDocument): string {
  const bad = files.filter(({ ok }) => !ok).length;
  const soundness = sound ? 'sound' : `unsound, ${plural(bad, 'file')} with errors`;
  const words = [`${plural(files.length, 'file')}: ${soundness}`];
  if (fresh !== null) {
    const stale = sources.filter(({ status }) => status !== 'fresh').length;
    words.push(
      stale > 0
        ? `not up to date, ${stale} of ${plural(sources.length, 'source')}`
        : `${fresh ? 'up to date' : 'not up to date'}, ${plural(sources.length, 'source')}`,
    );
    const cooked = sources.filter(({ by }) => by === 'cook').length;
    if (cooked > 0)
      words.push(
        `no record of ${cooked === sources.length ? 'a cook' : plural(cooked, 'source')}: cooked again to compare`,
      );
  }
  return words.join('; ');
}
