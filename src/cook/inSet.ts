// Locks the set of an output while it is filled.

import { openWhenFree } from '../output/openWhenFree.ts';
import type { OutputSet } from '../output/outputSet.ts';
import { throwIfAborted } from './interruption.ts';
import type { Output } from './outputs/output.ts';
import type { Session } from './session.ts';
import type { CommittedSet } from './steps/commitSet.ts';

/** Called with absolute paths of files that are in place, before another cook can change them. A path may come twice. */
export type OnPlaced = (paths: readonly string[]) => void;

/**
 * Gives the open set to `fill`, which commits it or returns null; nothing stays of a set that is not committed. The set is
 * locked before anything is read, so that a second cook of it waits, or fails, at once and not in the end.
 */
export async function inSet<T extends CommittedSet | null>(
  { job, opened, progress, signal }: Session,
  output: Output,
  onPlaced: OnPlaced = () => {},
  fill: (set: OutputSet) => Promise<T>,
): Promise<T> {
  const { base, main, sharesFiles } = output;
  const set: OutputSet = await openWhenFree(
    {
      base,
      main,
      sharesFiles,
      earlier: () => output.earlier(),
      force: job.force,
      onBytes: (bytes) => {
        const remedy = 'give a larger --max-output-bytes, or cook with fewer levels or smaller textures';
        const what = `the output has ${bytes} bytes or more`;
        opened.limits.need('outputBytes', bytes, 'UC1209', job.source, '', what, remedy);
      },
      onMoved: () => onPlaced(set.written.map(({ path }) => set.pathOf(path))),
    },
    {
      max: (job.lockTimeout ?? 0) * 1000,
      onWait: (waitsFor) => progress({ phase: 'read', done: 0, total: 1, waitsFor }),
      onRetry: () => throwIfAborted(signal),
    },
  );
  try {
    const committed = await fill(set);
    // Textures that other sets share are no part of the locked set. Their names carry a hash of their content.
    if (committed) onPlaced(committed.outputs.map(({ path }) => path));
    return committed;
  } finally {
    set.discard();
  }
}
