// Which folders lie in which.

import { join, relative, sep } from 'node:path';

/** Whether a folder is `root` or lies below it. Both are absolute. */
export function isBelow(folder: string, root: string): boolean {
  const below = relative(root, folder);
  return below !== '..' && !below.startsWith(`..${sep}`) && join(root, below) === folder;
}
