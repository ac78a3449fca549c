// Has copies of meshes placed as instances of the first, where the settings and the format allow that.

import { DEFAULT_FORMAT, loadFormat } from '../../../formats/registry.ts';
import type { Scene } from '../../../scene/types.ts';
import type { PayloadPlan, ReadScene } from '../../planned.ts';
import type { Session } from '../../session.ts';
import { type IsWorth, withOriginals, withOriginalsIn } from './placeOriginals.ts';

/** Bytes of an entity's name, about. */
const NAME_BYTES = 16;

const isWanted = ({ job: { settings } }: Session): boolean =>
  settings.findCopies !== 'never' && settings.instances !== 'bake';

/** The plan of a cook with originals in place of their copies. A dry run reads no vertex, and shows nothing of them. */
export async function shareCopies(plan: PayloadPlan, { rig }: ReadScene, session: Session): Promise<PayloadPlan> {
  const { job } = session;
  // Models of packs have them already.
  if (!isWanted(session) || job.dryRun || plan.placements) return plan;
  // In tiles, instances are draws that merged meshes are not, and levels are made of what is merged.
  if (plan.tiles !== null && job.settings.findCopies !== 'always') return plan;
  const { instances } = await loadFormat(job.settings.format ?? DEFAULT_FORMAT);
  const isWorth: IsWorth = ({ vertices, triangles }, placements, isMerged) =>
    instances.isWorth({
      vertexCount: vertices,
      indexCount: triangles * 3,
      placements,
      nameBytes: NAME_BYTES,
      merged: isMerged ? '' : null,
    });
  // Formats without instances bake all that they get.
  if (!isWorth({ vertices: 1e6, triangles: 1e6 }, 1000, false)) return plan;
  const moving = new Set(rig?.ofNode.keys() ?? []);
  return { ...plan, scene: await withOriginalsIn(plan.scene, plan.payloads, moving, isWorth) };
}

/** The scene of a pack with originals in place of their copies, so that equal models are found. */
export async function sharedModels(
  { scene, objects }: Pick<ReadScene, 'scene' | 'objects'>,
  session: Session,
): Promise<Scene> {
  // Models have names and origins of their own, which apps may know.
  const { findCopies } = session.job.settings;
  return isWanted(session) && findCopies === 'always' ? withOriginals(scene, objects) : scene;
}
