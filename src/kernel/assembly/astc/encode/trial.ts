// One candidate: a mode for given partitions and planes. Quantises weights, finds the end points for these weights by linear
// least squares, quantises them, moves the weights to the new end points, and keeps the candidate if its error is the least.

import { fitGrid, gridWeights, infill } from './grids.ts';
import { nearestColors, nearestWeights, quantizedWeights } from './levels.ts';
import { Mode } from './modes.ts';
import {
  BEST_END_BYTES,
  BEST_GRID_WEIGHTS,
  best,
  block,
  CHANNEL,
  DIRECTIONS,
  END_BYTES,
  ENDS,
  GRID_WEIGHTS,
  INSIDE,
  INVERSE,
  LANES,
  MASKS,
  NO_CHANNEL,
  ORIGIN,
  SCALE,
  sum,
  sums,
  TEXEL_WEIGHTS,
  TEXELS,
} from './state.ts';

/** Weights of texels between the end points of a candidate, before they are fitted to a grid. */
const MOVED: usize = memory.data(CHANNEL, 16);
/** The difference of two end points. */
const DIFFERENCE: usize = memory.data(16, 16);
/** The end points of the second plane's channel, in all lanes. */
const CHANNEL_ENDS: usize = memory.data(32, 16);

/** Tries a mode with the weights in GRID_WEIGHTS. `rounds`: how often end points and weights are improved in turn. */
export function tryMode(mode: Mode, rounds: u32): void {
  const grid: u32 = mode.grid;
  const planes: u32 = mode.planes;
  const texels = block.texels;
  quantize(mode);
  for (let round: u32 = 0; ; round++) {
    for (let plane: u32 = 0; plane < planes; plane++) {
      infill(grid, texels, GRID_WEIGHTS + plane * LANES, TEXEL_WEIGHTS + plane * CHANNEL);
    }
    let turned: u32 = 0;
    for (let partition: u32 = 0; partition < block.partitions; partition++) {
      findEnds(partition);
      if (block.isScaled !== 0) quantizeScaled(partition, mode.colorRange);
      else if (quantizeEnds(partition, mode.colorRange)) turned |= 1 << partition;
    }
    // A grid with a weight for each texel (grid 0) is fitted in every round. A smaller grid is fitted in all rounds but the last,
    // and in the last one only if end points were swapped, which inverts the meaning of its weights.
    const moves = grid === 0 || round + 1 < rounds || turned !== 0;
    if (!moves) {
      keepIfBetter(mode);
      return;
    }
    if (grid !== 0 && turned === 0) keepIfBetter(mode);
    for (let plane: u32 = 0; plane < planes; plane++) {
      moveWeights(plane);
      fitGrid(grid, texels, MOVED, GRID_WEIGHTS + plane * LANES);
    }
    quantize(mode);
    if (grid === 0 || turned !== 0) {
      for (let plane: u32 = 0; plane < planes; plane++) {
        infill(grid, texels, GRID_WEIGHTS + plane * LANES, TEXEL_WEIGHTS + plane * CHANNEL);
      }
      keepIfBetter(mode);
    }
    if (round + 1 >= rounds) return;
  }
}

/**
 * Moves each end point of the best candidate, channel by channel, to the next colours of its range: rounding each channel by
 * itself is not the best rounding of all. The candidate must have one partition, a weight a texel, and no scaled end points,
 * and the block the same partition and planes.
 */
export function nudgeEnds(): void {
  const mode = changetype<Mode>(best.mode);
  const table = nearestColors(mode.colorRange);
  for (let c: u32 = 0; c < block.channels; c++) {
    for (let end: u32 = 0; end < 2; end++) {
      const at = (end << 2) + c;
      const color: i32 = load<u8>(BEST_END_BYTES + at);
      tryEnd(mode, at, nextColor(table, color, 1));
      tryEnd(mode, at, nextColor(table, color, -1));
    }
  }
}

/** The next colour of a range in a direction; the same one at its end. */
function nextColor(table: usize, color: i32, step: i32): u32 {
  for (let next = color + step; next >= 0 && next < 256; next += step) {
    const nearest: i32 = load<u8>(table + next);
    if (nearest !== color) return nearest;
  }
  return color;
}

