// Where the command keeps what V8 compiled of it. A cook of a small file then takes about a seventh less CPU time. Node has
// this cache from 22.8 on. Code that lies in it is run: the folder is that of the user, never one that others may write or
// that lies in the working folder. src/output/cache/place.ts has the same rule for the cache of cooks; a test compares the two.
import { mkdirSync, statSync } from 'node:fs';
import module from 'node:module';
import { isAbsolute, join, relative, sep } from 'node:path';

/** The folder of the user for caches; null: there is none. */
function userCaches({ platform, env }) {
  if (platform === 'win32') return env.LOCALAPPDATA || null;
  // HOME alone, not the home that the system knows: whoever runs a build without HOME wants nothing written there.
  const home = env.HOME || null;
  if (platform === 'darwin') return home && join(home, 'Library', 'Caches');
  // The XDG specification says that relative paths are to be ignored.
  if (env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME)) return env.XDG_CACHE_HOME;
  return home && join(home, '.cache');
}

function isInside(path, folder) {
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** The folder for compiled code; null where none is to be used. `cwd`: where the user's project may be. */
export function compileCacheFolder({ platform, env, cwd }) {
  if (env.NODE_DISABLE_COMPILE_CACHE) return null;
  // Node has begun to use it before the first line of this program.
  if (env.NODE_COMPILE_CACHE) return null;
  const caches = userCaches({ platform, env });
  if (caches === null || !isAbsolute(caches) || isInside(caches, cwd)) return null;
  return join(caches, 'untold', 'compiled');
}

/** Whether only this user may write the folder. Windows gives the folders in LOCALAPPDATA such rights. */
function isPrivate(folder) {
  if (process.platform === 'win32') return true;
  const { uid, mode } = statSync(folder);
  return uid === process.getuid() && (mode & 0o022) === 0;
}

/** Begins to use the cache, in threads too. Without it the command does the same, so that nothing here is an error. */
export function useCompileCache() {
  if (typeof module.enableCompileCache !== 'function') return;
  try {
    const { platform, env } = process;
    const folder = compileCacheFolder({ platform, env, cwd: process.cwd() });
    // Under Node's permission model a folder that may not be written is left alone.
    if (folder === null || process.permission?.has('fs.write', folder) === false) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isPrivate(folder)) return;
    const { status } = module.enableCompileCache(folder);
    // Threads read the variable when they start.
    if (status === module.constants.compileCacheStatus.ENABLED) env.NODE_COMPILE_CACHE = folder;
  } catch {
    // A home that is missing or read-only, or a working folder that is gone.
  }
}
