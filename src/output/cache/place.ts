// Where the cache of a user lies. bin/compileCache.js, which runs before the bundle is loaded, has the same rule for
// compiled code; a test compares the two.

import { isAbsolute, join, relative, sep } from 'node:path';

/** What the rule depends on. */
export interface CacheMachine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the user's project may be. */
  readonly cwd: string;
}

/** The folder of the user for caches of all programs; null: there is none. */
function userCaches({ platform, env }: CacheMachine): string | null {
  if (platform === 'win32') return env.LOCALAPPDATA || null;
  // HOME alone, not the home that the system knows: whoever runs a build without HOME wants nothing written there.
  const home = env.HOME || null;
  if (platform === 'darwin') return home && join(home, 'Library', 'Caches');
  // The XDG specification says that relative paths are to be ignored.
  if (env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME)) return env.XDG_CACHE_HOME;
  return home && join(home, '.cache');
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** The cache folder where none is named; null where there is none, or where it would lie in the working folder. */
export function defaultCacheFolder(machine: CacheMachine): string | null {
  const caches = userCaches(machine);
  if (caches === null || !isAbsolute(caches) || isInside(caches, machine.cwd)) return null;
  return machine.platform === 'win32' ? join(caches, 'untold', 'cache') : join(caches, 'untold');
}
