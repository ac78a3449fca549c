// The search for one block's encoding: which partitions, planes and modes are tried, by quality.

import { layChannel, layLine, layScaledLine, lineError, measure, positionsAlong } from './fit.ts';
import { fitGrid, gridCount, gridResidual, infill, narrowerGrids, startResiduals, widerGrids } from './grids.ts';
import { nearestWeights, quantizedWeights } from './levels.ts';
import { MODE, Mode, modeCount, modesOf, SCALED } from './modes.ts';
import {
  divisionAlong,
  improvedDivision,
  nearestPatterns,
  patternBits,
  useOnePartition,
  usePattern,
} from './partitions.ts';
import {
  best,
  block,
  CHANNEL,
  GRID_WEIGHTS,
  IDEAL,
  LANES,
  LENGTHS,
  NO_CHANNEL,
  SCALE,
  sum,
  TEXEL_WEIGHTS,
} from './state.ts';
import { nudgeEnds, tryMode } from './trial.ts';

/** How much is tried. */
@unmanaged
export class Effort {
  /** How many grids, from the most useful one on, with one partition and plane, and with two of either. */
  grids: u32;
  moreGrids: u32;
  /** How often end points and weights are improved in turn. */
  rounds: u32;
  /** Modes of one partition and plane. */
  modes: u32;
  /** Modes of scaled end points. */
  scaledModes: u32;
  /** Channels that get weights of their own, and modes of each. */
  planes: u32;
  planeModes: u32;
  /** Patterns of two partitions that are measured, those of them that are tried, and modes of each. */
  measured: u32;
  patterns: u32;
  patternModes: u32;
  /** How often the end points of the best candidate are nudged. */
  nudges: u32;
  /** Squared error of a texel that needs no further search, in 1/100. */
  enough: u32;
  /** Hundredths of the error that the line must leave for planes and patterns to be tried: else the weights are what lacks. */
  aside: u32;
}

/** A grid leaves too little to count if it is such a part of the whole error at most. */
const NEGLIGIBLE: f32 = 10;
/** Blocks of 4 by 4 texels have whole grids alone at most qualities: the rounding of each range is measured there. */
const ROUNDED_TEXELS: u32 = 16;
const MAX_TOP: u32 = 16;
const MAX_PATTERNS: u32 = 64;
/** The modes with the least expected errors, in order. */
const TOP_MODES: usize = memory.data(16 * 4, 16);
const TOP_ERRORS: usize = memory.data(16 * 4, 16);
/** The weights of a grid that fit both planes best, and the squared error that each grid leaves. */
const FITTED: usize = memory.data(2 * LANES, 16);
const GRID_ERRORS: usize = memory.data(12 * 4, 16);
const ROUNDED: usize = memory.data(LANES, 16);
/** The patterns at hand, and the ones of them that leave the least errors. */
const PATTERNS: usize = memory.data(MAX_PATTERNS * 2, 16);
const TOP_PATTERNS: usize = memory.data(16 * 4, 16);
const PATTERN_ERRORS: usize = memory.data(16 * 4, 16);

/** The mode of the block before; 0: none. It counts as if it lost a little less. */
let preferred: usize = 0;
const PREFERENCE: f32 = 0.9;

/** Finds the best encoding of the block within an effort: `best` and what belongs to it. */
export function searchBlock(effort: Effort): void {
  // Blocks that are laid out like the one before pack well.
  preferred = effort.enough > 0 ? best.mode : 0;
  searchCandidates(effort);
  if (best.partitions === 2 || best.isScaled !== 0 || changetype<Mode>(best.mode).grid !== 0) return;
  useOnePartition();
  block.planeChannel = best.planeChannel;
  for (let i: u32 = 0; i < effort.nudges; i++) {
    const error = best.error;
    if (error === 0) return;
    nudgeEnds();
    if (best.error === error) return;
  }
}

function searchCandidates(effort: Effort): void {
  const texels = block.texels;
  const channels = block.channels;
  const enough = <f32>(effort.enough * texels) * 0.01;
  best.error = f32.MAX_VALUE;
  best.mode = 0;
  useOnePartition();
  block.planeChannel = NO_CHANNEL;
  block.isScaled = 0;
  measure(0, texels);
  const division = effort.patterns > 0 ? divisionAlong(positionsAlong(NO_CHANNEL)) : 0;
  const line = layLine(0, NO_CHANNEL);
  block.residual = line;
  tryModes(1, effort.modes, effort.grids, effort.rounds);
  if (best.error <= enough) return;
  if (channels === 3 && effort.scaledModes > 0) {
    block.residual = layScaledLine(0, texels);
    if (block.residual < best.error) {
      block.isScaled = 1;
      tryModes(1, effort.scaledModes, effort.grids, effort.rounds);
      block.isScaled = 0;
      if (best.error <= enough) return;
    }
  }
  if (line * 100 < best.error * <f32>effort.aside) return;
  if (channels > 1 && effort.planes > 0) {
    tryPlanes(effort);
    if (best.error <= enough) return;
  }
  if (effort.patterns > 0) tryPatterns(division, effort);
}

