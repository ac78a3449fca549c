// Sums up a cook whose output is staged.

import type { RiggedScene } from '../../animation/rig.ts';
import { enforcePolicy } from '../../diagnostics/policy.ts';
import { isTexturePath } from '../../textures/name.ts';
import type { FinishedOutput, MadeScene, StagedSet, Workshop } from '../made.ts';
import type { Session } from '../session.ts';
import type { CookTotals, MorphTotals } from '../types.ts';
import { sourceTriangles } from '../zone/figures.ts';
import type { VerifiedOutput } from './verifyOutput.ts';

/** The totals and diagnostics of a cook. Throws where the policy makes errors of them. */
export function stagedSet(
  { plan, payloads, levels, clusters, chains }: MadeScene,
  { shared }: FinishedOutput,
  { streamed, zone }: VerifiedOutput,
  { set, units }: Workshop,
  { job, diagnostics }: Session,
): StagedSet {
  const { objects } = plan.selection;
  const files = [...set.written, ...shared.map(({ name, size }) => ({ path: name, bytes: size }))];
  return {
    diagnostics: enforcePolicy(diagnostics.list, job.policy),
    shared,
    ...(zone ? { pairs: zone.pairs } : {}),
    units: units?.store.notes ?? [],
    totals: {
      objects: objects.length,
      tiles: plan.tiles ? payloads.payloads : 0,
      models: plan.placements ? payloads.payloads : 0,
      trianglesIn: sourceTriangles(objects, plan.zone),
      trianglesOut: payloads.triangles,
      levels: [...levels.totals, ...(clusters ? [clusters.total] : []), ...chains.totals],
      streamed,
      vertices: payloads.vertices,
      materials: payloads.materials.size,
      textures: files.filter(({ path }) => isTexturePath(path)).length,
      files: files.length,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      ...(zone ? { zone: zone.figures } : {}),
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
