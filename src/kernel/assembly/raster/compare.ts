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

/** Sums of each column over the window's rows: of both lumas, their squares, their products, and the judged pixels. */
const SUMS_BYTES: usize = 48;
/** The same over the whole window. */
const SUM: usize = memory.data(6 * 8, 8);

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

function writeLumas(rgb: usize, to: usize, count: usize): void {
  const end = to + (count << 3);
  for (; to < end; to += 8, rgb += 3) {
    const luma = LUMA_RED * load<u8>(rgb) + LUMA_GREEN * load<u8>(rgb, 1) + LUMA_BLUE * load<u8>(rgb, 2);
    store<f64>(to, <f64>luma);
  }
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
  const count = <usize>width * <usize>height;
  writeLumas(pair.firstRgb, pair.lumas, count);
  writeLumas(pair.secondRgb, pair.lumas + (count << 3), count);
  memory.fill(pair.columns, 0, <usize>width * SUMS_BYTES);
  const size = <f64>(across * down);
  let total: f64 = 0;
  let weight: f64 = 0;
  for (let row: u32 = 0; row < down; row++) addRow(pair, row, 1);
  for (let y: u32 = 0; y + down <= height; y++) {
    if (y > 0) {
      addRow(pair, y - 1, -1);
      addRow(pair, y + down - 1, 1);
    }
    memory.fill(SUM, 0, SUMS_BYTES);
    for (let x: u32 = 0; x < across; x++) addColumn(pair.columns, x, 1);
    for (let x: u32 = 0; x + across <= width; x++) {
      if (x > 0) {
        addColumn(pair.columns, x - 1, -1);
        addColumn(pair.columns, x + across - 1, 1);
      }
      const counted = load<f64>(SUM, 40);
      if (counted === 0) continue;
      total += likenessOfWindow(size) * counted;
      weight += counted;
    }
  }
  return weight === 0 ? 1 : total / weight;
}

/** The similarity of the window that SUM is about. */
function likenessOfWindow(size: f64): f64 {
  const sumA = load<f64>(SUM);
  const sumB = load<f64>(SUM, 8);
  const meanA = sumA / size;
  const meanB = sumB / size;
  // Differences of whole numbers: exact where the pictures are equal.
  const varianceA = (load<f64>(SUM, 16) * size - sumA * sumA) / (size * size);
  const varianceB = (load<f64>(SUM, 24) * size - sumB * sumB) / (size * size);
  const covariance = (load<f64>(SUM, 32) * size - sumA * sumB) / (size * size);
  return (
    ((2 * meanA * meanB + C1) * (2 * covariance + C2)) /
    ((meanA * meanA + meanB * meanB + C1) * (varianceA + varianceB + C2))
  );
}

/** Adds a row of pixels to the sums of all columns, or takes it away. */
function addRow(pair: Pair, row: u32, sign: f64): void {
  const count = <usize>pair.width * <usize>pair.height;
  const start = <usize>row * <usize>pair.width;
  let luma = pair.lumas + (start << 3);
  let judged = pair.judged + start;
  const end = pair.columns + <usize>pair.width * SUMS_BYTES;
  for (let sums = pair.columns; sums < end; sums += SUMS_BYTES, luma += 8, judged++) {
    const p = load<f64>(luma);
    const q = load<f64>(luma + (count << 3));
    store<f64>(sums, load<f64>(sums) + sign * p);
    store<f64>(sums, load<f64>(sums, 8) + sign * q, 8);
    store<f64>(sums, load<f64>(sums, 16) + sign * p * p, 16);
    store<f64>(sums, load<f64>(sums, 24) + sign * q * q, 24);
    store<f64>(sums, load<f64>(sums, 32) + sign * p * q, 32);
    store<f64>(sums, load<f64>(sums, 40) + sign * <f64>load<u8>(judged), 40);
  }
}

/** Adds the sums of a column to those of the window, or takes them away. */
function addColumn(columns: usize, x: u32, sign: f64): void {
  const sums = columns + <usize>x * SUMS_BYTES;
  for (let k: usize = 0; k < SUMS_BYTES; k += 16) {
    v128.store(SUM + k, f64x2.add(v128.load(SUM + k), f64x2.mul(f64x2.splat(sign), v128.load(sums + k))));
  }
}
