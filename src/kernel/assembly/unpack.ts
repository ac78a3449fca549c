// Reads packed vertices and indices: unpacks vertices as formats/untold/mesh/vertexWords.ts describes them (pack.ts is the
// other direction), and scans both for what no file may hold (formats/untold/check/geometry.ts).

const NONE: u32 = 0xffffffff;

const VERTEX_BYTES: usize = 32;
const NORMAL: usize = 12;
const TANGENT: usize = 16;
const UV0: usize = 20;
const UV1: usize = 24;
const COLOR0: usize = 28;

/** Step of the halves below 2^-14. */
const SUBNORMAL: f32 = 5.9604644775390625e-8;

/** Three times ten bits, two's complement, x lowest: numbers over 511. The fourth lane is 0. */
function direction(packed: u32): v128 {
  // Each lane moves its ten bits to the top, from where they come back with their sign.
  const tops = i32x4.mul(i32x4.splat(packed), i32x4(1 << 22, 1 << 12, 1 << 2, 0));
  return f32x4.div(f32x4.convert_i32x4_s(i32x4.shr_s(tops, 22)), f32x4.splat(511));
}

function halfValue(bits: u32): f32 {
  const size =
    (bits & 0x7c00) !== 0
      ? reinterpret<f32>(((bits & 0x7fff) << 13) + 0x38000000)
      : <f32>(<i32>(bits & 0x3ff)) * SUBNORMAL;
  return (bits & 0x8000) !== 0 ? -size : size;
}

/**
 * Writes positions, normals, tangents, UVs and colours of `count` packed vertices. Positions and normals need room for one
 * more float32 behind the last.
 */
export function unpackVertices(
  words: usize,
  count: u32,
  positions: usize,
  normals: usize,
  tangents: usize,
  uvs: usize,
  colors: usize,
): void {
  for (let v: usize = 0, at = words; v < <usize>count; v++, at += VERTEX_BYTES) {
    // Four floats are written; the next vertex overwrites the last of them.
    v128.store(positions + v * 12, v128.load(at));
    v128.store(normals + v * 12, direction(load<u32>(at, NORMAL)));
    const tangent = load<u32>(at, TANGENT);
    v128.store(tangents + (v << 4), f32x4.replace_lane(direction(tangent), 3, tangent >> 31 !== 0 ? -1 : 1));
    const uv = load<u32>(at, UV0);
    store<f32>(uvs + (v << 3), halfValue(uv & 0xffff));
    store<f32>(uvs + (v << 3), halfValue(uv >> 16), 4);
    store<u32>(colors + (v << 2), load<u32>(at, COLOR0));
  }
}

function isInfiniteHalf(bits: u32): bool {
  return (bits & 0x7c00) === 0x7c00 || (bits & 0x7c000000) === 0x7c000000;
}

/**
 * Widens a box to hold `count` packed vertices: at `scan` min and max of x, y, z, each with a fourth float32 that means
 * nothing. After it come the numbers of the first vertex with a position that is not finite, a normal with W, a tangent with
 * another W than ±1, a UV that is not finite: NONE until one is found. `first`: the number of the first vertex here.
 */
export function scanVertices(words: usize, count: u32, first: u32, scan: usize): void {
  let low = v128.load(scan);
  let high = v128.load(scan, 16);
  const exponent = i32x4(0x7f800000, 0x7f800000, 0x7f800000, 0);
  // Its fourth lane is never equal to that of an exponent.
  const infinite = i32x4(0x7f800000, 0x7f800000, 0x7f800000, -1);
  for (let v: u32 = 0, at = words; v < count; v++, at += VERTEX_BYTES) {
    const p = v128.load(at);
    // A value that is not a number changes no box.
    low = f32x4.pmin(low, p);
    high = f32x4.pmax(high, p);
    if (v128.any_true(i32x4.eq(v128.and(p, exponent), infinite))) note(scan + 32, first + v);
    if (load<u32>(at, NORMAL) >> 30 !== 0) note(scan + 36, first + v);
    if ((load<u32>(at, TANGENT) & 0x40000000) === 0) note(scan + 40, first + v);
    if (isInfiniteHalf(load<u32>(at, UV0)) || isInfiniteHalf(load<u32>(at, UV1))) note(scan + 44, first + v);
  }
  v128.store(scan, low);
  v128.store(scan, high, 16);
}

function note(at: usize, vertex: u32): void {
  if (load<u32>(at) === NONE) store<u32>(at, vertex);
}

/** The greatest of `count` numbers of `size` bytes, 2 or 4. */
export function greatest(numbers: usize, size: usize, count: u32): u32 {
  const end = numbers + <usize>count * size;
  const blocks = numbers + ((<usize>count * size) & ~15);
  let highest = i32x4.splat(0);
  let at = numbers;
  if (size === 2) for (; at < blocks; at += 16) highest = i16x8.max_u(highest, v128.load(at));
  else for (; at < blocks; at += 16) highest = i32x4.max_u(highest, v128.load(at));
  let max: u32 = 0;
  for (; at < end; at += size) {
    const number = size === 2 ? <u32>load<u16>(at) : load<u32>(at);
    if (number > max) max = number;
  }
  // The lanes of the blocks, through the numbers' own memory.
  if (blocks > numbers) {
    v128.store(numbers, highest);
    for (at = numbers; at < numbers + 16; at += size) {
      const number = size === 2 ? <u32>load<u16>(at) : load<u32>(at);
      if (number > max) max = number;
    }
  }
  return max;
}
