// Bundles the command line and the library. Each command and each heavy importer becomes a chunk of its own, so that
// `untold --version` reads one small file; packages with native or WASM parts stay outside the bundle.
import { build } from 'esbuild';

/** The files of dist/: { path, contents }. */
export async function bundleCommand(define) {
  const { outputFiles } = await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: {
      cli: 'src/cli/main.ts',
      index: 'src/index.ts',
      worker: 'src/workers/workerThread.ts',
      sourceThread: 'src/cook/sideBySide/sourceThread.ts',
    },
    outdir: 'dist',
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['sharp', 'lz4-napi', 'draco3dgltf', 'hash-wasm', 'ktx2-encoder', 'pino'],
    define,
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  return outputFiles;
}
