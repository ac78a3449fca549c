// How many triangles a level needs to look like full detail, from how another level of the same tile looks. Over three towns
// the error of pictures falls with the triangles by a power of about 2.3, so one level that was judged tells of others.
// In steps of exact arithmetic, because the result decides which triangles there are.

import type { SimilarityLimits } from '../../tiling/streaming/lodQuality.ts';

/** One step of error: a quarter of a decibel, and the triangles that make up for it: its 2.3rd root. */
const STEPS_A_DECIBEL = 4;
const ERROR_STEP = 1.0593;
const TRIANGLE_STEP = 1.0254;
/** Further than so many steps nothing is predicted. */
const MAX_STEPS = 60;

/** The steps by which the error of pictures is larger than allowed; negative where there is room left. */
export function stepsBeyond(similarity: SimilarityLimits, limits: SimilarityLimits): number {
  const ofNoise = Math.ceil((limits.psnr - Math.min(similarity.psnr, 100)) * STEPS_A_DECIBEL);
  const wanted = 1 - limits.ssim;
  let error = 1 - similarity.ssim;
  let ofStructure = 0;
  for (; error > wanted && ofStructure < MAX_STEPS; ofStructure++) error /= ERROR_STEP;
  if (ofStructure === 0) {
    for (; error * ERROR_STEP <= wanted && ofStructure > -MAX_STEPS; ofStructure--) error *= ERROR_STEP;
  }
  return Math.max(-MAX_STEPS, Math.min(MAX_STEPS, Math.max(ofNoise, ofStructure)));
}

/** The triangles that make up for so many steps of error, as a multiple of those of the level that was judged. */
export function trianglesForSteps(steps: number): number {
  let factor = 1;
  for (let i = 0; i < Math.abs(steps); i++) factor *= TRIANGLE_STEP;
  return steps < 0 ? 1 / factor : factor;
}
