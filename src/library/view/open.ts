// Opens what `untold view` shows: an output as it is, a source by a cook of its own, and what either is compared with.

import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { showPath } from '../../config/showPath.ts';
import { throwIfAborted } from '../../cook/interruption.ts';
import { type Diagnostic, fail } from '../../diagnostics/diagnostic.ts';
import { extensionOf } from '../../formats/kinds.ts';
import { planMapPath } from '../../formats/manifest/write.ts';
import { isFile, statusOf } from '../../importers/wholeFile.ts';
import type { ViewDescription } from '../../viewer/description.ts';
import type { CallOptions } from '../call/checkOptions.ts';
import { workingFolder } from '../call/environment.ts';
import { shownDiagnostic } from '../call/shownDiagnostic.ts';
import type { CookOptions } from '../cookTypes.ts';
import { namedOutputs, refuseSeveral } from '../namedOutputs.ts';
import { type CookedSet, fileAsSet, openCookedSet, openManifest } from '../render/cookedSet.ts';
import { openEnvironment } from '../render/environmentMap.ts';
import { clipsBeside } from './clips.ts';
import { PageFiles, SetFiles } from './files.ts';
import { cookToView, isViewedSource } from './viewedSource.ts';

/** What is opened, and with which settings. */
export interface OpenCall extends CallOptions {
  readonly against?: string | undefined;
  readonly config?: string | boolean | undefined;
  /** The Radiance picture that lights the page; absolute. */
  readonly environmentMap?: string | undefined;
  /** The asset root of a source. */
  readonly root?: string | undefined;
  readonly onProgress?: CookOptions['onProgress'];
}

/** What the server shows. */
export interface ServedView {
  readonly description: ViewDescription;
  readonly page: PageFiles;
  readonly set: SetFiles;
  /** Those of the other output; null: there is none. */
  readonly against: SetFiles | null;
  /** The absolute path of the picture that lights it; null: there is none. */
  readonly environmentMap: string | null;
}

export interface Opened {
  readonly view: ServedView;
  readonly set: CookedSet;
  /** What it is compared with; null: nothing. */
  readonly against: CookedSet | null;
  /** Removes what was made for it. */
  remove(): void;
}

/** Sets with what the page calls them. */
interface Found extends Pick<Opened, 'set' | 'against' | 'remove'> {
  readonly names: { readonly set?: string; readonly against?: string };
  readonly diagnostics: readonly Diagnostic[];
}

/** Bundled, the page stands beside the code; from the sources it is the one that the build made. */
const place = (name: string): string => {
  const path = import.meta.url.endsWith('.ts') ? `../../../dist/${name}` : `./${name}`;
  return fileURLToPath(new URL(path, import.meta.url));
};

async function describe(set: CookedSet, cwd: string, named: string | undefined): Promise<ViewDescription> {
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
    name: named ?? showPath(resolve(cwd, file), cwd),
    manifest: isSet ? name : null,
    file: isSet ? null : tiles[0].full,
    clips: isSet ? [] : await clipsBeside(folder, tiles[0].full),
    planMap: isSet && isFile(resolve(folder, map)) ? map : null,
    bytes,
    diagnostics: warnings.map((item) => shownDiagnostic(item, cwd)),
  };
}

/** Of the main files of a folder those that count: beside the only manifest single files do not. */
export function onlySets(mains: readonly string[]): readonly string[] {
  const sets = mains.filter((main) => !main.endsWith(extensionOf('untold')));
  return sets.length === 1 ? sets : mains;
}

/** The output that a word names, and what messages call it. Throws UC5000 where there are several, and what the word is refused for. */
async function onlyOutput(word: string, config: string | boolean | undefined, given: OpenCall) {
  const cwd = workingFolder(given);
  const named = await namedOutputs('view', word, config, given);
  const mains = onlySets(named.mains);
  if (mains.length > 1) refuseSeveral(named, (one) => `the page shows one of them: \`untold view ${one}\``, cwd);
  const [main = named.place] = mains;
  return { path: main, name: showPath(main, cwd) };
}

/** A source is cooked first, and shown beside its cook. */
async function openSource(path: string, name: string, other: CookedSet | null, given: OpenCall): Promise<Found> {
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

async function find(file: string, given: OpenCall, cwd: string): Promise<Found> {
  const beside = given.against === undefined ? null : await onlyOutput(given.against, false, given);
  const other = beside && (await openCookedSet(beside.path, beside.name, cwd));
  const path = resolve(cwd, file);
  if (isViewedSource(path) && typeof given.config === 'string') {
    const remedy = 'leave --config out, or cook the source and view its output';
    fail(
      'UC1012',
      showPath(path, cwd),
      '--config',
      'a source is cooked with the settings of a cook without options',
      remedy,
    );
  }
  if (isViewedSource(path)) return openSource(path, showPath(path, cwd), other, given);
  const shown = await onlyOutput(file, given.config, given);
  const set = await openCookedSet(shown.path, shown.name, cwd);
  return { set, against: other, names: {}, diagnostics: [], remove: () => {} };
}

/** Opens a file, a folder, or what the project file names. Throws SourceError, and leaves nothing behind then. */
export async function openView(file: string, given: OpenCall): Promise<Opened> {
  const cwd = workingFolder(given);
  const { environmentMap } = given;
  // The page reads it again; what is wrong with it is told before there is a page.
  if (environmentMap !== undefined) openEnvironment(environmentMap, cwd);
  const { set, against, names, diagnostics, remove } = await find(file, given, cwd);
  try {
    throwIfAborted(given.signal);
    const own = await describe(set, cwd, names.set);
    const description: ViewDescription = {
      ...own,
      diagnostics: [...diagnostics, ...own.diagnostics],
      ...(environmentMap === undefined ? {} : { environment: basename(environmentMap) }),
      ...(against && { against: await describe(against, cwd, names.against) }),
    };
    const page = new PageFiles(place('viewer'), place('kernel.wasm'));
    const files = {
      set: new SetFiles(set.folder, description.clips),
      against: against && new SetFiles(against.folder, description.against?.clips),
    };
    throwIfAborted(given.signal);
    const view = { description, page, ...files, environmentMap: environmentMap ?? null };
    return { view, set, against, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
