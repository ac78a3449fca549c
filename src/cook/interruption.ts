// Stopping a call by its AbortSignal: work asks for the signal where it can stop, and ends with UC1098, or UC1097
// where --timeout aborts it.

import { type Diagnostic, diagnostic, SourceError } from '../diagnostics/diagnostic.ts';

/** The reason of a signal that --timeout aborts. */
export const TIME_IS_OVER = Symbol('the time that --timeout gives is over');

/** What a call says that its signal stopped. */
export function interruption(signal?: AbortSignal): Diagnostic {
  if (signal?.reason === TIME_IS_OVER) {
    return diagnostic('UC1097', '', '', 'the time that --timeout gives is over');
  }
  return diagnostic('UC1098', '', '', 'stopped by its AbortSignal');
}

/** Throws UC1098 once the signal is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new SourceError(interruption(signal));
}
