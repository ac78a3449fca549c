// Turns exceptions into diagnostics: a fault of the source, of the command line or of the machine, or else a bug of ours.

import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import { faultsOf } from '../../diagnostics/environment.ts';

/**
 * The diagnostics of a SourceError, UC11xx for an exception that the machine causes, UC1099 for every other exception,
 * which is a bug. `file` is the file that was being worked on, '' for none.
 */
export function thrownDiagnostics(error: unknown, file: string): readonly Diagnostic[] {
  const faults = faultsOf(error, file);
  if (faults) return faults;
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return [diagnostic('UC1099', file, '', `this is a bug in untold: ${message}`)];
}

/** The stack of a bug, line by line; empty for every other exception. */
export function stackLines(error: unknown): readonly string[] {
  return faultsOf(error, '') === null && error instanceof Error && error.stack ? error.stack.split('\n') : [];
}
