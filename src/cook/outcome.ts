// The outcome of a cook, complete or failed.

import { type Diagnostic, Diagnostics, sortDiagnostics } from '../diagnostics/diagnostic.ts';
import { applyPolicy } from '../diagnostics/policy.ts';
import { ofItsSource } from './openSource.ts';
import type { CommittedSet } from './steps/commitSet.ts';
import type { CookJob, CookOutcome } from './types.ts';

/** Of a set that is in place. */
export function cookedOutcome(
  job: Pick<CookJob, 'source' | 'joined'>,
  {
    outputs,
    totals,
    diagnostics,
    pairs,
  }: Pick<CommittedSet, 'outputs' | 'diagnostics' | 'pairs'> & Pick<CookOutcome, 'totals'>,
  filesRead: readonly string[],
): CookOutcome {
  return {
    source: job.source,
    status: 'ok',
    outputs,
    totals,
    diagnostics: sortDiagnostics(diagnostics.map((item) => ofItsSource(job, item))),
    filesRead,
    ...(pairs && { pairs }),
  };
}

/** Of a source with these errors, and what was reported before them. */
export function failedOutcome(
  job: Pick<CookJob, 'source' | 'joined' | 'policy'>,
  reported: readonly Diagnostic[],
  errors: readonly Diagnostic[],
  filesRead: readonly string[],
): CookOutcome {
  const all = new Diagnostics();
  for (const item of [...reported, ...errors]) all.add(applyPolicy(item, job.policy));
  return {
    source: job.source,
    status: 'failed',
    outputs: [],
    totals: null,
    diagnostics: sortDiagnostics(all.list.map((item) => ofItsSource(job, item))),
    filesRead,
  };
}
