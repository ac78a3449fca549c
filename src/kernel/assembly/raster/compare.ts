// How far two pictures are apart, over the judged pixels: those where either has something drawn.

import { Pair } from './layout.ts';

/** Edge of a window of the structural similarity in pixels. */
const WINDOW: u32 = 8;
/** Luma of sRGB bytes (ITU-R BT.601) in thousandths: whole numbers, so that sums are exact. */
const LUMA_RED: u32 = 299;
const LUMA_GREEN: u32 = 587;
const LUMA_BLUE: u32 = 114;
/** The constants of the similarity, (0.01 L)^2 and (0.03 L)^2 for a range L of 255, for lumas in thousandths. */
const C1: f64 = 2550 * 2550;
const C2: f64 = 7650 * 7650;

/** Sums of each column over the window's rows: of both lumas, of their squares, of their products, and of the judged pixels. */
const SUMS_BYTES: usize = 48;

/** Of the windows so far: sum of the similarities, each times its judged pixels, and of those pixels. */
let total: f64 = 0;
let weight: f64 = 0;

/** Writes the measures (Pair.result); the mean similarity only where there are judged pixels. */
export function comparePictures(pair: Pair): void {
  const count = <usize>pair.width * <usize>pair.height;
  let pixels: u32 = 0;
  let red: i64 = 0;
  let green: i64 = 0;
  let blue: i64 = 0;
  let squares: i64 = 0;
  for (let i: usize = 0, at: usize = 0; i < count; i++, at += 3) {
    const isJudged = (load<u8>(pair.firstCoverage + i) | load<u8>(pair.secondCoverage + i)) !== 0;
    store<u8>(pair.judged + i, isJudged ? 1 : 0);
    if (!isJudged) continue;
    const a = pair.firstRgb + at;
    const b = pair.secondRgb + at;
    const r = <i32>load<u8>(a) - <i32>load<u8>(b);
    const g = <i32>load<u8>(a, 1) - <i32>load<u8>(b, 1);
    const c = <i32>load<u8>(a, 2) - <i32>load<u8>(b, 2);
    pixels++;
    red += r;
    green += g;
    blue += c;
    squares += r * r + g * g + c * c;
  }
  const result = pair.result;
  store<f64>(result, <f64>pixels);
  store<f64>(result, <f64>red, 8);
  store<f64>(result, <f64>green, 16);
  store<f64>(result, <f64>blue, 24);
  store<f64>(result, <f64>squares, 32);
  store<f64>(result, pixels === 0 ? 1 : similarity(pair), 40);
}

/** Writes the lumas of both pictures, pixel by pixel. */
function writeLumas(pair: Pair): void {
  const count = <usize>pair.width * <usize>pair.height;
  const end = pair.lumas + (count << 4);
  let first = pair.firstRgb;
  let second = pair.secondRgb;
  for (let to = pair.lumas; to < end; to += 16, first += 3, second += 3) {
    store<f64>(to, lumaAt(first));
    store<f64>(to, lumaAt(second), 8);
  }
}

function lumaAt(rgb: usize): f64 {
  return <f64>(LUMA_RED * load<u8>(rgb) + LUMA_GREEN * load<u8>(rgb, 1) + LUMA_BLUE * load<u8>(rgb, 2));
}

/**
 * The mean structural similarity (Wang, Bovik, Sheikh, Simoncelli, "Image Quality Assessment", 2004) over square windows of
 * 8 pixels at every position, each weighted with its judged pixels. Pictures smaller than a window are one.
 */
function similarity(pair: Pair): f64 {
  const width = pair.width;
  const height = pair.height;
  const across = min(WINDOW, width);
  const down = min(WINDOW, height);
  writeLumas(pair);
  memory.fill(pair.columns, 0, <usize>width * SUMS_BYTES);
  const size = <f64>(across * down);
  total = 0;
  weight = 0;
  for (let row: u32 = 0; row < down; row++) addRow(pair, row, 1);
  addWindows(pair, across, size);
  for (let y: u32 = 1; y + down <= height; y++) {
    addRow(pair, y - 1, -1);
    addRow(pair, y + down - 1, 1);
    addWindows(pair, across, size);
  }
  return weight === 0 ? 1 : total / weight;
}

/** Adds up the similarities of all windows whose rows the columns are the sums of. Whole numbers are added, in any order. */
function addWindows(pair: Pair, across: u32, size: f64): void {
  let sums = f64x2.splat(0);
  let squares = f64x2.splat(0);
  let others = f64x2.splat(0);
  let next = pair.columns;
  const begin = next + <usize>(across - 1) * SUMS_BYTES;
  for (; next < begin; next += SUMS_BYTES) {
    sums = f64x2.add(sums, v128.load(next));
    squares = f64x2.add(squares, v128.load(next, 16));
    others = f64x2.add(others, v128.load(next, 32));
  }
  const end = pair.columns + <usize>pair.width * SUMS_BYTES;
  for (let first = pair.columns; next < end; next += SUMS_BYTES, first += SUMS_BYTES) {
    sums = f64x2.add(sums, v128.load(next));
    squares = f64x2.add(squares, v128.load(next, 16));
    others = f64x2.add(others, v128.load(next, 32));
    const judged = f64x2.extract_lane(others, 1);
    if (judged !== 0) {
      total += similarityOfWindow(sums, squares, f64x2.extract_lane(others, 0), size) * judged;
      weight += judged;
    }
    sums = f64x2.sub(sums, v128.load(first));
    squares = f64x2.sub(squares, v128.load(first, 16));
    others = f64x2.sub(others, v128.load(first, 32));
  }
}

/** The similarity of a window with these sums of lumas, of their squares, and of their products. */
function similarityOfWindow(sums: v128, squares: v128, products: f64, size: f64): f64 {
  const means = f64x2.div(sums, f64x2.splat(size));
  const meanA = f64x2.extract_lane(means, 0);
  const meanB = f64x2.extract_lane(means, 1);
  // Differences of whole numbers: exact where the pictures are equal.
  const spread = f64x2.sub(f64x2.mul(squares, f64x2.splat(size)), f64x2.mul(sums, sums));
  const variances = f64x2.div(spread, f64x2.splat(size * size));
  const product = f64x2.extract_lane(sums, 0) * f64x2.extract_lane(sums, 1);
  const covariance = (products * size - product) / (size * size);
  const variance = f64x2.extract_lane(variances, 0) + f64x2.extract_lane(variances, 1);
  return ((2 * meanA * meanB + C1) * (2 * covariance + C2)) / ((meanA * meanA + meanB * meanB + C1) * (variance + C2));
}

/** Adds a row of pixels to the sums of all columns, or takes it away. */
function addRow(pair: Pair, row: u32, sign: f64): void {
  const start = <usize>row * <usize>pair.width;
  let luma = pair.lumas + (start << 4);
  let judged = pair.judged + start;
  const end = pair.columns + <usize>pair.width * SUMS_BYTES;
  const signs = f64x2.splat(sign);
  for (let sums = pair.columns; sums < end; sums += SUMS_BYTES, luma += 16, judged++) {
    const lumas = v128.load(luma);
    const signed = f64x2.mul(lumas, signs);
    const product = load<f64>(luma) * load<f64>(luma, 8) * sign;
    const others = f64x2.replace_lane(f64x2.splat(product), 1, sign * <f64>load<u8>(judged));
    v128.store(sums, f64x2.add(v128.load(sums), signed));
    v128.store(sums, f64x2.add(v128.load(sums, 16), f64x2.mul(signed, lumas)), 16);
    v128.store(sums, f64x2.add(v128.load(sums, 32), others), 32);
  }
}
