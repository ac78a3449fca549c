// Images and their levels in the kernel's memory, for callers that encode them there.

import type { Kernel } from '../../kernel/kernel.ts';
import { texelBytes } from './levels.ts';
import type { MipImage, MipLevel, MipRole, PlacedLevel } from './types.ts';

/** Copies an image into memory. */
export function placeImage(memory: Kernel, image: MipImage, role: MipRole): PlacedLevel {
  const { width, height, data } = image;
  const isHeight = role === 'height';
  if (isHeight !== data instanceof Uint16Array || data.length !== width * height * (isHeight ? 1 : 4)) {
    throw new Error(`${data.length} numbers are no ${role} image of ${width} x ${height}`);
  }
  return { width, height, address: memory.put(data) };
}

/** A copy of a level. */
export function readLevel(memory: Kernel, { width, height, address }: PlacedLevel, role: MipRole): MipLevel {
  return { width, height, bytes: memory.uint8(address, width * height * texelBytes(role)).slice() };
}
