// clean(): removes the outputs below a folder that a cook of the given sources would not write. No record names the source
// of an output: the plan of such a cook tells which outputs have one.

import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join, resolve, sep } from 'node:path';
import type { OptionsOf } from '../config/options/option.ts';
import { CLEAN_CALL_OPTIONS } from '../config/options/table.ts';
import { outEachMatcher, outEachRoot } from '../config/outEach.ts';
import { showPath } from '../config/showPath.ts';
import { mainFile } from '../config/targets.ts';
import { modelsListed, modelsOfPack, packAt } from '../cook/outputs/pack/packFiles.ts';
import { filesBeside, isOwnFile } from '../cook/outputs/singleFile/ownFiles.ts';
import { type Diagnostic, fail } from '../diagnostics/diagnostic.ts';
import { faultsOf } from '../diagnostics/environment.ts';
import { filesOfManifest } from '../formats/manifest/write.ts';
import { formatOfContent, formatOfName, loadFormat } from '../formats/registry.ts';
import { isPackPath } from '../formats/untoldpack/document.ts';
import { isFolder, readWhole, readWholeText, statusOf } from '../importers/wholeFile.ts';
import { removeEmptyFolders } from '../output/folders.ts';
import { type ListedFiles, planRemoval, type Removal, type RemovedFile, removeSet } from '../output/removeSet.ts';
import { SharedTextures } from '../output/sharedTextures.ts';
import { checkOptions } from './call/checkOptions.ts';
import { type Surrounded, variablesOf, workingFolder } from './call/environment.ts';
import { exitCodeOf } from './call/exitCode.ts';
import { failedCall } from './call/faults.ts';
import { mergePreset } from './call/mergePreset.ts';
import { shownDiagnostic } from './call/shownDiagnostic.ts';
import { isBelow, orphanTextures } from './collectTextures.ts';
import { type CookPlan, planCook } from './cookPlan.ts';
import type { CookOptions } from './cookTypes.ts';

/** The options of `untold clean` in camelCase. */
export interface CleanOptions extends OptionsOf<typeof CLEAN_CALL_OPTIONS>, Surrounded {}

/** One output that goes. */
export interface RemovedOutput {
  /** The manifest, the single file or the texture; relative to the working folder, with `/`. */
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
}

export interface CleanDocument {
  /** Whether nothing was removed. */
  readonly dryRun: boolean;
  /** Sorted by path: sets and single files, then shared textures. */
  readonly removed: readonly RemovedOutput[];
  /** Outputs below the folder that stay. */
  readonly kept: number;
  /** UC4007: files of removed sets that were changed and stay. UC4004 and UC4000: sets that could not be removed. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface CleanResult {
  readonly exitCode: number;
  /** Null when the call was refused. */
  readonly document: CleanDocument | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** An output of an earlier cook; `listed`: as removeSet() takes it. */
interface FoundOutput {
  readonly main: string;
  readonly listed: () => ListedFiles | null;
}

/** All files below a folder, in order. Links are not followed: what lies behind them is not below the folder. */
function* filesBelow(root: string): Generator<string> {
  const open = [root];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isFile()) yield path;
      else if (entry.isDirectory()) open.push(path);
    }
  }
}

/** The files that a manifest of ours lists; null: the file is none. */
function listedBy(manifest: string): ListedFiles | null {
  try {
    return filesOfManifest(readWholeText(manifest), basename(manifest, '.json'));
  } catch {
    return null;
  }
}

function setsBelow(root: string): FoundOutput[] {
  return [...filesBelow(root)]
    .filter((path) => extname(path) === '.json' && listedBy(path) !== null)
    .map((main) => ({ main, listed: () => listedBy(main) }));
}

/** Whether a file is a cooked one that stands alone, not a tile of a set. */
async function isSingleFile(path: string): Promise<boolean> {
  try {
    const bytes = readWhole(path);
    const id = formatOfContent(bytes);
    return id !== null && isOwnFile(path) && !(await loadFormat(id)).isTileOfSet(basename(path), bytes);
  } catch {
    return false;
  }
}

/** The models that a pack owns; null: the file is no pack. */
function packListing(main: string): ListedFiles | null {
  return packAt(main) ? modelsOfPack(dirname(main), basename(main)) : null;
}

/** Single files and packs whose paths match the pattern and that no manifest or pack lists. */
async function singleFilesBelow(root: string, pattern: string): Promise<FoundOutput[]> {
  const matcher = outEachMatcher(pattern);
  const ofSets = new Set(
    setsBelow(root).flatMap(({ main, listed }) =>
      [...(listed()?.keys() ?? [])].map((path) => join(dirname(main), path)),
    ),
  );
  const files = [...filesBelow(root)];
  for (const main of files.filter(isPackPath)) {
    for (const path of modelsListed(dirname(main), basename(main))) ofSets.add(join(dirname(main), path));
  }
  const found: FoundOutput[] = [];
  for (const main of files) {
    if (ofSets.has(main) || !matcher.test(main.split(sep).join('/'))) continue;
    if (isPackPath(main)) {
      if (packAt(main)) found.push({ main, listed: () => packListing(main) });
      continue;
    }
    if (await isSingleFile(main)) found.push({ main, listed: () => filesBeside(main) });
  }
  return found;
}

