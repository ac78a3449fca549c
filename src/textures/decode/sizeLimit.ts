// The sizes that an image may declare, checked before its pixels are decoded or allocated.

import { MAX_TEXTURE_SIDE } from '../../engine/textures.ts';
import { ImageFault } from './fault.ts';

/** Pixels of an image that has to be decoded, unless --max-pixels says otherwise: 256 MiB as RGBA. */
export const MAX_DECODED_PIXELS = 2 ** 26;

/** The fault of a declared size that no engine texture can have. */
export function sizeFault(width: number, height: number): ImageFault | null {
  if (width === 0 || height === 0) return new ImageFault('damaged', `image declares ${width} x ${height} pixels`);
  if (width > MAX_TEXTURE_SIDE || height > MAX_TEXTURE_SIDE) {
    return new ImageFault(
      'large',
      `image declares ${width} x ${height} pixels, the limit is ${MAX_TEXTURE_SIDE} a side`,
    );
  }
  return null;
}
