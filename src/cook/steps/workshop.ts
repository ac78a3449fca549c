// Opens the place where payloads are made, and closes it.

import type { OutputSet } from '../../output/outputSet.ts';
import type { PreparedScene, Workshop } from '../made.ts';
import type { Output } from '../outputs/output.ts';
import type { CookPlan } from '../planned.ts';
import { ReportParts } from '../reportParts.ts';
import type { Session } from '../session.ts';
import { SceneDigests } from '../units/sceneDigests.ts';
import { UnitStore } from '../units/unitStore.ts';
import { asSourceError, interruptible } from './interruptible.ts';

/**
 * Gives the threads the prepared scene and runs `work`, which makes payloads with them. Work stops when the session is aborted.
 * Throws SourceError for what a job cannot make, with what it had reported until then.
 */
export async function inWorkshop<T>(
  prepared: PreparedScene,
  { threads }: CookPlan,
  set: OutputSet,
  { pool, signal, cache, diagnostics }: Session,
  output: Output,
  work: (workshop: Workshop) => Promise<T>,
): Promise<T> {
  const { jobScene } = prepared;
  const units =
    cache && output.keepsUnits ? { store: new UnitStore(cache), digests: new SceneDigests(jobScene) } : null;
  const runners = pool.forScene(jobScene, threads);
  const end = interruptible(runners, signal);
  try {
    return await work({ ...prepared, set, runners, units, reports: new ReportParts(diagnostics) });
  } catch (error) {
    throw asSourceError(error, diagnostics);
  } finally {
    end();
  }
}

/** Jobs that wait or run at once: no thread is ever out of work, and few results wait. */
export function aheadOf({ runners: { count } }: Pick<Workshop, 'runners'>): number {
  return count === 1 ? 1 : 2 * count;
}
