// Sums up a cook whose output is staged.

import { enforcePolicy } from '../../diagnostics/policy.ts';
import type { FinishedOutput, MadeScene, StagedSet, Workshop } from '../made.ts';
import type { Session } from '../session.ts';
import type { StreamedFigures } from './verify/checkStreamed.ts';

/** The totals and diagnostics of a cook. Throws where the policy makes errors of them. */
export function stagedSet(
  { plan, payloads, levels, clusters, chains, textures }: MadeScene,
  { shared }: FinishedOutput,
  streamed: StreamedFigures | null,
  { set, format, units }: Workshop,
  { job, diagnostics }: Session,
): StagedSet {
  const { objects } = plan.selection;
  const files = [...set.written, ...shared.map(({ size }) => ({ bytes: size }))];
  return {
    diagnostics: enforcePolicy(diagnostics.list, job.policy),
    shared,
    units: units?.store.notes ?? [],
    totals: {
      objects: objects.length,
      tiles: payloads.payloads,
      trianglesIn: objects.reduce((sum, object) => sum + object.triangles, 0),
      trianglesOut: payloads.triangles,
      levels: [...levels.totals, ...(clusters ? [clusters.total] : []), ...chains.totals],
      streamed,
      vertices: payloads.vertices,
      materials: payloads.materials.size,
      textures: format.textures.length > 0 ? textures.size : 0,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    },
  };
}