/** Equal for files that a disk which does not tell case apart takes for the same. */
const keyOf = (path: string): string => path.normalize('NFC').toLowerCase();

const bytesOf = (files: readonly RemovedFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Removes the shared textures that no file names once `gone` is not there, and gives them. `start`: the folder that the cook writes to. */
async function cleanTextures(
  folder: string,
  { root, start, gone, dryRun }: { root: string; start: string; gone: ReadonlySet<string>; dryRun: boolean },
): Promise<RemovedFile[]> {
  if (!isBelow(folder, root)) return [];
  // Files that name textures are looked for in all of the folder that is cleaned, and where the cook puts them.
  const top = isBelow(start, root) ? root : start;
  const orphans = await orphanTextures(folder, top, gone);
  const files = orphans.map((name) => ({
    path: join(folder, name),
    bytes: statusOf(join(folder, name)).stat?.size ?? 0,
  }));
  if (dryRun || orphans.length === 0) return files;
  const textures = new SharedTextures(folder, false);
  textures.addOrphans(orphans);
  // The folder is locked and read again: a cook may have begun to use one of them.
  await textures.collectGarbage(async () => {
    const still = new Set(await orphanTextures(folder, top, new Set()));
    return new Set(orphans.filter((name) => !still.has(name)));
  });
  removeEmptyFolders(folder, root);
  return files.filter(({ path }) => statusOf(path).stat === null);
}

/** The plan of a cook of the sources into the folder. Throws SourceError for what is refused. */
async function planOf(root: string, given: CleanOptions, call: Surrounded): Promise<CookPlan> {
  const { sources = [], dryRun: _, ...options } = given;
  if (sources.length === 0) {
    fail(
      'UC1002',
      '',
      '--sources',
      'no source is named',
      'give the sources and options that the folder is cooked with',
    );
  }
  const { outEach } = mergePreset(options, workingFolder(call), variablesOf(call)).options;
  const ofCook: CookOptions = { ...options, ...(outEach === undefined ? { out: root } : {}), ...call };
  return planCook(sources, ofCook);
}

async function cleanFolder(folder: string, given: CleanOptions, cwd: string): Promise<CleanDocument> {
  const options = checkOptions(CLEAN_CALL_OPTIONS, given, cwd);
  const { dryRun = false } = options;
  const root = resolve(cwd, folder);
  if (!isFolder(root) || formatOfName(root) !== null) {
    fail('UC1003', '', showPath(root, cwd), 'this is not a folder of outputs', 'name the folder that --out names');
  }
  const { jobs, shared, options: settled } = await planOf(root, options, { environment: given.environment });
  // A word that is misspelled must not remove what it stands for.
  const absent = jobs
    .flatMap((job): readonly { readonly source: string }[] => job.joined ?? [job])
    .find(({ source }) => statusOf(resolve(cwd, source)).stat === null);
  if (absent) {
    fail(
      'UC1003',
      '',
      '--sources',
      `${absent.source} does not exist`,
      'correct the name, or leave it out if it is gone',
    );
  }
  const written = new Set(jobs.map(({ target }) => keyOf(mainFile(target))));
  const { outEach: pattern } = settled;
  const found = pattern === undefined ? setsBelow(root) : await singleFilesBelow(root, pattern);
  const stale = found.filter(({ main }) => !written.has(keyOf(main)));

  const removed: RemovedOutput[] = [];
  const diagnostics: Diagnostic[] = [];
  const gone = new Set<string>();
  for (const { main, listed } of stale) {
    let removal: Removal;
    try {
      removal = dryRun ? planRemoval(main, listed) : removeSet(main, root, listed);
    } catch (error) {
      const faults = faultsOf(error, main);
      if (faults === null) throw error;
      diagnostics.push(...faults);
      continue;
    }
    for (const { path } of removal.files) gone.add(path);
    diagnostics.push(...removal.kept);
    removed.push({ path: showPath(main, cwd), files: removal.files.length, bytes: bytesOf(removal.files) });
  }
  removed.sort((a, b) => (a.path < b.path ? -1 : 1));
  let textures: readonly RemovedFile[] = [];
  try {
    if (shared !== null) {
      const start = pattern === undefined ? root : outEachRoot(pattern);
      textures = await cleanTextures(shared, { root, start, gone, dryRun });
    }
  } catch (error) {
    // What was removed before is still to be told.
    const faults = faultsOf(error, '');
    if (faults === null) throw error;
    diagnostics.push(...faults);
  }
  const ofTextures = textures.map(({ path, bytes }) => ({ path: showPath(path, cwd), files: 1, bytes }));
  return {
    dryRun,
    removed: [...removed, ...ofTextures],
    kept: found.length - removed.length,
    diagnostics: diagnostics.map((item) => shownDiagnostic(item, cwd)),
  };
}

/** Runs a call of clean(). Rejects only for a bug. */
export async function runClean(folder: string, given: CleanOptions): Promise<CleanResult> {
  try {
    const document = await cleanFolder(folder, given, workingFolder(given));
    return { exitCode: exitCodeOf(document.diagnostics), document, diagnostics: [] };
  } catch (error) {
    return { document: null, ...failedCall(error, given) };
  }
}
