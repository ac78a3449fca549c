// Sums up a cook whose output is staged.

import type { RiggedScene } from '../../animation/rig.ts';
import { enforcePolicy } from '../../diagnostics/policy.ts';
import type { FinishedOutput, MadeScene, StagedSet, Workshop } from '../made.ts';
import type { Session } from '../session.ts';
import type { CookTotals, MorphTotals } from '../types.ts';
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
      ...(plan.rig ? morphTotals(plan.rig) : {}),
    },
  };
}

/** The targets of all nodes: each name with each weight that it stands for. */
function morphTotals({ ofNode }: RiggedScene): Pick<CookTotals, 'morphs'> {
  const known = new Map<string, { -readonly [K in keyof MorphTotals]: MorphTotals[K] }>();
  for (const { morphs = [] } of ofNode.values()) {
    for (const { name, weight } of morphs) {
      const key = JSON.stringify([name, weight]);
      const total = known.get(key) ?? { name, weight, meshes: 0 };
      known.set(key, total);
      total.meshes++;
    }
  }
  return known.size > 0 ? { morphs: [...known.values()] } : {};
}
