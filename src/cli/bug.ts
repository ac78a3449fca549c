// What an exception becomes that no command expects: what it tells of the machine, or else a diagnostic that says it is
// our fault, with the stack for --verbose.

import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import { faultsOf } from '../diagnostics/environment.ts';

/**
 * The diagnostics of a SourceError, UC11xx for an exception that tells of the machine, UC1099 for one that nobody
 * expected; `file` is what was worked on, '' for nothing in particular.
 */
export function thrownDiagnostics(error: unknown, file: string): readonly Diagnostic[] {
  const faults = faultsOf(error, file);
  if (faults) return faults;
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return [diagnostic('UC1099', file, '', `this is a bug in untold: ${message}`)];
}

/** The stack of a bug, line by line; nothing for what is none. */
export function stackLines(error: unknown): string[] {
  return faultsOf(error, '') === null && error instanceof Error && error.stack ? error.stack.split('\n') : [];
}
