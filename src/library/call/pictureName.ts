// The names that pictures may have.

import { showPath } from '../../config/showPath.ts';
import { fail } from '../../diagnostics/diagnostic.ts';

/** Throws UC1003 for a path that is no name of a PNG file. */
export function requirePngName(path: string, option: string, cwd: string): void {
  if (/\.png$/i.test(path)) return;
  fail('UC1003', '', option, `${showPath(path, cwd)} was given, but the option takes a file that ends in .png`);
}
