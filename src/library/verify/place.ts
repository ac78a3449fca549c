// Which output verify() means, and what is planned into it: that of the project, of one of its targets, or what is named.

import { join, resolve } from 'node:path';
import { outEachRoot } from '../../config/outEach.ts';
import { showPath } from '../../config/showPath.ts';
import { isPack, mainFile } from '../../config/targets.ts';
import { filesBeside } from '../../cook/outputs/singleFile/ownFiles.ts';
import { type Diagnostic, diagnostic, fail } from '../../diagnostics/diagnostic.ts';
import { extensionOf } from '../../formats/kinds.ts';
import { FORMAT_IDS, FORMATS } from '../../formats/registry.ts';
import { isPackPath } from '../../formats/untoldpack/document.ts';
import { isFile, isFolder, statusOf } from '../../importers/wholeFile.ts';
import { buildCommand } from '../call/build.ts';
import type { MergedOptions } from '../call/mergePreset.ts';
import { type CookPlan, planCook } from '../cookPlan.ts';
import type { CookOptions } from '../cookTypes.ts';
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

/** How `--out-each` may have named the files of a folder: what a plan by it leads to is there. */
async function outEachOf(words: readonly string[], options: CookOptions, place: string) {
  const endings = [...FORMAT_IDS.map((id) => FORMATS[id].extension), extensionOf('untoldpack')];
  for (const name of ['{dir}/{name}', '{name}']) {
    for (const ending of endings) {
      const outEach = join(place, `${name}${ending}`);
      try {
        const ofEach: CookOptions = { ...options, outEach };
        const plan = await planCook(words, ofEach);
        if (mainsOf(plan).length > 0) return { outEach, plan };
      } catch {
        // A format that does not hold what the options ask for, or a source outside of the working folder: not this one.
      }
    }
  }
  return null;
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
  const files = withClips(place);
  if (sources.length === 0) return { place, files, against: null, others: [], notes: [] };
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
    const found = await outEachOf(sources, options, place);
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
