// The texels of one ASTC block of the two-dimensional LDR profile, and how many blocks are none (Khronos Data Format
// Specification 1.3, chapter 23: "Decoding Process", "Weight Infill", "Weight Application").

import { readSequence, unquantizedColor, unquantizedWeight } from '../integers.ts';
import { partitionTexels } from '../partitions.ts';
import { decodeEndpoints } from './endpoints.ts';
import { colorsOf, Header, ILLEGAL, isHdrMode, readHeader, VOID_EXTENT, WEIGHTED } from './header.ts';

const HEADER: usize = memory.data(offsetof<Header>(), 4);
/** Colour values, a byte each. */
const COLORS: usize = memory.data(24, 4);
/** The two end points of four partitions, in 16 bits: four int32 each. */
const ENDPOINTS: usize = memory.data(4 * 32, 16);
/** Weights of the grid and more, so that the neighbours of its last ones, which do not count, can be read. */
const WEIGHTS: usize = memory.data(64 + 32, 4);
/** The partition of each texel. */
const PARTITIONS: usize = memory.data(144, 4);

/** Every second bit, the lower two of every four, the lower four of every eight. */
const SINGLES: u64 = u64.MAX_VALUE / 3;
const PAIRS: u64 = u64.MAX_VALUE / 5;
const NIBBLES: u64 = u64.MAX_VALUE / 17;

/** Magenta, opaque. */
const ERROR_COLOR: u32 = 0xffff00ff;

/** Writes the texels of the block at `block`, row by row: red, green, blue and alpha of a byte each. False: it is illegal. */
export function decodeBlock(block: usize, blockWidth: u32, blockHeight: u32, isSrgb: bool, to: usize): bool {
  const header = changetype<Header>(HEADER);
  const low = load<u64>(block);
  const high = load<u64>(block, 8);
  const kind = readHeader(low, high, blockWidth, blockHeight, header);
  if (kind !== WEIGHTED) {
    const color = kind === VOID_EXTENT ? voidColor(block, isSrgb) : ERROR_COLOR;
    for (let i: u32 = 0; i < blockWidth * blockHeight; i++) store<u32>(to + ((<usize>i) << 2), color);
    return kind !== ILLEGAL;
  }
  const errors = readEndpoints(low, high, header, isSrgb);
  readWeights(low, high, header);
  const partitions = header.partitions;
  if (partitions > 1) partitionTexels(header.pattern, partitions, blockWidth, blockHeight, PARTITIONS);
  const columns = header.columns;
  const planes = header.planes;
  const channel = header.planeChannel;
  // Steps from a texel to the next, in 1/1024 of the block.
  const stepS = (1024 + (blockWidth >> 1)) / (blockWidth - 1);
  const stepT = (1024 + (blockHeight >> 1)) / (blockHeight - 1);
  let texel: usize = PARTITIONS;
  for (let t: u32 = 0; t < blockHeight; t++) {
    // Where the texel is in the grid, in 1/16 of its cells.
    const gridT = (stepT * t * (header.rows - 1) + 32) >> 6;
    const shareT = gridT & 15;
    for (let s: u32 = 0; s < blockWidth; s++, to += 4, texel++) {
      const gridS = (stepS * s * (columns - 1) + 32) >> 6;
      const shareS = gridS & 15;
      const both = (shareS * shareT + 8) >> 4;
      const at = WEIGHTS + ((gridS >> 4) + (gridT >> 4) * columns) * planes;
      const below = at + columns * planes;
      const right = shareS - both;
      const down = shareT - both;
      const rest = 16 - shareS - shareT + both;
      const first = between(at, below, planes, rest, right, down, both);
      let weights = i32x4.splat(first);
      if (planes === 2) {
        const second = between(at + 1, below + 1, planes, rest, right, down, both);
        weights = withLane(weights, channel, second);
      }
      const partition: u32 = partitions > 1 ? load<u8>(texel) : 0;
      if (((errors >> partition) & 1) !== 0) {
        store<u32>(to, ERROR_COLOR);
        continue;
      }
      const ends = ENDPOINTS + ((<usize>partition) << 5);
      const color = i32x4.shr_u(
        i32x4.add(
          i32x4.add(
            i32x4.mul(v128.load(ends), i32x4.sub(i32x4.splat(64), weights)),
            i32x4.mul(v128.load(ends, 16), weights),
          ),
          i32x4.splat(32),
        ),
        6,
      );
      store<u32>(to, packed(color, isSrgb));
    }
  }
  return errors === 0;
}

