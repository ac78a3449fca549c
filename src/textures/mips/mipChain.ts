// Makes the levels of a texture, from the image down to one texel. Each level is made from the float32 rows of the one
// before, so that nothing is rounded twice; only the rows of a filter's window are in memory as float32.
//
// The filter is Lanczos with three lobes: of the usual ones it keeps the most detail without shimmering, and it is the
// engine's own. It works in linear light, as light adds up on a screen that shows a texel smaller than a pixel; stored
// numbers make small levels too dark. Where its negative weights overshoot, texels are clamped when they are stored.

import { type Kernel, kernel } from '../../kernel/kernel.ts';
import { keepCoverage } from './coverage.ts';
import { makeEngineLevels } from './engineMips.ts';
import { type MadeLevel, makeLevels } from './levels.ts';
import { placeImage, readLevel } from './place.ts';
import { widenLevels } from './roughness.ts';
import type { MipChain, MipImage, MipOptions, MipRole, NormalLengths, PlacedLevel } from './types.ts';

/** The sizes of all levels: halved and rounded down, at least 1, until both sides are 1. */
export function mipSizes(width: number, height: number): [width: number, height: number][] {
  const sizes: [number, number][] = [];
  for (let w = width, h = height; ; w = Math.max(1, w >>> 1), h = Math.max(1, h >>> 1)) {
    sizes.push([w, h]);
    if (w === 1 && h === 1) return sizes;
  }
}

export interface PlacedChain {
  /** The first one is the image where it lay; normals in it that were not of unit length are. */
  readonly levels: readonly PlacedLevel[];
  /** Copies the lengths of the averaged normals out of memory; null where there are none. */
  readonly readNormals: () => NormalLengths | null;
}

/** Makes the levels of an image in memory, and leaves them there until the caller's `within` ends. */
export function placeMipChain(memory: Kernel, image: PlacedLevel, role: MipRole, options: MipOptions): PlacedChain {
  const { filter, alphaCutoff, roughness } = options;
  const sizes = mipSizes(image.width, image.height).slice(1);
  if (filter === 'engine') {
    return { levels: makeEngineLevels(memory, image, sizes, role === 'height'), readNormals: () => null };
  }
  const isCutOut = role === 'color' && alphaCutoff !== null;
  const isNormal = role === 'normal';
  const levels = makeLevels(memory, image, { role, sizes, keepAlphas: isCutOut, keepLengths: isNormal });
  if (isCutOut) keepCoverage(memory, levels, alphaCutoff);
  if (role === 'data' && roughness !== null) widenLevels(memory, levels, roughness.channel, roughness.normals);
  return { levels, readNormals: () => (isNormal ? readNormals(memory, levels) : null) };
}

function readNormals(memory: Kernel, levels: readonly MadeLevel[]): NormalLengths {
  return levels.map(({ width, height, lengths }) => ({
    width,
    height,
    lengths: lengths === 0 ? null : new Uint16Array(memory.uint8(lengths, width * height * 2).slice().buffer),
  }));
}

/** The levels of an image. The same bytes on every machine. */
export function mipChain(image: MipImage, role: MipRole, options: MipOptions): MipChain {
  return kernel.within((memory) => {
    const chain = placeMipChain(memory, placeImage(memory, image, role), role, options);
    return { levels: chain.levels.map((level) => readLevel(memory, level, role)), normals: chain.readNormals() };
  });
}
