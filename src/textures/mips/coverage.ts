// Cut-outs: without a correction, averaged alpha falls below the cutoff, and leaves and fences vanish in the distance.

import type { Kernel } from '../../kernel/kernel.ts';
import type { MadeLevel } from './levels.ts';

/** Alphas are from 0 to this … */
const FULL = 65535;
/** … and less than this counts as none: a factor that lifts it above the cutoff would show what is only noise. */
const MIN_ALPHA = 64;

/** The least alpha byte that is drawn; 256 if none is. The engine compares float32. */
export function minPassing(cutoff: number): number {
  let byte = 0;
  while (byte < 256 && Math.fround(byte / 255) < Math.fround(cutoff)) byte++;
  return byte;
}

/**
 * Scales the alpha of each level after the first so that the share of texels that are drawn is that of the first one, to the
 * nearest texel as far as alphas differ (Castaño, "Computing Alpha Mipmaps", 2010). Colours stay.
 */
export function keepCoverage(memory: Kernel, levels: readonly MadeLevel[], cutoff: number): void {
  const min = minPassing(cutoff);
  if (min === 0 || min === 256) return;
  const [image] = levels;
  const pixels = image.width * image.height;
  const drawn = memory.calls.countPassing(image.address, pixels, min);
  memory.within(() => {
    const at = memory.allocate((FULL + 1) * 4);
    for (const { width, height, address, alphas } of levels.slice(1)) {
      const count = width * height;
      const histogram = memory.uint32(at, FULL + 1).fill(0);
      memory.calls.countAlphas(alphas, count, at);
      const { threshold, below } = thresholdFor(histogram, Math.floor(drawn * (count / pixels) + 0.5));
      // Where the plain cutoff already parts the two, alphas stay; otherwise they change by as little as will do.
      const border = min - 0.5;
      const parting = Math.min(threshold, Math.max(below, (border / 255) * FULL));
      memory.calls.scaleAlphas(alphas, count, threshold, border / parting, min, address);
    }
  });
}

/**
 * The alpha from which on as near to `wanted` texels lie as possible, and the greatest alpha below it. Equal alphas stay
 * together: either all of them are drawn or none is.
 */
function thresholdFor(histogram: Uint32Array, wanted: number): { threshold: number; below: number } {
  let threshold = FULL + 1;
  let drawn = 0;
  for (let alpha = FULL; alpha >= 0; alpha--) {
    const here = histogram[alpha];
    if (here === 0) continue;
    // This alpha would not bring the number nearer.
    if (alpha < MIN_ALPHA || drawn + here - wanted > wanted - drawn) return { threshold, below: alpha };
    drawn += here;
    threshold = alpha;
  }
  return { threshold, below: 0 };
}
