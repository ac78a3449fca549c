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
import { type CookedSet, fileAsSet, openCookedSet, openManifest } from '../render/cookedSet.ts';
import { clipsBeside } from './clips.ts';
import { exportView } from './exportPage.ts';
import { PageFiles, SetFiles } from './files.ts';
import { serve } from './server.ts';
import { cookToView, isViewedSource } from './viewedSource.ts';

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

/** What is opened for a call, and what messages and the page call it. */
interface Opened {
  readonly set: CookedSet;
  readonly against: CookedSet | null;
  readonly names: { readonly set?: string; readonly against?: string };
  readonly diagnostics: readonly Diagnostic[];
  /** Removes what was made for it. */
  remove(): void;
}

/** A source is cooked first, and shown beside its cook. */
async function openSource(path: string, name: string, other: CookedSet | null, given: ViewOptions): Promise<Opened> {
  const { set, whole, diagnostics, remove } = await cookToView(path, other === null, given);
  try {
    const against = other ?? (whole === null ? null : fileAsSet(whole, whole));
    const names = { set: `${name} (cooked)`, ...(other ? {} : { against: name }) };
    return { set: await openManifest(set, set), against, names, diagnostics, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

async function open(file: string, against: string | undefined, given: ViewOptions, cwd: string): Promise<Opened> {
  const beside = against === undefined ? null : await onlyOutput(against, false, given);
  const other = beside && (await openCookedSet(beside.path, beside.name, cwd));
  const path = resolve(cwd, file);
  if (isViewedSource(path)) return openSource(path, showPath(path, cwd), other, given);
  const shown = await onlyOutput(file, given.config, given);
  const set = await openCookedSet(shown.path, shown.name, cwd);
  return { set, against: other, names: {}, diagnostics: [], remove: () => {} };
}

const named = (description: ViewDescription, name: string | undefined): ViewDescription =>
  name === undefined ? description : { ...description, name };

async function start(file: string, given: ViewOptions, cwd: string): Promise<ViewResult> {
  const {
    port,
    against,
    config,
    export: into,
  } = settle(VIEW_CALL_OPTIONS, checkOptions(VIEW_CALL_OPTIONS, given, cwd));
  const opened = await open(file, against, { ...given, config }, cwd);
  try {
    return await show(opened, { port, into }, given, cwd);
  } catch (error) {
    opened.remove();
    throw error;
  }
}

/** Serves what is opened, or writes it into a folder. */
async function show(
  opened: Opened,
  { port, into }: { readonly port: number; readonly into: string | undefined },
  given: ViewOptions,
  cwd: string,
): Promise<ViewResult> {
  const { set, against, names, remove } = opened;
  throwIfAborted(given.signal);
  const own = named(await describe(set, cwd), names.set);
  const description: ViewDescription = {
    ...own,
    diagnostics: [...opened.diagnostics, ...own.diagnostics],
    ...(against && { against: named(await describe(against, cwd), names.against) }),
  };
  const page = new PageFiles(place('viewer'), place('kernel.wasm'));
  const files = { set: new SetFiles(set.folder, description.clips), against: against && new SetFiles(against.folder) };
  const { name, diagnostics } = description;
  const viewed = { description, page, ...files };
  const known = { exitCode: 0, source: name, tiles: set.tiles.length, diagnostics };
  if (into !== undefined) {
    const folder = resolve(cwd, into);
    const shownFolder = showPath(folder, cwd);
    const written = await exportView(viewed, { set, against }, folder, shownFolder, given.signal);
    remove();
    return { ...known, url: null, exported: { folder: shownFolder, ...written }, close: async () => {} };
  }
  const server = await serve(viewed, port);
  const close = () => {
    remove();
    return server.close();
  };
  given.signal?.addEventListener('abort', () => void close(), { once: true });
  return { ...known, url: server.url, exported: null, close };
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
