// Finds the files that the words of a command line name: files, folders with all files below them, and patterns that no
// shell has expanded. Sorted, each real file once.

import { type Dirent, readdirSync, realpathSync } from 'node:fs';
import { extname, join, resolve, sep } from 'node:path';
import { type Diagnostic, diagnostic, SourceError } from '../diagnostics/diagnostic.ts';
import { searchedExtensions } from '../formats/kinds.ts';
import { pathInPackage } from '../importers/packages.ts';
import { codeOf, refusal, statusOf } from '../importers/wholeFile.ts';
import { expandBraces, isPattern, parseSegment, type Segment } from './glob.ts';
import { fixedFolder, IgnoreRules } from './ignore.ts';
import { showPath } from './showPath.ts';

/** Extensions of the files that are taken from folders. A file that is named itself may have any. */
export const SOURCE_EXTENSIONS = searchedExtensions('source');

/** Folders and links that cannot be read, each once: files in them must not be skipped without a message. */
class Unreadable {
  readonly #reported = new Map<string, Diagnostic>();

  constructor(readonly cwd: string) {}

  add(path: string, code: string): void {
    const name = showPath(path, this.cwd);
    const message = code === 'ENOTDIR' ? `${name} is not a folder` : `${name} ${refusal(code)}`;
    if (!this.#reported.has(name)) this.#reported.set(name, diagnostic('UC1200', name, '', message));
  }

  get list(): Diagnostic[] {
    return [...this.#reported.values()];
  }
}

/** Which files are taken from folders and patterns. */
interface Filter {
  readonly wanted: (path: string) => boolean;
  readonly ignored: (path: string, isFolder: boolean) => boolean;
}

/** Names in a folder, sorted by code unit; none, with a diagnostic, when it cannot be listed. */
function names(folder: string, unreadable: Unreadable): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    unreadable.add(folder, codeOf(error));
    return [];
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A link that cannot be followed keeps its own path.
    return path;
  }
}

/**
 * All files below a folder that the filter takes, hidden ones and hidden folders left out, in order of their paths.
 * Links to folders are followed; each real folder is entered once, so that loops end. A link that leads nowhere counts as a
 * file if it has the name of a wanted one: reading it gives the error.
 */
function filesBelow(start: string, { wanted, ignored }: Filter, unreadable: Unreadable): string[] {
  const found: string[] = [];
  const entered = new Set<string>();
  const open = [start];
  while (open.length > 0) {
    const folder = open.pop()!;
    const real = realPath(folder);
    if (entered.has(real)) continue;
    entered.add(real);
    for (const name of names(folder, unreadable)) {
      if (name.startsWith('.')) continue;
      const path = join(folder, name);
      const { stat, code } = statusOf(path);
      if (ignored(path, stat?.isDirectory() ?? false)) continue;
      if (stat?.isDirectory()) open.push(path);
      else if ((stat === null || stat.isFile()) && wanted(path)) found.push(path);
      else if (stat === null && !isDeadLink(code)) unreadable.add(path, code);
    }
  }
  return sortPaths(found);
}

/** A name that is listed and leads nowhere. */
function isDeadLink(code: string): boolean {
  return code === 'ENOENT' || code === 'ELOOP' || code === 'ENOTDIR';
}

/** Compares paths by segments, so that `a/b` comes before `a-b/c` with any separator. */
function sortPaths(paths: readonly string[]): string[] {
  const keys = new Map(paths.map((path) => [path, path.split(sep).join('\0')]));
  return [...paths].sort((a, b) => (keys.get(a)! < keys.get(b)! ? -1 : keys.get(a)! > keys.get(b)! ? 1 : 0));
}

