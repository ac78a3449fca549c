// Which output verify() means, and what is planned into it: that of the project, of one of its targets, or what is named.

import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { outEachRoot } from '../../config/outEach.ts';
import { showPath } from '../../config/showPath.ts';
import { isPack, mainFile } from '../../config/targets.ts';
import { filesBeside } from '../../cook/outputs/singleFile/ownFiles.ts';
import { type Diagnostic, diagnostic, fail } from '../../diagnostics/diagnostic.ts';
import { extensionOf, searchedExtensions } from '../../formats/kinds.ts';
import { FORMAT_IDS, FORMATS } from '../../formats/registry.ts';
import { isPackPath } from '../../formats/untoldpack/document.ts';
import { isFile, isFolder, statusOf } from '../../importers/wholeFile.ts';
import { buildCommand } from '../call/build.ts';
import type { MergedOptions } from '../call/mergePreset.ts';
import { type CookPlan, planCook } from '../cookPlan.ts';
import type { CookOptions } from '../cookTypes.ts';
import { filesBelow, singleFilesBelow } from '../outputsBelow.ts';
import { isOwn } from '../ownFiles.ts';
import { planBuild } from '../projectPlans.ts';

/** An output and the cook that it is compared with. */
export interface VerifyPlace {
  /** Absolute: a folder or a file. */
  readonly place: string;
  /** What is checked; absolute. */
  readonly files: readonly string[];
  /** The cook; null: no source is known. `words` and `options`: the call of cook() that does it. */
  readonly against: {
    readonly words: readonly string[];
    readonly options: CookOptions;
    readonly plan: CookPlan;
  } | null;
  /** Main files of other builds of the project; absolute. */
  readonly others: readonly string[];
  /** UC1074: how the output was taken. */
  readonly notes: readonly Diagnostic[];
}

const isThere = (path: string): boolean => statusOf(path).stat !== null;

/** A file with the clips beside it that are its own. */
function withClips(path: string): string[] {
  if (!isFile(path) || isPackPath(path)) return [path];
  const clips = [...filesBeside(path).keys()].filter((name) => !name.endsWith('.txt'));
  return [path, ...clips.map((name) => join(path, '..', name))];
}

const SEARCHED = searchedExtensions('output');
/** Endings of outputs that sources have too: validate() does not look for them in folders. */
const UNSEARCHED = FORMAT_IDS.map((id): string => FORMATS[id].extension).filter((ending) => !SEARCHED.includes(ending));

/** What is to be checked of a file or folder: the folder, and those of its outputs that are not looked for. */
async function filesOf(place: string): Promise<string[]> {
  if (!isFolder(place)) return withClips(place);
  const all = [...filesBelow(place)];
  const endsIn = (endings: readonly string[]) => (path: string) => endings.includes(extname(path).toLowerCase());
  const endings = UNSEARCHED.filter((ending) => all.some(endsIn([ending])));
  const found = endings.map((ending) => singleFilesBelow(place, join(place, `{dir}/{name}${ending}`)));
  const unsearched = (await Promise.all(found)).flat().map(({ main }) => main);
  const isSearched = unsearched.length === 0 || all.some((path) => endsIn(SEARCHED)(path) && isOwn(path));
  return [...(isSearched ? [place] : []), ...unsearched];
}

/** The main files of a plan that are there. */
const mainsOf = ({ jobs }: CookPlan): string[] => jobs.map(({ target }) => mainFile(target)).filter(isThere);

/**
 * The output of the project or of a target. Throws UC1200 where there is none yet, and what cook() throws.
 */
export async function placeOfProject(
  { build }: MergedOptions,
  options: CookOptions,
  cwd: string,
): Promise<VerifyPlace> {
  const words = build.target === null ? [] : [build.target];
  const { root: place, plan, others } = await planBuild(build.target, options);
  const mains = mainsOf(plan);
  if (mains.length === 0) {
    fail(
      'UC1200',
      showPath(place, cwd),
      '',
      'none of the outputs is there',
      `build them: \`${buildCommand(build.target)}\``,
    );
  }
  const isTiles = plan.jobs.every(({ target }) => target.kind === 'folder');
  const files = isTiles ? [place] : mains.flatMap(withClips);
  return { place, files, against: { words, options, plan }, others: others.flatMap(mainsOf), notes: [] };
}

