import { register } from 'node:module';
import { availableParallelism } from 'node:os';
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
    // Processes run file after file, so that each loads a module of src/ once and not once a file. One more than there are cores:
    // many tests wait for a browser or another process.
    maxWorkers: availableParallelism() + 1,
    minWorkers: 1,
    poolOptions: { forks: { isolate: false, execArgv: flags } },
    server: { deps: { external: [ofProduct] } },
    sequence: { sequencer: LongFirst },
  },
});
