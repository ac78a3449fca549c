// The 16 bytes of a block (Khronos Data Format Specification 1.3, chapter 23: "Block Layout", "Void-Extent Blocks").

import { gridWeights } from './grids.ts';
import { colorValues, highBits, lowBits, putBits, putSequence, startBits, weightValues } from './levels.ts';
import { Mode } from './modes.ts';
import { BEST_END_BYTES, BEST_GRID_WEIGHTS, best, LANES } from './state.ts';

/** The lower half of a void extent without coordinates: all ones but for bits 0, 1 and 9. */
const VOID_EXTENT: u64 = ~(<u64>0x203);
/** Every second bit, the lower two of every four, the lower four of every eight. */
const SINGLES: u64 = u64.MAX_VALUE / 3;
const PAIRS: u64 = u64.MAX_VALUE / 5;
const NIBBLES: u64 = u64.MAX_VALUE / 17;

/** Values of weights or colours, a byte each. */
const VALUES: usize = memory.data(64, 16);

/** A block of one colour. */
export function packColor(color: u32, to: usize): void {
  store<u64>(to, VOID_EXTENT);
  for (let c: usize = 0; c < 4; c++) store<u16>(to + 8 + 2 * c, ((color >> (<u32>c * 8)) & 0xff) * 0x101);
}

/** The best candidate. */
export function packBest(to: usize): void {
  const mode = changetype<Mode>(best.mode);
  const partitions = best.partitions;
  const channels = best.channels;
  const planes: u32 = mode.planes;
  const count = gridWeights(mode.grid);
  const ofWeight = weightValues(mode.weightRange);
  for (let i: u32 = 0; i < count; i++) {
    for (let plane: u32 = 0; plane < planes; plane++) {
      store<u8>(VALUES + i * planes + plane, load<u8>(ofWeight + load<u8>(BEST_GRID_WEIGHTS + plane * LANES + i)));
    }
  }
  startBits(0);
  putSequence(VALUES, count * planes, mode.weightRange);
  // Weights are stored from the last bit of the block down.
  let low = reversed(highBits());
  let high = reversed(lowBits());

  const ofColor = colorValues(mode.colorRange);
  let values = VALUES;
  for (let partition: u32 = 0; partition < partitions; partition++) {
    const ends = BEST_END_BYTES + ((<usize>partition) << 3);
    if (best.isScaled !== 0) {
      for (let c: usize = 0; c < 3; c++) store<u8>(values + c, load<u8>(ofColor + load<u8>(ends + 4 + c)));
      store<u8>(values, load<u8>(ofColor + load<u8>(ends, 3)), 3);
      values += 4;
      continue;
    }
    for (let c: u32 = 0; c < channels; c++, values += 2) {
      store<u8>(values, load<u8>(ofColor + load<u8>(ends + c)));
      store<u8>(values, load<u8>(ofColor + load<u8>(ends + 4 + c)), 1);
    }
  }
  startBits(0);
  putBits(mode.bits, 11);
  putBits(partitions - 1, 2);
  // Direct luminance, luminance and alpha, RGB, RGBA are the colour modes 0, 4, 8 and 12, scaled RGB is 6.
  const colorMode: u32 = best.isScaled !== 0 ? 6 : (channels - 1) << 2;
  if (partitions === 1) putBits(colorMode, 4);
  else {
    putBits(best.pattern, 10);
    // Both partitions have the same mode: two zeros before it.
    putBits(colorMode << 2, 6);
  }
  putSequence(VALUES, <u32>(values - VALUES), mode.colorRange);
  low |= lowBits();
  high |= highBits();
  if (planes === 2) {
    // The alpha of luminance and alpha is channel 3.
    const channel: u64 = channels === 2 ? 3 : best.planeChannel;
    const at: u32 = 128 - mode.weightBits - 2;
    if (at >= 64) high |= channel << (at - 64);
    else {
      low |= channel << at;
      if (at === 63) high |= channel >> 1;
    }
  }
  store<u64>(to, low);
  store<u64>(to, high, 8);
}

/** The bits of a word in reverse order. */
function reversed(bits: u64): u64 {
  bits = ((bits >> 1) & SINGLES) | ((bits & SINGLES) << 1);
  bits = ((bits >> 2) & PAIRS) | ((bits & PAIRS) << 2);
  bits = ((bits >> 4) & NIBBLES) | ((bits & NIBBLES) << 4);
  return bswap<u64>(bits);
}
