// Ctrl-C and SIGTERM: report it and end with 130 or 143. Output sets remove their staging folders when the process exits,
// and move files in without giving way to signals, so nothing is left half done. A second signal ends the process at once.

import { diagnostic } from '../../index.ts';
import type { Log } from './log.ts';
import { flush } from './terminal.ts';

/** Exit codes of a shell: 128 + the number of the signal. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/** Reports a signal, calls `before` and ends the process. */
export function interrupt(signal: NodeJS.Signals, log: Log, before: () => void): void {
  log.diagnostic(diagnostic('UC1098', '', '', `stopped by ${signal}`));
  before();
  const code = SIGNALS[signal as keyof typeof SIGNALS];
  void flush().then(() => process.exit(code));
}

/** From now on signals call `before` (to print what is known) and end the process. Returns the way to undo that. */
export function onInterrupt(log: Log, before: () => void): () => void {
  const handle = (signal: NodeJS.Signals) => {
    release();
    interrupt(signal, log, before);
  };
  const release = () => {
    for (const signal of Object.keys(SIGNALS)) process.removeListener(signal, handle);
  };
  for (const signal of Object.keys(SIGNALS)) process.on(signal as NodeJS.Signals, handle);
  return release;
}
