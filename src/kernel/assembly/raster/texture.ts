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

/** Texels are less than 2^31, so that they are converted as signed numbers, which is much faster. */
function texel(at: usize): v128 {
  return f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_u(v128.load64_zero(at)));
}

/**
 * Red, green, blue and alpha between two mips, each bilinear, at texture coordinates with V up, repeating: 0 to FULL.
 * `share`: that of `next`, which may be the same mip where it is 0.
 */
export function filtered(mip: Mip, next: Mip, share: f32, u: f32, v: f32): v128 {
  // From the left and from the top, in texels from the middle of the first one: of either mip.
  const size = v128.load_lane<u64>(changetype<usize>(next), v128.load64_zero(changetype<usize>(mip)), 1);
  const place = f32x4.sub(f32x4.mul(fractions(u, v), f32x4.convert_i32x4_s(size)), f32x4.splat(0.5));
  const whole = f32x4.floor(place);
  const shares = f32x4.sub(place, whole);
  // The texels on either side: what lies beyond one edge of the texture is at the other.
  const before = i32x4.trunc_sat_f32x4_s(whole);
  const first = i32x4.add(before, v128.and(i32x4.shr_s(before, 31), size));
  const after = i32x4.add(before, i32x4.splat(1));
  const second = v128.and(after, i32x4.lt_s(after, size));
  const color = bilinear(
    mip,
    i32x4.extract_lane(first, 0),
    i32x4.extract_lane(first, 1),
    i32x4.extract_lane(second, 0),
    i32x4.extract_lane(second, 1),
    v128.shuffle<i32>(shares, shares, 0, 0, 0, 0),
    v128.shuffle<i32>(shares, shares, 1, 1, 1, 1),
  );
  if (share === 0) return color;
  const coarser = bilinear(
    next,
    i32x4.extract_lane(first, 2),
    i32x4.extract_lane(first, 3),
    i32x4.extract_lane(second, 2),
    i32x4.extract_lane(second, 3),
    v128.shuffle<i32>(shares, shares, 2, 2, 2, 2),
    v128.shuffle<i32>(shares, shares, 3, 3, 3, 3),
  );
  return between(color, coarser, f32x4.splat(share));
}

/** What u and v are beyond whole numbers, v from the top, twice. */
function fractions(u: f32, v: f32): v128 {
  const uv = f32x4.replace_lane(f32x4.replace_lane(f32x4.splat(u), 1, v), 3, v);
  const fraction = f32x4.sub(uv, f32x4.floor(uv));
  return f32x4.add(f32x4.mul(fraction, f32x4(1, -1, 1, -1)), f32x4(0, 1, 0, 1));
}

function bilinear(mip: Mip, left: i32, top: i32, right: i32, bottom: i32, across: v128, down: v128): v128 {
  const width = <usize>mip.width;
  const upper = mip.texels + ((<usize>top * width) << 3);
  const lower = mip.texels + ((<usize>bottom * width) << 3);
  const above = between(texel(upper + ((<usize>left) << 3)), texel(upper + ((<usize>right) << 3)), across);
  const below = between(texel(lower + ((<usize>left) << 3)), texel(lower + ((<usize>right) << 3)), across);
  return between(above, below, down);
}

export function between(a: v128, b: v128, share: v128): v128 {
  return f32x4.add(a, f32x4.mul(f32x4.sub(b, a), share));
}
