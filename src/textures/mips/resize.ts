// Changes the size of a texture, up or down, with the filter of the levels.

import { type Kernel, kernel } from '../../kernel/kernel.ts';
import { keepCoverage } from './coverage.ts';
import { makeLevels } from './levels.ts';
import { placeImage, readLevel } from './place.ts';
import type { MipImage, MipLevel, MipRole, PlacedLevel } from './types.ts';

/**
 * Resamples an image in memory; the same level if it has the size already. A colour with an `alphaCutoff` keeps its share of
 * texels that are drawn.
 */
export function placeResized(
  memory: Kernel,
  image: PlacedLevel,
  width: number,
  height: number,
  role: MipRole,
  alphaCutoff: number | null = null,
): PlacedLevel {
  if (image.width === width && image.height === height) return image;
  const isCutOut = role === 'color' && alphaCutoff !== null;
  const levels = makeLevels(memory, image, {
    role,
    sizes: [[width, height]],
    keepAlphas: isCutOut,
    keepLengths: false,
  });
  if (isCutOut) keepCoverage(memory, levels, alphaCutoff);
  return levels[1];
}

/** The image at another size, as `placeResized` makes it. */
export function resize(
  image: MipImage,
  width: number,
  height: number,
  role: MipRole,
  alphaCutoff: number | null = null,
): MipLevel {
  return kernel.within((memory) => {
    const placed = placeImage(memory, image, role);
    return readLevel(memory, placeResized(memory, placed, width, height, role, alphaCutoff), role);
  });
}
