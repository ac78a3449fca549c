// What the page of a call shows of the outputs, read from the disk when the call is over.

import { basename, dirname } from 'node:path';
import { isPack, mainFile } from '../../config/targets.ts';
import { SourceError } from '../../diagnostics/diagnostic.ts';
import type { SourceResult } from '../cookTypes.ts';
import type { ReportedSet } from './page.ts';
import { reportPictures } from './pictures.ts';
import { fileFacts, setFacts } from './setFacts.ts';

/** Outputs that are shown with tables, a map and a picture; of others there are the totals. */
const MAX_SHOWN = 24;
/** Outputs whose levels are drawn. */
const MAX_WITH_SHEETS = 2;

/** By source, what is shown of its output. An output that has changed since, or cannot be read, has nothing. */
export async function reportedSets(results: readonly SourceResult[]): Promise<ReadonlyMap<string, ReportedSet>> {
  const sets = new Map<string, ReportedSet>();
  for (const { source, target, outputs, plan, pairs = [] } of results) {
    if (sets.size >= MAX_SHOWN) break;
    if (outputs.length === 0 || plan || (target.kind === 'folder' && target.shard)) continue;
    // The models of a pack stand alone: there is no map or picture of the whole.
    if (isPack(target)) continue;
    const main = mainFile(target);
    try {
      const facts = target.kind === 'file' ? await fileFacts(main) : await setFacts(dirname(main), basename(main));
      if (facts === null) continue;
      const pictures = await reportPictures(main, facts.tiles, { sheets: sets.size < MAX_WITH_SHEETS });
      sets.set(source, { facts, pictures, pairs });
    } catch (error) {
      // Another process may have replaced the files: the totals of the cook still hold.
      if (!(error instanceof SourceError) && typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    }
  }
  return sets;
}
