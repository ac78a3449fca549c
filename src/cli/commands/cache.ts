// `untold cache info` and `untold cache clear`: what is kept from one cook to the next.

import {
  type CacheResult,
  type COMMAND_OPTIONS,
  clearCache,
  type OptionsOf,
  cacheInfo as readCache,
  SourceError,
} from '../../index.ts';
import { print, versioned } from '../documents/documents.ts';
import { printable, type Terminal } from '../terminal/terminal.ts';
import { count, size, table } from '../terminal/words.ts';

/** The document of a result. Throws SourceError where there is none. */
function documentOf<T>({ document, diagnostics }: CacheResult<T>): T {
  if (document === null) throw new SourceError(diagnostics);
  return document;
}

const entriesText = (entries: number): string => `${count(entries)} ${entries === 1 ? 'entry' : 'entries'}`;

/** Prints what is in the cache on stdout. Throws SourceError for a folder that is none. */
export async function cacheInfo(
  { json = false, ...options }: OptionsOf<(typeof COMMAND_OPTIONS)['cache info']>,
  terminal: Terminal,
): Promise<number> {
  const document = documentOf(await readCache({ ...options, environment: terminal.host }));
  if (json) {
    terminal.answer(print(versioned(document)));
    return 0;
  }
  const { folder, entries, bytes, limit, kinds, oldest } = document;
  const rows = kinds.map((row) => [row.kind, entriesText(row.entries), size(row.bytes)]);
  const lines = [
    printable(folder),
    `${entriesText(entries)}, ${size(bytes)} of ${size(limit)} at most`,
    ...table(rows, new Set([1, 2])).map((line) => `  ${line}`),
    ...(oldest === null ? [] : [`oldest use: ${oldest}`]),
  ];
  terminal.answer(`${lines.join('\n')}\n`);
  return 0;
}

/** Empties the cache and prints what was removed on stdout. Throws SourceError for a folder that is none. */
export async function cacheClear(
  { json = false, ...options }: OptionsOf<(typeof COMMAND_OPTIONS)['cache clear']>,
  terminal: Terminal,
): Promise<number> {
  const document = documentOf(await clearCache({ ...options, environment: terminal.host }));
  if (json) {
    terminal.answer(print(versioned(document)));
    return 0;
  }
  const { folder, entries, bytes } = document;
  terminal.answer(`${printable(folder)}: ${entriesText(entries)} removed, ${size(bytes)}\n`);
  return 0;
}
