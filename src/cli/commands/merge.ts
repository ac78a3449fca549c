// `untold merge`: puts the shards of several machines together to whole sets, and reports each one.

import {
  type COMMAND_OPTIONS,
  merge as mergeShards,
  type OptionsOf,
  SourceError,
  showPath,
  workingFolder,
} from '../../index.ts';
import { print, versioned } from '../documents/documents.ts';
import { logZone } from '../documents/zoneLine.ts';
import { onInterrupt } from '../terminal/interrupt.ts';
import { openLog } from '../terminal/openLog.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { plural, size } from '../terminal/words.ts';

/** Merges what the words name and returns the exit code. Throws SourceError for what is refused before the first set. */
export async function merge(
  words: readonly string[],
  { json = false, quiet, ...options }: OptionsOf<typeof COMMAND_OPTIONS.merge>,
  terminal: Terminal,
): Promise<number> {
  const { host: environment } = terminal;
  const cwd = workingFolder({ environment });
  const log = await openLog(terminal, { quiet });
  const release = onInterrupt(log, terminal, () => {});
  const onWait = (source: string, holder: string) =>
    log.info(`${source}: ${holder}: waiting`, { event: 'waiting', source, waitsFor: holder });
  const { sets, diagnostics, exitCode } = await mergeShards(words, { ...options, environment, onWait }).finally(
    release,
  );
  if (sets.length === 0) throw new SourceError(diagnostics);
  for (const { source, shards, status, diagnostics: found, totals, outputs } of sets) {
    log.diagnostics(found);
    const what = totals
      ? `${plural(totals.tiles, 'tile')}, ${plural(totals.trianglesOut, 'triangle')}, ${plural(totals.textures, 'texture file')}, ${size(totals.bytes)} in ${plural(totals.files, 'file')}`
      : 'failed';
    const line = `${source}: merged ${plural(shards.length, 'shard')}: ${what}`;
    log.info(line, { event: 'merged', source, shards: shards.length, status, files: outputs.length });
    logZone(source, totals?.zone, log);
  }
  if (json) {
    const shown = sets.map(({ target: _, outputs, ...set }) => ({
      ...set,
      outputs: outputs.map(({ path, bytes, sha256 }) => ({ path: showPath(path, cwd), bytes, sha256 })),
    }));
    terminal.answer(print(versioned({ sets: shown, diagnostics })));
  }
  return exitCode;
}
