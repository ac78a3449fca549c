// Weight grids of a block size: how texels are interpolated from a grid (Khronos Data Format Specification 1.3, chapter 23:
// "Weight Infill"), and the linear least squares that finds the grid for given weights of texels.

import { CHANNEL, IDEAL, INSIDE, LANES, sum } from './state.ts';

/** Columns and rows of the grids, the most useful ones first. The first one has a weight a texel. */
const GRIDS_4: usize = memory.data<u8>([4, 4, 3, 3, 4, 3, 3, 4, 4, 2, 2, 4, 3, 2, 2, 3, 2, 2]);
const GRIDS_5: usize = memory.data<u8>([5, 5, 4, 4, 5, 4, 4, 5, 3, 3, 5, 3, 3, 5, 4, 3, 3, 4, 2, 2]);
const GRIDS_6: usize = memory.data<u8>([6, 6, 5, 5, 4, 4, 6, 5, 5, 6, 6, 4, 4, 6, 5, 4, 4, 5, 3, 3, 6, 3, 3, 6]);
const GRIDS_8: usize = memory.data<u8>([8, 8, 6, 6, 5, 5, 4, 4, 7, 7, 6, 5, 5, 6, 8, 4, 4, 8, 6, 4, 4, 6, 3, 3]);
const MAX_GRIDS: u32 = 12;
/** A texel has four neighbours in the grid: for each of the four the weight's number and its share of 16 of all texels. */
const TAPS_BYTES: u32 = 8 * LANES;
const TAPS: usize = memory.data(MAX_GRIDS * TAPS_BYTES, 16);
/** Columns or rows of a grid, and texels along a side of a block, at most. */
const LONGEST: u32 = 8;
/** For each number of weights along a side and each texel the shares of that texel in all weights: a line of floats. */
const LINE: u32 = LONGEST * 4;
const SOLVED_BYTES: u32 = LONGEST * LINE;
const SOLVED: usize = memory.data((LONGEST + 1) * SOLVED_BYTES, 16);
/** Rows of a system of equations: the weights, then the texels. */
const ROW: u32 = 2 * LONGEST * 8;
const SYSTEM: usize = memory.data(LONGEST * ROW, 16);
/** Weights of texels that are fitted to rows along the columns: a line each row. */
const UPRIGHT: usize = memory.data(LONGEST * LINE, 16);
/** For each number of weights an orthonormal basis of what they interpolate: a line of floats for each texel. */
const BASIS: usize = memory.data((LONGEST + 1) * SOLVED_BYTES, 16);
/** For each plane its ideal weights along the columns in these bases, as in UPRIGHT; which of them are at hand; all squared. */
const SPREAD_BYTES: u32 = (LONGEST + 1) * LONGEST * LINE;
const SPREAD: usize = memory.data(2 * SPREAD_BYTES, 16);
const SPREADS: usize = memory.data(2 * 4, 4);
const SQUARES: usize = memory.data(2 * 4, 4);
/** The lanes of a row's second vector that are texels. */
const SECOND: usize = memory.data(16, 16);
/** Bits of the grids that have no fewer columns and rows than a grid, and of those that have no more. */
const WIDER: usize = memory.data(MAX_GRIDS * 4, 4);
const NARROWER: usize = memory.data(MAX_GRIDS * 4, 4);

let size: u32 = 0;
let grids: usize = 0;
let used: u32 = 0;

export function gridCount(): u32 {
  return used;
}

export function gridColumns(grid: u32): u32 {
  return load<u8>(grids + 2 * grid);
}

export function gridRows(grid: u32): u32 {
  return load<u8>(grids + 2 * grid + 1);
}

export function gridWeights(grid: u32): u32 {
  return gridColumns(grid) * gridRows(grid);
}