/** Paths that a pattern leads to, files, folders and links that lead nowhere, sorted. */
function matchPattern(pattern: string, cwd: string, unreadable: Unreadable): string[] {
  const found = new Set<string>();
  const text = sep === '\\' ? pattern.replaceAll('\\', '/') : pattern;
  for (const alternative of expandBraces(text)) {
    const rooted = /^([A-Za-z]:)?\//.exec(alternative)?.[0] ?? '';
    const segments = alternative
      .slice(rooted.length)
      .split('/')
      .filter((segment) => segment !== '')
      .map(parseSegment);
    walk(rooted === '' ? cwd : resolve(rooted), segments, found, unreadable);
  }
  return sortPaths([...found]);
}

function walk(start: string, segments: readonly Segment[], found: Set<string>, unreadable: Unreadable): void {
  // Up to the first wildcard the path is as the user spelt it: every fault there is reported.
  const wild = segments.findIndex((segment) => segment.type !== 'name');
  const spelt = wild < 0 ? segments.length : wild;
  const refused = (path: string, at: number, code: string) => {
    if (code !== 'ENOENT' && (at <= spelt || !isDeadLink(code))) unreadable.add(path, code);
  };
  const open: [folder: string, at: number][] = [[start, 0]];
  const seen = new Set<string>();
  while (open.length > 0) {
    const [path, at] = open.pop()!;
    const mark = `${at}\0${path}`;
    if (seen.has(mark)) continue;
    seen.add(mark);
    if (at === segments.length) {
      found.add(path);
      continue;
    }
    const segment = segments[at];
    if (segment.type === 'name') {
      const next = join(path, segment.name);
      const { stat, code } = statusOf(next);
      if (stat) open.push([next, at + 1]);
      else refused(next, at, code);
      continue;
    }
    let entries: Dirent[];
    try {
      entries = readdirSync(path, { withFileTypes: true });
    } catch (error) {
      refused(path, at, codeOf(error));
      continue;
    }
    if (segment.type === 'match') {
      for (const { name } of entries) if (segment.matches(name)) open.push([join(path, name), at + 1]);
    } else {
      // `**` is no folder or any number of them. Links to folders are not followed: a loop would have no end.
      open.push([path, at + 1]);
      for (const entry of entries) {
        if (entry.isDirectory() && !entry.name.startsWith('.')) open.push([join(path, entry.name), at]);
      }
    }
  }
}

/** UC1041 for an address on the net; null for a path. */
export function urlFault(word: string): Diagnostic | null {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(word)) return null;
  const remedy = /^file:/i.test(word) ? 'give its path instead' : undefined;
  return diagnostic('UC1041', word, '', 'this is a URL, not a path', remedy);
}

/** A file that the words of a command line lead to. */
export interface FoundSource {
  /** Absolute. */
  readonly path: string;
  /** Whether a word is its path. Others were found in a folder or by a pattern. */
  readonly isNamed: boolean;
}

export interface FindOptions {
  /** What folders are searched for and what patterns take, in lower case. */
  readonly extensions: readonly string[];
  /** Of all files that the command reads; those that are not searched for have to be named. Absent: messages do not say it. */
  readonly readable?: readonly string[];
  /** Decides about each such file by its content; absent: all are taken. */
  readonly accept?: ((path: string) => boolean) | undefined;
  /** Rules as `.untoldignore` has them. Absent: no such files are read either. */
  readonly ignore?: readonly string[];
  /** The folder that `ignore` is relative to; absent: that of the words. */
  readonly ignoreBase?: string;
  /** The folder that messages name paths from; absent: that of the words. */
  readonly shownFrom?: string;
}

/**
 * The files that the words refer to, in the order of the words, each real file once. A word that is no pattern and no path
 * of a file or folder stays: reading it gives the error. Throws UC1004 for every folder and pattern that leads to nothing
 * and for an empty word, UC1200 for every folder that cannot be listed.
 */
