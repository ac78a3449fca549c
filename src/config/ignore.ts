// Which files of a folder or pattern are passed over: rules of `.untoldignore` files and of --ignore, with git's rules
// (gitignore, "Pattern format"). The last rule that matches decides; rules of deeper folders come later, those of the
// command line last. What lies in a folder that is passed over cannot be taken back.

import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { codeOf, readWholeText } from '../importers/wholeFile.ts';
import { expandBraces, parseSegment, type Segment } from './glob.ts';

const IGNORE_FILE = '.untoldignore';

interface IgnoreRule {
  /** Takes back what earlier rules pass over. */
  readonly isNegated: boolean;
  readonly foldersOnly: boolean;
  /** Matched from the folder of the rule on; otherwise by the name alone, at any depth. */
  readonly isAnchored: boolean;
  readonly segments: readonly Segment[];
}

/** The rule of a line; null for an empty line and a comment. */
function parseRule(line: string): IgnoreRule | null {
  // Spaces at the end count only behind a backslash.
  let text = line.replace(/(?<!\\)[ \t]+$/, '');
  if (text === '' || text.startsWith('#')) return null;
  const isNegated = text.startsWith('!');
  if (isNegated) text = text.slice(1);
  const foldersOnly = text.endsWith('/');
  if (foldersOnly) text = text.slice(0, -1);
  const isAnchored = text.includes('/');
  const segments = text.split('/').filter((segment) => segment !== '');
  return segments.length === 0 ? null : { isNegated, foldersOnly, isAnchored, segments: segments.map(parseSegment) };
}

function parseIgnore(lines: readonly string[]): IgnoreRule[] {
  return lines.map(parseRule).filter((rule) => rule !== null);
}

const matchesName = (segment: Segment, name: string): boolean =>
  segment.type === 'name' ? segment.name === name : segment.type === 'folders' || segment.matches(name);

/** Whether the segments match all names: `**` is any number of names, at the end at least one. */
export function matchesPath(segments: readonly Segment[], names: readonly string[]): boolean {
  // Which beginnings of `names` the segments so far match.
  let reached = new Set([0]);
  for (const [at, segment] of segments.entries()) {
    const next = new Set<number>();
    if (segment.type === 'folders') {
      const min = Math.min(...reached) + (at === segments.length - 1 ? 1 : 0);
      for (let end = min; end <= names.length; end++) next.add(end);
    } else {
      for (const end of reached) if (end < names.length && matchesName(segment, names[end])) next.add(end + 1);
    }
    if (next.size === 0) return false;
    reached = next;
  }
  return reached.has(names.length);
}

/** What rules say of a path below their folder; null: nothing. */
function verdict(rules: readonly IgnoreRule[], names: readonly string[], isFolder: boolean): boolean | null {
  for (let i = rules.length - 1; i >= 0; i--) {
    const { isNegated, foldersOnly, isAnchored, segments } = rules[i];
    if (foldersOnly && !isFolder) continue;
    const isMatch = isAnchored ? matchesPath(segments, names) : matchesName(segments[0], names[names.length - 1]);
    if (isMatch) return !isNegated;
  }
  return null;
}

/** A test for paths below a folder: whether the pattern, as a line of a file of rules, matches the path or a folder of it. */
export function pathPattern(pattern: string): (names: readonly string[]) => boolean {
  const rules = expandBraces(pattern).flatMap((line) => parseRule(line) ?? []);
  return (names) => names.some((_, i) => verdict(rules, names.slice(0, i + 1), i < names.length - 1) === true);
}

/** The names that lead from a folder to a path below it. */
export const namesBelow = (folder: string, path: string): string[] => relative(folder, path).split(sep);

const isBelow = (folder: string, path: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

export class IgnoreRules {
  readonly #cwd: string;
  readonly #base: string;
  readonly #given: readonly IgnoreRule[];
  readonly #onFault: (path: string, code: string) => void;
  readonly #files = new Map<string, readonly IgnoreRule[]>();

  /** `given`: rules that are stronger than those of files, relative to `base`. `onFault`: a file of rules cannot be read. */
  constructor(
    { cwd, base, given }: { readonly cwd: string; readonly base: string; readonly given: readonly string[] },
    onFault: (path: string, code: string) => void,
  ) {
    this.#cwd = cwd;
    this.#base = base;
    this.#given = parseIgnore(given);
    this.#onFault = onFault;
  }

  /**
   * A test for paths below `start`, which itself counts as taken. Files of rules are read from the nearest folder above that
   * holds .git, or else from the working folder on if `start` lies in it.
   */
  below(start: string): (path: string, isFolder: boolean) => boolean {
    const top = this.#top(start);
    const ignored = new Map([[start, false]]);
    const isFolderIgnored = (folder: string): boolean => {
      const known = ignored.get(folder);
      if (known !== undefined) return known;
      const found =
        isBelow(start, folder) && (isFolderIgnored(dirname(folder)) || this.#says(top, start, folder, true));
      ignored.set(folder, found);
      return found;
    };
    return (path, isFolder) => {
      if (isFolder) return isFolderIgnored(path);
      return isFolderIgnored(dirname(path)) || this.#says(top, start, path, false);
    };
  }

  #says(top: string, start: string, path: string, isFolder: boolean): boolean {
    const base = isBelow(this.#base, path) ? this.#base : start;
    let said = verdict(this.#given, namesBelow(base, path), isFolder);
    for (let folder = dirname(path); said === null; folder = dirname(folder)) {
      said = verdict(this.#rulesIn(folder), namesBelow(folder, path), isFolder);
      if (folder === top || dirname(folder) === folder) break;
    }
    return said ?? false;
  }

  #top(start: string): string {
    for (let folder = start; ; folder = dirname(folder)) {
      if (existsSync(join(folder, '.git'))) return folder;
      if (dirname(folder) === folder) break;
    }
    return isBelow(this.#cwd, start) ? this.#cwd : start;
  }

  #rulesIn(folder: string): readonly IgnoreRule[] {
    const known = this.#files.get(folder);
    if (known) return known;
    const path = join(folder, IGNORE_FILE);
    let rules: readonly IgnoreRule[] = [];
    try {
      rules = parseIgnore(
        readWholeText(path)
          .replace(/^\ufeff/, '')
          .split(/\r?\n/),
      );
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') this.#onFault(path, codeOf(error));
    }
    this.#files.set(folder, rules);
    return rules;
  }
}

/** The folder that a pattern's wildcards begin in, for its rules. */
export function fixedFolder(path: string): string {
  const wild = path.search(/[*?[{]/);
  return wild < 0 ? dirname(path) : dirname(`${path.slice(0, wild)}x`);
}
