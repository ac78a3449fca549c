// Rows of four float32 a texel as they are stored.

import { bytesOf, normalBytes } from './decode.ts';
import { Chain, COLOR, HEIGHT, Level, NORMAL } from './layout.ts';

/**
 * The byte of linear light comes from a table with an entry for each value of the upper 16 bits of a float32, from 2^-13 to
 * 1: a float32, the least light of the next byte, and a uint32, the byte below it. Entries are so narrow that no two
 * bytes begin in one (src/textures/mips/srgbTables.ts checks that). Anything darker than 2^-13 is byte 0.
 */
const DARKEST: f32 = 1 / <f32>(1 << 13);
const FIRST_ENTRY: u32 = (127 - 13) << 7;

/** Shorter averages of normals have no direction. */
const SHORTEST: f32 = 1e-6;

/** Stores the rows that were made last as row y of the level. */
export function encodeRow(chain: Chain, level: Level, y: u32): void {
  const width = <usize>level.width;
  const first = <usize>y * width;
  const row = level.sharp.row;
  if (chain.role === HEIGHT) encodeHeights(row, width, level.texels + (first << 1));
  else {
    const to = level.texels + (first << 2);
    if (chain.role === NORMAL) encodeNormals(row, width, to, level.lengths === 0 ? 0 : level.lengths + (first << 1));
    else if (chain.role !== COLOR) encodeLinear(row, width, to);
    else if (changetype<usize>(level.soft) === 0) encodeOpaque(row, width, chain.byteOfLinear, to);
    else encodeColors(row, level.soft.row, width, chain.byteOfLinear, to);
    if (level.alphas !== 0) keepAlphas(row, width, level.alphas + (first << 1));
  }
}

function encodeHeights(from: usize, width: usize, to: usize): void {
  for (const end = from + (width << 4); from < end; from += 16, to += 2) {
    store<u16>(to, <u16>floor<f32>(min<f32>(65535, max<f32>(0, load<f32>(from))) + 0.5));
  }
}

function encodeLinear(from: usize, width: usize, to: usize): void {
  for (const end = from + (width << 4); from < end; from += 16, to += 4) {
    store<u32>(to, bytesOf(i32x4.trunc_sat_f32x4_s(f32x4.floor(f32x4.add(v128.load(from), f32x4.splat(0.5))))));
  }
}

/** Three bytes of linear light. */
function srgbOf(linear: v128, byteOfLinear: usize): u32 {
  const light = f32x4.min(f32x4.max(linear, f32x4.splat(DARKEST)), f32x4.splat(1));
  const entries = i32x4.sub(i32x4.shr_u(light, 16), i32x4.splat(FIRST_ENTRY));
  const red = byteOf(i32x4.extract_lane(entries, 0), f32x4.extract_lane(light, 0), byteOfLinear);
  const green = byteOf(i32x4.extract_lane(entries, 1), f32x4.extract_lane(light, 1), byteOfLinear);
  const blue = byteOf(i32x4.extract_lane(entries, 2), f32x4.extract_lane(light, 2), byteOfLinear);
  return red | (green << 8) | (blue << 16);
}

function byteOf(entry: u32, light: f32, byteOfLinear: usize): u32 {
  const at = byteOfLinear + ((<usize>entry) << 3);
  return load<u32>(at, 4) + (light >= load<f32>(at) ? 1 : 0);
}

function encodeOpaque(from: usize, width: usize, byteOfLinear: usize, to: usize): void {
  for (const end = from + (width << 4); from < end; from += 16, to += 4) {
    store<u32>(to, srgbOf(v128.load(from), byteOfLinear) | 0xff000000);
  }
}

/**
 * Colours with alpha a. The sharp filter's quotient, red / a, is worth nothing where a is near 0, because there it divides
 * what its negative weights left over. So the colour is a mixture: a parts of that quotient, 1 - a parts of the soft
 * filter's, which lies between the colours that it averages.
 */
function encodeColors(from: usize, softFrom: usize, width: usize, byteOfLinear: usize, to: usize): void {
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  for (const end = from + (width << 4); from < end; from += 16, softFrom += 16, to += 4) {
    const sharp = v128.load(from);
    const filtered = v128.shuffle<i32>(sharp, sharp, 3, 3, 3, 3);
    const alpha = f32x4.min(f32x4.max(filtered, zero), one);
    const soft = v128.load(softFrom);
    // The soft alpha is an average of numbers above 0, so that nothing is divided by 0.
    const colors = f32x4.div(soft, v128.shuffle<i32>(soft, soft, 3, 3, 3, 3));
    // Where alpha overshoots, so do the colours that it weights.
    const inside = f32x4.min(f32x4.max(f32x4.div(sharp, f32x4.max(filtered, one)), zero), alpha);
    const mixed = f32x4.add(inside, f32x4.mul(f32x4.sub(one, alpha), colors));
    const byte = <u32>(f32x4.extract_lane(alpha, 0) * 255 + 0.5);
    store<u32>(to, srgbOf(mixed, byteOfLinear) | (byte << 24));
  }
}

function keepAlphas(from: usize, width: usize, to: usize): void {
  for (const end = from + (width << 4); from < end; from += 16, to += 2) {
    store<u16>(to, <u16>(min<f32>(1, max<f32>(0, load<f32>(from, 12))) * 65535 + 0.5));
  }
}

function encodeNormals(from: usize, width: usize, to: usize, lengths: usize): void {
  for (const end = from + (width << 4); from < end; from += 16, to += 4) {
    const average = v128.load(from);
    const x = f32x4.extract_lane(average, 0);
    const y = f32x4.extract_lane(average, 1);
    // Negative weights can turn a steep normal over; it may lie in the surface, not point into it.
    const z = max<f32>(0, f32x4.extract_lane(average, 2));
    const length = sqrt<f32>(x * x + y * y + z * z);
    const unit = length > SHORTEST ? f32x4.div(f32x4(x, y, z, 0), f32x4.splat(length)) : f32x4(0, 0, 1, 0);
    store<u32>(to, normalBytes(f32x4.replace_lane(unit, 3, f32x4.extract_lane(average, 3))));
    if (lengths !== 0) {
      store<u16>(lengths, <u16>(min<f32>(1, length) * 65535 + 0.5));
      lengths += 2;
    }
  }
}
