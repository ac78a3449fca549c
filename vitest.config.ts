import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { digestOfCode } from './digest.config.mjs';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string };

const MAKER =
  'export function diagnostic(code: Code, file: string, path: string, message: string, remedy?: string): Diagnostic {';

/** Lets test/recordCodes.ts know of every diagnostic that is made, without a trace of that in the product. */
const recorder = {
  name: 'record-codes',
  enforce: 'pre' as const,
  transform(code: string, id: string) {
    if (!/[\\/]src[\\/]diagnostics[\\/]diagnostic\.ts$/.test(id)) return null;
    if (!code.includes(MAKER)) throw new Error('diagnostic() has another signature: correct vitest.config.ts');
    return { code: code.replace(MAKER, `${MAKER} (globalThis as any).untoldProvoked?.(code);`), map: null };
  },
};

export default defineConfig({
  plugins: [recorder],
  // As the bundle has them: manifests state the version, and cooks of both find each other's entries of a cache.
  define: { __UNTOLD_VERSION__: JSON.stringify(version), __UNTOLD_CODE__: JSON.stringify(digestOfCode()) },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/globalSetup.ts'],
    setupFiles: ['test/recordCodes.ts', 'test/runnersTurn.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // One process for each core runs file after file, so that it loads each module of src/ once and not once a file.
    maxWorkers: '100%',
    minWorkers: 1,
    poolOptions: { forks: { isolate: false } },
  },
});
