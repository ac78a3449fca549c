// The process that runs cases as a bundle: it starts in a fraction of the time that its sources take.

import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';

const ROOT = resolve(import.meta.dirname, '../..');

/** Files that look for others beside themselves, which are not beside the bundle. */
const places: Plugin = {
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](test|samples)[\\/].*\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8').replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
    }));
  },
};

async function made(): Promise<string> {
  // Where it finds the packages that stay outside of it. A folder of its own, because several processes may do this at once.
  const parent = join(ROOT, 'node_modules/.cache');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'untold-fuzz-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await build({
    entryPoints: [join(ROOT, 'test/fuzz/child.ts')],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['sharp', 'lz4-napi', 'draco3dgltf', 'hash-wasm', 'ktx2-encoder', 'pino', 'vitest'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    plugins: [places],
    logLevel: 'error',
  });
  // Bundled code looks for the kernel beside itself.
  copyFileSync(join(ROOT, 'src/kernel/kernel.wasm'), join(folder, 'kernel.wasm'));
  return join(folder, 'child.mjs');
}

let program: Promise<string> | null = null;

/** The path of the bundle, which lasts as long as this process. */
export function bundle(): Promise<string> {
  program ??= made();
  return program;
}