/** Tries the channels that leave the least errors when they have weights of their own. */
function tryPlanes(effort: Effort): void {
  const channels = block.channels;
  // Of two channels, either has weights of its own when the other has.
  const first: u32 = channels === 2 ? 1 : 0;
  let done: u32 = 0;
  for (let k: u32 = 0; k < effort.planes && first + k < channels; k++) {
    let channel: u32 = first;
    let lowest = f32.MAX_VALUE;
    for (let c = first; c < channels; c++) {
      if (((done >> c) & 1) !== 0) continue;
      const error = lineError(c);
      if (error >= lowest) continue;
      lowest = error;
      channel = c;
    }
    done |= 1 << channel;
    if (lowest >= best.error) return;
    block.planeChannel = channel;
    block.residual = layLine(0, channel);
    layChannel(channel);
    tryModes(2, effort.planeModes, effort.moreGrids, effort.rounds);
  }
  block.planeChannel = NO_CHANNEL;
}

/** Tries the patterns nearest to a division of the texels. */
function tryPatterns(division: u64, effort: Effort): void {
  const texels = block.texels;
  block.planeChannel = NO_CHANNEL;
  const split = improvedDivision(improvedDivision(division));
  const count = nearestPatterns(split, effort.measured, PATTERNS);
  let kept: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const pattern: u32 = load<u16>(PATTERNS + ((<usize>i) << 1));
    const second = <u32>popcnt<u64>(patternBits(pattern));
    usePattern(pattern);
    measure(0, texels - second);
    let error = lineError(NO_CHANNEL);
    measure(1, second);
    error += lineError(NO_CHANNEL);
    if (error >= best.error) continue;
    kept = insert(TOP_PATTERNS, PATTERN_ERRORS, kept, effort.patterns, pattern, error);
  }
  for (let i: u32 = 0; i < kept; i++) {
    if (load<f32>(PATTERN_ERRORS + ((<usize>i) << 2)) >= best.error) return;
    const pattern = load<u32>(TOP_PATTERNS + ((<usize>i) << 2));
    const second = <u32>popcnt<u64>(patternBits(pattern));
    usePattern(pattern);
    measure(0, texels - second);
    let error = layLine(0, NO_CHANNEL);
    measure(1, second);
    error += layLine(1, NO_CHANNEL);
    block.residual = error;
    tryModes(1, effort.patternModes, effort.moreGrids, effort.rounds);
    if (block.channels !== 3 || effort.scaledModes === 0) continue;
    error = layScaledLine(1, second);
    measure(0, texels - second);
    error += layScaledLine(0, texels - second);
    block.residual = error;
    if (error >= best.error) continue;
    block.isScaled = 1;
    tryModes(1, effort.patternModes, effort.moreGrids, effort.rounds);
    block.isScaled = 0;
  }
}

/** Inserts an item into a list of at most `highest`, sorted by error. Gives the list's length. */
function insert(items: usize, errors: usize, count: u32, highest: u32, item: u32, error: f32): u32 {
  let at = count < highest ? count : highest - 1;
  if (count === highest && error >= load<f32>(errors + ((<usize>at) << 2))) return count;
  while (at > 0 && load<f32>(errors + ((<usize>at - 1) << 2)) > error) {
    store<f32>(errors + ((<usize>at) << 2), load<f32>(errors + ((<usize>at - 1) << 2)));
    store<u32>(items + ((<usize>at) << 2), load<u32>(items + ((<usize>at - 1) << 2)));
    at--;
  }
  store<f32>(errors + ((<usize>at) << 2), error);
  store<u32>(items + ((<usize>at) << 2), item);
  return count < highest ? count + 1 : count;
}