/** Tries the best candidate with another byte of its end points, and the weights that belong to it. */
function tryEnd(mode: Mode, at: u32, color: u32): void {
  if (load<u8>(BEST_END_BYTES + at) === color) return;
  store<u64>(END_BYTES, load<u64>(BEST_END_BYTES));
  store<u8>(END_BYTES + at, color);
  const first = load<u32>(END_BYTES);
  const second = load<u32>(END_BYTES, 4);
  if (block.channels > 2 && brightness(first) > brightness(second)) return;
  const origin = v128.load(ORIGIN);
  const scale = v128.load(SCALE);
  v128.store(ENDS, f32x4.mul(f32x4.sub(floatsOf(first), origin), scale));
  v128.store(ENDS, f32x4.mul(f32x4.sub(floatsOf(second), origin), scale), 16);
  for (let plane: u32 = 0; plane < <u32>mode.planes; plane++) {
    moveWeights(plane);
    fitGrid(0, block.texels, MOVED, GRID_WEIGHTS + plane * LANES);
  }
  quantize(mode);
  for (let plane: u32 = 0; plane < <u32>mode.planes; plane++) {
    infill(0, block.texels, GRID_WEIGHTS + plane * LANES, TEXEL_WEIGHTS + plane * CHANNEL);
  }
  keepIfBetter(mode);
}

/** Replaces the weights of the grid by the nearest ones of the mode's range. */
function quantize(mode: Mode): void {
  const table = nearestWeights(mode.weightRange);
  const count = gridWeights(mode.grid);
  for (let plane: u32 = 0; plane < <u32>mode.planes; plane++) {
    const weights = GRID_WEIGHTS + plane * LANES;
    for (let at: usize = 0; at < count; at += 16) {
      v128.store(weights + at, quantizedWeights(table, v128.load(weights + at)));
    }
  }
}

function planeOf(channel: u32): u32 {
  return channel === block.planeChannel ? 1 : 0;
}

/** The end points of a partition with the least squared error for the weights at hand, into ENDS. */
function findEnds(partition: u32): void {
  const end = (<usize>block.texels) << 2;
  const channels = block.channels;
  const mask = MASKS + partition * CHANNEL;
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  let vv = zero;
  let vw = zero;
  let ww = zero;
  let v0 = zero;
  let v1 = zero;
  let v2 = zero;
  let v3 = zero;
  let w0 = zero;
  let w1 = zero;
  let w2 = zero;
  let w3 = zero;
  for (let at: usize = 0; at < end; at += 16) {
    const inside = v128.load(mask + at);
    const weight = v128.load(TEXEL_WEIGHTS + at);
    const w = v128.and(weight, inside);
    const v = v128.and(f32x4.sub(one, weight), inside);
    vv = f32x4.add(vv, f32x4.mul(v, v));
    vw = f32x4.add(vw, f32x4.mul(v, w));
    ww = f32x4.add(ww, f32x4.mul(w, w));
    const x0 = v128.load(TEXELS + at);
    v0 = f32x4.add(v0, f32x4.mul(v, x0));
    w0 = f32x4.add(w0, f32x4.mul(w, x0));
    if (channels < 2) continue;
    const x1 = v128.load(TEXELS + at, CHANNEL);
    v1 = f32x4.add(v1, f32x4.mul(v, x1));
    w1 = f32x4.add(w1, f32x4.mul(w, x1));
    if (channels < 3) continue;
    const x2 = v128.load(TEXELS + at, 2 * CHANNEL);
    v2 = f32x4.add(v2, f32x4.mul(v, x2));
    w2 = f32x4.add(w2, f32x4.mul(w, x2));
    if (channels < 4) continue;
    const x3 = v128.load(TEXELS + at, 3 * CHANNEL);
    v3 = f32x4.add(v3, f32x4.mul(v, x3));
    w3 = f32x4.add(w3, f32x4.mul(w, x3));
  }
  const to = ENDS + ((<usize>partition) << 5);
  solveEnds(sums(vv, vw, ww, zero), sums(v0, v1, v2, v3), sums(w0, w1, w2, w3), to);
  const channel = block.planeChannel;
  if (channel === NO_CHANNEL) return;
  vv = zero;
  vw = zero;
  ww = zero;
  v0 = zero;
  w0 = zero;
  const values = TEXELS + channel * CHANNEL;
  for (let at: usize = 0; at < end; at += 16) {
    const inside = v128.load(mask + at);
    const weight = v128.load(TEXEL_WEIGHTS + at, CHANNEL);
    const w = v128.and(weight, inside);
    const v = v128.and(f32x4.sub(one, weight), inside);
    const x = v128.load(values + at);
    vv = f32x4.add(vv, f32x4.mul(v, v));
    vw = f32x4.add(vw, f32x4.mul(v, w));
    ww = f32x4.add(ww, f32x4.mul(w, w));
    v0 = f32x4.add(v0, f32x4.mul(v, x));
    w0 = f32x4.add(w0, f32x4.mul(w, x));
  }
  const lane = (<usize>channel) << 2;
  solveEnds(sums(vv, vw, ww, zero), f32x4.splat(sum(v0)), f32x4.splat(sum(w0)), CHANNEL_ENDS);
  store<f32>(to + lane, load<f32>(CHANNEL_ENDS));
  store<f32>(to + lane, load<f32>(CHANNEL_ENDS, 16), 16);
}

