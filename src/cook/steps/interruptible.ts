// Lets a call's signal stop jobs that threads run: neither waiting nor running ones are waited for.

import { type Diagnostics, SourceError } from '../../diagnostics/diagnostic.ts';
import { JobFailure } from '../../workers/jobRunner.ts';
import type { Runners } from '../../workers/workerPool.ts';
import { interruption } from '../interruption.ts';

/**
 * Once the signal is aborted, jobs of the runners fail with what interruption() says of it. The result ends that and drops
 * jobs that still wait.
 */
export function interruptible(runners: Runners, signal: AbortSignal | undefined): () => void {
  const interrupt = () => runners.interrupt(new JobFailure([interruption(signal)], []));
  signal?.addEventListener('abort', interrupt);
  if (signal?.aborted) interrupt();
  return () => {
    signal?.removeEventListener('abort', interrupt);
    runners.abandon();
  };
}

/** What a step throws for a failed job, whose earlier diagnostics it reports; other errors stay as they are. */
export function asSourceError(error: unknown, diagnostics: Diagnostics): unknown {
  if (!(error instanceof JobFailure)) return error;
  diagnostics.repeat(error.reported);
  return new SourceError(error.errors);
}
