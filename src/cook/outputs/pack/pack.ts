// A pack: a file for each root object of the scene, and a manifest that places them.

import { join } from 'node:path';
import { sharedModels } from '../../steps/copies/shareCopies.ts';
import { wantedChains } from '../../steps/plan/wantedLevels.ts';
import { allOf, NOTHING_KEPT, type Output } from '../output.ts';
import { setFiles } from '../setFiles.ts';
import { sharedFiles, texturesNamed } from '../sharedTextures.ts';
import type { FileTarget } from '../singleFile/singleFile.ts';
import { modelPrefix, planPack } from './models.ts';
import { modelsListed, modelsOfPack, packAt, refuseOthersModels } from './packFiles.ts';
import { writePack } from './writePack.ts';

export function pack(target: FileTarget): Output {
  const { path, shared } = target;
  const { base, main } = setFiles(target);
  return {
    base,
    main,
    // What a pack has is its own, but for textures, which are no part of its set.
    sharesFiles: false,
    still: 'no effect on packs, whose models stand still',
    startsEarly: false,
    keepsUnits: false,
    textures: shared,
    earlier: () => (packAt(path) ? new Map([[main, null], ...modelsOfPack(base, main)]) : new Map()),
    texturesBefore: (folder, format) => {
      const models = modelsListed(base, main).map((model) => join(base, model));
      return texturesNamed(models, folder, format);
    },
    plan: async ({ scene, objects, authored }, session) => {
      const { job, diagnostics, opened } = session;
      const shared = await sharedModels({ scene, objects }, session);
      const read = { scene: shared, objects, authored: wantedChains(job.settings) ? authored : [] };
      return planPack(read, main, modelPrefix(target), diagnostics, opened.limits, job.settings.flatten);
    },
    select: (plan, clusters, { job }) => {
      const models = plan.payloads.map((payload) => payload.path);
      refuseOthersModels(base, main, models, job.source);
      return allOf(plan, clusters);
    },
    authored: () => ({ lights: [], cameras: [] }),
    keep: async () => NOTHING_KEPT,
    finish: async ({ textures, plan, chains }, workshop, { job, progress }) => {
      if (!shared) throw new Error('a pack has a folder of textures beside its models');
      const { set } = workshop;
      progress({ phase: 'write', done: 0, total: textures.size });
      const moved = sharedFiles([...textures.values()], shared.folder, set.held);
      writePack(plan, chains.chains, set, main, job.source);
      return { shared: moved, streamed: null };
    },
  };
}