/** Solves the normal equations for both end points. `products`: of the weights of both ends: vv, vw, ww. */
function solveEnds(products: v128, v: v128, w: v128, to: usize): void {
  const vv = f32x4.extract_lane(products, 0);
  const vw = f32x4.extract_lane(products, 1);
  const ww = f32x4.extract_lane(products, 2);
  const determinant = vv * ww - vw * vw;
  const count = vv + 2 * vw + ww;
  // Equal weights everywhere: both ends are the mean.
  if (determinant <= count * count * 1e-5) {
    const mean = f32x4.mul(f32x4.add(v, w), f32x4.splat(1 / max<f32>(count, 1)));
    v128.store(to, mean);
    v128.store(to, mean, 16);
    return;
  }
  const inverse = f32x4.splat(1 / determinant);
  const first = f32x4.sub(f32x4.mul(v, f32x4.splat(ww)), f32x4.mul(w, f32x4.splat(vw)));
  const second = f32x4.sub(f32x4.mul(w, f32x4.splat(vv)), f32x4.mul(v, f32x4.splat(vw)));
  v128.store(to, f32x4.mul(first, inverse));
  v128.store(to, f32x4.mul(second, inverse), 16);
}

/** The nearest colours of a range to both end points. True if they changed places. */
function quantizeEnds(partition: u32, range: u32): bool {
  const ends = ENDS + ((<usize>partition) << 5);
  const bytes = END_BYTES + ((<usize>partition) << 3);
  const table = nearestColors(range);
  const first = quantizedColor(v128.load(ends), table);
  const second = quantizedColor(v128.load(ends, 16), table);
  // The decoder reads RGB of a first end point that is the brighter one differently.
  const turns = block.channels > 2 && brightness(first) > brightness(second);
  const a = turns ? second : first;
  const b = turns ? first : second;
  store<u32>(bytes, a);
  store<u32>(bytes, b, 4);
  const origin = v128.load(ORIGIN);
  const scale = v128.load(SCALE);
  v128.store(ends, f32x4.mul(f32x4.sub(floatsOf(a), origin), scale));
  v128.store(ends, f32x4.mul(f32x4.sub(floatsOf(b), origin), scale), 16);
  return turns;
}

/** The nearest colours of a range to the second end point and to the factor that makes the first one of it. */
function quantizeScaled(partition: u32, range: u32): void {
  const ends = ENDS + ((<usize>partition) << 5);
  const bytes = END_BYTES + ((<usize>partition) << 3);
  const table = nearestColors(range);
  const direction = v128.load(DIRECTIONS + ((<usize>partition) << 4));
  const origin = v128.load(ORIGIN);
  // Least squares along the direction are the directions' shares of those in all channels.
  const first = sum(f32x4.mul(f32x4.add(v128.load(ends), origin), direction));
  const second = sum(f32x4.mul(f32x4.add(v128.load(ends, 16), origin), direction));
  const color = f32x4.sub(f32x4.mul(direction, f32x4.splat(second)), origin);
  const b = quantizedColor(color, table) & 0xffffff;
  const share = second > 0 ? max<f32>(min<f32>((first / second) * 256, 255), 0) : 0;
  const factor: u32 = load<u8>(table + <u32>(share + 0.5));
  const red = ((b & 0xff) * factor) >> 8;
  const green = (((b >> 8) & 0xff) * factor) >> 8;
  const blue = ((b >> 16) * factor) >> 8;
  const a = red | (green << 8) | (blue << 16);
  store<u32>(bytes, a | (factor << 24));
  store<u32>(bytes, b, 4);
  v128.store(ends, f32x4.sub(floatsOf(a), origin));
  v128.store(ends, f32x4.sub(floatsOf(b), origin), 16);
}

function floatsOf(bytes: u32): v128 {
  return f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(i32x4.splat(bytes))));
}

function brightness(color: u32): u32 {
  return (color & 0xff) + ((color >> 8) & 0xff) + ((color >> 16) & 0xff);
}

