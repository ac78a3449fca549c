// importOnce.ts as one file with the kernel beside it, as the command line is built, and its runs.

import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import type { ImportedOnce } from './importOnce.ts';

const root = resolve(import.meta.dirname, '..');

/** Bundles to `folder`, by default where the bundle finds the packages that stay outside of it. Gives its path. */
export async function bundleImporter(folder = join(root, 'node_modules/.cache/untold-bench')): Promise<string> {
  const outfile = join(folder, 'importOnce.mjs');
  await build({
    entryPoints: [join(root, 'bench/importOnce.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['sharp', 'lz4-napi', 'draco3dgltf', 'ktx2-encoder', 'pino'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  // Bundled code looks for the kernel beside itself.
  copyFileSync(join(root, 'src/kernel/kernel.wasm'), join(folder, 'kernel.wasm'));
  return outfile;
}

/** Imports `source` in a process of its own with the bundle at `importer`. Throws what that writes of a failure. */
export function importOnce(importer: string, source: string): ImportedOnce {
  const child = spawnSync(process.execPath, [importer, source], { encoding: 'utf8' });
  if (child.status !== 0) throw new Error(child.stderr);
  return JSON.parse(child.stdout) as ImportedOnce;
}
