// Cooks one source and says what became of it. Every diagnostic on the way is part of the outcome; only bugs are thrown.

import { Diagnostics } from '../diagnostics/diagnostic.ts';
import { faultsOf } from '../diagnostics/environment.ts';
import { cook } from './cook.ts';
import { recordedCook } from './kept/recordedCook.ts';
import { isThere } from './openSource.ts';
import { cookedOutcome, failedOutcome } from './outcome.ts';
import { outputOf } from './outputs/outputOf.ts';
import { type CookMeans, openSession, type Session } from './session.ts';
import type { CookJob, CookOutcome } from './types.ts';

/**
 * Cooks `job`. The outcome is 'ok' only when the whole set was written, read back, checked and moved in; otherwise nothing has
 * changed at the target, unless the disk fails after all was moved in (UC4000). Throws only what is a bug.
 */
export async function cookSource(job: CookJob, means: CookMeans = {}): Promise<CookOutcome> {
  const diagnostics = new Diagnostics();
  let session: Session | null = null;
  try {
    session = openSession(job, means, diagnostics);
    return await outcomeOf(session);
  } catch (error) {
    const errors = faultsOf(error, job.source);
    if (errors === null) throw error;
    return failedOutcome(job, diagnostics.list, errors, session?.opened.filesRead ?? []);
  }
}

async function outcomeOf(session: Session): Promise<CookOutcome> {
  const { job, opened, cache } = session;
  const output = outputOf(job);
  // A source that is no file fails while it is read, before a folder or lock is made.
  if (job.dryRun || !isThere(job)) {
    const { dryRun } = await import('./dryRun.ts');
    const { plan, diagnostics } = await dryRun(session, output);
    return { ...cookedOutcome(job, { outputs: [], totals: null, diagnostics }, opened.filesRead), plan };
  }
  if (cache !== null && job.recordedFrom != null) return recordedCook(session, output, cache, job.recordedFrom);
  const set = await cook(session, output);
  return cookedOutcome(job, set, opened.filesRead);
}