/** Fills the tables for blocks of `side` by `side` texels: 4, 5, 6 or 8. */
export function prepareGrids(side: u32): void {
  size = side;
  grids = side === 4 ? GRIDS_4 : side === 5 ? GRIDS_5 : side === 6 ? GRIDS_6 : GRIDS_8;
  used = side === 4 ? 9 : side === 5 ? 10 : 12;
  for (let weights: u32 = 2; weights < side; weights++) {
    solve(weights);
    findBasis(weights);
  }
  for (let i: u32 = 0; i < 4; i++) store<u32>(SECOND + (i << 2), i + 4 < side ? ~0 : 0);
  for (let grid: u32 = 0; grid < gridCount(); grid++) {
    findTaps(grid);
    let wider: u32 = 0;
    let narrower: u32 = 0;
    for (let other: u32 = 0; other < gridCount(); other++) {
      if (other === grid) continue;
      if (gridColumns(other) >= gridColumns(grid) && gridRows(other) >= gridRows(grid)) wider |= 1 << other;
      if (gridColumns(other) <= gridColumns(grid) && gridRows(other) <= gridRows(grid)) narrower |= 1 << other;
    }
    store<u32>(WIDER + (grid << 2), wider);
    store<u32>(NARROWER + (grid << 2), narrower);
  }
}

export function widerGrids(grid: u32): u32 {
  return load<u32>(WIDER + (grid << 2));
}

export function narrowerGrids(grid: u32): u32 {
  return load<u32>(NARROWER + (grid << 2));
}

function findTaps(grid: u32): void {
  const columns = gridColumns(grid);
  const rows = gridRows(grid);
  const step = (1024 + (size >> 1)) / (size - 1);
  let at = TAPS + grid * TAPS_BYTES;
  memory.fill(at, 0, TAPS_BYTES);
  for (let t: u32 = 0; t < size; t++) {
    const gridT = (step * t * (rows - 1) + 32) >> 6;
    const shareT = gridT & 15;
    for (let s: u32 = 0; s < size; s++, at++) {
      const gridS = (step * s * (columns - 1) + 32) >> 6;
      const shareS = gridS & 15;
      const both = (shareS * shareT + 8) >> 4;
      const first = (gridS >> 4) + (gridT >> 4) * columns;
      store<u8>(at, first);
      store<u8>(at + LANES, first + 1);
      store<u8>(at + 2 * LANES, first + columns);
      store<u8>(at + 3 * LANES, first + columns + 1);
      store<u8>(at + 4 * LANES, 16 - shareS - shareT + both);
      store<u8>(at + 5 * LANES, shareS - both);
      store<u8>(at + 6 * LANES, shareT - both);
      store<u8>(at + 7 * LANES, both);
    }
  }
}

/**
 * Solves (AᵀA) g = Aᵀt along a side, where A interpolates the texels t from the weights g. The weights of two neighbours are
 * multiplied by shares along both sides, but for a rounding, so that a grid is fitted along its columns, then along its rows.
 */
function solve(count: u32): void {
  memory.fill(SYSTEM, 0, LONGEST * ROW);
  const step = (1024 + (size >> 1)) / (size - 1);
  for (let texel: u32 = 0; texel < size; texel++) {
    const place = (step * texel * (count - 1) + 32) >> 6;
    const first = place >> 4;
    for (let i: u32 = 0; i < 2; i++) {
      const share = <f64>(i === 0 ? 16 - (place & 15) : place & 15);
      if (share === 0) continue;
      const row = SYSTEM + (first + i) * ROW;
      store<f64>(row + ((count + texel) << 3), share / 16);
      for (let k: u32 = 0; k < 2; k++) {
        const other = <f64>(k === 0 ? 16 - (place & 15) : place & 15);
        if (other === 0) continue;
        const cell = row + ((first + k) << 3);
        store<f64>(cell, load<f64>(cell) + (share * other) / 256);
      }
    }
  }
  // The matrix is positive definite: elimination needs no search for a pivot.
  const width = count + size;
  for (let i: u32 = 0; i < count; i++) {
    const pivot = SYSTEM + i * ROW;
    const inverse = 1 / load<f64>(pivot + (i << 3));
    for (let k = i; k < width; k++) store<f64>(pivot + (k << 3), load<f64>(pivot + (k << 3)) * inverse);
    for (let j: u32 = 0; j < count; j++) {
      if (j === i) continue;
      const row = SYSTEM + j * ROW;
      const factor = load<f64>(row + (i << 3));
      if (factor === 0) continue;
      for (let k = i; k < width; k++) {
        store<f64>(row + (k << 3), load<f64>(row + (k << 3)) - factor * load<f64>(pivot + (k << 3)));
      }
    }
  }
  let to = SOLVED + count * SOLVED_BYTES;
  for (let texel: u32 = 0; texel < size; texel++, to += LINE) {
    for (let i: u32 = 0; i < LONGEST; i++) {
      store<f32>(to + (i << 2), i < count ? <f32>load<f64>(SYSTEM + i * ROW + ((count + texel) << 3)) : 0);
    }
  }
}

