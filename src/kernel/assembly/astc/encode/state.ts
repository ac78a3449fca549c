// The block that is being encoded, in static memory: its texels, the candidate at hand and the best candidate so far.
//
// Channels are stored one after the other, LANES floats each, so that one SIMD instruction takes four texels. They are
// relative to the block's first texel, which keeps sums of products exact enough in float32, and scaled by the square root
// of the channel's weight, so that the squared distance of two texels is the error that is to be minimised.

/** Floats of one channel: the texels of a block of 8 by 8. The 25 texels of 5 by 5 end within a vector of four. */
export const LANES: u32 = 64;
export const CHANNEL: u32 = LANES * 4;
/** The most partitions of a block that the encoder makes. */
const PARTITIONS: u32 = 2;

@unmanaged
export class Block {
  /** Texels of the block. */
  texels: u32;
  /** Its channels: 1 luminance, 2 luminance and alpha, 3 RGB, 4 RGBA. */
  channels: u32;
  /** Whether the decoder's results are rounded to 8 bits before they are compared: sRGB of unscaled channels. */
  isRounded: u32;
  /** Partitions of the candidates at hand, the number of their pattern, and its texels of partition 1 as bits. */
  partitions: u32;
  pattern: u32;
  /** The channel with weights of its own; 4 for none. */
  planeChannel: u32;
  /** Whether the first end point of a candidate is its second one times a factor (colour mode 6). Then the channels are RGB. */
  isScaled: u32;
  /** The error that the lines through the texels of the candidates leave. */
  residual: f32;
}

export const block: Block = changetype<Block>(memory.data(32, 16));

/** A bit for each of so many texels. */
export function allBits(texels: u32): u64 {
  return texels === 64 ? ~(<u64>0) : ((<u64>1) << texels) - 1;
}

/** The candidate with the least error. */
@unmanaged
export class Best {
  error: f32;
  /** Address of its mode (modes.ts); 0: none. */
  mode: usize;
  channels: u32;
  partitions: u32;
  pattern: u32;
  planeChannel: u32;
  isScaled: u32;
}

export const best: Best = changetype<Best>(memory.data(28, 16));

/** No channel has weights of its own. */
export const NO_CHANNEL: u32 = 4;

/** RGBA bytes of the texels, row by row. */
export const PIXELS: usize = memory.data(LANES * 4, 16);
/** Four channels. */
export const TEXELS: usize = memory.data(4 * CHANNEL, 16);
/** What the channels are relative to, before scaling; their scales and the inverses of these. */
export const ORIGIN: usize = memory.data(16, 16);
export const SCALE: usize = memory.data(16, 16);
export const INVERSE: usize = memory.data(16, 16);

/** Bits of all ones for each texel, and 0 for what fills the last vector of four. */
export const INSIDE: usize = memory.data(CHANNEL, 16);
/** For each partition bits of all ones where a texel belongs to it. */
export const MASKS: usize = memory.data(PARTITIONS * CHANNEL, 16);
/** For each plane the best weights without limits of grid and range, 0 to 1, and the squared length of each texel's line. */
export const IDEAL: usize = memory.data(2 * CHANNEL, 16);
export const LENGTHS: usize = memory.data(2 * CHANNEL, 16);

/** For each plane the weights of the candidate's grid, 0 to 64 in a byte each. */
export const GRID_WEIGHTS: usize = memory.data(2 * LANES, 16);
/** For each plane the weights of the candidate's texels, 0 to 1. */
export const TEXEL_WEIGHTS: usize = memory.data(2 * CHANNEL, 16);
/** For each partition the direction from black through its texels, of length 1, for scaled end points. */
export const DIRECTIONS: usize = memory.data(PARTITIONS * 16, 16);
/**
 * For each partition the candidate's end points: four bytes each, and relative and scaled as floats. The fourth byte of the
 * first one is the factor of scaled end points.
 */
export const END_BYTES: usize = memory.data(PARTITIONS * 8, 16);
export const ENDS: usize = memory.data(PARTITIONS * 32, 16);

/** The same of the best candidate. */
export const BEST_GRID_WEIGHTS: usize = memory.data(2 * LANES, 16);
export const BEST_END_BYTES: usize = memory.data(PARTITIONS * 8, 16);

/** The sums of four vectors in the lanes of one. */
export function sums(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = f32x4.add(v128.shuffle<f32>(a, b, 0, 4, 1, 5), v128.shuffle<f32>(a, b, 2, 6, 3, 7));
  const cd = f32x4.add(v128.shuffle<f32>(c, d, 0, 4, 1, 5), v128.shuffle<f32>(c, d, 2, 6, 3, 7));
  return f32x4.add(v128.shuffle<f32>(ab, cd, 0, 1, 4, 5), v128.shuffle<f32>(ab, cd, 2, 3, 6, 7));
}

/** The sum of a vector's lanes. */
export function sum(a: v128): f32 {
  const pairs = f32x4.add(a, v128.shuffle<f32>(a, a, 2, 3, 0, 1));
  return f32x4.extract_lane(pairs, 0) + f32x4.extract_lane(pairs, 1);
}
