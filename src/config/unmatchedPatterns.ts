// Patterns of a project file that nothing on the disk matches: most are misspelt. Decided by what is there, not by the sources of
// one call, because a project may be cooked in parts.

import { type Dirent, readdirSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import { expandBraces, isPattern } from './glob.ts';
import { namesBelow, pathPattern } from './ignore.ts';
import { nearest } from './nearest.ts';
import type { BuildPart, ProjectFile } from './projectFile.ts';
import { showPath } from './showPath.ts';

/** Files and folders that are looked at for one pattern at most: beyond that it is not known whether it matches. */
const MAX_SEEN = 100_000;

/** Names in a folder, sorted, hidden ones left out as in the search of folders; none where it cannot be listed. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter(({ name }) => !name.startsWith('.')).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** A link may lead to a folder, which a pattern may name. */
const isFolderLike = (entry: Dirent): boolean => entry.isDirectory() || entry.isSymbolicLink();

interface Pattern {
  /** Names before the first wildcard that it needs from the folder of the project file on; none if it may match anywhere. */
  readonly fixed: readonly string[];
  /** What follows them. */
  readonly rest: readonly string[];
  readonly isOfFolders: boolean;
  readonly isAnchored: boolean;
}

/** A pattern in its parts. Names with a backslash are left to the search. */
function parsed(pattern: string): Pattern {
  const isOfFolders = pattern.endsWith('/');
  const text = isOfFolders ? pattern.slice(0, -1) : pattern;
  const isAnchored = text.includes('/');
  const names = text.split('/').filter((name) => name !== '');
  const wild = isAnchored ? names.findIndex((name) => isPattern(name) || name.includes('\\')) : 0;
  const end = wild < 0 ? names.length : wild;
  return { fixed: names.slice(0, end), rest: names.slice(end), isOfFolders, isAnchored };
}

/** What a search has found. */
interface Found {
  /** Null: there is more than was looked at. */
  readonly isMatched: boolean | null;
  /** Names that were seen, of files and folders, each once. */
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

/** Searches all below a folder until something matches, the nearest to the folder first. */
function search(base: string, start: string, matches: (names: readonly string[]) => boolean): Found {
  const files = new Set<string>();
  const folders = new Set<string>();
  const open = [start];
  let seen = 0;
  for (let at = 0; at < open.length; at++) {
    for (const entry of entriesOf(open[at])) {
      if (++seen > MAX_SEEN) return { isMatched: null, files, folders };
      const path = join(open[at], entry.name);
      const isFolder = isFolderLike(entry);
      (isFolder ? folders : files).add(entry.name);
      const names = namesBelow(base, path);
      // A pattern for folders is matched by what lies in one.
      if (matches(names) || (isFolder && matches([...names, '']))) return { isMatched: true, files, folders };
      if (entry.isDirectory()) open.push(path);
    }
  }
  return { isMatched: false, files, folders };
}

/** The name in a folder that a name is; null: there is none, which case decides too. */
function entryNamed(folder: string, name: string, isOfFolders: boolean): Dirent | null {
  return entriesOf(folder).find((entry) => entry.name === name && (!isOfFolders || isFolderLike(entry))) ?? null;
}

/** Whether an alternative of a pattern matches something below a folder; null: not known. */
function matchesSomething(base: string, pattern: string): boolean | null {
  const { fixed, rest, isOfFolders, isAnchored } = parsed(pattern);
  let start = base;
  for (const [i, name] of fixed.entries()) {
    const isLast = i === fixed.length - 1 && rest.length === 0;
    if (!entryNamed(start, name, !isLast || isOfFolders)) return false;
    start = join(start, name);
  }
  if (isAnchored && rest.length === 0) return true;
  return search(base, start, pathPattern(pattern)).isMatched;
}

/** The nearest pattern to one without a slash, which may match anywhere. */
function nearestName(base: string, name: string, isOfFolders: boolean): string | null {
  const { files, folders } = search(base, base, () => false);
  const known = isOfFolders ? [...folders] : [...folders, ...files];
  if (!isPattern(name)) return nearest(name, known);
  // `*.gtlf`: the ending alone is compared.
  const ending = /^\*(\.[^*?[{]+)$/.exec(name)?.[1];
  if (ending === undefined) return null;
  const near = nearest(
    ending,
    [...new Set([...files].map((file) => extname(file)))].filter((one) => one.length > 1),
  );
  return near === null ? null : `*${near}`;
}

/** The nearest pattern with the names that are there in the place of those that are not; null: none is near. */
function nearestPath(base: string, { fixed, rest, isOfFolders }: Pattern): string | null {
  const names: string[] = [];
  let folder = base;
  for (const [i, name] of fixed.entries()) {
    const isLast = i === fixed.length - 1 && rest.length === 0;
    const isFolder = !isLast || isOfFolders;
    const there = entriesOf(folder).filter((entry) => !isFolder || isFolderLike(entry));
    const near = there.some((entry) => entry.name === name)
      ? name
      : nearest(
          name,
          there.map((entry) => entry.name),
        );
    if (near === null) return null;
    names.push(near);
    folder = join(folder, near);
  }
  return [...names, ...rest].join('/');
}

/** A pattern that matches something and is near to one that does not; null: there is none. */
export function nearestPattern(base: string, pattern: string): string | null {
  const [first] = expandBraces(pattern);
  // Written as in a shell, or as on Windows.
  const plain = first.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
  const { isOfFolders, isAnchored, fixed, rest } = parsed(plain);
  const slash = isOfFolders ? '/' : '';
  const near = isAnchored
    ? nearestPath(base, { isOfFolders, isAnchored, fixed, rest })
    : nearestName(base, [...fixed, ...rest].join(''), isOfFolders);
  const candidates = [
    plain,
    ...(near === null ? [] : [`${near}${slash}`]),
    ...(isOfFolders ? [plain.slice(0, -1)] : []),
  ];
  return candidates.find((one) => one !== pattern && one !== '' && matchesSomething(base, one)) ?? null;
}

/**
 * UC1080 for each pattern of a project file that no file and no folder below it matches. `sources`: absolute paths that the call
 * cooks anyway, which spare a search.
 */
export function unmatchedPatterns(project: ProjectFile, sources: readonly string[], cwd: string): Diagnostic[] {
  const base = dirname(project.path);
  const below = sources.map((path) => namesBelow(base, path)).filter(([first]) => first !== '..');
  const file = showPath(project.path, cwd);
  const entriesOf = (at: string, { files }: BuildPart) =>
    files.map(({ match }, i) => ({ match, at: `${at}files/${i}/match` }));
  const entries = [
    ...entriesOf('', project),
    ...[...project.targets].flatMap(([name, target]) => entriesOf(`targets/${name}/`, target)),
  ];
  return entries.flatMap(({ match, at }) =>
    match.flatMap((pattern) => {
      const isMatch = pathPattern(pattern);
      if (below.some((names) => isMatch(names))) return [];
      if (expandBraces(pattern).some((one) => matchesSomething(base, one) !== false)) return [];
      const near = nearestPattern(base, pattern);
      const remedy = near === null ? undefined : `did you mean "${near}"?`;
      return [diagnostic('UC1080', file, at, `nothing matches "${pattern}"`, remedy)];
    }),
  );
}