export function findSources(words: readonly string[], cwd: string, options: FindOptions): FoundSource[] {
  const { extensions, readable = [], accept = () => true, ignore, ignoreBase = cwd, shownFrom = cwd } = options;
  const others = readable.filter((extension) => !extensions.includes(extension));
  const unsearched = others.length === 0 ? '' : `; a ${list(others)} file has to be named itself`;
  const wanted = (path: string) => extensions.includes(extname(path).toLowerCase()) && accept(path);
  const found: FoundSource[] = [];
  const faults: Diagnostic[] = [];
  const unreadable = new Unreadable(shownFrom);
  const rules =
    ignore && new IgnoreRules({ cwd, base: ignoreBase, given: ignore }, (path, code) => unreadable.add(path, code));
  const filterOf = (start: string): Filter => ({ wanted, ignored: rules?.below(start) ?? (() => false) });
  const addFound = (paths: readonly string[]) => found.push(...paths.map((path) => ({ path, isNamed: false })));
  for (const word of words) {
    const url = urlFault(word);
    if (url !== null) {
      faults.push(url);
      continue;
    }
    if (word === '') {
      faults.push(
        diagnostic('UC1004', '', '', 'a word is empty', 'give a file, a folder or a pattern; `.` is this folder'),
      );
      continue;
    }
    const packaged = pathInPackage(word, (outer) => statusOf(resolve(cwd, outer)).stat?.isFile() === true);
    if (packaged !== null) {
      found.push({ path: resolve(cwd, packaged), isNamed: true });
      continue;
    }
    const path = resolve(cwd, word);
    const { stat } = statusOf(path);
    const before = unreadable.list.length;
    if (stat?.isDirectory()) {
      const files = filesBelow(path, filterOf(path), unreadable);
      if (files.length === 0 && unreadable.list.length === before) {
        const which = rules ? ' that is not ignored' : '';
        faults.push(nothing(word, `the folder holds no ${list(extensions)} file${which}${unsearched}`));
      }
      addFound(files);
    } else if (stat || !isPattern(word)) {
      found.push({ path, isNamed: true });
    } else {
      const matched = matchPattern(word, cwd, unreadable);
      const filter = filterOf(fixedFolder(path));
      const files = matched.flatMap((match) => {
        const { stat: target, code } = statusOf(match);
        if (filter.ignored(match, target?.isDirectory() ?? false)) return [];
        if (target?.isDirectory()) return filesBelow(match, filter, unreadable);
        if (wanted(match)) return [match];
        if (!target && !isDeadLink(code)) unreadable.add(match, code);
        return [];
      });
      if (files.length === 0 && unreadable.list.length === before) {
        const what =
          matched.length === 0
            ? 'no file matches the pattern'
            : `no ${list(extensions)} file is among them${unsearched}`;
        const count = matched.length === 0 ? '' : `${matched.length} match the pattern, but `;
        faults.push(nothing(word, `${count}${what}`));
      }
      addFound(files);
    }
  }
  faults.push(...unreadable.list);
  if (faults.length > 0) throw new SourceError(faults);
  return unique(found);
}

/** The paths that findSources gives, without rules of what is ignored. */
export function expandSources(
  words: readonly string[],
  cwd: string,
  extensions: readonly string[],
  accept?: (path: string) => boolean,
  readable?: readonly string[],
): string[] {
  return findSources(words, cwd, { extensions, accept, ...(readable && { readable }) }).map(({ path }) => path);
}

function nothing(word: string, message: string): Diagnostic {
  return diagnostic('UC1004', word, '', message);
}

function list(extensions: readonly string[]): string {
  return extensions.length < 2
    ? extensions.join()
    : `${extensions.slice(0, -1).join(', ')} or ${extensions[extensions.length - 1]}`;
}

/** Each real file once, at its first position; named if any word names it. */
function unique(found: readonly FoundSource[]): FoundSource[] {
  const byReal = new Map<string, FoundSource>();
  for (const source of found) {
    const real = realPath(source.path);
    const first = byReal.get(real);
    byReal.set(real, { path: first?.path ?? source.path, isNamed: source.isNamed || (first?.isNamed ?? false) });
  }
  return [...byReal.values()];
}
