// Cut-outs: without a correction, averaged alpha falls below the cutoff, and leaves and fences vanish in the distance.

import type { Address, Kernel } from '../../kernel/kernel.ts';
import type { MadeLevel } from './levels.ts';

/** Less alpha than this counts as none: a factor that lifts it above the cutoff would show what is only noise. */
const LEAST_ALPHA = 1 / 1024;
/** Greater than any alpha. */
const NONE = 2;

/** The least alpha byte that is drawn; 256 if none is. The engine compares float32. */
export function leastPassing(cutoff: number): number {
  let byte = 0;
  while (byte < 256 && Math.fround(byte / 255) < Math.fround(cutoff)) byte++;
  return byte;
}

/**
 * Scales the alpha of each level after the first so that the share of texels that are drawn is that of the first one, to the
 * nearest texel as far as alphas differ (Castaño, "Computing Alpha Mipmaps", 2010). Colours stay.
 */
export function keepCoverage(memory: Kernel, levels: readonly MadeLevel[], cutoff: number): void {
  const least = leastPassing(cutoff);
  if (least === 0 || least === 256) return;
  const [image] = levels;
  const pixels = image.width * image.height;
  const drawn = memory.calls.countPassing(image.address, pixels, least);
  memory.within(() => {
    const histogram = memory.allocate(2048 * 4);
    for (const { width, height, address, alphas } of levels.slice(1)) {
      const count = width * height;
      const wanted = Math.floor(drawn * (count / pixels) + 0.5);
      const threshold = thresholdFor(memory, alphas, count, wanted, histogram);
      memory.calls.scaleAlphas(alphas, count, threshold, least, address);
    }
  });
}

/** The alpha from which on as near to `wanted` texels lie as possible. */
function thresholdFor(memory: Kernel, alphas: Address, count: number, wanted: number, histogram: Address): number {
  if (wanted === 0) return NONE;
  const { numberOfRank, countAbove } = memory.calls;
  const alpha = numberOfRank(alphas, count, wanted, histogram);
  if (alpha < LEAST_ALPHA) return LEAST_ALPHA;
  // Equal alphas stay together: either all of them are drawn or none is.
  const greater = countAbove(alphas, count, alpha, 0);
  const orEqual = countAbove(alphas, count, alpha, 1);
  if (orEqual - wanted <= wanted - greater) return alpha;
  return greater === 0 ? NONE : numberOfRank(alphas, count, greater, histogram);
}
