// `untold cache info`, `clear` and `prune`: what is kept from one cook to the next.

import {
  type CacheResult,
  type ClearedCache,
  type COMMAND_OPTIONS,
  clearCache,
  type OptionsOf,
  pruneCache,
  cacheInfo as readCache,
  SourceError,
} from '../../index.ts';
import { print, versioned } from '../documents/documents.ts';
import { printable, type Terminal } from '../terminal/terminal.ts';
import { count, plural, size, table } from '../terminal/words.ts';

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

/** What goes, a line for each kind and each project. */
function removalLines({ kinds, projects }: ClearedCache): string[] {
  const rows = kinds.map((row) => [row.kind, entriesText(row.entries), size(row.bytes)]);
  const lines = table(rows, new Set([1, 2])).map((line) => `  ${line}`);
  if (projects.length === 0) return lines;
  const ofProjects = projects.map(({ folder, outputs, used }) => [
    printable(folder),
    plural(outputs, 'output'),
    `last used ${used.slice(0, 10)}`,
  ]);
  return [
    ...lines,
    'records of these projects are among them, which then cook all again:',
    ...table(ofProjects, new Set([1])).map((line) => `  ${line}`),
  ];
}

/** Prints on stdout what was removed, or would be. */
function tell(removed: ClearedCache, json: boolean, isKnown: boolean, terminal: Terminal): void {
  if (json) {
    terminal.answer(print(versioned(removed)));
    return;
  }
  const { folder, dryRun, entries, bytes } = removed;
  const head = `${printable(folder)}: ${entriesText(entries)} ${dryRun ? 'would be removed' : 'removed'}, ${size(bytes)}`;
  terminal.answer(`${[head, ...(isKnown ? [] : removalLines(removed))].join('\n')}\n`);
}

/** Asks a question at the terminal; every answer but y and yes is no. */
async function isAgreed(question: string, terminal: Terminal): Promise<boolean> {
  terminal.say(question);
  for await (const chunk of terminal.host.stdin) return /^\s*y(es)?\s*$/i.test(String(chunk).split('\n')[0]);
  return false;
}

/**
 * Empties the cache and prints what was removed on stdout. At a terminal what is to go is shown first, and nothing goes unless the
 * user agrees. Throws SourceError for a folder that is no cache.
 */
export async function cacheClear(
  { json = false, yes = false, ...options }: OptionsOf<(typeof COMMAND_OPTIONS)['cache clear']>,
  terminal: Terminal,
): Promise<number> {
  const { host } = terminal;
  const isAsked = !yes && options.dryRun !== true && host.stdin.isTTY === true && host.stderr.isTTY === true;
  if (isAsked) {
    const planned = documentOf(await clearCache({ ...options, dryRun: true, environment: host }));
    if (planned.entries > 0) {
      const head = `${printable(planned.folder)}: ${entriesText(planned.entries)}, ${size(planned.bytes)}`;
      for (const line of [head, ...removalLines(planned)]) terminal.say(line);
      if (!(await isAgreed('Remove them? [y/N]', terminal))) {
        terminal.say('nothing was removed');
        return 1;
      }
    }
  }
  tell(documentOf(await clearCache({ ...options, environment: host })), json, isAsked, terminal);
  return 0;
}

/** Removes what is old and prints on stdout what was removed. Throws SourceError for a folder that is no cache. */
export async function cachePrune(
  { json = false, ...options }: OptionsOf<(typeof COMMAND_OPTIONS)['cache prune']>,
  terminal: Terminal,
): Promise<number> {
  const removed = documentOf(await pruneCache({ ...options, environment: terminal.host }));
  tell(removed, json, false, terminal);
  if (!json) terminal.answer(`left: ${entriesText(removed.left.entries)}, ${size(removed.left.bytes)}\n`);
  return 0;
}
