// Changes the size of a texture, up or down, with the filter of the levels.

import { type Kernel, kernel } from '../../kernel/kernel.ts';
import { makeLevels } from './levels.ts';
import { placeImage, readLevel } from './place.ts';
import type { MipImage, MipLevel, MipRole, PlacedLevel } from './types.ts';

/** Resamples an image in memory; the same level if it has the size already. */
export function placeResized(
  memory: Kernel,
  image: PlacedLevel,
  width: number,
  height: number,
  role: MipRole,
): PlacedLevel {
  if (image.width === width && image.height === height) return image;
  const asked = { role, sizes: [[width, height]], keepAlphas: false, keepLengths: false } as const;
  return makeLevels(memory, image, asked)[1];
}

/** The image at another size. */
export function resize(image: MipImage, width: number, height: number, role: MipRole): MipLevel {
  return kernel.within((memory) => {
    return readLevel(memory, placeResized(memory, placeImage(memory, image, role), width, height, role), role);
  });
}
