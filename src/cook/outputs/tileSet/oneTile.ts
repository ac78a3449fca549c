// One tile of a set that an earlier cook wrote. The set is then the same as if everything had been cooked, if the other tiles'
// geometry has not changed; settings and numbers of objects are compared with those of the earlier cook.

import { join } from 'node:path';
import type { FolderTarget } from '../../../config/types.ts';
import type { PayloadPlan, PlannedPayload } from '../../planned.ts';
import type { Output } from '../output.ts';
import { writeManifest } from './assembleSet.ts';
import { keepTiles, payloadOf } from './keptTiles.ts';
import { setParts, tileSet, writeSetTextures } from './tileSet.ts';

/** `name`: the tile. */
export function oneTile(target: FolderTarget, name: string): Output {
  const set = tileSet(target);
  const tileOf = ({ shown }: PayloadPlan): PlannedPayload => shown.payloads[0];
  return {
    ...set,
    startsEarly: false,
    plan: async (read, session) => {
      const plan = await set.plan(read, session);
      const only = payloadOf(name, plan.payloads, session.job.source);
      return { ...plan, shown: { ...plan.shown, payloads: [only] } };
    },
    select: (plan, clusters) => {
      const only = tileOf(plan);
      const own = clusters.find(({ members }) => members.some((tile) => tile === only.tile));
      const isOfCluster = ({ tile }: PlannedPayload) => own?.members.some((member) => member === tile);
      const whole = plan.payloads.filter((payload) => payload === only || isOfCluster(payload));
      return {
        written: new Set([only]),
        whole: new Set(whole),
        clusters,
        objects: only.objects,
        isPart: false,
      };
    },
    keep: (plan, workshop, { job }) => keepTiles(tileOf(plan), plan, join(set.base, set.main), workshop, job),
    finish: async (made, workshop, session) => {
      const { sharedTextures, ...textures } = writeSetTextures(target, made, workshop, session);
      // Nothing is said of clusters, and nothing is drawn: all but one tile is as it was.
      const parts = { ...setParts(made, workshop, session), sharedTextures, counts: null };
      await writeManifest(parts, { ...workshop, ...textures, signal: session.signal }, session.diagnostics);
      return { ...textures, streamed: null };
    },
  };
}
