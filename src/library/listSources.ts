// listSources(): which sources the words of a call of cook() stand for now, without reading one.

import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { faultsOf } from '../diagnostics/environment.ts';
import { shownDiagnostic } from './call/shownDiagnostic.ts';
import { folderOfMessages, workingFolder } from './call/workingFolder.ts';
import { planCook } from './cookPlan.ts';
import type { CookOptions } from './cookTypes.ts';

export interface ListedSources {
  /** As SourceResult.source has them, in order; null when the call would be refused. */
  readonly sources: readonly string[] | null;
  readonly diagnostics: readonly Diagnostic[];
}

export function runListSources(words: readonly string[], given: CookOptions): ListedSources {
  try {
    const { jobs } = planCook(words, given, workingFolder());
    return { sources: jobs.map(({ source }) => source), diagnostics: [] };
  } catch (error) {
    const faults = faultsOf(error, '');
    if (faults === null) throw error;
    return { sources: null, diagnostics: faults.map((item) => shownDiagnostic(item, folderOfMessages())) };
  }
}