/** Makes the columns of A, which interpolates texels from weights, orthonormal: each loses what those before have of it. */
function findBasis(count: u32): void {
  const begin = BASIS + count * SOLVED_BYTES;
  memory.fill(begin, 0, SOLVED_BYTES);
  memory.fill(SYSTEM, 0, LONGEST * ROW);
  const step = (1024 + (size >> 1)) / (size - 1);
  for (let texel: u32 = 0; texel < size; texel++) {
    const place = (step * texel * (count - 1) + 32) >> 6;
    const share = <f64>(place & 15);
    const row = SYSTEM + (place >> 4) * ROW + (texel << 3);
    store<f64>(row, 16 - share);
    if (share > 0) store<f64>(row + ROW, share);
  }
  for (let i: u32 = 0; i < count; i++) {
    const own = SYSTEM + i * ROW;
    for (let k: u32 = 0; k < i; k++) {
      const other = SYSTEM + k * ROW;
      const common = product(own, other);
      for (let at: u32 = 0; at < size << 3; at += 8) {
        store<f64>(own + at, load<f64>(own + at) - common * load<f64>(other + at));
      }
    }
    const factor = 1 / sqrt<f64>(product(own, own));
    for (let texel: u32 = 0; texel < size; texel++) {
      const value = load<f64>(own + (texel << 3)) * factor;
      store<f64>(own + (texel << 3), value);
      store<f32>(begin + texel * LINE + (i << 2), <f32>value);
    }
  }
}

function product(a: usize, b: usize): f64 {
  let total: f64 = 0;
  for (let at: u32 = 0; at < size << 3; at += 8) total += load<f64>(a + at) * load<f64>(b + at);
  return total;
}

/** Begins to measure what grids leave of the ideal weights of so many planes. */
export function startResiduals(planes: u32, texels: u32): void {
  for (let plane: u32 = 0; plane < planes; plane++) {
    const ideal = IDEAL + plane * CHANNEL;
    let total = f32x4.splat(0);
    for (let at: u32 = 0; at < texels << 2; at += 16) {
      const weights = v128.and(v128.load(ideal + at), v128.load(INSIDE + at));
      total = f32x4.add(total, f32x4.mul(weights, weights));
    }
    store<u32>(SPREADS + (plane << 2), 0);
    store<f32>(SQUARES + (plane << 2), sum(total));
  }
}

/**
 * The squares of what a grid leaves of a plane's ideal weights: all squares but those in the basis of what it interpolates. What
 * rounding and the ends of the range leave is not in it.
 */
