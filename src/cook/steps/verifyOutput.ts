// Checks a finished output before it is committed.

import { textureFiles } from '../../formats/textureFiles.ts';
import { verifySet } from '../../output/verify.ts';
import { buildTexture } from '../../raster/texture.ts';
import { fileBytes } from '../../textures/types.ts';
import type { CoverageJob } from '../../workers/jobs.ts';
import { DrawnMaterials } from '../drawScene.ts';
import type { FinishedOutput, MadeScene, Workshop } from '../made.ts';
import type { Output } from '../outputs/output.ts';
import type { Session } from '../session.ts';
import type { ZoneFigures, ZonePair } from '../zone/figures.ts';
import { checkStreamed, type StreamedFigures, streamedSet } from './verify/checkStreamed.ts';
import { aheadOf } from './workshop.ts';

/** What pictures of an output show. */
export interface VerifiedOutput {
  /** Null: it has no levels, or is no set. */
  readonly streamed: StreamedFigures | null;
  /** Absent: it is cooked for all eyes. */
  readonly zone?: { readonly figures: ZoneFigures; readonly pairs: readonly ZonePair[] };
}

/**
 * Draws a set with levels as the engine would stream it and looks for holes, and what was cooked for a zone as its eyes see it, then
 * reads every file back and checks it by the rules of its format. Throws UC2067 and what the checks throw.
 */
export async function verifyOutput(
  { plan: { zone } }: Pick<MadeScene, 'plan'>,
  { streamed, beside }: FinishedOutput,
  workshop: Workshop,
  { job, diagnostics, progress, signal }: Session,
  { main }: Output,
): Promise<VerifiedOutput> {
  const { set, format, runners } = workshop;
  const figures =
    streamed &&
    (await checkStreamed({
      ...streamedSet(new TextDecoder().decode(set.readBack(main)), streamed),
      draw: async (path, bounds, views) => {
        const file = set.readBack(path);
        return runners.run((): CoverageJob => ({ kind: 'coverage', name: path, file, bounds, views }));
      },
      ahead: aheadOf(workshop),
      source: job.source,
      diagnostics,
      onPayload: (done, total) => progress({ phase: 'verify', done, total }),
    }));
  const total = set.files.length;
  await verifySet(set, format, (done) => progress({ phase: 'verify', done, total }), beside);
  if (zone === null) return { streamed: figures };
  const { comparePictures } = await import('../zone/comparePictures.ts');
  const { pictured, figures: of } = zone;
  const { figures: pictures, pairs } = await comparePictures(pictured, drawnMaterials(workshop), signal);
  return { streamed: figures, zone: { figures: { ...of, proof: { ...of.proof, pictures } }, pairs } };
}

/** Texels along a side of a texture that pictures of 90 degrees are drawn with. */
const DRAWN_TEXELS = 1024;

/** The materials of the output with its textures. */
function drawnMaterials({ set, jobScene }: Workshop): DrawnMaterials {
  const files = textureFiles(jobScene.textureSettings);
  return new DrawnMaterials(jobScene, async (texture) => {
    const pixels = await files.decode(fileBytes(texture, set.held), DRAWN_TEXELS);
    return pixels && buildTexture(pixels.data, pixels.width, pixels.height);
  });
}
