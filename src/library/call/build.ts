// What the words of a call mean where a project file holds: the project itself, one of its targets, or sources.

import { dirname, resolve } from 'node:path';
import { isPattern } from '../../config/glob.ts';
import { nearest } from '../../config/nearest.ts';
import { isOutputOfProject, type ProjectFile, TARGET_NAME } from '../../config/projectFile.ts';
import { showPath } from '../../config/showPath.ts';
import { nearestPattern } from '../../config/unmatchedPatterns.ts';
import { type Diagnostic, diagnostic, fail, SourceError } from '../../diagnostics/diagnostic.ts';
import { isFolder, statusOf } from '../../importers/wholeFile.ts';
import { nearFiles } from './nearFiles.ts';

export interface BuildWords {
  /** Whether the call is a build of the project: its words are none, or the name of a target. */
  readonly isProjects: boolean;
  /** The target that is built; null: none, or the project itself. */
  readonly target: string | null;
  /** The sources: those of the project or target, or the words. */
  readonly words: readonly string[];
  /** The folder that the sources are relative to. */
  readonly base: string;
  /** UC1070: words that are names of targets too. */
  readonly notes: readonly Diagnostic[];
}

const listed = (names: Iterable<string>): string => [...names].join(', ');

/** The command that builds a project or its target. */
export const buildCommand = (target: string | null): string =>
  target === null ? 'untold cook' : `untold cook ${target}`;

/** Throws UC1072 for a word that can be neither a source nor a target. */
function refuseUnknown(word: string, { path, targets }: ProjectFile, cwd: string): void {
  if (targets.size === 0 || word.includes('.') || !TARGET_NAME.test(word)) return;
  const near = nearest(word, [...targets.keys()]);
  const remedy = near === null ? `its targets are ${listed(targets.keys())}` : `did you mean ${near}?`;
  fail('UC1072', '', word, `there is no file, no folder and no target "${word}" in ${showPath(path, cwd)}`, remedy);
}

/**
 * A word that is a file or folder is a source, unless it is an output of the project. Throws UC1071 for a target beside other
 * words, UC1072 for a word that is nothing.
 */
export function buildOf(words: readonly string[], project: ProjectFile | null, cwd: string): BuildWords {
  const sources = { isProjects: false, target: null, words, base: cwd, notes: [] };
  if (project === null) return sources;
  const file = showPath(project.path, cwd);
  const base = dirname(project.path);
  if (words.length === 0) return { ...sources, isProjects: true, words: project.sources ?? [], base };
  const notes: Diagnostic[] = [];
  for (const word of words) {
    const path = resolve(cwd, word);
    const isThere = statusOf(path).stat !== null;
    const target = project.targets.get(word);
    if (target === undefined) {
      if (!isThere && !isPattern(word)) refuseUnknown(word, project, cwd);
    } else if (isThere && !isOutputOfProject(project, target, path)) {
      notes.push(
        diagnostic(
          'UC1070',
          word,
          '',
          `it is taken as the ${isFolder(path) ? 'folder' : 'file'}, not as the target of ${file}`,
        ),
      );
    } else if (words.length > 1) {
      fail('UC1071', '', word, `it is a target of ${file}, and ${words.length - 1} more were named`);
    } else {
      return { isProjects: true, target: word, words: target.sources ?? project.sources ?? [], base, notes };
    }
  }
  return { ...sources, notes };
}

/** Throws UC1002 for a build of a project that names no sources. */
export function refuseWithoutSources(
  { isProjects, target }: BuildWords,
  project: ProjectFile | null,
  cwd: string,
): never {
  if (project === null || !isProjects) {
    const remedy = 'name a file, a folder or a pattern; or `untold init` writes a project file that names them';
    return fail('UC1002', '', '', 'no source is named', remedy);
  }
  const file = showPath(project.path, cwd);
  return fail(
    'UC1002',
    file,
    target === null ? '' : `targets/${target}`,
    'it names no sources',
    remedyOf(project, target, 'sources'),
  );
}

/** Throws UC1003 for a source of a project file that is no pattern and not there. */
export function refuseAbsentSources(build: BuildWords, project: ProjectFile, cwd: string): void {
  const { words, base } = build;
  const absent = words.find((word) => !isPattern(word) && statusOf(resolve(base, word)).code === 'ENOENT');
  if (absent === undefined) return;
  const near = nearFiles(absent, base);
  const remedy =
    near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'correct the name, or leave it out if it is gone';
  const at = keyOfSources(build, project);
  fail('UC1003', showPath(project.path, cwd), at, `${absent} does not exist`, remedy);
}

/** Where a build names its sources, in the project file. */
const keyOfSources = ({ target }: BuildWords, { targets }: ProjectFile): string =>
  target !== null && targets.get(target)?.sources ? `targets/${target}/sources` : 'sources';

/** Finds the sources of a call; of a build, what leads to nothing is named where the project file has it. */
export function sourcesOfProject<T>(
  { build, project }: { readonly build: BuildWords; readonly project: ProjectFile | null },
  cwd: string,
  find: () => T,
): T {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof SourceError) || project === null || !build.isProjects) throw error;
    const placed = error.diagnostics.map((item): Diagnostic => {
      if (item.code !== 'UC1004' || !build.words.includes(item.file)) return item;
      const near = isPattern(item.file) ? nearestPattern(build.base, item.file) : null;
      return {
        ...item,
        file: showPath(project.path, cwd),
        path: keyOfSources(build, project),
        message: `${item.file}: ${item.message}`,
        ...(near === null ? {} : { remedy: `did you mean "${near}"?` }),
      };
    });
    throw new SourceError(placed);
  }
}

/** Throws UC1002 for a build of a project that does not say where to. */
export function refuseWithoutOutput(target: string | null, project: ProjectFile, cwd: string): never {
  const file = showPath(project.path, cwd);
  const at = target === null ? '' : `targets/${target}`;
  return fail('UC1002', file, at, 'it does not say where the output goes', remedyOf(project, target, 'out'));
}

function remedyOf({ targets }: ProjectFile, target: string | null, key: string): string {
  const own = `give it "${key}"`;
  if (target !== null || targets.size === 0) return own;
  return `${own}, or build a target: ${[...targets.keys()].map((name) => `\`${buildCommand(name)}\``).join(', ')}`;
}