export function gridResidual(grid: u32, plane: u32): f32 {
  const columns = gridColumns(grid);
  const rows = gridRows(grid);
  const side = size;
  const second = v128.load(SECOND);
  let from = spread(rows, plane);
  const end = from + rows * LINE;
  let total = f32x4.splat(0);
  if (columns === side) {
    for (; from < end; from += LINE) {
      const left = v128.load(from);
      const right = v128.and(v128.load(from, 16), second);
      total = f32x4.add(total, f32x4.add(f32x4.mul(left, left), f32x4.mul(right, right)));
    }
    return max<f32>(load<f32>(SQUARES + (plane << 2)) - sum(total), 0);
  }
  const basis = BASIS + columns * SOLVED_BYTES;
  const last = basis + side * LINE;
  for (; from < end; from += LINE) {
    let left = f32x4.splat(0);
    let right = left;
    let value = from;
    if (columns > 4) {
      for (let shares = basis; shares < last; shares += LINE, value += 4) {
        const weight = v128.load32_splat(value);
        left = f32x4.add(left, f32x4.mul(weight, v128.load(shares)));
        right = f32x4.add(right, f32x4.mul(weight, v128.load(shares, 16)));
      }
    } else {
      for (let shares = basis; shares < last; shares += LINE, value += 4) {
        left = f32x4.add(left, f32x4.mul(v128.load32_splat(value), v128.load(shares)));
      }
    }
    total = f32x4.add(total, f32x4.add(f32x4.mul(left, left), f32x4.mul(right, right)));
  }
  return max<f32>(load<f32>(SQUARES + (plane << 2)) - sum(total), 0);
}

/** A plane's ideal weights along the columns, in the basis of a number of rows. Gives their address. */
function spread(rows: u32, plane: u32): usize {
  const begin = SPREAD + plane * SPREAD_BYTES + rows * LONGEST * LINE;
  const done = load<u32>(SPREADS + (plane << 2));
  if (((done >> rows) & 1) !== 0) return begin;
  store<u32>(SPREADS + (plane << 2), done | (1 << rows));
  upright(rows, IDEAL + plane * CHANNEL, BASIS + rows * SOLVED_BYTES, begin);
  return begin;
}

/** Sums up rows of weights by the shares that they have in so many others. */
function upright(rows: u32, source: usize, solved: usize, to: usize): void {
  const side = size;
  const pitch = (<usize>side) << 2;
  const last = solved + side * LINE;
  for (let row: u32 = 0; row < rows; row++, to += LINE) {
    let from = source;
    if (rows === side) {
      v128.store(to, v128.load(from + row * pitch));
      v128.store(to, v128.load(from + row * pitch, 16), 16);
      continue;
    }
    let left = f32x4.splat(0);
    let right = left;
    const shares = row << 2;
    if (side > 4) {
      for (let at = solved; at < last; at += LINE, from += pitch) {
        const factor = v128.load32_splat(at + shares);
        left = f32x4.add(left, f32x4.mul(factor, v128.load(from)));
        right = f32x4.add(right, f32x4.mul(factor, v128.load(from, 16)));
      }
    } else {
      for (let at = solved; at < last; at += LINE, from += pitch) {
        left = f32x4.add(left, f32x4.mul(v128.load32_splat(at + shares), v128.load(from)));
      }
    }
    v128.store(to, left);
    v128.store(to, right, 16);
  }
}

/** The weights of a grid, 0 to 64 in bytes, that come nearest to weights of texels, 0 to 1 in floats. */
export function fitGrid(grid: u32, texels: u32, source: usize, to: usize): void {
  const factor = f32x4.splat(64);
  const half = f32x4.splat(0.5);
  if (grid === 0) {
    const end = source + (texels << 2);
    for (let from = source; from < end; from += 16, to += 4) {
      storeBytes(to, i32x4.trunc_sat_f32x4_u(f32x4.add(f32x4.mul(v128.load(from), factor), half)));
    }
    return;
  }
  const columns = gridColumns(grid);
  const rows = gridRows(grid);
  const solved = SOLVED + columns * SOLVED_BYTES;
  upright(rows, source, SOLVED + rows * SOLVED_BYTES, UPRIGHT);
  let from: usize = UPRIGHT;
  // Rows end within a vector: what is stored beyond them is overwritten by the next one, or not read.
  for (let row: u32 = 0; row < rows; row++, from += LINE, to += columns) {
    let left = v128.load(from);
    let right = v128.load(from, 16);
    if (columns < size) {
      left = f32x4.splat(0);
      right = left;
      let shares = solved;
      for (let texel: u32 = 0; texel < size; texel++, shares += LINE) {
        const value = v128.load32_splat(from + (texel << 2));
        left = f32x4.add(left, f32x4.mul(value, v128.load(shares)));
        if (columns > 4) right = f32x4.add(right, f32x4.mul(value, v128.load(shares, 16)));
      }
    }
    storeBytes(to, weightsOf(left, factor, half));
    if (columns > 4) storeBytes(to + 4, weightsOf(right, factor, half));
  }
}

