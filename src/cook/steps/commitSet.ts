// Moves a staged set in.

import { join } from 'node:path';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { applyPolicy } from '../../diagnostics/policy.ts';
import type { OutputSet } from '../../output/outputSet.ts';
import { throwIfAborted } from '../interruption.ts';
import type { StagedSet } from '../made.ts';
import type { Output } from '../outputs/output.ts';
import type { Session } from '../session.ts';
import type { CookOutput, CookTotals } from '../types.ts';
import type { UnitNote } from '../units/unitStore.ts';
import type { ZonePair } from '../zone/figures.ts';

/** A set that is in place. */
export interface CommittedSet {
  readonly outputs: readonly CookOutput[];
  readonly totals: CookTotals;
  readonly diagnostics: readonly Diagnostic[];
  readonly units: readonly UnitNote[];
  readonly pairs?: readonly ZonePair[];
}

/** Larger sets are moved in before the next source is read: each file that waits to be synced is open. */
const SMALL_SET_BYTES = 1 << 20;
const SMALL_SET_FILES = 5;

/**
 * Replaces the set of an earlier cook with the staged one, after the textures that other files share. A small set waits for
 * the disk with others of its call, if there are others. Throws UC1098 while nothing has changed yet, and what the set and
 * `accept` throw.
 */
export async function commitSet(
  set: OutputSet,
  { totals, diagnostics, shared: textures, units, pairs }: StagedSet,
  { job, signal, call, accept }: Session,
  output: Output,
): Promise<CommittedSet> {
  await accept?.({ main: set.stagedPath(output.main), shared: textures });
  const { written } = set;
  const isSmall = totals.bytes <= SMALL_SET_BYTES && written.length <= SMALL_SET_FILES;
  const beside = isSmall ? call.beside : null;
  beside?.onStaged();
  beside?.folders.expect();
  const commit = () => ({ committed: beside ? set.commitTogether(beside.folders) : set.commit() });
  const brought = new Set<string>();
  let moved: ReturnType<typeof commit>;
  try {
    await set.synced();
    // The last chance to stop: what is moved in is complete.
    throwIfAborted(signal);
    moved = call.textures
      ? await call.textures.commit(
          textures,
          await output.texturesBefore(call.textures.folder, job.settings.format),
          commit,
          (name) => brought.add(name),
        )
      : commit();
  } finally {
    beside?.folders.arrive();
  }
  const warnings = await moved.committed;
  const leftOver = warnings.map((warning) => applyPolicy(warning, job.policy));
  return {
    outputs: [
      ...written.map(({ path, bytes, sha256 }) => ({ path: set.pathOf(path), bytes, sha256 })),
      ...textures.map(({ name, size, sha256 }) => ({
        path: join(call.textures?.folder ?? '', name),
        bytes: size,
        sha256,
        ...(brought.has(name) ? {} : { isFound: true }),
      })),
    ],
    totals,
    diagnostics: [...diagnostics, ...leftOver],
    units,
    ...(pairs && { pairs }),
  };
}
