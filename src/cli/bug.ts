// What an unexpected exception becomes: a diagnostic that says it is our fault, and the stack for --verbose.

import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';

/** UC1099 for an exception that nobody expected; `file` is what was worked on, '' for nothing in particular. */
export function bugDiagnostic(error: unknown, file: string): Diagnostic {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return diagnostic('UC1099', file, '', `this is a bug in untold: ${message}`);
}

export function stackLines(error: unknown): string[] {
  return error instanceof Error && error.stack ? error.stack.split('\n') : [];
}
