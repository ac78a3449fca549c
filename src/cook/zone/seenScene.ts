// The step that leaves of a scene what the eyes of a zone see, and says what that came to.

import type { RiggedScene } from '../../animation/rig.ts';
import type { ZoneSettings } from '../../config/zoneSettings.ts';
import type { Diagnostics } from '../../diagnostics/diagnostic.ts';
import type { Scene } from '../../scene/types.ts';
import type { Session } from '../session.ts';
import type { SeenScene } from './figures.ts';
import { resolveZone } from './resolveZone.ts';
import { NEW_SHARE } from './seenTriangles.ts';
import { USUAL_ERROR } from './withinBudget.ts';
import { type ZoneScene, zoneScene } from './zoneScene.ts';
import { withZoneThreads } from './zoneThreads.ts';

/** Triangles of all placements. */
function trianglesOf({ nodes, meshes }: Scene): number {
  const counts = meshes.map(({ primitives }) => primitives.reduce((sum, { triangleCount }) => sum + triangleCount, 0));
  return nodes.reduce((sum, { mesh }) => sum + (mesh < 0 ? 0 : counts[mesh]), 0);
}

const number = (value: number): string => value.toLocaleString('en-US');

/** Reports the objects whose holes are open. */
export function reportHoles(
  { figures, holes }: Pick<ZoneScene, 'figures' | 'holes'>,
  source: string,
  diagnostics: Diagnostics,
): void {
  for (const { path, holes: count, largest } of holes) {
    const message = `${number(count)} in pictures from ${figures.proof.eyes} places, the largest of ${number(largest)} pixels`;
    diagnostics.report('UC2284', source, path, message);
  }
}

/** What the eyes of a zone see of a scene. Throws UC2281, UC2287 and UC2289, and what reading meshes throws. */
export async function seenScene(
  scene: Scene,
  rig: RiggedScene | null,
  hidden: ReadonlySet<number>,
  settings: ZoneSettings,
  session: Session,
): Promise<SeenScene & { readonly scene: Scene }> {
  const { job, diagnostics, progress } = session;
  const { zone, markers } = resolveZone(scene, settings);
  const isOut = new Set([...hidden, ...markers]);
  const moved = new Set(rig?.ofNode.keys() ?? []);
  const found = await withZoneThreads(trianglesOf(scene), session, (threads) =>
    zoneScene(scene, zone, settings, moved, isOut, threads, job.limits?.pixels),
  );
  const { figures, loose } = found;
  progress({ phase: 'read', done: 1, total: 1 });
  const { error } = figures;
  if (figures.newShare > NEW_SHARE) {
    const share = `${(figures.newShare * 100).toFixed(2)} %`;
    diagnostics.report('UC2285', job.source, '', `${share} of the last pictures were new after ${figures.eyes} eyes`);
  }
  if (error > USUAL_ERROR || found.isOver) {
    const left = figures.trianglesAfter + figures.trianglesWhole;
    const message = `surfaces were simplified up to ${error.toFixed(1)} pixels, so that ${number(left)} triangles are left`;
    const over = found.isOver ? ', still more than the device is advised to have' : '';
    diagnostics.report('UC2283', job.source, '', message + over);
  }
  reportHoles(found, job.source, diagnostics);
  for (const { primitive } of loose) {
    diagnostics.report('UC2286', job.source, primitive.path, 'its textures use several sets of UVs');
  }
  return { scene: found.scene, figures, texels: found.texels, pictured: found.pictured };
}
