// `untold pack` and `untold unpack`: one package of files, and the files of one.

import {
  type COMMAND_OPTIONS,
  type OptionsOf,
  pack as packFiles,
  SourceError,
  unpack as unpackFiles,
} from '../../index.ts';
import { print, versioned } from '../documents/documents.ts';
import { onInterrupt } from '../terminal/interrupt.ts';
import { openLog } from '../terminal/openLog.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { count, plural, size } from '../terminal/words.ts';

/** Packs a folder or a layer and returns the exit code. Throws SourceError when nothing was written. */
export async function pack(
  source: string,
  { json = false, quiet, ...options }: OptionsOf<typeof COMMAND_OPTIONS.pack>,
  terminal: Terminal,
): Promise<number> {
  const log = await openLog(terminal, { quiet });
  const release = onInterrupt(log, terminal, () => {});
  const { document, diagnostics, exitCode } = await packFiles(source, {
    ...options,
    environment: terminal.host,
  }).finally(release);
  if (!document) throw new SourceError(diagnostics);
  log.diagnostics(diagnostics);
  const { out, files, bytes } = document;
  const fields = { event: 'packed', source: document.source, out, files: files.length, bytes };
  log.info(`${out}: ${plural(files.length, 'file')}, ${size(bytes)}`, fields);
  if (json) terminal.answer(print(versioned(document)));
  return exitCode;
}

/** Unpacks a package and returns the exit code. Throws SourceError when nothing was written. */
export async function unpack(
  file: string,
  { json = false, quiet, ...options }: OptionsOf<typeof COMMAND_OPTIONS.unpack>,
  terminal: Terminal,
): Promise<number> {
  const log = await openLog(terminal, { quiet });
  const release = onInterrupt(log, terminal, () => {});
  const { document, diagnostics, exitCode } = await unpackFiles(file, {
    ...options,
    environment: terminal.host,
    onProgress: ({ done, total }) => {
      const fields = { event: 'progress', path: file, done, total };
      log.progress(`${count(done)} of ${plural(total, 'file')}  ${file}`, fields, false);
    },
  }).finally(release);
  terminal.status('');
  if (!document) throw new SourceError(diagnostics);
  log.diagnostics(diagnostics);
  const { out, files } = document;
  const bytes = files.reduce((sum, row) => sum + row.bytes, 0);
  const fields = { event: 'unpacked', source: document.source, out, files: files.length, bytes };
  log.info(`${out}: ${plural(files.length, 'file')}, ${size(bytes)}`, fields);
  if (json) terminal.answer(print(versioned(document)));
  return exitCode;
}