function weightsOf(values: v128, factor: v128, half: v128): v128 {
  const rounded = i32x4.trunc_sat_f32x4_u(f32x4.add(f32x4.mul(values, factor), half));
  return i32x4.min_u(rounded, i32x4.splat(64));
}

/** Four lanes below 256 as four bytes. */
function storeBytes(to: usize, lanes: v128): void {
  store<u32>(
    to,
    i32x4.extract_lane(v128.shuffle<u8>(lanes, lanes, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12), 0),
  );
}

/** 16 of the bytes at `from` by their numbers; `count`: how many bytes there are, at most 64. */
function gathered(from: usize, count: u32, numbers: v128): v128 {
  let bytes = i8x16.swizzle(v128.load(from), numbers);
  if (count > 16) {
    bytes = v128.or(bytes, i8x16.swizzle(v128.load(from, 16), i8x16.sub(numbers, i8x16.splat(16))));
    if (count > 32) {
      bytes = v128.or(bytes, i8x16.swizzle(v128.load(from, 32), i8x16.sub(numbers, i8x16.splat(32))));
      if (count > 48) bytes = v128.or(bytes, i8x16.swizzle(v128.load(from, 48), i8x16.sub(numbers, i8x16.splat(48))));
    }
  }
  return bytes;
}

/** The weights of all texels, 0 to 1 in floats, between those of a grid, 0 to 64 in bytes. */
export function infill(grid: u32, texels: u32, from: usize, to: usize): void {
  const factor = f32x4.splat(1 / 64);
  if (grid === 0) {
    const end = from + texels;
    for (; from < end; from += 4, to += 16) {
      const lanes = u32x4FromBytes(v128.load32_zero(from));
      v128.store(to, f32x4.mul(f32x4.convert_i32x4_u(lanes), factor));
    }
    return;
  }
  const count = gridWeights(grid);
  const eight = i16x8.splat(8);
  let taps = TAPS + grid * TAPS_BYTES;
  for (let texel: u32 = 0; texel < texels; texel += 16, taps += 16, to += 64) {
    let lower = eight;
    let upper = eight;
    for (let i: usize = 0; i < 4; i++) {
      const bytes = gathered(from, count, v128.load(taps + i * LANES));
      const shares = v128.load(taps + (4 + i) * LANES);
      lower = i16x8.add(lower, i16x8.extmul_low_i8x16_u(bytes, shares));
      upper = i16x8.add(upper, i16x8.extmul_high_i8x16_u(bytes, shares));
    }
    lower = i16x8.shr_u(lower, 4);
    upper = i16x8.shr_u(upper, 4);
    v128.store(to, f32x4.mul(f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(lower)), factor));
    v128.store(to, f32x4.mul(f32x4.convert_i32x4_u(i32x4.extend_high_i16x8_u(lower)), factor), 16);
    v128.store(to, f32x4.mul(f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(upper)), factor), 32);
    v128.store(to, f32x4.mul(f32x4.convert_i32x4_u(i32x4.extend_high_i16x8_u(upper)), factor), 48);
  }
}

/** The lowest four bytes as lanes. */
function u32x4FromBytes(bytes: v128): v128 {
  return i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(bytes));
}
