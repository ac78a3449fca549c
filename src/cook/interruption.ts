// Stopping a call by its AbortSignal: work asks for the signal where it can stop, and ends with UC1098.

import { type Diagnostic, diagnostic, SourceError } from '../diagnostics/diagnostic.ts';

export function interruption(): Diagnostic {
  return diagnostic('UC1098', '', '', 'stopped by its AbortSignal');
}

/** Throws UC1098 once the signal is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new SourceError(interruption());
}
