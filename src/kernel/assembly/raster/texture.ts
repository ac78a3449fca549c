// Textures: mips filtered in linear light as a GPU filters an sRGB texture.

import { MIP_BYTES, Mip, Texture } from './layout.ts';

/** Linear light and alpha of texels are whole numbers up to this. */
export const FULL: f32 = 65535;

/**
 * Decodes sRGB texels of 4 bytes to 4 uint16 each, linear. `linearOfByte`: 256 uint16. `from` may be the upper half of the
 * memory at `to`: each texel is read before it is written over.
 */
export function decodeTexels(from: usize, count: usize, linearOfByte: usize, to: usize): void {
  const end = from + (count << 2);
  for (; from < end; from += 4, to += 8) {
    const texel = load<u32>(from);
    const red = load<u16>(linearOfByte + ((<usize>(texel & 255)) << 1));
    const green = load<u16>(linearOfByte + ((<usize>((texel >> 8) & 255)) << 1));
    const blue = load<u16>(linearOfByte + ((<usize>((texel >> 16) & 255)) << 1));
    store<u16>(to, red);
    store<u16>(to, green, 2);
    store<u16>(to, blue, 4);
    store<u16>(to, <u16>((texel >> 24) * 257), 6);
  }
}

export function mipAt(texture: Texture, level: u32): Mip {
  return changetype<Mip>(texture.levels + <usize>level * MIP_BYTES);
}

/**
 * The mip for a footprint of `squared` texels of the finest mip, squared: whole number and share of the next. Between
 * powers of two the share grows with the footprint, so that no logarithm is needed.
 */
export function mipOf(squared: f64, levels: u32): f64 {
  if (!(squared > 1)) return 0;
  // Of a float64 from 1 on, bits 52 to 62 are the power of two, and 1023.
  const level = (<i32>(reinterpret<u64>(squared) >> 52) - 1023) >> 1;
  const rest = squared * reinterpret<f64>((<u64>(1023 - 2 * level)) << 52);
  return min(<f64>level + sqrt<f64>(rest) - 1, <f64>(levels - 1));
}

function texel(at: usize): v128 {
  return f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(v128.load64_zero(at)));
}

/** Red, green, blue and alpha of one mip, bilinear, at texture coordinates with V up, repeating: 0 to FULL. */
export function filtered(mip: Mip, u: f64, v: f64): v128 {
  const width = mip.width;
  const height = mip.height;
  const x = (u - floor<f64>(u)) * <f64>width - 0.5;
  const y = (1 - (v - floor<f64>(v))) * <f64>height - 0.5;
  const floorX = floor<f64>(x);
  const floorY = floor<f64>(y);
  const left: u32 = floorX < 0 ? width - 1 : <u32>floorX;
  const top: u32 = floorY < 0 ? height - 1 : <u32>floorY;
  const right: u32 = floorX + 1 >= <f64>width ? 0 : <u32>(floorX + 1);
  const bottom: u32 = floorY + 1 >= <f64>height ? 0 : <u32>(floorY + 1);
  const upper = mip.texels + ((<usize>top * <usize>width) << 3);
  const lower = mip.texels + ((<usize>bottom * <usize>width) << 3);
  const across = f32x4.splat(<f32>(x - floorX));
  const down = f32x4.splat(<f32>(y - floorY));
  const above = between(texel(upper + ((<usize>left) << 3)), texel(upper + ((<usize>right) << 3)), across);
  const below = between(texel(lower + ((<usize>left) << 3)), texel(lower + ((<usize>right) << 3)), across);
  return between(above, below, down);
}

export function between(a: v128, b: v128, share: v128): v128 {
  return f32x4.add(a, f32x4.mul(f32x4.sub(b, a), share));
}
