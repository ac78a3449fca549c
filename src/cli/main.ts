// The entry of the bundle. Kept tiny: `untold --version` is asked by scripts at every start and loads nothing else.

import { VERSION } from './version.ts';

const args = process.argv.slice(2);
if (args[0] === '--version' || args[0] === '-V') {
  // A reader that is gone is no fault; a full disk is, and ends with 3 as everywhere.
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') process.exitCode = 3;
  });
  process.stdout.write(`${VERSION}\n`);
} else (await import('./commands/program.ts')).main(args);
