// view(): a page in the browser that shows a cooked set as the engine would load and draw it.

import { resolve } from 'node:path';
import { type OptionsOf, settle } from '../../config/options/option.ts';
import { VIEW_CALL_OPTIONS } from '../../config/options/table.ts';
import { showPath } from '../../config/showPath.ts';
import { throwIfAborted } from '../../cook/interruption.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { type CallOptions, checkOptions } from '../call/checkOptions.ts';
import { workingFolder } from '../call/environment.ts';
import { failedCall } from '../call/faults.ts';
import type { CookOptions } from '../cookTypes.ts';
import { Drops } from './drops.ts';
import { exportView } from './exportPage.ts';
import { type Opened, openView } from './open.ts';
import { serve } from './server.ts';

/** The options of `untold view` in camelCase that concern the server. */
export interface ViewOptions extends OptionsOf<typeof VIEW_CALL_OPTIONS>, CallOptions {
  /** How far the cook of a source that is to be shown is. It is cooked once for each side of the divider: `index` of `count`. */
  readonly onProgress?: CookOptions['onProgress'];
}

export interface ViewResult {
  /** 0 while there is a server, and after an export. */
  readonly exitCode: number;
  /** Relative to the working folder, with `/`. */
  readonly source: string;
  /** The page's address, with a token that only its reader should know; null if there is no server. */
  readonly url: string | null;
  /** What was written with `export`, instead of a server; null: nothing was. The folder is relative to the working folder. */
  readonly exported: { readonly folder: string; readonly files: number; readonly bytes: number } | null;
  readonly tiles: number;
  readonly diagnostics: readonly Diagnostic[];
  /** Ends the server. */
  close(): Promise<void>;
}

async function start(file: string, given: ViewOptions, cwd: string): Promise<ViewResult> {
  const {
    port,
    against,
    config,
    export: into,
    environmentMap,
  } = settle(VIEW_CALL_OPTIONS, checkOptions(VIEW_CALL_OPTIONS, given, cwd));
  const { environment, signal, onProgress } = given;
  const opened = await openView(file, { against, config, environmentMap, environment, signal, onProgress });
  try {
    return into === undefined
      ? await show(opened, port, { ...given, environmentMap })
      : await write(opened, resolve(cwd, into), given, cwd);
  } catch (error) {
    opened.remove();
    throw error;
  }
}

/** What is known of a call whatever is done with what is opened. */
const known = ({ set, view: { description } }: Opened) => ({
  exitCode: 0,
  source: description.name,
  tiles: set.tiles.length,
  diagnostics: description.diagnostics,
});

/** Writes what is opened into a folder. */
async function write(opened: Opened, folder: string, { signal }: ViewOptions, cwd: string): Promise<ViewResult> {
  const name = showPath(folder, cwd);
  const written = await exportView(opened.view, opened, folder, name, signal);
  opened.remove();
  return { ...known(opened), url: null, exported: { folder: name, ...written }, close: async () => {} };
}

/** Serves what is opened, and then what is dropped on the page. */
async function show(opened: Opened, port: number, given: ViewOptions): Promise<ViewResult> {
  const { environment, environmentMap, signal } = given;
  const drops = new Drops(opened, { environment, environmentMap });
  const server = await serve(drops, port);
  const close = async () => {
    await Promise.all([drops.close(), server.close()]);
  };
  signal?.addEventListener('abort', () => void close(), { once: true });
  return { ...known(opened), url: server.url, exported: null, close };
}

/** Runs a call of view(). Rejects only for a bug. */
export async function runView(file: string, given: ViewOptions): Promise<ViewResult> {
  let source = file;
  try {
    throwIfAborted(given.signal);
    const cwd = workingFolder(given);
    source = showPath(resolve(cwd, file), cwd);
    return await start(file, given, cwd);
  } catch (error) {
    return { source, url: null, exported: null, tiles: 0, ...failedCall(error, given), close: async () => {} };
  }
}
