// What passes between the main thread and the threads that cook whole sources.

import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { SharedCache } from '../../output/cache/cache.ts';
import type { CookJob, CookOutcome, CookProgress } from '../types.ts';

/** What a thread starts with, beside what every thread gets. */
export interface SourceThreadData {
  /** See output/setGate.ts. */
  readonly gate: SharedArrayBuffer;
  readonly cache: SharedCache | null;
}

export type SourceRequest =
  | { readonly kind: 'cook'; readonly index: number; readonly job: CookJob }
  /** No source follows: nothing is worth waiting for any more. */
  | { readonly kind: 'end' };

export type SourceAnswer = { readonly index: number } & (
  | { readonly kind: 'staged' }
  /** The source is too large for one thread. Its target has not changed. */
  | { readonly kind: 'large' }
  | {
      readonly kind: 'done';
      readonly outcome: CookOutcome;
      readonly steps: readonly CookProgress[];
      /** What is wrong with the folder of the cache, as far as this thread knows. */
      readonly ofCache: readonly Diagnostic[];
    }
  | { readonly kind: 'bug'; readonly error: unknown }
);
