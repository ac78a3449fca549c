// Checks a finished output before it is committed.

import { verifySet } from '../../output/verify.ts';
import type { CoverageJob } from '../../workers/jobs.ts';
import type { FinishedOutput, Workshop } from '../made.ts';
import type { Output } from '../outputs/output.ts';
import type { Session } from '../session.ts';
import { checkStreamed, type StreamedFigures, streamedSet } from './verify/checkStreamed.ts';
import { aheadOf } from './workshop.ts';

/**
 * Draws a set with levels as the engine would stream it and looks for holes, then reads every file back and checks it by the
 * rules of its format. Gives what the pictures show, null where none were drawn. Throws UC2067 and what the checks throw.
 */
export async function verifyOutput(
  { streamed, beside }: FinishedOutput,
  workshop: Workshop,
  { job, progress }: Session,
  { main }: Output,
): Promise<StreamedFigures | null> {
  const { set, format, runners } = workshop;
  const figures =
    streamed &&
    (await checkStreamed({
      ...streamedSet(new TextDecoder().decode(set.readBack(main)), streamed),
      draw: async (path, bounds, views) => {
        const file = set.readBack(path);
        return (await runners.run((): CoverageJob => ({ kind: 'coverage', name: path, file, bounds, views }))).covered;
      },
      ahead: aheadOf(workshop),
      source: job.source,
      onPayload: (done, total) => progress({ phase: 'verify', done, total }),
    }));
  const total = set.files.length;
  await verifySet(set, format, (done) => progress({ phase: 'verify', done, total }), beside);
  return figures;
}
