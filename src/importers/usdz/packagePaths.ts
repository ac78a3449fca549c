// Paths into packages: `package.usdz[dir/inner.usd]`, nested `a.usdz[b.usdz[c.usd]]`. Brackets that belong to a name are
// written `\[` and `\]` (OpenUSD, Ar package-relative paths).

import { fail } from '../../diagnostics/diagnostic.ts';

/** Whether the character at `i` is escaped by a backslash before it. */
const isEscaped = (text: string, i: number): boolean => i > 0 && text[i - 1] === '\\';

const escapeBrackets = (name: string): string => name.replace(/[[\]]/g, '\\$&');
const unescapeBrackets = (name: string): string => name.replace(/\\([[\]])/g, '$1');

/**
 * The parts of a path from outside to inside: `a.usdz[b.usdz[c.usd]]` gives `['a.usdz', 'b.usdz', 'c.usd']`, a plain path
 * itself alone. Parts inside are unescaped; brackets in the outermost part are part of its name. Throws UC1610 where
 * brackets do not match or a part is empty.
 */
export function splitPackagePath(path: string): string[] {
  let end = path.length;
  while (end > 0 && path[end - 1] === ']' && !isEscaped(path, end - 1)) end--;
  // As many parts are nested as brackets close at the end; each starts after the bracket that opens it.
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
  if (nested > 0 || parts.includes('')) return fail('UC1610', path, '', 'the brackets do not match or hold nothing');
  return parts;
}

/** The path of parts from outside to inside, the inverse of splitPackagePath. */
export function joinPackagePath(parts: readonly string[]): string {
  const [outer, ...inner] = parts;
  if (outer === undefined) return '';
  return outer + inner.map((part) => `[${escapeBrackets(part)}`).join('') + ']'.repeat(inner.length);
}

/** The folder of a name in a package, '' at its top. */
export function folderOf(name: string): string {
  const slash = name.lastIndexOf('/');
  return slash < 0 ? '' : name.slice(0, slash);
}

/** Joins a folder and a relative path, `.` and `..` resolved; null when the result leaves the package or is a folder. */
export function joinInPackage(folder: string, path: string): string | null {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/');
}