/** Patterns of `--out-each` by which the files of a folder may have their names, each once. */
function patternsFor(place: string, { jobs, options }: CookPlan, cwd: string): string[] {
  const endings = [...FORMAT_IDS.map((id) => FORMATS[id].extension), extensionOf('untoldpack')];
  const folders = new Map<string, string[]>();
  for (const path of filesBelow(place))
    folders.set(basename(path), [...(folders.get(basename(path)) ?? []), dirname(path)]);
  const found = new Set<string>();
  for (const { source, target } of jobs) {
    if (target.kind !== 'folder') continue;
    const dir = relative(options.root ?? cwd, dirname(resolve(cwd, source)));
    for (const ending of endings) {
      for (const folder of folders.get(`${target.sceneName}${ending}`) ?? []) {
        const isSame = dir !== '' && folder.endsWith(`${sep}${dir}`);
        const start = isSame ? join(folder.slice(0, -dir.length), '{dir}') : folder;
        found.add(join(start, `{name}${ending}`));
      }
    }
  }
  return [...found];
}

/** How `--out-each` may have named the files of a folder: by the pattern that leads to most of them. */
async function outEachOf(sets: CookPlan, words: readonly string[], options: CookOptions, place: string, cwd: string) {
  let best: { readonly outEach: string; readonly plan: CookPlan; readonly files: number } | null = null;
  for (const outEach of patternsFor(place, sets, cwd)) {
    try {
      const ofEach: CookOptions = { ...options, outEach };
      const plan = await planCook(words, ofEach);
      const files = mainsOf(plan).length;
      if (files > (best?.files ?? 0)) best = { outEach, plan, files };
    } catch {
      // A format that does not hold what the options ask for, or a source outside of the working folder: not this one.
    }
  }
  return best;
}

/** A folder or file that is named. Throws UC1200 where it is not there, and what cook() throws. */
export async function placeOfPath(
  folder: string,
  sources: readonly string[],
  merged: MergedOptions,
  options: CookOptions,
  cwd: string,
): Promise<VerifyPlace> {
  const place = resolve(cwd, folder);
  if (!isThere(place)) {
    fail('UC1200', folder, '', 'no such file or folder', 'name the folder or file that --out names');
  }
  const files = await filesOf(place);
  const { notes: unclear } = merged.build;
  if (sources.length === 0) return { place, files, against: null, others: [], notes: unclear };
  const { outEach } = merged.options;
  // What the project file says of another output is not of this one.
  const isNamed = outEach !== undefined && (options.outEach !== undefined || outEachRoot(outEach) === place);
  if (isNamed) {
    const own = { ...options, outEach };
    return {
      place,
      files,
      against: { words: sources, options: own, plan: await planCook(sources, own) },
      others: [],
      notes: [],
    };
  }
  const own = { ...options, out: place };
  const plan = await planCook(sources, own);
  if (isFolder(place) && mainsOf(plan).length === 0 && !plan.jobs.some(({ target }) => isPack(target))) {
    const found = await outEachOf(plan, sources, options, place, cwd);
    if (found !== null) {
      const pattern = showPath(found.outEach, cwd);
      const note = diagnostic(
        'UC1074',
        showPath(place, cwd),
        '',
        `its files are compared as --out-each '${pattern}' names them`,
      );
      const ofEach = { ...options, outEach: found.outEach };
      return {
        place,
        files,
        against: { words: sources, options: ofEach, plan: found.plan },
        others: [],
        notes: [note],
      };
    }
  }
  return { place, files, against: { words: sources, options: own, plan }, others: [], notes: [] };
}
