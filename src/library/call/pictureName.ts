// The names that pictures may have.

import { showPath } from '../../config/showPath.ts';
import { fail } from '../../diagnostics/diagnostic.ts';

/** Throws UC1003 for a path that is no name of a PNG file, or with `orPage` of a page. */
export function requirePngName(path: string, option: string, cwd: string, orPage = false): void {
  if (/\.png$/i.test(path) || (orPage && isPageName(path))) return;
  const takes = `a file that ends in .png${orPage ? ' or .html' : ''}`;
  fail('UC1003', '', option, `${showPath(path, cwd)} was given, but the option takes ${takes}`);
}

/** Whether a path is the name of a page. */
export const isPageName = (path: string): boolean => /\.html$/i.test(path);
