// What each payload of a plan may have of instances: how many entities, and where neighbours would notice.

import { neighbourObjects } from '../geometry/lod/borders.ts';
import type { Scene } from '../scene/types.ts';
import { DEFAULT_TILING } from '../tiling/options.ts';
import type { InstanceLimits } from '../workers/jobs.ts';
import type { PlannedPayload } from './planPayloads.ts';
import type { CookJob } from './types.ts';

/**
 * What each payload may have of instances; null where no mesh is placed twice, or all is baked. A single file merges
 * nothing, so that its entities need no room.
 */
export function instanceLimits(
  payloads: readonly PlannedPayload[],
  { nodes }: Scene,
  { settings }: Pick<CookJob, 'settings'>,
): readonly (InstanceLimits | null)[] {
  if (settings.instances === 'bake') return payloads.map(() => null);
  const { budgets } = settings.tiling ?? DEFAULT_TILING;
  const neighbours = neighbourObjects(payloads.map(({ objects }) => objects.map(({ bounds }) => bounds)));
  return payloads.map(({ objects }, i) => {
    const whole = objects.filter(({ piece }) => !piece);
    const meshes = new Set(whole.map(({ node }) => nodes[node].mesh));
    return meshes.size === whole.length ? null : { mostEntities: budgets.meshes, borders: neighbours[i] };
  });
}
