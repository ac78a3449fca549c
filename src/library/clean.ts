// clean(): removes the outputs below a folder that a cook of the given sources would not write. No record names the source
// of an output: the plan of such a cook tells which outputs have one.

import { join, resolve } from 'node:path';
import type { OptionsOf } from '../config/options/option.ts';
import { CLEAN_CALL_OPTIONS } from '../config/options/table.ts';
import { outEachRoot } from '../config/outEach.ts';
import { showPath } from '../config/showPath.ts';
import { mainFile } from '../config/targets.ts';
import { type Diagnostic, diagnostic, fail, SourceError } from '../diagnostics/diagnostic.ts';
import { faultsOf } from '../diagnostics/environment.ts';
import { formatOfName } from '../formats/registry.ts';
import { isFolder, statusOf } from '../importers/wholeFile.ts';
import { removeEmptyFolders } from '../output/folders.ts';
import { planRemoval, type Removal, type RemovedFile, removeSet } from '../output/removeSet.ts';
import { SharedTextures } from '../output/sharedTextures.ts';
import { checkOptions } from './call/checkOptions.ts';
import { type Surrounded, variablesOf, workingFolder } from './call/environment.ts';
import { exitCodeOf } from './call/exitCode.ts';
import { failedCall } from './call/faults.ts';
import { mergePreset } from './call/mergePreset.ts';
import { shownDiagnostic } from './call/shownDiagnostic.ts';
import { orphanTextures } from './collectTextures.ts';
import { planCook } from './cookPlan.ts';
import type { CookOptions } from './cookTypes.ts';
import { isBelow } from './isBelow.ts';
import { setsBelow, singleFilesBelow } from './outputsBelow.ts';
import { type ProjectPlans, planBuild } from './projectPlans.ts';

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

/** The plan of a cook of given sources into a folder. Throws SourceError for what is refused. */
async function planOf(folder: string | null, given: CleanOptions, call: Surrounded): Promise<ProjectPlans> {
  const { sources = [], dryRun: _, ...options } = given;
  const cwd = workingFolder(call);
  if (folder === null) return fail('UC1002', '', '', 'no folder is named', 'name the folder that --out names');
  const root = resolve(cwd, folder);
  if (!isFolder(root) || formatOfName(root) !== null) {
    fail('UC1003', '', showPath(root, cwd), 'this is not a folder of outputs', 'name the folder that --out names');
  }
  const { outEach } = mergePreset(options, cwd, variablesOf(call)).options;
  const ofCook: CookOptions = { ...options, ...(outEach === undefined ? { out: root } : {}), ...call };
  return { root, plan: await planCook(sources, ofCook), others: [] };
}

async function cleanFolder(folder: string | null, given: CleanOptions, cwd: string): Promise<CleanDocument> {
  const options = checkOptions(CLEAN_CALL_OPTIONS, given, cwd);
  const { dryRun = false, sources = [] } = options;
  const call = { environment: given.environment };
  const { sources: _, dryRun: __, ...ofCook } = options;
  const words = folder === null ? [] : [folder];
  const { build, project } = mergePreset(ofCook, cwd, variablesOf(call), sources.length > 0 ? sources : words);
  const isProjects = sources.length === 0 && build.isProjects;
  if (sources.length === 0 && !isProjects) {
    const remedy = 'give the sources and options that the folder is cooked with';
    const ofProject = project === null ? '' : '; `untold clean` alone cleans what the project file names';
    const unnamed = diagnostic('UC1002', '', '--sources', 'no source is named', remedy + ofProject);
    throw new SourceError([...build.notes, unnamed]);
  }
  const { root, plan, others } = isProjects
    ? await planBuild(build.target, { ...ofCook, ...call })
    : await planOf(folder, options, call);
  if (isProjects && formatOfName(root) !== null) {
    fail(
      'UC1003',
      '',
      showPath(root, cwd),
      'the build writes one file',
      'there is nothing to clean: a cook replaces it',
    );
  }
  const { jobs, shared, options: settled } = plan;
  // A word that is misspelled must not remove what it stands for.
  const absent = jobs
    .flatMap((job): readonly { readonly source: string }[] => job.joined ?? [job])
    .find(({ source }) => statusOf(resolve(cwd, source)).stat === null);
  if (absent) {
    const [file, option] = isProjects && project ? [showPath(project.path, cwd), 'sources'] : ['', '--sources'];
    fail('UC1003', file, option, `${absent.source} does not exist`, 'correct the name, or leave it out if it is gone');
  }
  if (!isFolder(root)) return { dryRun, removed: [], kept: 0, diagnostics: [] };
  const planned = [plan, ...others].flatMap((one) => one.jobs);
  const written = new Set(planned.map(({ target }) => keyOf(mainFile(target))));
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

/** Runs a call of clean(); a folder of null is that of the project. Rejects only for a bug. */
export async function runClean(folder: string | null, given: CleanOptions): Promise<CleanResult> {
  try {
    const document = await cleanFolder(folder, given, workingFolder(given));
    return { exitCode: exitCodeOf(document.diagnostics), document, diagnostics: [] };
  } catch (error) {
    return { document: null, ...failedCall(error, given) };
  }
}
