// Ctrl-C and SIGTERM: report it and end with 130 or 143. Output sets remove their staging folders when the process exits,
// and move files in without giving way to signals, so nothing is left half done. A second signal ends the process at once.

import { type Diagnostic, diagnostic } from '../../index.ts';
import type { Log } from './log.ts';
import type { Terminal } from './terminal.ts';

/** Exit codes of a shell: 128 + the number of the signal. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/** What is done before the command ends: gets what is said of the signal, and the exit code. */
type BeforeEnd = (stopped: Diagnostic, exitCode: number) => void;

/** Reports a signal, calls `before` and ends the command. */
export function interrupt(signal: NodeJS.Signals, log: Log, terminal: Terminal, before: BeforeEnd): void {
  const stopped = diagnostic('UC1098', '', '', `stopped by ${signal}`);
  log.diagnostic(stopped);
  const code = SIGNALS[signal as keyof typeof SIGNALS];
  before(stopped, code);
  terminal.end(code);
}

/** From now on signals call `before` (to print what is known) and end the command. Returns the way to undo that. */
export function onInterrupt(log: Log, terminal: Terminal, before: BeforeEnd): () => void {
  const { host } = terminal;
  const signals = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[];
  const handle = (signal: NodeJS.Signals) => {
    release();
    interrupt(signal, log, terminal, before);
  };
  const release = () => {
    for (const signal of signals) host.removeListener(signal, handle);
  };
  for (const signal of signals) host.on(signal, handle);
  return release;
}
