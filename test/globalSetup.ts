// Counts the codes that a run of all tests provokes. Gives the tests a cache of their own, and builds dist/ before the tests,
// which costs nothing when it is up to date. A bundle that cannot be made fails the tests of the command line, with the
// reason, and no others. Several runs may do this at once: the build replaces files whole.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
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

/** Where Linux keeps files in memory. */
const SHARED_MEMORY = '/dev/shm';
/** Bytes that have to be free there. */
const ROOM = 6 * 2 ** 30;

/** A folder in which a sync of a file waits for no disk, for temporary files of this process; null: there is none. */
function folderInMemory(): string | null {
  const prefix = 'untold-tests-';
  try {
    // What runs have left that were killed.
    for (const name of readdirSync(SHARED_MEMORY).filter((one) => one.startsWith(prefix))) {
      if (!isRunning(Number(name.slice(prefix.length).split('-')[0])))
        rmSync(join(SHARED_MEMORY, name), { recursive: true });
    }
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    if (Math.min(bavail * bsize, freemem()) < ROOM) return null;
    const folder = mkdtempSync(join(SHARED_MEMORY, `${prefix}${process.pid}-`));
    // As the folder of the system: some tests run commands as another user.
    chmodSync(folder, 0o1777);
    return folder;
  } catch {
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns what ends a run: counts codes, and removes the folders. */
export default function setup(project: TestProject): () => Promise<void> {
  // Tests commit thousands of sets, each with several syncs.
  const memory = folderInMemory();
  if (memory) process.env.TMPDIR = memory;
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
    for (const folder of [cache, codes, memory]) if (folder) rmSync(folder, { recursive: true, force: true });
    if (missing.length === 0) return;
    process.stderr.write(`\nNo test provokes ${missing.join(', ')}: a code needs a fixture, or goes.\n`);
    process.exitCode = 1;
  };
}
