// The LOD chains of the models of a pack: has the levels of each model made from its file, and writes them beside it.

import type { ChainLevel } from '../../formats/untoldpack/document.ts';
import { levelPath } from '../../formats/untoldpack/document.ts';
import { verifyPayload } from '../../output/verify.ts';
import { inOrder } from '../../workers/inOrder.ts';
import type { ChainFile, ChainJob, ChainResult, DrawnIndex } from '../../workers/jobs.ts';
import type { Workshop, WrittenChains, WrittenPayloads } from '../made.ts';
import type { CookPlan } from '../planned.ts';
import type { Session } from '../session.ts';
import type { LevelTotals } from '../types.ts';
import { type AuthoredChain, AuthoredChains } from './levels/authoredChains.ts';
import { LevelImages } from './levels/levelImages.ts';
import { aheadOf } from './workshop.ts';

interface Made {
  readonly result: ChainResult;
  /** Null: no level is made by hand. */
  readonly byHand: AuthoredChain | null;
}

/**
 * Makes and writes the chains of a plan, in its order. Notes UC2085 for each model without one, UC2097 and UC2058 for levels made by
 * hand that are not used. Throws JobFailure, and what the set throws.
 */
export async function writeChains(
  plan: CookPlan,
  { models }: WrittenPayloads,
  workshop: Workshop,
  session: Session,
): Promise<WrittenChains> {
  const chains: Record<string, Required<ChainLevel>[]> = {};
  const { chains: wanted } = plan;
  if (wanted === null) return { chains, totals: [] };
  const { set, runners, jobScene } = workshop;
  const { job, diagnostics, progress } = session;
  const images = new LevelImages(jobScene, set.held, { ...job.settings, lodCheck: 'pictures' });
  const authored = new AuthoredChains(plan, workshop, models);
  const begin = async ([path, drawn]: readonly [string, readonly DrawnIndex[]]): Promise<Made> => {
    const byHand = await authored.of(path);
    const result = await runners.run((runner): ChainJob => {
      const all = [...drawn, ...(byHand?.levels.flatMap((level) => level.drawn) ?? [])];
      return {
        kind: 'chain',
        name: path,
        file: set.readBack(path),
        drawn,
        ...wanted,
        ...(byHand ? { authored: byHand.levels } : {}),
        images: wanted.similarity === null ? [] : images.imagesOf(all, runner),
      };
    });
    return { result, byHand };
  };
  const totals: LevelTotals[] = [];
  const onModel = (done: number) => progress({ phase: 'levels', done, total: models.size });
  let done = 0;
  onModel(done);
  for await (const [[path], { result, byHand }] of inOrder(models, aheadOf(workshop), begin)) {
    const { levels, leftOut, reported } = result;
    if (byHand) diagnostics.repeat(byHand.reported);
    for (const why of byHand?.misfits ?? []) diagnostics.report('UC2097', job.source, path, why);
    diagnostics.repeat(reported);
    if (leftOut !== null) diagnostics.report('UC2085', job.source, path, leftOut);
    else chains[path] = await writeChain(path, levels, workshop);
    for (const [i, { triangles }] of levels.entries()) {
      const { tiles = 0, triangles: before = 0 } = totals[i] ?? {};
      totals[i] = { level: `lod${i + 1}`, tiles: tiles + 1, triangles: before + triangles };
    }
    onModel(++done);
  }
  return { chains, totals };
}

/**
 * Writes the levels of a model beside it, the finest first, and gives what the manifest says of them. Where the levels come from is the
 * caller's business: their files are those of encodeLevel, and `screenSize` falls.
 */
export async function writeChain(
  model: string,
  levels: readonly ChainFile[],
  { set, format }: Pick<Workshop, 'set' | 'format'>,
): Promise<Required<ChainLevel>[]> {
  const chain: Required<ChainLevel>[] = [];
  for (const [i, { file, ...facts }] of levels.entries()) {
    const path = levelPath(model, i + 1);
    set.write(path, file);
    await verifyPayload(set, path, format, file);
    chain.push({ path, ...facts });
  }
  return chain;
}
