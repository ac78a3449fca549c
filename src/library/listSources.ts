// listSources(): which sources the words of a call of cook() stand for now, and which files hold settings for it.

import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { faultsOf } from '../diagnostics/environment.ts';
import { folderOfMessages } from './call/environment.ts';
import { shownDiagnostic } from './call/shownDiagnostic.ts';
import { planCook } from './cookPlan.ts';
import type { CookOptions } from './cookTypes.ts';

export interface ListedSources {
  /** As SourceResult.source has them, in order; null when the call would be refused. */
  readonly sources: readonly string[] | null;
  /** Absolute paths of the preset and the project file that hold for the call; none when it would be refused. */
  readonly settings: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export async function runListSources(words: readonly string[], given: CookOptions): Promise<ListedSources> {
  try {
    const { jobs, preset, project } = await planCook(words, given);
    const settings = [preset, project].flatMap((file) => (file ? [file.path] : []));
    return { sources: jobs.map(({ source }) => source), settings, diagnostics: [] };
  } catch (error) {
    const faults = faultsOf(error, '');
    if (faults === null) throw error;
    return {
      sources: null,
      settings: [],
      diagnostics: faults.map((item) => shownDiagnostic(item, folderOfMessages(given))),
    };
  }
}
