import { register } from 'node:module';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongFirst } from './test/longFirst.ts';

// test/globalSetup.ts, which this process runs, imports sources.
register(new URL('test/sources/hooks.mjs', import.meta.url));

/** As bin/untold.js sets them, and for the same reason: with them a cook takes a quarter less CPU time. */
const flags = process.versions.node.startsWith('20.')
  ? ['--heap-growing-percent=200', '--interrupt-budget=300000', '--max-inlined-bytecode-size-cumulative=300']
  : [];
/** Node loads src/ itself (test/sources/setup.ts). */
const product = join(import.meta.dirname, 'src/').replaceAll('\\', '/');
const ofProduct = new RegExp(`^${product.replace(/[\^$.*+?()[\]{}|]/g, '\\$&')}`);

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/globalSetup.ts'],
    setupFiles: ['test/sources/setup.ts', 'test/recordCodes.ts', 'test/runnersTurn.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // One process for each core runs file after file, so that it loads each module of src/ once and not once a file. With one more
    // Vitest sometimes ends with "Terminating worker thread" after tests that have all passed.
    maxWorkers: '100%',
    minWorkers: 1,
    poolOptions: { forks: { isolate: false, execArgv: flags } },
    server: { deps: { external: [ofProduct] } },
    sequence: { sequencer: LongFirst },
  },
});
