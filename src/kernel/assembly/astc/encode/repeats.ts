// Blocks that can stand for others nearby. Files are packed on their way over a network, and what repeats packs well: where a
// block of the same row loses next to nothing, it is taken again, and a block whose texels hardly differ has one colour.

import { decodeBlock } from '../decode/block.ts';
import { block, LANES, PIXELS } from './state.ts';

/** A block with texels that differ by more in a channel has more than one colour. */
const FARTHEST: i8 = 4;

/** The last blocks of the row that lose so little: their bytes, and the texels that a decoder makes of them. */
const KEPT: u32 = 8;
const ENTRY: u32 = 16 + LANES * 4;
const ENTRIES: usize = memory.data(8 * (16 + 64 * 4), 16);
const PLAIN: usize = memory.data(LANES * 4, 16);

let count: u32 = 0;
let next: u32 = 0;

/** Forgets all: each row of blocks begins anew, so that threads that share an image make the same. */
export function forgetBlocks(): void {
  count = 0;
  next = 0;
}

/** Keeps a block for those that follow. */
export function keepBlock(from: usize, side: u32, isSrgb: bool): void {
  const entry = ENTRIES + next * ENTRY;
  memory.copy(entry, from, 16);
  decodeBlock(from, side, side, isSrgb, entry + 16);
  next = (next + 1) % KEPT;
  count = min(count + 1, KEPT);
}

/** Writes the kept block with the least squared error if that is at most `most`; else gives false. */
export function takeKept(most: u32, to: usize): bool {
  let found: usize = 0;
  for (let i: u32 = 0; i < count && most > 0; i++) {
    const entry = ENTRIES + i * ENTRY;
    const error = squaredError(entry + 16, most);
    if (error >= most) continue;
    most = error;
    found = entry;
  }
  if (found === 0) return false;
  memory.copy(to, found, 16);
  return true;
}

/** The mean colour of the texels, if its squared error is at most `most`; else -1. */
export function plainColor(most: u32): i64 {
  const texels = block.texels;
  // Most blocks are told from such ones at a glance.
  const one = i32x4.splat(load<u32>(PIXELS));
  let widest = i32x4.splat(0);
  for (let at = PIXELS; at < PIXELS + (texels << 2); at += 16) {
    const pixels = v128.load(at);
    widest = i8x16.max_u(widest, v128.or(i8x16.sub_sat_u(pixels, one), i8x16.sub_sat_u(one, pixels)));
  }
  if (v128.any_true(i8x16.gt_u(widest, i8x16.splat(FARTHEST)))) return -1;
  let color: u32 = 0;
  for (let c: u32 = 0; c < 4; c++) {
    let total: u32 = texels >> 1;
    for (let i: u32 = 0; i < texels; i++) total += load<u8>(PIXELS + (i << 2) + c);
    color |= (total / texels) << (c << 3);
  }
  for (let i: u32 = 0; i < texels; i++) store<u32>(PLAIN + (i << 2), color);
  return squaredError(PLAIN, most + 1) <= most ? <i64>color : -1;
}

/** The squared error over all bytes of the block's texels. It may stop where that is above `most`. */
function squaredError(texels: usize, most: u32): u32 {
  const whole = block.texels & ~3;
  let total: u32 = 0;
  for (let i: u32 = 0; i < whole; i += 4) {
    const a = v128.load(PIXELS + (i << 2));
    const b = v128.load(texels + (i << 2));
    const difference = v128.or(i8x16.sub_sat_u(a, b), i8x16.sub_sat_u(b, a));
    const low = i16x8.extend_low_i8x16_u(difference);
    const high = i16x8.extend_high_i8x16_u(difference);
    const squares = i32x4.add(i32x4.dot_i16x8_s(low, low), i32x4.dot_i16x8_s(high, high));
    total +=
      i32x4.extract_lane(squares, 0) +
      i32x4.extract_lane(squares, 1) +
      i32x4.extract_lane(squares, 2) +
      i32x4.extract_lane(squares, 3);
    if (total > most) return total;
  }
  for (let i = whole << 2; i < block.texels << 2; i++) {
    const difference = <i32>load<u8>(PIXELS + i) - <i32>load<u8>(texels + i);
    total += difference * difference;
  }
  return total;
}
