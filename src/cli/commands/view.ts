// `untold view`: serves the page that shows a cooked set, until a signal comes; or writes it into a folder.

import { availableParallelism } from 'node:os';
import {
  type COMMAND_OPTIONS,
  diagnostic,
  type OptionsOf,
  SourceError,
  type SourceProgress,
  view as serveView,
} from '../../index.ts';
import { endOnSignal } from '../terminal/interrupt.ts';
import { openBrowser } from '../terminal/openBrowser.ts';
import { openLog } from '../terminal/openLog.ts';
import { progressBar } from '../terminal/progressBar.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { plural, size } from '../terminal/words.ts';

/** Serves what the word names and ends with the signal's exit code. Throws SourceError for what is refused. */
export async function view(
  word: string,
  given: OptionsOf<typeof COMMAND_OPTIONS.view>,
  terminal: Terminal,
): Promise<number> {
  const { quiet, open = false, environment: environmentMap, ...rest } = given;
  const options = { ...rest, ...(environmentMap === undefined ? {} : { environmentMap }) };
  if (open && options.export !== undefined) {
    throw new SourceError(diagnostic('UC1012', '', '--open', 'there is no server with --export'));
  }
  const { host, clock } = terminal;
  const started = clock.now();
  const log = await openLog(terminal, { quiet });
  const ending = new AbortController();
  const release = endOnSignal(terminal, () => ending.abort());
  const bar = progressBar(availableParallelism());
  const onProgress = (progress: SourceProgress) => {
    if (terminal.live)
      log.progress(bar.line(progress, (clock.now() - started) / 1000, terminal.columns.err - 1), {}, false);
  };
  const call = { environment: host, signal: ending.signal, onProgress };
  const result = await serveView(word, { config: true, ...options, ...call });
  terminal.status('');
  const { url, exported, source, tiles, diagnostics } = result;
  if (url === null) release();
  if (exported) {
    log.diagnostics(diagnostics);
    terminal.answer(`${exported.folder}\n`);
    const written = `${plural(exported.files, 'file')}, ${size(exported.bytes)}`;
    log.info(`${source}: ${plural(tiles, 'tile')}, ${written}, for any web server`, { event: 'exported', source });
    return 0;
  }
  if (url === null) throw new SourceError(diagnostics);
  const ended = new Promise<never>(() => {});
  log.diagnostics(diagnostics);
  // The address alone is the answer, for programs that read it.
  terminal.answer(`${url}\n`);
  log.info(`${source}: ${plural(tiles, 'tile')}, at the address above until Ctrl-C`, { event: 'serving', source });
  const fault = open ? await openBrowser(url, host) : null;
  if (fault !== null) log.diagnostic(diagnostic('UC5006', '', '--open', fault));
  return ended;
}
