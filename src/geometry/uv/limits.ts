// The texture coordinates that a format can store, as data, and how fine they are.

/** The floating-point numbers that texture coordinates are stored as. */
export interface UvLimits {
  /** The largest finite one. */
  readonly largest: number;
  /** Bits of the fraction: neighbouring numbers from 1 to 2 are 2^-fractionBits apart. */
  readonly fractionBits: number;
  /** The distance of neighbouring numbers next to 0. */
  readonly minStep: number;
}

export interface UvPrecision {
  /** Distance of neighbouring numbers at the greatest |u| and |v|. */
  readonly stepU: number;
  readonly stepV: number;
  /** The coarser of both steps in texels of the given size. */
  readonly texels: number;
  /** The coarser step is more than half a texel. */
  readonly coarse: boolean;
  /** Every UV is in [-1, 1]: no whole number added to it makes it finer. */
  readonly finest: boolean;
}

/** How finely UVs of this reach (as uvReach) are placed on a texture of the given size in pixels. */
export function uvPrecision(
  reach: readonly [number, number],
  width: number,
  height: number,
  limits: UvLimits,
): UvPrecision {
  const stepU = uvStep(reach[0], limits);
  const stepV = uvStep(reach[1], limits);
  const texels = Math.max(stepU * width, stepV * height);
  return { stepU, stepV, texels, coarse: texels > 0.5, finest: reach[0] <= 1 && reach[1] <= 1 };
}

/** Distance between the numbers next below |x|; it doubles with every power of two above the subnormal ones. */
export function uvStep(x: number, { largest, fractionBits, minStep }: UvLimits): number {
  let step = minStep;
  const size = Math.min(Math.abs(x), largest);
  for (let top = minStep * 2 ** (fractionBits + 1); top < size; top *= 2) step *= 2;
  return step;
}