function quantizedColor(color: v128, table: usize): u32 {
  const plain = f32x4.add(f32x4.mul(color, v128.load(INVERSE)), v128.load(ORIGIN));
  const rounded = i32x4.trunc_sat_f32x4_u(f32x4.add(plain, f32x4.splat(0.5)));
  const lanes = i32x4.min_u(rounded, i32x4.splat(255));
  return (
    <u32>load<u8>(table + i32x4.extract_lane(lanes, 0)) |
    ((<u32>load<u8>(table + i32x4.extract_lane(lanes, 1))) << 8) |
    ((<u32>load<u8>(table + i32x4.extract_lane(lanes, 2))) << 16) |
    ((<u32>load<u8>(table + i32x4.extract_lane(lanes, 3))) << 24)
  );
}

/** The weights of a plane that bring each texel nearest to the line between the end points, into MOVED. */
function moveWeights(plane: u32): void {
  const end = (<usize>block.texels) << 2;
  const one = f32x4.splat(1);
  const zero = f32x4.splat(0);
  for (let partition: u32 = 0; partition < block.partitions; partition++) {
    const mask = MASKS + partition * CHANNEL;
    const ends = ENDS + ((<usize>partition) << 5);
    const difference = f32x4.sub(v128.load(ends, 16), v128.load(ends));
    let length: f32 = 0;
    let offset: f32 = 0;
    v128.store(DIFFERENCE, difference);
    for (let c: u32 = 0; c < block.channels; c++) {
      if (planeOf(c) !== plane) continue;
      const d = load<f32>(DIFFERENCE + ((<usize>c) << 2));
      length += d * d;
      offset -= d * load<f32>(ends + ((<usize>c) << 2));
    }
    const factor: f32 = length > 0 ? 1 / length : 0;
    const scaled = f32x4.mul(difference, f32x4.splat(factor));
    v128.store(DIFFERENCE, scaled);
    const start = f32x4.splat(offset * factor);
    for (let at: usize = 0; at < end; at += 16) {
      let t = start;
      for (let c: u32 = 0; c < block.channels; c++) {
        if (planeOf(c) !== plane) continue;
        const d = v128.load32_splat(DIFFERENCE + ((<usize>c) << 2));
        t = f32x4.add(t, f32x4.mul(v128.load(TEXELS + c * CHANNEL + at), d));
      }
      t = f32x4.pmax(zero, f32x4.pmin(one, t));
      v128.store(MOVED + at, v128.bitselect(t, v128.load(MOVED + at), v128.load(mask + at)));
    }
  }
}

/** The squared error of the candidate. */
function candidateError(): f32 {
  const end = (<usize>block.texels) << 2;
  const half = f32x4.splat(0.5);
  const isRounded = block.isRounded !== 0;
  const hasTwo = block.partitions === 2;
  let total = f32x4.splat(0);
  for (let c: u32 = 0; c < block.channels; c++) {
    const lane = (<usize>c) << 2;
    const weights = TEXEL_WEIGHTS + planeOf(c) * CHANNEL;
    const values = TEXELS + c * CHANNEL;
    const first = v128.load32_splat(ENDS + lane);
    const difference = f32x4.sub(v128.load32_splat(ENDS + lane, 16), first);
    const otherFirst = v128.load32_splat(ENDS + lane, 32);
    const otherDifference = f32x4.sub(v128.load32_splat(ENDS + lane, 48), otherFirst);
    for (let at: usize = 0; at < end; at += 16) {
      const w = v128.load(weights + at);
      let value = f32x4.add(first, f32x4.mul(difference, w));
      if (hasTwo) {
        const other = f32x4.add(otherFirst, f32x4.mul(otherDifference, w));
        value = v128.bitselect(other, value, v128.load(MASKS + at, CHANNEL));
      }
      // Values are relative to a whole number: they round like the plain ones.
      if (isRounded) value = f32x4.floor(f32x4.add(value, half));
      const error = v128.and(f32x4.sub(value, v128.load(values + at)), v128.load(INSIDE + at));
      total = f32x4.add(total, f32x4.mul(error, error));
    }
  }
  return sum(total);
}

function keepIfBetter(mode: Mode): void {
  const error = candidateError();
  if (!(error < best.error)) return;
  best.error = error;
  best.mode = changetype<usize>(mode);
  best.channels = block.channels;
  best.partitions = block.partitions;
  best.pattern = block.pattern;
  best.planeChannel = block.planeChannel;
  best.isScaled = block.isScaled;
  memory.copy(BEST_GRID_WEIGHTS, GRID_WEIGHTS, 2 * LANES);
  memory.copy(BEST_END_BYTES, END_BYTES, 16);
}
