// The size that a texture is cooked at.

import { MAX_TEXTURE_SIDE } from '../../engine/textures.ts';

/** 'nearest': the nearest power of two. 'up': the next greater one. 'keep': any size stays. */
export type PowerOfTwo = 'nearest' | 'up' | 'keep';

export interface SizeLimits {
  readonly pot: PowerOfTwo;
  /** The longest side that is allowed; null: what the engine loads. */
  readonly max: number | null;
}

/**
 * The width and height for an image of at least 1 x 1. Powers of two are what the engine's texture streaming works with: it
 * compares sizes of mips with 1024, 768, 256 or 192, and loads a texture that has no such mip again and again.
 *
 * The nearest power of two is the one with the smaller ratio to the side, so that no side changes by more than a factor of
 * sqrt(2). A longest side above `max` halves both sides until it fits; with 'keep' both are scaled by the same factor
 * instead.
 */
export function fitSize(width: number, height: number, { pot, max }: SizeLimits): [width: number, height: number] {
  const longest = Math.max(1, Math.min(max ?? MAX_TEXTURE_SIDE, MAX_TEXTURE_SIDE));
  if (pot === 'keep') {
    const side = Math.max(width, height);
    if (side <= longest) return [width, height];
    // The shorter side is rounded to the nearest number, halves up.
    const scaled = (length: number) => Math.max(1, Math.floor((2 * length * longest + side) / (2 * side)));
    return [scaled(width), scaled(height)];
  }
  let w = powerOfTwo(width, pot);
  let h = powerOfTwo(height, pot);
  while (Math.max(w, h) > longest) {
    w = Math.max(1, w / 2);
    h = Math.max(1, h / 2);
  }
  return [w, h];
}

function powerOfTwo(length: number, pot: 'nearest' | 'up'): number {
  let power = 1;
  while (power < length) power *= 2;
  if (power === length || pot === 'up') return power;
  // The middle between the powers below and above is below * sqrt(2). No whole number is equal to that.
  const below = power / 2;
  return length * length > 2 * below * below ? power : below;
}
