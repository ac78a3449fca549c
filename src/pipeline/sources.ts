// Which files the words of a command line mean: files as they are, folders with all that lies below them, patterns that
// no shell has expanded. Sorted, each real file once.

import { readdirSync, realpathSync, statSync } from 'node:fs';
import { extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type Diagnostic, diagnostic, SourceError } from '../diagnostics/diagnostic.ts';
import { expandBraces, isPattern, parseSegment, type Segment } from './glob.ts';

/** The extensions that a folder is searched for; a file that is named itself is taken whatever it is called. */
export const SOURCE_EXTENSIONS: readonly string[] = ['.usd', '.usda', '.usdc', '.usdz', '.gltf', '.glb'];

/** A path as messages and documents show it: relative to the working folder where one exists, with `/`. */
export function showPath(path: string, cwd: string): string {
  const shown = isAbsolute(path) ? relative(cwd, path) || '.' : path;
  return sep === '\\' ? shown.replaceAll('\\', '/') : shown;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Names in a folder, sorted by code unit; none when it cannot be listed. */
function names(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/**
 * All files below a folder that `wanted` takes, hidden ones and hidden folders left out, in order of their paths.
 * Links to folders are followed; each real folder is entered once, so that loops end.
 */
function filesBelow(start: string, wanted: (path: string) => boolean): string[] {
  const found: string[] = [];
  const entered = new Set<string>();
  const open = [start];
  while (open.length > 0) {
    const folder = open.pop()!;
    const real = realpathSync(folder);
    if (entered.has(real)) continue;
    entered.add(real);
    for (const name of names(folder)) {
      if (name.startsWith('.')) continue;
      const path = join(folder, name);
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat?.isDirectory()) open.push(path);
      else if (stat?.isFile() && wanted(path)) found.push(path);
    }
  }
  return sortPaths(found);
}

/** By segments, so that `a/b` stands before `a-b/c` whatever the separator's code is. */
function sortPaths(paths: readonly string[]): string[] {
  const keys = new Map(paths.map((path) => [path, path.split(sep).join('\0')]));
  return [...paths].sort((a, b) => (keys.get(a)! < keys.get(b)! ? -1 : keys.get(a)! > keys.get(b)! ? 1 : 0));
}

/** Paths that a pattern leads to, files and folders, sorted. */
function matchPattern(pattern: string, cwd: string): string[] {
  const found = new Set<string>();
  const text = sep === '\\' ? pattern.replaceAll('\\', '/') : pattern;
  for (const alternative of expandBraces(text)) {
    const rooted = /^([A-Za-z]:)?\//.exec(alternative)?.[0] ?? '';
    const segments = alternative
      .slice(rooted.length)
      .split('/')
      .filter((segment) => segment !== '')
      .map(parseSegment);
    walk(rooted === '' ? cwd : resolve(rooted), segments, found);
  }
  return sortPaths([...found]);
}

function walk(start: string, segments: readonly Segment[], found: Set<string>): void {
  const open: [folder: string, at: number][] = [[start, 0]];
  const seen = new Set<string>();
  while (open.length > 0) {
    const [path, at] = open.pop()!;
    const mark = `${at}\0${path}`;
    if (seen.has(mark)) continue;
    seen.add(mark);
    if (at === segments.length) {
      if (statSync(path, { throwIfNoEntry: false })) found.add(path);
      continue;
    }
    const segment = segments[at];
    if (segment.type === 'name') {
      const next = join(path, segment.name);
      if (statSync(next, { throwIfNoEntry: false })) open.push([next, at + 1]);
    } else if (segment.type === 'match') {
      for (const name of names(path)) if (segment.matches(name)) open.push([join(path, name), at + 1]);
    } else {
      // `**` is no folder or any number of them. Links to folders are not followed: a loop would have no end.
      open.push([path, at + 1]);
      for (const entry of readFolders(path)) open.push([join(path, entry), at]);
    }
  }
}

function readFolders(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map((entry) => entry.name);
  } catch {
    return [];
  }
}

/**
 * The files that the words mean, as absolute paths in the order of the words. A word that names nothing and is no
 * pattern stays: reading it will say what is wrong with it. `extensions` are what folders are searched for and what
 * patterns take (lower case); `accept`, when given, decides about each such file by its content. Throws UC1004 for
 * every folder and pattern that leads to nothing.
 */
export function expandSources(
  words: readonly string[],
  cwd: string,
  extensions: readonly string[],
  accept: (path: string) => boolean = () => true,
): string[] {
  const wanted = (path: string) => extensions.includes(extname(path).toLowerCase()) && accept(path);
  const paths: string[] = [];
  const faults: Diagnostic[] = [];
  for (const word of words) {
    const path = resolve(cwd, word);
    const exists = statSync(path, { throwIfNoEntry: false }) !== undefined;
    if (exists && isFolder(path)) {
      const below = filesBelow(path, wanted);
      if (below.length === 0) faults.push(nothing(word, `the folder holds no ${list(extensions)} file`));
      paths.push(...below);
    } else if (exists || !isPattern(word)) {
      paths.push(path);
    } else {
      const matched = matchPattern(word, cwd);
      const files = matched.flatMap((found) =>
        isFolder(found) ? filesBelow(found, wanted) : wanted(found) ? [found] : [],
      );
      if (files.length === 0) {
        const what = matched.length === 0 ? 'no file matches the pattern' : `no ${list(extensions)} file is among them`;
        const count = matched.length === 0 ? '' : `${matched.length} match the pattern, but `;
        faults.push(nothing(word, `${count}${what}`));
      }
      paths.push(...files);
    }
  }
  if (faults.length > 0) throw new SourceError(faults);
  return unique(paths);
}

function nothing(word: string, message: string): Diagnostic {
  return diagnostic('UC1004', word, '', message);
}

function list(extensions: readonly string[]): string {
  return extensions.length < 2
    ? extensions.join()
    : `${extensions.slice(0, -1).join(', ')} or ${extensions[extensions.length - 1]}`;
}

/** Each real file once, where it first stands. */
function unique(paths: readonly string[]): string[] {
  const seen = new Set<string>();
  return paths.filter((path) => {
    let real = path;
    try {
      real = realpathSync(path);
    } catch {
      // What is not there keeps its name.
    }
    if (seen.has(real)) return false;
    seen.add(real);
    return true;
  });
}
