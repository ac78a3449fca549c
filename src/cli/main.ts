// The command line as a function of its words and of the process around it. Kept tiny: `untold --version` is asked by scripts
// at every start and loads nothing else.

import type { Clock, Host, OutputStream } from './terminal/host.ts';
import { VERSION } from './version.ts';

/**
 * Runs a command line, without the names of program and script, and gives its exit code. `host`: the process that it runs in,
 * or what stands for one. After a signal the caller has to end the process, in which work may go on.
 */
export async function run(args: readonly string[], host: Host, clock: Clock = performance): Promise<number> {
  if (args[0] === '--version' || args[0] === '-V') return printVersion(host.stdout);
  return (await import('./commands/program.ts')).runCommand(args, host, clock);
}

/** A closed pipe is not an error. A full disk is, and ends with exit code 3. */
function printVersion(stdout: OutputStream): Promise<number> {
  return new Promise((done) => {
    const end = (error?: NodeJS.ErrnoException | null) => {
      done(error && error.code !== 'EPIPE' ? 3 : 0);
      // A stream tells of an error after the write has.
      setImmediate(() => stdout.removeListener('error', end));
    };
    stdout.on('error', end);
    stdout.write(`${VERSION}\n`, end);
  });
}
