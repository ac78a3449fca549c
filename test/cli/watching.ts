// A command that watches, in a process of its own: its lines, and waiting for one of them.

import { type ChildProcess, spawn } from 'node:child_process';
import { BIN, environment } from '../support/process.ts';

let child: ChildProcess | null = null;

/** Ends the last process, however the test ended. */
export function endWatching(): void {
  child?.kill('SIGKILL');
  child = null;
}

/** Starts a cook that watches in a folder. */
export function watching(folder: string, ...args: string[]) {
  const started = spawn(process.execPath, [BIN, 'cook', ...args, '--watch', '--textures', 'keep'], {
    cwd: folder,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = started;
  let text = '';
  let seen = 0;
  let onText = () => {};
  started.stderr.on('data', (data: Buffer) => {
    text += data;
    onText();
  });
  const ended = new Promise<number | null>((done) => started.on('exit', (code) => done(code)));
  return {
    /** What was said since the last call, once it holds `wanted`. Fails when the process ends before. */
    async said(wanted: string): Promise<string> {
      for (;;) {
        const at = text.indexOf(wanted, seen);
        const end = at < 0 ? -1 : text.indexOf('\n', at);
        if (end >= 0) {
          const part = text.slice(seen, end);
          seen = end + 1;
          return part;
        }
        const over = await Promise.race([
          ended.then(() => true),
          new Promise<false>((done) => {
            onText = () => done(false);
          }),
        ]);
        if (over && !text.includes(wanted, seen)) throw new Error(`ended without "${wanted}": ${text}`);
      }
    },
    stop(signal: NodeJS.Signals): Promise<number | null> {
      started.kill(signal);
      return ended;
    },
  };
}
