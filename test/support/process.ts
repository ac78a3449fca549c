// Runs the real command line, bundle and all, in a process of its own: for tests of what only a process has, as signals, pipes
// and files that cannot be loaded. All others call the command in their own process (command.ts), which costs a tenth.

import { spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { inject } from 'vitest';
import { printed, type Ran, variables } from './command.ts';

export const BIN = resolve(import.meta.dirname, '../../bin/untold.js');

/** The environment of the tests, without what changes how things are printed. */
export function environment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  // Tests leave nothing in the caches of whoever runs them.
  return { ...variables(), NODE_DISABLE_COMPILE_CACHE: '1', ...more };
}

/** Runs `untold` in a folder and waits for its end. */
export function untoldProcess(cwd: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): Ran {
  const fault = inject('bundleFault');
  if (fault) throw new Error(fault);
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [BIN, ...args], {
    cwd,
    encoding: 'utf8',
    env: environment(more),
    maxBuffer: 2 ** 28,
  });
  if (error) throw error;
  printed(args, stdout + stderr);
  return { code: status, stdout, stderr };
}

/** Starts `untold` and hands over the process. */
export function start(cwd: string, args: readonly string[]) {
  const child = spawn(process.execPath, [BIN, ...args], { cwd, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
  child.stderr.on('data', (text) => printed(args, String(text)));
  return child;
}
