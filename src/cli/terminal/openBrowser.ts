// Asks the system to show an address in the user's browser. No shell reads the address: it is one argument of a program.

import { spawn } from 'node:child_process';
import type { Environment } from '../../index.ts';

const PROGRAMS: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** A program that has not failed after so many milliseconds counts as one that shows the page. */
const SETTLED_MS = 1500;

/** Null: the browser was asked. Otherwise why not. */
export function openBrowser(url: string, { env }: Environment): Promise<string | null> {
  const [program, ...args] = PROGRAMS[process.platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], {
      env: { ...env },
      shell: false,
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
    });
    const timer = setTimeout(() => resolve(null), SETTLED_MS);
    child.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      resolve(`${program}: ${error.code ?? error.message}`);
    });
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve(code === 0 ? null : `${program} ended with ${code}`);
    });
    child.unref();
  });
}
