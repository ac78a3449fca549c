// The mips of a cube map of light, as the shaders of three.js ask for them: the sky as surfaces of growing roughness see it.

/** Texels along a side of the sharpest mip, and of the roughest one, which three.js takes for all diffuse light. */
const SIZE = 128;
const LEAST_SIZE = 8;

const LAST = Math.log2(SIZE / LEAST_SIZE);

/** From the sharpest on. three.js counts one mip less than a cube map of arrays has: the last one is never seen. */
export const LIGHT_MIPS: readonly { readonly size: number; readonly roughness: number }[] = Array.from(
  { length: LAST + 2 },
  // The inverse of `roughnessToMip` of its shaders.
  (_, lod) => ({ size: SIZE >> lod, roughness: 1 - Math.sqrt(1 - Math.min(lod, LAST) / LAST) }),
);
