// Counts the codes that a run of all tests provokes. Gives the tests a cache of their own, and builds dist/ before the tests,
// which costs nothing when it is up to date. A bundle that cannot be made fails the tests of the command line, with the
// reason, and no others. Several runs may do this at once: the build replaces files whole.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { unprovoked } from './provokedCodes.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Why there is no bundle, '' when there is one. */
    bundleFault: string;
  }
}

const root = resolve(import.meta.dirname, '..');

/** Whether all tests have run, or all but those that the command line excludes. */
async function isWhole(project: TestProject): Promise<boolean> {
  const { testFiles } = await project.globTestFiles();
  const { config, state } = project.vitest;
  return state.getFiles().length === testFiles.length && config.testNamePattern === undefined;
}

/** Returns what ends a run: counts codes, and removes the cache. */
export default function setup(project: TestProject): () => Promise<void> {
  // The processes that run tests, and the commands that these start, take it from here: none uses the cache of the user.
  const cache = mkdtempSync(join(tmpdir(), 'untold-cache-'));
  process.env.UNTOLD_CACHE_DIR = cache;
  let fault = '';
  try {
    execFileSync(process.execPath, [join(root, 'build.mjs')], { stdio: 'pipe' });
  } catch (error) {
    fault = `the bundle cannot be made: ${(error as { stderr?: Buffer }).stderr ?? error}`;
  }
  project.provide('bundleFault', fault);
  const codes = mkdtempSync(join(tmpdir(), 'untold-codes-'));
  process.env.UNTOLD_PROVOKED_CODES = codes;
  return async () => {
    const missing = (await isWhole(project)) ? unprovoked(codes) : [];
    for (const folder of [cache, codes]) rmSync(folder, { recursive: true, force: true });
    if (missing.length === 0) return;
    process.stderr.write(`\nNo test provokes ${missing.join(', ')}: a code needs a fixture, or goes.\n`);
    process.exitCode = 1;
  };
}
