// Cooks one source from start to end. Each step of stage() is a file of steps/, which says what it does; keep() and finish()
// belong to the output (outputs/). Records of cooks, sets of other machines and sources side
// by side stand around this file, and nothing here knows of them.

import type { OutputSet } from '../output/outputSet.ts';
import { inSet, type OnPlaced } from './inSet.ts';
import type { MadeScene, StagedSet } from './made.ts';
import type { Output } from './outputs/output.ts';
import type { Session } from './session.ts';
import { type CommittedSet, commitSet } from './steps/commitSet.ts';
import { planCook } from './steps/planCook.ts';
import { prepareTextures } from './steps/prepareTextures.ts';
import { readScene } from './steps/readScene.ts';
import { stagedSet } from './steps/stagedSet.ts';
import { startEarly, startThreads } from './steps/startThreads.ts';
import { namedTextures } from './steps/textures/namedTextures.ts';
import { verifyOutput } from './steps/verifyOutput.ts';
import { inWorkshop } from './steps/workshop.ts';
import { writeChains } from './steps/writeChains.ts';
import { writeClusters } from './steps/writeClusters.ts';
import { writeLevels } from './steps/writeLevels.ts';
import { writePayloads } from './steps/writePayloads.ts';

/**
 * Cooks the source of a session into its output, completely or not at all. Throws SourceError where the source, the settings
 * or the machine are to blame, LargeSource, and what is a bug. `onPlaced`: see inSet.
 */
export function cook(session: Session, output: Output, onPlaced?: OnPlaced): Promise<CommittedSet> {
  return inSet(session, output, onPlaced, async (set) => {
    startEarly(session, output);
    const staged = await stage(set, session, output);
    return commitSet(set, staged, session, output);
  });
}

/** All but the last step. What it gives back holds nothing of the scene, which is let go while the set waits for the disk. */
async function stage(set: OutputSet, session: Session, output: Output): Promise<StagedSet> {
  const read = await readScene(session, output);
  const plan = await planCook(read, session, output);
  startThreads(plan, session);
  const prepared = await prepareTextures(plan, set, session, output);
  return inWorkshop(prepared, plan, set, session, output, async (workshop) => {
    const kept = await output.keep(plan, workshop, session);
    const payloads = await writePayloads(plan, kept, workshop, session);
    const levels = await writeLevels(plan, payloads, kept, workshop, session);
    const clusters = await writeClusters(plan, payloads, levels, kept, workshop, session);
    const chains = await writeChains(plan, payloads, workshop, session);
    const textures = namedTextures({ payloads, levels, clusters });
    const made: MadeScene = { plan, kept, payloads, levels, clusters, chains, textures };
    const finished = await output.finish(made, workshop, session);
    const verified = await verifyOutput(made, finished, workshop, session, output);
    return stagedSet(made, finished, verified, workshop, session);
  });
}
