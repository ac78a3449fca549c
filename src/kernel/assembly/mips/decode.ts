// Rows of an image as four float32 a texel.

import { Chain, COLOR, HEIGHT, Level, NORMAL } from './layout.ts';

/**
 * The weight of colours whose alpha is 0, among others of the same kind. Next to any texel that is seen, however low the
 * filter's weight for it is, it counts for nothing.
 */
const MIN_ALPHA: f32 = 1 / <f32>(1 << 30) / <f32>(1 << 30);

/**
 * Lengths of normals that rounding explains: each component is off by at most 1/255, or by twice that where a writer
 * rounded down, which changes the length by at most 2 * sqrt(3) / 255.
 */
const ROUNDING: f32 = 0.0136;

/** Makes row y of the image. */
export function decodeRow(chain: Chain, level: Level, y: u32): void {
  const width = <usize>level.width;
  const row = level.sharp.row;
  if (chain.role === HEIGHT) decodeHeights(level.texels + ((<usize>y * width) << 1), width, row);
  else {
    const from = level.texels + ((<usize>y * width) << 2);
    if (chain.role === NORMAL) decodeNormals(from, width, row);
    else if (chain.role !== COLOR) decodeLinear(from, width, row);
    else if (changetype<usize>(level.soft) === 0) decodeOpaque(from, width, chain.linearOfByte, row);
    else decodeColors(from, width, chain.linearOfByte, row, level.soft.row);
  }
}

function decodeHeights(from: usize, width: usize, to: usize): void {
  for (const end = from + (width << 1); from < end; from += 2, to += 16) {
    v128.store(to, f32x4.splat(<f32>load<u16>(from)));
  }
}

function decodeLinear(from: usize, width: usize, to: usize): void {
  for (const end = from + (width << 2); from < end; from += 4, to += 16) v128.store(to, wide(from));
}

/** Four bytes as float32. */
function wide(from: usize): v128 {
  const words = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(from)));
  return f32x4.convert_i32x4_s(words);
}

/** The linear light of a colour, with an alpha of 1. */
function light(color: u32, linearOfByte: usize): v128 {
  const red = linearOfByte + ((<usize>(color & 255)) << 2);
  const green = linearOfByte + ((<usize>((color >> 8) & 255)) << 2);
  const blue = linearOfByte + ((<usize>((color >> 16) & 255)) << 2);
  return v128.load_lane<u32>(blue, v128.load_lane<u32>(green, v128.load_lane<u32>(red, f32x4.splat(1), 0), 1), 2);
}

function decodeOpaque(from: usize, width: usize, linearOfByte: usize, to: usize): void {
  for (const end = from + (width << 2); from < end; from += 4, to += 16) {
    v128.store(to, light(load<u32>(from), linearOfByte));
  }
}

function decodeColors(from: usize, width: usize, linearOfByte: usize, to: usize, softTo: usize): void {
  for (const end = from + (width << 2); from < end; from += 4, to += 16, softTo += 16) {
    const color = load<u32>(from);
    const full = light(color, linearOfByte);
    const alpha = <f32>(color >> 24) / 255;
    v128.store(to, f32x4.mul(full, f32x4.splat(alpha)));
    v128.store(softTo, f32x4.mul(full, f32x4.splat(max<f32>(alpha, MIN_ALPHA))));
  }
}

/** Also writes back the bytes of normals that are not of unit length. */
function decodeNormals(from: usize, width: usize, to: usize): void {
  for (const end = from + (width << 2); from < end; from += 4, to += 16) {
    const stored = f32x4.sub(f32x4.mul(wide(from), f32x4.splat(1.0 / 127.5)), f32x4(1, 1, 1, 0));
    const x = f32x4.extract_lane(stored, 0);
    const y = f32x4.extract_lane(stored, 1);
    const z = f32x4.extract_lane(stored, 2);
    const across = x * x + y * y;
    const length = sqrt<f32>(across + z * z);
    const isSound = z > 0 && abs<f32>(length - 1) <= ROUNDING;
    let normal = stored;
    // A normal cannot point into the surface: where z says so, the map holds x and y only.
    if (z > 0) normal = f32x4.div(stored, f32x4.splat(length));
    else normal = f32x4.replace_lane(stored, 2, sqrt<f32>(max<f32>(0, 1 - across)));
    if (z <= 0 && across > 1) normal = f32x4.div(normal, f32x4.splat(sqrt<f32>(across)));
    // Alpha is no part of the vector.
    normal = f32x4.replace_lane(normal, 3, f32x4.extract_lane(stored, 3));
    v128.store(to, normal);
    if (!isSound) store<u32>(from, normalBytes(normal));
  }
}

/** A unit vector and an alpha from 0 to 2 as bytes. */
export function normalBytes(normal: v128): u32 {
  const scaled = f32x4.add(f32x4.mul(normal, f32x4.splat(127.5)), f32x4(128, 128, 128, 0.5));
  return bytesOf(i32x4.trunc_sat_f32x4_s(f32x4.floor(scaled)));
}

/** Four int32 as bytes, clamped. */
export function bytesOf(words: v128): u32 {
  const halves = i16x8.narrow_i32x4_s(words, words);
  return i32x4.extract_lane(i8x16.narrow_i16x8_u(halves, halves), 0);
}
