// Turns exceptions into diagnostics: a fault of the source, of the command line or of the machine, or else a bug of ours.

import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import { faultsOf } from '../../diagnostics/environment.ts';
import { folderOfMessages, type Surrounded } from './environment.ts';
import { exitCodeOf } from './exitCode.ts';
import { shownDiagnostic } from './shownDiagnostic.ts';

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

/** The exit code and diagnostics of a call that threw `error`. Throws it again where it is a bug of ours. */
export function failedCall(
  error: unknown,
  given: Surrounded,
): { readonly exitCode: number; readonly diagnostics: readonly Diagnostic[] } {
  const faults = faultsOf(error, '');
  if (faults === null) throw error;
  const diagnostics = faults.map((item) => shownDiagnostic(item, folderOfMessages(given)));
  return { exitCode: exitCodeOf(diagnostics), diagnostics };
}
