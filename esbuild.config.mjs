// Bundles the command line into dist/. Each command and each heavy importer becomes a chunk of its own, so that
// `untold --version` reads one small file; packages with native or WASM parts stay outside the bundle.
import { readFileSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

rmSync(new URL('dist', import.meta.url), { recursive: true, force: true });
await build({
  entryPoints: { cli: 'src/cli/main.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: ['sharp', 'lz4-napi', 'draco3dgltf', 'pino'],
  define: { __UNTOLD_VERSION__: JSON.stringify(version) },
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
});
