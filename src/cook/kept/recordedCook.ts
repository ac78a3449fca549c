// Cooks with a memory: takes a set that another machine has cooked where there is one, and records what was cooked.

import { SourceError } from '../../diagnostics/diagnostic.ts';
import { DEFAULT_FORMAT, loadFormat } from '../../formats/registry.ts';
import type { FileStamp } from '../../importers/fileStamp.ts';
import type { Cache } from '../../output/cache/cache.ts';
import { verifySet } from '../../output/verify.ts';
import { cook } from '../cook.ts';
import { inSet } from '../inSet.ts';
import { cookedOutcome } from '../outcome.ts';
import type { Output } from '../outputs/output.ts';
import type { Session } from '../session.ts';
import { type CommittedSet, commitSet } from '../steps/commitSet.ts';
import type { CookOutcome } from '../types.ts';
import { CookRecords, rebuiltUnits, stampsOf } from './cookRecord.ts';
import { type FoundSet, WholeSets } from './wholeSets.ts';

/**
 * Cooks as cook() does, unless another machine has cooked the same, and records the outcome for later cooks, of other machines
 * too. `cwd`: the working folder.
 */
export async function recordedCook(session: Session, output: Output, cache: Cache, cwd: string): Promise<CookOutcome> {
  const { job, opened } = session;
  const stamps = new Map<string, FileStamp>();
  const onPlaced = (paths: readonly string[]) => {
    for (const [path, stamp] of stampsOf(paths.filter((one) => !stamps.has(one)))) stamps.set(path, stamp);
  };
  const remote = cache.remote ? new WholeSets(cache.remote, cwd) : null;
  const fetched = remote && (await fetchedSet(remote, session, output, onPlaced));
  const set = fetched?.set ?? (await cook(session, output, onPlaced));
  const found = fetched?.found;
  const outcome = cookedOutcome(job, set, found?.outcome.filesRead ?? opened.filesRead);

  const records = new CookRecords(cache, cwd);
  const rebuilt = job.explains ? { rebuilt: rebuiltUnits(records.units(job), set.units) } : {};
  const notes = found ?? { trace: opened.trace(), units: set.units, used: opened.limitUse };
  records.record(job, outcome, { ...notes, stamps });
  if (!found) remote?.put(job, outcome, notes);
  return { ...outcome, ...rebuilt };
}

/** Moves in a set that another machine has cooked; null: there is none of this job, or not all of it can be had. */
async function fetchedSet(
  sets: WholeSets,
  session: Session,
  output: Output,
  onPlaced: (paths: readonly string[]) => void,
): Promise<{ readonly set: CommittedSet; readonly found: FoundSet } | null> {
  const { job, progress } = session;
  let found: FoundSet | null = null;
  const committed = await inSet(session, output, onPlaced, async (set) => {
    found = await sets.find(job);
    if (found === null) return null;
    const { totals, diagnostics } = found.outcome;
    const total = found.outputs.length;
    const onFile = (done: number) => progress({ phase: 'write', done, total });
    if (totals === null || !(await sets.fetch(job, found, set, onFile))) return null;
    const format = await loadFormat(job.settings.format ?? DEFAULT_FORMAT);
    try {
      await verifySet(set, format, (done) => progress({ phase: 'verify', done, total }));
    } catch (error) {
      // What the other machine has made is not sound. A cook of this one will tell whether its own is.
      if (error instanceof SourceError) return null;
      throw error;
    }
    const { outputs, ...rest } = await commitSet(
      set,
      { totals, diagnostics, shared: [], units: found.units },
      session,
      output,
    );
    // Files arrive in any order: they are told in that of the cook.
    const places = new Map(found.outputs.map(({ path }, i) => [set.pathOf(path), i]));
    const placeOf = ({ path }: { readonly path: string }) => places.get(path) ?? total;
    return { ...rest, outputs: [...outputs].sort((a, b) => placeOf(a) - placeOf(b)) };
  });
  return committed && found && { set: committed, found };
}
