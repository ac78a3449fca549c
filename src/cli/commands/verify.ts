// `untold verify`: checks a whole output, and whether it is up to date.

import {
  type COMMAND_OPTIONS,
  type Diagnostic,
  type OptionsOf,
  SourceError,
  type VerifyDocument,
  verify as verifyOutput,
} from '../../index.ts';
import { print, versioned } from '../documents/documents.ts';
import { warningTable } from '../documents/warningTable.ts';
import { openLog } from '../terminal/openLog.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { count, plural } from '../terminal/words.ts';

/** Verifies an output and returns the exit code. Throws SourceError for what is refused. */
export async function verify(
  folder: string | undefined,
  { json = false, quiet, verbose, logFormat, hide, ...options }: OptionsOf<typeof COMMAND_OPTIONS.verify>,
  terminal: Terminal,
): Promise<number> {
  const log = await openLog(terminal, { quiet, verbose, logFormat, hide }, { isSummed: true });
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
  log.repeated();
  if (json) terminal.answer(print(versioned(document)));
  if (document.files.length === 0 && exitCode !== 0) return exitCode;
  const { sound, fresh, counts } = document;
  log.lines(warningTable(byFile(document), terminal.room, 'file'));
  log.info(summary(document), { ...counts, event: 'verified', sound, fresh });
  return exitCode;
}

/** All that was found, by the file that it is of. */
function byFile({ files, sources, diagnostics }: VerifyDocument): { readonly diagnostics: readonly Diagnostic[] }[] {
  const found = new Map<string, Diagnostic[]>();
  for (const item of [...files, ...sources, { diagnostics }].flatMap((one) => one.diagnostics)) {
    const known = found.get(item.file);
    if (known) known.push(item);
    else found.set(item.file, [item]);
  }
  return [...found.values()].map((list) => ({ diagnostics: list }));
}

/** How many files there are, and of what kind those are that are not simply sound. */
function fileWords({ files, counts, sound }: VerifyDocument): string {
  const bad = files.filter(({ ok }) => !ok).length;
  const others = [
    ...(counts.withoutSource > 0 ? [`${count(counts.withoutSource)} of outputs without a source`] : []),
    ...(counts.unlisted > 0 ? [`${count(counts.unlisted)} of no output`] : []),
  ];
  const all = plural(counts.files, 'file');
  if (!sound) return [`${all}: unsound, ${plural(bad, 'file')} with errors`, ...others].join(', ');
  return others.length === 0 ? `${all}: sound` : [`${all}: ${count(counts.sound)} sound`, ...others].join(', ');
}

function summary(document: VerifyDocument): string {
  const { sources, fresh } = document;
  const words = [fileWords(document)];
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
