import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongFirst } from './test/longFirst.ts';
// test/globalSetup.ts, which this process runs, imports sources.
import './test/sources/register.mjs';

/** As bin/untold.js sets them, and for the same reason: with them a cook takes a quarter less CPU time. */
const flags = process.versions.node.startsWith('20.')
  ? ['--heap-growing-percent=200', '--interrupt-budget=300000', '--max-inlined-bytecode-size-cumulative=300']
  : [];
/** Node loads src/ itself. */
const ofProduct = new RegExp(`^${join(import.meta.dirname, 'src/').replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`);
const sources = fileURLToPath(new URL('test/sources/register.mjs', import.meta.url));

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/globalSetup.ts'],
    setupFiles: ['test/sources/maps.ts', 'test/recordCodes.ts', 'test/runnersTurn.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // One process for each core runs file after file, so that it loads each module of src/ once and not once a file.
    maxWorkers: '100%',
    minWorkers: 1,
    poolOptions: { forks: { isolate: false, execArgv: ['--import', sources, ...flags] } },
    server: { deps: { external: [ofProduct] } },
    sequence: { sequencer: LongFirst },
  },
});
