// --out-each: a pattern that gives each source a file of its own. No I/O.

import { basename, dirname, extname, sep } from 'node:path';
import { fail } from '../diagnostics/diagnostic.ts';
import { FORMATS } from '../formats/registry.ts';
import { isPackPath } from '../formats/untoldpack/document.ts';
import { nearestEndings } from './outputName.ts';

/** What a pattern may hold, besides text. */
const PLACEHOLDERS = ['dir', 'name', 'ext'] as const;

/** What the placeholders stand for. */
export type SourceParts = Readonly<Record<(typeof PLACEHOLDERS)[number], string>>;

const PLACEHOLDER = /\{([^{}]*)\}/g;

/** Throws UC1003 for a pattern that is no file of the format or holds a placeholder that does not exist. */
export function checkOutEach(pattern: string, extension: string): void {
  for (const [text, name] of pattern.matchAll(PLACEHOLDER)) {
    if ((PLACEHOLDERS as readonly string[]).includes(name)) continue;
    fail('UC1003', '', '--out-each', `the pattern holds ${text}`, 'the placeholders are {dir}, {name} and {ext}');
  }
  if (pattern.endsWith(extension) || (extension === FORMATS.untold.extension && isPackPath(pattern))) return;
  const [near = extension] = nearestEndings(extname(pattern));
  fail('UC1003', '', '--out-each', `the pattern does not end in ${extension}`, `end it as {name}${near} does`);
}

/** The path of one source's file. An empty {dir} leaves no slash. `pattern` is absolute. */
export function outEachPath(pattern: string, parts: SourceParts): string {
  const path = pattern.replace(PLACEHOLDER, (_, name: keyof SourceParts) => parts[name]);
  // Not normalised: a doubled separator is the only thing that an empty placeholder leaves.
  return path.replace(sep === '\\' ? /(?<!^)[\\/]+/g : /\/+/g, sep);
}

/** Matches the paths, with `/`, that outEachPath() may give for a pattern. */
export function outEachMatcher(pattern: string): RegExp {
  const parts = pattern
    .split(sep)
    .join('/')
    .split(/(\{dir\}\/*|\{name\}|\{ext\})/);
  const texts = parts.map((part) => {
    if (part.startsWith('{dir}')) return part.endsWith('/') ? '(?:.+/)?' : '.*';
    if (part === '{name}') return '[^/]+';
    return part === '{ext}' ? '[^/]*' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${texts.join('')}$`, 'su');
}

/** The folder that all files of a pattern lie below: its path up to the first placeholder. */
export function outEachRoot(pattern: string): string {
  const first = pattern.indexOf('{');
  return first < 0 ? dirname(pattern) : dirname(`${pattern.slice(0, first)}x`);
}

/** The extension of a source without its dot, in lower case. */
export const extensionOf = (path: string): string => extname(basename(path)).slice(1).toLowerCase();