/** Tries the modes with the least expected errors for the lines at hand. `planes`: 1 or 2. */
function tryModes(planes: u32, highest: u32, grids: u32, rounds: u32): void {
  const last = (<usize>block.texels) << 2;
  const used = min(grids, gridCount());
  let lengths = f32x4.splat(0);
  for (let plane: u32 = 0; plane < planes; plane++) {
    for (let at: usize = 0; at < last; at += 16) {
      lengths = f32x4.add(lengths, v128.load(LENGTHS + plane * CHANNEL + at));
    }
  }
  const length = sum(lengths);
  let scales: f32 = 0;
  for (let c: u32 = 0; c < block.channels; c++) {
    const scale = load<f32>(SCALE + ((<usize>c) << 2));
    scales += scale * scale;
  }
  scales *= <f32>block.texels;
  const values = block.isScaled !== 0 ? SCALED : block.channels;
  const count = modeCount(planes, block.partitions, values);
  let mode = modesOf(planes, block.partitions, values);
  const end = mode + count * MODE;
  let kept: u32 = 0;
  highest = min(highest, MAX_TOP);
  if (block.partitions === 1) startResiduals(planes, block.texels);
  let poor: u32 = 0;
  let fine: u32 = 0;
  // Modes are listed in the order of their grids.
  while (mode < end) {
    const grid: u32 = changetype<Mode>(mode).grid;
    if (grid >= used) break;
    // What a wider grid cannot follow, a narrower one cannot; what a narrower one follows needs no wider one.
    const isUseless = (poor & widerGrids(grid)) !== 0 || (fine & narrowerGrids(grid)) !== 0;
    const first = mode;
    while (mode < end && <u32>changetype<Mode>(mode).grid === grid) mode += MODE;
    if (isUseless) continue;
    const isRounded = grid === 0 && block.texels === ROUNDED_TEXELS;
    let lowest = f32.MAX_VALUE;
    for (let at = first; at < mode; at += MODE) {
      const candidate = changetype<Mode>(at);
      lowest = min(lowest, (isRounded ? 0 : candidate.weightError * length) + candidate.colorError * scales);
    }
    const bound = kept === highest ? load<f32>(TOP_ERRORS + ((<usize>kept - 1) << 2)) : best.error;
    let fitted = leastError(grid, planes);
    if (lowest + block.residual + fitted < bound) {
      fitted = gridError(grid, planes);
      for (let at = first; at < mode; at += MODE) {
        const candidate = changetype<Mode>(at);
        const rounding = isRounded ? roundingError(candidate.weightRange, planes) : candidate.weightError * length;
        let error = block.residual + fitted + rounding + candidate.colorError * scales;
        if (at === preferred) error *= PREFERENCE;
        kept = insert(TOP_MODES, TOP_ERRORS, kept, highest, <u32>at, error);
      }
    }
    store<f32>(GRID_ERRORS + ((<usize>grid) << 2), fitted);
    if (block.residual + fitted >= bound) poor |= 1 << grid;
    if (grid !== 0 && fitted * NEGLIGIBLE < lowest + block.residual) fine |= 1 << grid;
  }
  for (let i: u32 = 0; i < kept; i++) {
    const candidate = changetype<Mode>(<usize>load<u32>(TOP_MODES + ((<usize>i) << 2)));
    const grid: usize = candidate.grid;
    if (block.residual + load<f32>(GRID_ERRORS + (grid << 2)) >= best.error) continue;
    for (let plane: u32 = 0; plane < planes; plane++) {
      fitGrid(<u32>grid, block.texels, IDEAL + plane * CHANNEL, GRID_WEIGHTS + plane * LANES);
    }
    tryMode(candidate, rounds);
  }
}

/** The squared error of the ideal weights of whole grids, rounded to a range. */
function roundingError(range: u32, planes: u32): f32 {
  const table = nearestWeights(range);
  const texels = block.texels;
  let total = f32x4.splat(0);
  for (let plane: u32 = 0; plane < planes; plane++) {
    for (let at: u32 = 0; at < texels; at += 16) {
      v128.store(ROUNDED + at, quantizedWeights(table, v128.load(FITTED + plane * LANES + at)));
    }
    infill(0, texels, ROUNDED, TEXEL_WEIGHTS);
    const ideal = IDEAL + plane * CHANNEL;
    const lengths = LENGTHS + plane * CHANNEL;
    for (let at: u32 = 0; at < texels << 2; at += 16) {
      const error = f32x4.sub(v128.load(TEXEL_WEIGHTS + at), v128.load(ideal + at));
      total = f32x4.add(total, f32x4.mul(f32x4.mul(error, error), v128.load(lengths + at)));
    }
  }
  return sum(total);
}

/** What a grid leaves of the best weights of each plane at least: what rounding and the ends of the range add is not in it. */
function leastError(grid: u32, planes: u32): f32 {
  if (grid === 0 || block.partitions > 1) return 0;
  // The texels of one partition have a line of the same length.
  let error: f32 = 0;
  for (let plane: u32 = 0; plane < planes; plane++) {
    error += gridResidual(grid, plane) * load<f32>(LENGTHS + plane * CHANNEL);
  }
  return error;
}

/** Fits a grid to the best weights of each plane, and measures what it leaves. */
function gridError(grid: u32, planes: u32): f32 {
  const texels = block.texels;
  const end = (<usize>texels) << 2;
  let total = f32x4.splat(0);
  for (let plane: u32 = 0; plane < planes; plane++) {
    const fitted = FITTED + plane * LANES;
    const ideal = IDEAL + plane * CHANNEL;
    fitGrid(grid, texels, ideal, fitted);
    if (grid === 0) continue;
    infill(grid, texels, fitted, TEXEL_WEIGHTS);
    const lengths = LENGTHS + plane * CHANNEL;
    for (let at: usize = 0; at < end; at += 16) {
      const error = f32x4.sub(v128.load(TEXEL_WEIGHTS + at), v128.load(ideal + at));
      total = f32x4.add(total, f32x4.mul(f32x4.mul(error, error), v128.load(lengths + at)));
    }
  }
  return sum(total);
}
