// What the fields of an ASTC block before its colours and weights say, and whether it is a block of the two-dimensional LDR
// profile (Khronos Data Format Specification 1.3, chapter 23: "Block Layout", "Block mode", "Void-Extent Blocks",
// "Illegal Encodings").

import { bitsAt, greatestRange, MIN_COLOR_RANGE, RANGES, sequenceBits } from '../integers.ts';

/** A block that means nothing, all of whose texels have the error colour. */
export const ILLEGAL: u32 = 0;
/** A block of one colour. */
export const VOID_EXTENT: u32 = 1;
/** A block of weights between end points. */
export const WEIGHTED: u32 = 2;

/** A weighted block. The other kinds leave these fields as they are. */
@unmanaged
export class Header {
  /** Columns and rows of the weight grid. */
  columns: u32;
  rows: u32;
  weightRange: u32;
  /** How many weights a texel has, 1 or 2, and which channel has the second one to itself. */
  planes: u32;
  planeChannel: u32;
  partitions: u32;
  /** The number of the partition pattern. */
  pattern: u32;
  /** The colour endpoint mode of each partition, in a byte each. */
  modes: u32;
  /** Colour values of all partitions, the bit where they begin, and their range. */
  colorCount: u32;
  colorStart: u32;
  colorRange: u32;
}

/** Blocks have at most so many weights, of at least and at most so many bits in all. */
const MAX_WEIGHTS: u32 = 64;
const MIN_WEIGHT_BITS: u32 = 24;
const MAX_WEIGHT_BITS: u32 = 96;
const MAX_COLORS: u32 = 18;

/** The bits of a block mode that say void extent. */
const VOID_EXTENT_MODE: u32 = 0x1fc;
/** A coordinate of a void extent that is not given. */
const NO_EXTENT: u32 = 0x1fff;

/** The colour endpoint modes that only the HDR profile has: 2, 3, 7, 11, 14 and 15. */
const HDR_MODES: u32 = 0b1100_1000_1000_1100;

export function isHdrMode(mode: u32): bool {
  return ((HDR_MODES >> mode) & 1) !== 0;
}

/** The kind of a block, the lower 8 bytes first; of a weighted one the fields. */
export function readHeader(low: u64, high: u64, blockWidth: u32, blockHeight: u32, header: Header): u32 {
  if (bitsAt(low, high, 0, 9) === VOID_EXTENT_MODE) return isVoidExtent(low, high) ? VOID_EXTENT : ILLEGAL;
  if (!readMode(bitsAt(low, high, 0, 11), header)) return ILLEGAL;
  if (header.columns > blockWidth || header.rows > blockHeight) return ILLEGAL;
  const weights = header.columns * header.rows * header.planes;
  if (weights > MAX_WEIGHTS) return ILLEGAL;
  const weightBits = sequenceBits(header.weightRange, weights);
  if (weightBits < MIN_WEIGHT_BITS || weightBits > MAX_WEIGHT_BITS) return ILLEGAL;
  const partitions = bitsAt(low, high, 11, 2) + 1;
  if (partitions === 4 && header.planes === 2) return ILLEGAL;
  header.partitions = partitions;
  // What lies below the weights, from the top down: more of the modes, then the channel of the second plane.
  let top: u32 = 128 - weightBits;
  if (partitions === 1) {
    header.modes = bitsAt(low, high, 13, 4);
    header.colorStart = 17;
  } else {
    header.pattern = bitsAt(low, high, 13, 10);
    header.colorStart = 29;
    let packed = bitsAt(low, high, 23, 6);
    if ((packed & 3) === 0) header.modes = (packed >> 2) * 0x01010101;
    else {
      const more = 3 * partitions - 4;
      top -= more;
      packed |= bitsAt(low, high, top, more) << 6;
      header.modes = modesOf(packed, partitions);
    }
  }
  if (header.planes === 2) {
    top -= 2;
    header.planeChannel = bitsAt(low, high, top, 2);
  }
  let count: u32 = 0;
  for (let i: u32 = 0; i < partitions; i++) count += colorsOf((header.modes >> (i << 3)) & 15);
  header.colorCount = count;
  if (count > MAX_COLORS || top < header.colorStart) return ILLEGAL;
  header.colorRange = greatestRange(count, top - header.colorStart);
  return header.colorRange < MIN_COLOR_RANGE || header.colorRange === RANGES ? ILLEGAL : WEIGHTED;
}

/** How many colour values an endpoint mode takes. */
export function colorsOf(mode: u32): u32 {
  return ((mode >> 2) + 1) << 1;
}

/** Modes that differ: a class for all, then for each partition whether it is the next class, then its mode of the class. */
function modesOf(packed: u32, partitions: u32): u32 {
  const lowest = (packed & 3) - 1;
  let modes: u32 = 0;
  for (let i: u32 = 0; i < partitions; i++) {
    const one = lowest + ((packed >> (2 + i)) & 1);
    modes |= ((one << 2) | ((packed >> (2 + partitions + 2 * i)) & 3)) << (i << 3);
  }
  return modes;
}

/** Grid, range and planes of the 11 bits of a block mode. False where they are reserved. */
function readMode(mode: u32, header: Header): bool {
  const a = (mode >> 5) & 3;
  const b = (mode >> 7) & 3;
  let range = (mode >> 4) & 1;
  let isPrecise = ((mode >> 9) & 1) !== 0;
  let planes = ((mode >> 10) & 1) + 1;
  let columns: u32;
  let rows: u32;
  if ((mode & 3) !== 0) {
    range |= (mode & 3) << 1;
    switch ((mode >> 2) & 3) {
      case 0:
        columns = b + 4;
        rows = a + 2;
        break;
      case 1:
        columns = b + 8;
        rows = a + 2;
        break;
      case 2:
        columns = a + 2;
        rows = b + 8;
        break;
      default:
        if (b < 2) {
          columns = a + 2;
          rows = b + 6;
        } else {
          columns = (b & 1) + 2;
          rows = a + 2;
        }
    }
  } else {
    if (((mode >> 2) & 3) === 0) return false;
    range |= ((mode >> 2) & 3) << 1;
    switch (b) {
      case 0:
        columns = 12;
        rows = a + 2;
        break;
      case 1:
        columns = a + 2;
        rows = 12;
        break;
      case 2:
        columns = a + 6;
        rows = ((mode >> 9) & 3) + 6;
        isPrecise = false;
        planes = 1;
        break;
      default:
        if (a > 1) return false;
        columns = a === 0 ? 6 : 10;
        rows = a === 0 ? 10 : 6;
    }
  }
  header.columns = columns;
  header.rows = rows;
  // The three bits are never below 2.
  header.weightRange = range - 2 + (isPrecise ? 6 : 0);
  header.planes = planes;
  return true;
}

/** Whether a void-extent block is well formed and not an HDR one. */
function isVoidExtent(low: u64, high: u64): bool {
  if (bitsAt(low, high, 9, 3) !== 0b110) return false;
  const minS = bitsAt(low, high, 12, 13);
  const maxS = bitsAt(low, high, 25, 13);
  const minT = bitsAt(low, high, 38, 13);
  const maxT = bitsAt(low, high, 51, 13);
  if ((minS & maxS & minT & maxT) === NO_EXTENT) return true;
  return minS < maxS && minT < maxT;
}
