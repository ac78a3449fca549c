// How messages, documents and depfiles write paths.

import { isAbsolute, relative, sep } from 'node:path';

/** A path as messages and documents show it: relative to the working folder where one exists, with `/`. */
export function showPath(path: string, cwd: string): string {
  const shown = isAbsolute(path) ? relative(cwd, path) || '.' : path;
  return sep === '\\' ? shown.replaceAll('\\', '/') : shown;
}
