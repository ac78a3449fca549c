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

/** Calls `act` for the first signal. Returns the way to undo that. */
function onSignal({ host }: Terminal, act: (signal: keyof typeof SIGNALS) => void): () => void {
  const signals = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[];
  const handle = (signal: keyof typeof SIGNALS) => {
    // Until what must be removed is gone, another signal does not end the process.
    try {
      act(signal);
    } finally {
      release();
    }
  };
  const release = () => {
    for (const signal of signals) host.removeListener(signal, handle);
  };
  for (const signal of signals) host.on(signal, handle);
  return release;
}

/** From now on signals call `before` (to print what is known) and end the command. Returns the way to undo that. */
export function onInterrupt(log: Log, terminal: Terminal, before: BeforeEnd): () => void {
  return onSignal(terminal, (signal) => interrupt(signal, log, terminal, before));
}

/**
 * From now on signals call `before` and end a command that runs until one comes: nothing is wrong, so that nothing is said.
 * Returns the way to undo that.
 */
export function endOnSignal(terminal: Terminal, before: () => void): () => void {
  return onSignal(terminal, (signal) => {
    before();
    terminal.end(SIGNALS[signal]);
  });
}
