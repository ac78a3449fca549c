// Resampling as the engine's own baker does it, with Pillow: each level from the image, on the stored numbers, rounded between
// the pass across and the pass down. Weights come from src/textures/mips/engineMips.ts.

import { bytesOf } from './decode.ts';
import { Windows } from './layout.ts';

/** Fraction bits of the weights of bytes. */
const FRACTION: i32 = 22;
const HALF: i32 = 1 << (FRACTION - 1);

/** Multiplies colours by alpha, rounded: a byte a and a byte b give (a b + 127) / 255. */
export function premultiply(from: usize, count: usize, to: usize): void {
  for (const end = from + (count << 2); from < end; from += 4, to += 4) {
    const alpha = <u32>load<u8>(from, 3);
    store<u8>(to, <u8>product(load<u8>(from), alpha));
    store<u8>(to, <u8>product(load<u8>(from, 1), alpha), 1);
    store<u8>(to, <u8>product(load<u8>(from, 2), alpha), 2);
    store<u8>(to, <u8>alpha, 3);
  }
}

function product(a: u32, b: u32): u32 {
  const t = a * b + 128;
  return ((t >> 8) + t) >> 8;
}

/** Divides colours by alpha, rounded down; where it is 0 they stay. */
export function unpremultiply(texels: usize, count: usize): void {
  for (const end = texels + (count << 2); texels < end; texels += 4) {
    const alpha = <u32>load<u8>(texels, 3);
    if (alpha === 0 || alpha === 255) continue;
    for (let channel: usize = 0; channel < 3; channel++) {
      const at = texels + channel;
      store<u8>(at, <u8>min<u32>(255, (255 * <u32>load<u8>(at)) / alpha));
    }
  }
}

/**
 * Resamples RGBA bytes. `wide`: 16 bytes for each texel of a row, and zeros for the longest window across beyond it;
 * `ring`: `slots` rows of the result's width, 4 bytes a texel.
 */
export function resampleBytes(
  from: usize,
  width: u32,
  height: u32,
  across: Windows,
  down: Windows,
  wide: usize,
  ring: usize,
  slots: u32,
  columns: u32,
  rows: u32,
  to: usize,
): void {
  const stride = (<usize>columns) << 2;
  let taken: u32 = 0;
  let weights = down.weights;
  for (let y: u32 = 0; y < rows; y++) {
    const start = load<u32>(down.starts + ((<usize>y) << 2));
    for (const end = min(start + down.taps, height); taken < end; taken++) {
      widen(from + ((<usize>taken * <usize>width) << 2), width, wide);
      bytesAcross(wide, across, columns, ring + <usize>(taken % slots) * stride);
    }
    for (let x: usize = 0; x < stride; x += 4, to += 4) {
      let sum = i32x4.splat(HALF);
      for (let tap: u32 = 0; tap < down.taps; tap++) {
        const row = ring + <usize>(min(start + tap, height - 1) % slots) * stride;
        const weight = v128.load32_splat(weights + ((<usize>tap) << 2));
        sum = i32x4.add(sum, i32x4.mul(fourBytes(row + x), weight));
      }
      store<u32>(to, bytesOf(i32x4.shr_s(sum, FRACTION)));
    }
    weights += (<usize>down.taps) << 2;
  }
}

function fourBytes(at: usize): v128 {
  return i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(at)));
}

function widen(from: usize, width: u32, to: usize): void {
  for (const end = from + ((<usize>width) << 2); from < end; from += 4, to += 16) v128.store(to, fourBytes(from));
}

function bytesAcross(wide: usize, windows: Windows, columns: u32, to: usize): void {
  const taps = (<usize>windows.taps) << 2;
  let starts = windows.starts;
  let weight = windows.weights;
  for (const end = to + ((<usize>columns) << 2); to < end; to += 4, starts += 4) {
    let at = wide + ((<usize>load<u32>(starts)) << 4);
    let even = i32x4.splat(HALF);
    let odd = i32x4.splat(0);
    for (const last = weight + taps; weight < last; weight += 16, at += 64) {
      even = i32x4.add(even, i32x4.mul(v128.load32_splat(weight), v128.load(at)));
      odd = i32x4.add(odd, i32x4.mul(v128.load32_splat(weight, 4), v128.load(at, 16)));
      even = i32x4.add(even, i32x4.mul(v128.load32_splat(weight, 8), v128.load(at, 32)));
      odd = i32x4.add(odd, i32x4.mul(v128.load32_splat(weight, 12), v128.load(at, 48)));
    }
    store<u32>(to, bytesOf(i32x4.shr_s(i32x4.add(even, odd), FRACTION)));
  }
}

/** Resamples uint16 with float64 weights; between the passes numbers are int32 and may lie beyond 65535. */
export function resampleHeights(
  from: usize,
  width: u32,
  height: u32,
  across: Windows,
  down: Windows,
  ring: usize,
  slots: u32,
  columns: u32,
  rows: u32,
  to: usize,
): void {
  const stride = (<usize>columns) << 2;
  let taken: u32 = 0;
  let weights = down.weights;
  for (let y: u32 = 0; y < rows; y++) {
    const start = load<u32>(down.starts + ((<usize>y) << 2));
    for (const end = min(start + down.taps, height); taken < end; taken++) {
      const row = from + ((<usize>taken * <usize>width) << 1);
      heightsAcross(row, width, across, columns, ring + <usize>(taken % slots) * stride);
    }
    for (let x: usize = 0; x < stride; x += 4, to += 2) {
      let sum: f64 = 0;
      for (let tap: u32 = 0; tap < down.taps; tap++) {
        const row = ring + <usize>(min(start + tap, height - 1) % slots) * stride;
        sum += <f64>load<i32>(row + x) * load<f64>(weights + ((<usize>tap) << 3));
      }
      store<u16>(to, <u16>min<f64>(65535, max<f64>(0, rounded(sum))));
    }
    weights += (<usize>down.taps) << 3;
  }
}

function heightsAcross(from: usize, width: u32, windows: Windows, columns: u32, to: usize): void {
  let weight = windows.weights;
  for (let x: u32 = 0; x < columns; x++, to += 4) {
    const start = load<u32>(windows.starts + ((<usize>x) << 2));
    let sum: f64 = 0;
    for (let tap: u32 = 0; tap < windows.taps; tap++, weight += 8) {
      sum += <f64>load<u16>(from + ((<usize>min(start + tap, width - 1)) << 1)) * load<f64>(weight);
    }
    store<i32>(to, <i32>rounded(sum));
  }
}

/** Halves away from 0. */
function rounded(x: f64): f64 {
  return x >= 0 ? floor<f64>(x + 0.5) : -floor<f64>(0.5 - x);
}
