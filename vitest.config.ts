import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/globalSetup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // One process for each core runs file after file, so that it loads each module of src/ once and not once a file.
    maxWorkers: '100%',
    minWorkers: 1,
    poolOptions: { forks: { isolate: false } },
  },
});
