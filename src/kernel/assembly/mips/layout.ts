// What the caller writes into memory for mips (src/textures/mips). Pointers are addresses in bytes; rows run from the top.
// Between its first and its last step a texel is four float32: red, green, blue, alpha, or what the role makes of them.

/** Colours: sRGB bytes, filtered in linear light and multiplied by alpha. */
export const COLOR: u32 = 0;
/** Unit vectors: a byte of 0 is -1, one of 255 is 1. Each texel becomes unit length again. */
export const NORMAL: u32 = 1;
/** Four bytes that have nothing to do with each other. */
export const LINEAR: u32 = 2;
/** One uint16. */
export const HEIGHT: u32 = 3;

/** The weights of a resampling along one axis. */
@unmanaged
export class Windows {
  /** How many inputs each output is made of: a multiple of four, for which there may be fewer inputs. */
  taps: u32;
  /** uint32 for each output: its first input. */
  starts: usize;
  /** `taps` numbers for each output: float32, fixed-point int32 or float64. Those beyond the filter's support are 0. */
  weights: usize;
}

/** One filter of a level, and the rows that it has under way. */
@unmanaged
export class Resampling {
  across: Windows;
  down: Windows;
  /** Rows of the finer level, filtered across: row y is in slot y modulo the level's `slots`. */
  ring: usize;
  /** The row that was made last; as long as the windows of the next level, with zeros beyond the level's width. */
  row: usize;
}

@unmanaged
export class Level {
  width: u32;
  height: u32;
  /** Texels as they are stored: 4 bytes, or 2 of a height. */
  texels: usize;
  /** The level that this one is made from. 0: this is the image itself, of whose filters only `row` counts. */
  finer: Level;
  sharp: Resampling;
  /** A filter with positive weights only, for colours where alpha is low; 0: the image needs none. */
  soft: Resampling;
  /** Rows of each ring. */
  slots: u32;
  /** How many rows of the finer level are in the rings or have been … */
  taken: u32;
  /** … and how many of this level are made. Both begin as 0. */
  made: u32;
  /** uint16 a texel: alpha finer than a byte, 65535 for 1. 0: not wanted. */
  alphas: usize;
  /** uint16 a texel: the lengths of averaged normals, 65535 for 1. 0: not wanted. */
  lengths: usize;
}

@unmanaged
export class Chain {
  /** COLOR, NORMAL, LINEAR or HEIGHT. */
  role: u32;
  /** Addresses of the levels, the image first. */
  levels: usize;
  levelCount: u32;
  /** 256 float32: the linear light of sRGB bytes. */
  linearOfByte: usize;
  /** The byte of linear light (encode.ts). */
  byteOfLinear: usize;
}
