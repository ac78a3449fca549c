// The block modes that the encoder tries, for each number of planes, partitions and channels, with the errors that their
// ranges are expected to add (Khronos Data Format Specification 1.3, chapter 23: "Block Mode", "Colour Endpoint Mode").

import { GREATEST_WEIGHT_RANGE, greatestRange, levelsOf, MIN_COLOR_RANGE, RANGES, sequenceBits } from '../integers.ts';
import { gridColumns, gridCount, gridRows, gridWeights } from './grids.ts';

@unmanaged
export class Mode {
  /** The first 11 bits of the block. */
  bits: u16;
  grid: u8;
  weightRange: u8;
  colorRange: u8;
  planes: u8;
  /** Bits of all weights. */
  weightBits: u8;
  reserved: u8;
  /** The squared error of a texel that the range of weights adds, as a share of the squared length of its line … */
  weightError: f32;
  /** … and of a channel that the range of colours adds, in squared bytes. */
  colorError: f32;
}

export const MODE: u32 = 16;
/** Of twelve grids, each with twelve ranges of weights. */
const MAX_MODES: u32 = 144;
/** One plane and one partition, one plane and two partitions, two planes; of 1 to 4 channels each. */
const LISTS: usize = memory.data(12 * 144 * 16, 16);
const COUNTS: usize = memory.data(12 * 4, 4);

/** Rounding to steps of 1 leaves a mean square of 1/12. Between the weights of a smaller grid some of it averages out. */
const ROUNDING: f32 = 1 / 12;
const AVERAGED: f32 = 0.55;

/** Bits before the colours: mode, partitions, colour mode, and the pattern of two partitions. */
const HEADER_BITS: u32 = 17;
const PATTERN_HEADER_BITS: u32 = 29;

/** The number of a list. */
function listOf(planes: u32, partitions: u32, channels: u32): usize {
  return <usize>((planes === 2 ? 2 : partitions - 1) * 4 + channels - 1);
}

/** The number of channels whose end points take as many values as scaled ones: their lists serve both. */
export const SCALED: u32 = 2;

export function modesOf(planes: u32, partitions: u32, channels: u32): usize {
  return LISTS + listOf(planes, partitions, channels) * MAX_MODES * MODE;
}

export function modeCount(planes: u32, partitions: u32, channels: u32): u32 {
  return load<u32>(COUNTS + (listOf(planes, partitions, channels) << 2));
}

/** Lists the modes for the grids of grids.ts. */
export function prepareModes(): void {
  for (let channels: u32 = 1; channels <= 4; channels++) {
    prepareList(1, 1, channels);
    prepareList(1, 2, channels);
    prepareList(2, 1, channels);
  }
}

function prepareList(planes: u32, partitions: u32, channels: u32): void {
  let at = modesOf(planes, partitions, channels);
  let count: u32 = 0;
  const colors = 2 * channels * partitions;
  const header = (partitions === 2 ? PATTERN_HEADER_BITS : HEADER_BITS) + (planes === 2 ? 2 : 0);
  for (let grid: u32 = 0; grid < gridCount(); grid++) {
    const weights = gridWeights(grid) * planes;
    if (weights > 64) continue;
    // Fewer levels of the weights only pay where they leave room for more colours.
    let lowest: u32 = MIN_COLOR_RANGE;
    for (let range: i32 = GREATEST_WEIGHT_RANGE; range >= 0 && lowest < RANGES; range--) {
      const bits = sequenceBits(range, weights);
      if (bits < 24 || bits > 96) continue;
      const colorRange = greatestRange(colors, 128 - header - bits);
      if (colorRange === RANGES || colorRange < lowest) continue;
      const modeBits = bitsOfMode(gridColumns(grid), gridRows(grid), range, planes);
      if (modeBits === 0) continue;
      lowest = colorRange + 1;
      const mode = changetype<Mode>(at);
      mode.bits = <u16>modeBits;
      mode.grid = <u8>grid;
      mode.weightRange = <u8>range;
      mode.colorRange = <u8>colorRange;
      mode.planes = <u8>planes;
      mode.weightBits = <u8>bits;
      const weightStep: f32 = 1 / <f32>(levelsOf(range) - 1);
      const colorStep: f32 = 255 / <f32>(levelsOf(colorRange) - 1);
      mode.weightError = weightStep * weightStep * ROUNDING * (grid === 0 ? 1 : AVERAGED);
      // Weights between both ends share the errors of both.
      mode.colorError = colorStep * colorStep * ROUNDING * AVERAGED;
      at += MODE;
      count++;
    }
  }
  store<u32>(COUNTS + (listOf(planes, partitions, channels) << 2), count);
}

/** The 11 bits of a block mode; 0 if there is none for this grid, range and number of planes. */
function bitsOfMode(columns: u32, rows: u32, range: u32, planes: u32): u32 {
  const isPrecise: u32 = range > 5 ? 1 : 0;
  // From 2 to 7: its lowest bit is bit 4, the upper two are never both 0.
  const level = (range % 6) + 2;
  const low = (level & 1) << 4;
  const upper = level >> 1;
  const flags = (isPrecise << 9) | ((planes - 1) << 10);
  if (rows > 5 && columns > 5) {
    if (isPrecise !== 0 || planes === 2) return 0;
    return low | (upper << 2) | ((columns - 6) << 5) | (2 << 7) | ((rows - 6) << 9);
  }
  if (rows > 7) return flags | low | upper | (2 << 2) | ((columns - 2) << 5) | ((rows - 8) << 7);
  if (rows > 5) return flags | low | upper | (3 << 2) | ((columns - 2) << 5) | ((rows - 6) << 7);
  if (columns > 7) return flags | low | upper | (1 << 2) | ((rows - 2) << 5) | ((columns - 8) << 7);
  if (columns < 4) return flags | low | upper | (3 << 2) | ((rows - 2) << 5) | ((2 | (columns - 2)) << 7);
  return flags | low | upper | ((rows - 2) << 5) | ((columns - 4) << 7);
}
