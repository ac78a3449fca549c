// Weight grids of a block size: how texels are interpolated from a grid (Khronos Data Format Specification 1.3, chapter 23:
// "Weight Infill"), and the linear least squares that finds the grid for given weights of texels.

import { LANES } from './state.ts';

/** Columns and rows of the grids, the most useful ones first. The first one has a weight a texel. */
const GRIDS_4: usize = memory.data<u8>([4, 4, 3, 3, 4, 3, 3, 4, 4, 2, 2, 4, 3, 2, 2, 3, 2, 2]);
const GRIDS_6: usize = memory.data<u8>([6, 6, 5, 5, 4, 4, 6, 5, 5, 6, 6, 4, 4, 6, 5, 4, 4, 5, 3, 3, 6, 3, 3, 6]);
const MAX_GRIDS: u32 = 12;
/** Weights of the greatest grid that is smaller than its block. */
const MAX_SOLVED: u32 = 30;

/** A texel has four neighbours in the grid: for each of the four the weight's number and its share of 16 of all texels. */
const TAPS_BYTES: u32 = 8 * LANES;
const TAPS: usize = memory.data(MAX_GRIDS * TAPS_BYTES, 16);
/** For each four weights of a grid the shares of all texels: four floats a texel. */
const SOLVED_BYTES: u32 = 8 * 36 * 16;
const SOLVED: usize = memory.data(MAX_GRIDS * SOLVED_BYTES, 16);
/** Rows of a system of equations: the grid's weights, then the texels. */
const ROW: u32 = (MAX_SOLVED + 36) * 8;
const SYSTEM: usize = memory.data(MAX_SOLVED * ROW, 16);

let size: u32 = 0;

export function gridCount(): u32 {
  return size === 4 ? 9 : 12;
}

export function gridColumns(grid: u32): u32 {
  return load<u8>((size === 4 ? GRIDS_4 : GRIDS_6) + 2 * grid);
}

export function gridRows(grid: u32): u32 {
  return load<u8>((size === 4 ? GRIDS_4 : GRIDS_6) + 2 * grid + 1);
}

export function gridWeights(grid: u32): u32 {
  return gridColumns(grid) * gridRows(grid);
}

/** Fills the tables for blocks of `side` by `side` texels, 4 or 6. */
export function prepareGrids(side: u32): void {
  size = side;
  for (let grid: u32 = 0; grid < gridCount(); grid++) {
    findTaps(grid);
    if (grid > 0) solve(grid);
  }
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

/** Solves (AᵀA) G = AᵀT for G as a matrix that is applied to T, where A interpolates the texels T from the grid G. */
function solve(grid: u32): void {
  const count = gridWeights(grid);
  const texels = size * size;
  memory.fill(SYSTEM, 0, count * ROW);
  const taps = TAPS + grid * TAPS_BYTES;
  for (let texel: u32 = 0; texel < texels; texel++) {
    for (let i: usize = 0; i < 4; i++) {
      const share: f64 = load<u8>(taps + (4 + i) * LANES + texel);
      if (share === 0) continue;
      const row = SYSTEM + <usize>load<u8>(taps + i * LANES + texel) * ROW;
      store<f64>(row + ((count + texel) << 3), share / 16);
      for (let k: usize = 0; k < 4; k++) {
        const other: f64 = load<u8>(taps + (4 + k) * LANES + texel);
        if (other === 0) continue;
        const cell = row + ((<usize>load<u8>(taps + k * LANES + texel)) << 3);
        store<f64>(cell, load<f64>(cell) + (share * other) / 256);
      }
    }
  }
  // The matrix is positive definite: elimination needs no search for a pivot.
  const width = count + texels;
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
  let to = SOLVED + grid * SOLVED_BYTES;
  for (let first: u32 = 0; first < count; first += 4) {
    for (let texel: u32 = 0; texel < texels; texel++) {
      for (let i = first; i < first + 4; i++, to += 4) {
        store<f32>(to, i < count ? <f32>load<f64>(SYSTEM + i * ROW + ((count + texel) << 3)) : 0);
      }
    }
  }
}

/** The weights of a grid, 0 to 64 in bytes, that come nearest to weights of texels, 0 to 1 in floats. */
export function fitGrid(grid: u32, texels: u32, from: usize, to: usize): void {
  const factor = f32x4.splat(64);
  const half = f32x4.splat(0.5);
  if (grid === 0) {
    const end = from + (texels << 2);
    for (; from < end; from += 16, to += 4) {
      storeBytes(to, i32x4.trunc_sat_f32x4_u(f32x4.add(f32x4.mul(v128.load(from), factor), half)));
    }
    return;
  }
  const count = gridWeights(grid);
  const end = from + (texels << 2);
  let shares = SOLVED + grid * SOLVED_BYTES;
  for (let first: u32 = 0; first < count; first += 4, to += 4) {
    // Four sums, so that no addition waits for the one before.
    let a = f32x4.splat(0);
    let b = a;
    let c = b;
    let d = b;
    for (let texel = from; texel < end; texel += 16, shares += 64) {
      a = f32x4.add(a, f32x4.mul(v128.load32_splat(texel), v128.load(shares)));
      b = f32x4.add(b, f32x4.mul(v128.load32_splat(texel, 4), v128.load(shares, 16)));
      c = f32x4.add(c, f32x4.mul(v128.load32_splat(texel, 8), v128.load(shares, 32)));
      d = f32x4.add(d, f32x4.mul(v128.load32_splat(texel, 12), v128.load(shares, 48)));
    }
    const sum = f32x4.add(f32x4.add(a, b), f32x4.add(c, d));
    const scaled = f32x4.add(f32x4.mul(sum, factor), half);
    storeBytes(to, i32x4.min_u(i32x4.trunc_sat_f32x4_u(scaled), i32x4.splat(64)));
  }
}

/** Four lanes below 256 as four bytes. */
function storeBytes(to: usize, lanes: v128): void {
  store<u32>(
    to,
    i32x4.extract_lane(v128.shuffle<u8>(lanes, lanes, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12), 0),
  );
}

/** 16 of the bytes at `from` by their numbers; `count`: how many bytes there are, at most 48. */
function gathered(from: usize, count: u32, numbers: v128): v128 {
  let bytes = i8x16.swizzle(v128.load(from), numbers);
  if (count > 16) {
    bytes = v128.or(bytes, i8x16.swizzle(v128.load(from, 16), i8x16.sub(numbers, i8x16.splat(16))));
    if (count > 32) bytes = v128.or(bytes, i8x16.swizzle(v128.load(from, 32), i8x16.sub(numbers, i8x16.splat(32))));
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
