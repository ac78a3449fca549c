// Has Node load src/ itself, without what Vite makes of a module: its imports are looked up at each use, which takes a fifth of
// the time of a cook. Stack traces are led from what hooks.mjs made of a source to the source: Vitest knows the maps of modules
// that it loads, and asks this for those of src/.

import { existsSync, readFileSync } from 'node:fs';
import { register } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(import.meta.dirname, '../..');

/** The source map of a module of src/; null: it is none of these. */
function mapOf(source: string): object | null {
  const path = source.startsWith('file:') ? fileURLToPath(source) : source;
  const made = join(root, 'node_modules/.cache/untold-sources', `${relative(root, path)}.js`);
  if (!path.startsWith(join(root, 'src/')) || !existsSync(made)) return null;
  const [, map] =
    /^\/\/# sourceMappingURL=data:application\/json;base64,(\S+)$/m.exec(readFileSync(made, 'utf8')) ?? [];
  return map ? JSON.parse(Buffer.from(map, 'base64').toString()) : null;
}

interface Maps {
  getSourceMap(source: string): object | null;
  untold?: true;
}

// Each process of the tests runs this before each file, and needs it once. Threads load what the build made.
const { moduleCache: maps } = (globalThis as unknown as { __vitest_worker__: { moduleCache: Maps } }).__vitest_worker__;
if (!maps.untold) {
  register(new URL('./hooks.mjs', import.meta.url));
  const known = maps.getSourceMap.bind(maps);
  Object.assign(maps, { untold: true, getSourceMap: (source: string) => known(source) ?? mapOf(source) });
}
