// Limits of instances in each payload of a plan: the number of entities, and borders that neighbours share.

import { neighbourObjects } from '../../../geometry/lod/borders.ts';
import type { Scene } from '../../../scene/types.ts';
import { DEFAULT_TILING } from '../../../tiling/options.ts';
import type { InstanceLimits } from '../../../workers/jobs.ts';
import type { PlannedPayload } from '../../planned.ts';
import type { CookJob } from '../../types.ts';

/** The limits of instances in each payload; null where no mesh is placed twice, and with `bake`. */
export function instanceLimits(
  payloads: readonly PlannedPayload[],
  { nodes }: Scene,
  { settings }: Pick<CookJob, 'settings'>,
): readonly (InstanceLimits | null)[] {
  if (settings.instances === 'bake') return payloads.map(() => null);
  const { budgets } = settings.tiling ?? DEFAULT_TILING;
  // Models of packs have spaces of their own: none touches another.
  const neighbours = payloads.every(({ tile }) => tile === null)
    ? payloads.map(() => [])
    : neighbourObjects(payloads.map(({ objects }) => objects.map(({ bounds }) => bounds)));
  return payloads.map(({ objects }, i) => {
    const whole = objects.filter(({ piece }) => !piece);
    const meshes = new Set(whole.map(({ node }) => nodes[node].mesh));
    return meshes.size === whole.length ? null : { maxEntities: budgets.meshes, borders: neighbours[i] };
  });
}
