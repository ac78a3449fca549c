// What passes between the main thread and the threads that cook whole sources.

import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { SharedCache } from '../../output/cache/cache.ts';
import type { CookJob, CookOutcome, CookProgress } from '../types.ts';

/** What a thread starts with, beside what every thread gets. */
export interface SourceThreadData {
  /** See output/setMutex.ts. */
  readonly mutex: SharedArrayBuffer;
  readonly cache: SharedCache | null;
  readonly textures: TexturesOfCall | null;
}

/** The folder in which the single files of a call keep their textures. */
export interface TexturesOfCall {
  readonly folder: string;
  readonly force: boolean;
  /** See output/threadMutex.ts. */
  readonly mutex: SharedArrayBuffer;
}

/** A step of a source, and when it was: milliseconds since 1970, with fractions. */
export type TimedStep = CookProgress & { readonly time: number };

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
      readonly steps: readonly TimedStep[];
      /** When the last step ended: the set then waited for the disk. */
      readonly time: number;
      /** What is wrong with the folder of the cache, as far as this thread knows. */
      readonly ofCache: readonly Diagnostic[];
      /** Textures that no file may name any more, of all sources that were done since the last answer. */
      readonly orphans: readonly string[];
    }
  | { readonly kind: 'bug'; readonly error: unknown; readonly orphans: readonly string[] }
);
