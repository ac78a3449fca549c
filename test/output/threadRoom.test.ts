// How many threads may start follows a limit of address space that changes while the process runs.

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, expect, test } from 'vitest';
import { workingThreads } from '../../src/output/threadRoom.ts';

const { readFileSync } = fs;
afterEach(() => {
  Object.assign(fs, { readFileSync });
  syncBuiltinESMExports();
});

function limitTo(bytes: number): void {
  const limits = `Max address space         ${bytes}   unlimited   bytes\n`;
  const read = (path: string, ...rest: never[]) =>
    path === '/proc/self/limits' ? limits : readFileSync(path, ...rest);
  Object.assign(fs, { readFileSync: read });
  syncBuiltinESMExports();
}

test.runIf(process.platform === 'linux')('a later limit is heard of', () => {
  limitTo(1e15);
  const many = workingThreads();
  expect(many).toBeGreaterThan(1000);
  limitTo(1e14);
  const fewer = workingThreads();
  expect(fewer).toBeLessThan(many / 9);
  expect(fewer).toBeGreaterThan(1000);
  limitTo(1e9);
  expect(workingThreads()).toBe(0);
});
