// view(): a page in the browser that shows a cooked set as the engine would load and draw it.

import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OptionsOf, settle } from '../../config/options/option.ts';
import { VIEW_CALL_OPTIONS } from '../../config/options/table.ts';
import { showPath } from '../../config/showPath.ts';
import { throwIfAborted } from '../../cook/interruption.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { extensionOf } from '../../formats/kinds.ts';
import { planMapPath } from '../../formats/manifest/write.ts';
import { isFile, statusOf } from '../../importers/wholeFile.ts';
import type { ViewDescription } from '../../viewer/description.ts';
import { type CallOptions, checkOptions } from '../call/checkOptions.ts';
import { workingFolder } from '../call/environment.ts';
import { failedCall } from '../call/faults.ts';
import { shownDiagnostic } from '../call/shownDiagnostic.ts';
import { namedOutputs, refuseSeveral } from '../namedOutputs.ts';
import { type CookedSet, openCookedSet } from '../render/cookedSet.ts';
import { clipsBeside } from './clips.ts';
import { exportView } from './exportPage.ts';
import { PageFiles, SetFiles } from './files.ts';
import { serve } from './server.ts';

/** The options of `untold view` in camelCase that concern the server. */
export interface ViewOptions extends OptionsOf<typeof VIEW_CALL_OPTIONS>, CallOptions {}

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

/** Bundled, the page stands beside the code; from the sources it is the one that the build made. */
const place = (name: string): string => {
  const path = import.meta.url.endsWith('.ts') ? `../../../dist/${name}` : `./${name}`;
  return fileURLToPath(new URL(path, import.meta.url));
};

async function describe(set: CookedSet, cwd: string): Promise<ViewDescription> {
  const { folder, file, tiles, warnings } = set;
  const name = basename(file);
  const isSet = name.endsWith('.json');
  const map = planMapPath(name.slice(0, -'.json'.length));
  const bytes: Record<string, number> = {};
  for (const { full, lods, hlod } of tiles) {
    for (const path of [full, ...lods.map((lod) => lod.path), ...(hlod ? [hlod.path] : [])]) {
      bytes[path] = statusOf(resolve(folder, path)).stat?.size ?? 0;
    }
  }
  return {
    name: showPath(resolve(cwd, file), cwd),
    manifest: isSet ? name : null,
    file: isSet ? null : tiles[0].full,
    clips: isSet ? [] : await clipsBeside(folder, tiles[0].full),
    planMap: isSet && isFile(resolve(folder, map)) ? map : null,
    bytes,
    diagnostics: warnings.map((item) => shownDiagnostic(item, cwd)),
  };
}

/** The output that a word names, and what messages call it. Throws UC5000 where there are several, and what the word is refused for. */
async function onlyOutput(word: string, config: string | boolean | undefined, given: ViewOptions) {
  const cwd = workingFolder(given);
  const named = await namedOutputs('view', word, config, given);
  const { place, mains } = named;
  // Beside the only manifest of a folder, single files do not count.
  const sets = mains.filter((main) => !main.endsWith(extensionOf('untold')));
  if (mains.length > 1 && sets.length !== 1) {
    refuseSeveral(named, (one) => `the page shows one of them: \`untold view ${one}\``, cwd);
  }
  const [main = place] = sets.length === 1 ? sets : mains;
  return { path: main, name: showPath(main, cwd) };
}

async function start(file: string, given: ViewOptions, cwd: string): Promise<ViewResult> {
  const {
    port,
    against,
    config,
    export: into,
  } = settle(VIEW_CALL_OPTIONS, checkOptions(VIEW_CALL_OPTIONS, given, cwd));
  const shown = await onlyOutput(file, config, given);
  const beside = against === undefined ? null : await onlyOutput(against, false, given);
  const set = await openCookedSet(shown.path, shown.name, cwd);
  const other = beside && (await openCookedSet(beside.path, beside.name, cwd));
  throwIfAborted(given.signal);
  const description = { ...(await describe(set, cwd)), ...(other && { against: await describe(other, cwd) }) };
  const page = new PageFiles(place('viewer'), place('kernel.wasm'));
  const files = { set: new SetFiles(set.folder, description.clips), against: other && new SetFiles(other.folder) };
  const { name, diagnostics } = description;
  const viewed = { description, page, ...files };
  if (into !== undefined) {
    const folder = resolve(cwd, into);
    const shownFolder = showPath(folder, cwd);
    const written = await exportView(viewed, { set, against: other }, folder, shownFolder, given.signal);
    const exported = { folder: shownFolder, ...written };
    const close = async () => {};
    return { exitCode: 0, source: name, url: null, exported, tiles: set.tiles.length, diagnostics, close };
  }
  const server = await serve(viewed, port);
  given.signal?.addEventListener('abort', () => void server.close(), { once: true });
  return {
    exitCode: 0,
    source: name,
    url: server.url,
    exported: null,
    tiles: set.tiles.length,
    diagnostics,
    close: () => server.close(),
  };
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