/** The number of the first block that is not of the LDR profile; `count` if all are. */
export function firstIllegalBlock(blocks: usize, count: u32, blockWidth: u32, blockHeight: u32): u32 {
  const header = changetype<Header>(HEADER);
  for (let i: u32 = 0; i < count; i++, blocks += 16) {
    const kind = readHeader(load<u64>(blocks), load<u64>(blocks, 8), blockWidth, blockHeight, header);
    if (kind === ILLEGAL) return i;
    if (kind === WEIGHTED) {
      for (let k: u32 = 0; k < header.partitions; k++) if (isHdrMode((header.modes >> (k << 3)) & 15)) return i;
    }
  }
  return count;
}

/** The colour of a void-extent block, whose upper half is four channels of 16 bits. */
function voidColor(block: usize, isSrgb: bool): u32 {
  return packed(v128.load_ext<u16>(block, 8), isSrgb);
}

/**
 * The bytes of a colour of 16 bits. sRGB channels are their upper 8 bits. Alpha and linear channels are half floats, of
 * 1/65536 rounded towards zero, which are rounded to the nearest byte here.
 */
function packed(color: v128, isSrgb: bool): u32 {
  // A half float has 10 bits behind the leading one, a float32 has 23.
  const halves = v128.and(f32x4.convert_i32x4_s(color), i32x4.splat(0xffffe000));
  const scaled = f32x4.mul(halves, f32x4.splat(255.0 / 65536.0));
  let bytes = i32x4.trunc_sat_f32x4_s(f32x4.add(scaled, f32x4.splat(0.5)));
  if (isSrgb) bytes = v128.bitselect(bytes, i32x4.shr_u(color, 8), i32x4(0, 0, 0, -1));
  return i32x4.extract_lane(i8x16.shuffle(bytes, bytes, 0, 4, 8, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), 0);
}

/** Makes the end points of all partitions. A bit for each partition whose mode is not of the LDR profile. */
function readEndpoints(low: u64, high: u64, header: Header, isSrgb: bool): u32 {
  const count = header.colorCount;
  const range = header.colorRange;
  readSequence(low, high, header.colorStart, range, count, COLORS);
  for (let i: usize = COLORS; i < COLORS + count; i++) store<u8>(i, unquantizedColor(load<u8>(i), range));
  let errors: u32 = 0;
  let values = COLORS;
  for (let i: u32 = 0; i < header.partitions; i++) {
    const mode = (header.modes >> (i << 3)) & 15;
    const to = ENDPOINTS + ((<usize>i) << 5);
    if (isHdrMode(mode)) errors |= 1 << i;
    else {
      decodeEndpoints(mode, values, to);
      v128.store(to, widened(v128.load(to), isSrgb));
      v128.store(to, widened(v128.load(to, 16), isSrgb), 16);
    }
    values += colorsOf(mode);
  }
  return errors;
}

/** A colour in 16 bits: sRGB channels are followed by 128, alpha and linear ones by themselves. */
function widened(color: v128, isSrgb: bool): v128 {
  const upper = i32x4.shl(color, 8);
  const doubled = v128.or(upper, color);
  if (!isSrgb) return doubled;
  return v128.bitselect(doubled, v128.or(upper, i32x4.splat(128)), i32x4(0, 0, 0, -1));
}

/** Unquantised weights of the grid, those of two planes in turn. They are stored from the last bit of the block down. */
function readWeights(low: u64, high: u64, header: Header): void {
  const count = header.columns * header.rows * header.planes;
  const range = header.weightRange;
  readSequence(reversed(high), reversed(low), 0, range, count, WEIGHTS);
  for (let i: usize = WEIGHTS; i < WEIGHTS + count; i++) store<u8>(i, unquantizedWeight(load<u8>(i), range));
}

/** The bits of a word in reverse order. */
function reversed(bits: u64): u64 {
  bits = ((bits >> 1) & SINGLES) | ((bits & SINGLES) << 1);
  bits = ((bits >> 2) & PAIRS) | ((bits & PAIRS) << 2);
  bits = ((bits >> 4) & NIBBLES) | ((bits & NIBBLES) << 4);
  return bswap<u64>(bits);
}

/** The weight between four of the grid by their shares of 16. */
function between(at: usize, below: usize, step: u32, rest: u32, right: u32, down: u32, both: u32): i32 {
  const sum =
    rest * load<u8>(at) + right * load<u8>(at + step) + down * load<u8>(below) + both * load<u8>(below + step);
  return (sum + 8) >> 4;
}

function withLane(vector: v128, lane: u32, value: i32): v128 {
  switch (lane) {
    case 0:
      return i32x4.replace_lane(vector, 0, value);
    case 1:
      return i32x4.replace_lane(vector, 1, value);
    case 2:
      return i32x4.replace_lane(vector, 2, value);
    default:
      return i32x4.replace_lane(vector, 3, value);
  }
}
