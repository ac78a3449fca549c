// Paths into packages: `package.usdz[dir/inner.usd]`, or nested `a.usdz[b.usdz[c.usd]]`. Brackets in a name are escaped
// as `\[` and `\]` (OpenUSD, ar/packageUtils.h).

import { fail } from '../../diagnostics/diagnostic.ts';

/** Whether a backslash escapes the character at `i`. */
const isEscaped = (text: string, i: number): boolean => i > 0 && text[i - 1] === '\\';

const escapeBrackets = (name: string): string => name.replace(/[[\]]/g, '\\$&');
const unescapeBrackets = (name: string): string => name.replace(/\\([[\]])/g, '$1');

/**
 * The parts of a path from outside to inside: `a.usdz[b.usdz[c.usd]]` gives `['a.usdz', 'b.usdz', 'c.usd']`, and a
 * plain path gives itself. Inner parts are unescaped; brackets in the outermost part belong to its name. Throws UC1610
 * if the brackets do not match or a part is empty.
 */
export function splitPackagePath(path: string): string[] {
  let end = path.length;
  while (end > 0 && path[end - 1] === ']' && !isEscaped(path, end - 1)) end--;
  // The count of closing brackets at the end is the count of nested parts. Each part starts after its opening bracket.
  let nested = path.length - end;
  const inner: string[] = [];
  for (let i = end - 1; i >= 0 && nested > 0; i--) {
    if (isEscaped(path, i) || (path[i] !== '[' && path[i] !== ']')) continue;
    if (path[i] === ']') return fail('UC1610', path, '', 'the brackets do not match');
    inner.push(unescapeBrackets(path.slice(i + 1, end)));
    end = i;
    nested--;
  }
  if (inner.length === 0) return [path];
  const parts = [path.slice(0, end), ...inner.reverse()];
  if (nested > 0 || parts.includes('')) return fail('UC1610', path, '', 'the brackets do not match or are empty');
  return parts;
}

/** Joins parts from outside to inside to a path; the inverse of splitPackagePath. */
export function joinPackagePath(parts: readonly string[]): string {
  const [outer, ...inner] = parts;
  if (outer === undefined) return '';
  return outer + inner.map((part) => `[${escapeBrackets(part)}`).join('') + ']'.repeat(inner.length);
}

/** The folder of a name in a package; '' for the top folder. */
export function folderOf(name: string): string {
  const slash = name.lastIndexOf('/');
  return slash < 0 ? '' : name.slice(0, slash);
}

/** Joins a folder and a relative path and resolves `.` and `..`; null if the result leaves the package. */
export function joinInPackage(folder: string, path: string): string | null {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/');
}
