// Packs vertices as formats/untold/mesh/vertexWords.ts describes them: eight words each, float64 arithmetic until a value is
// rounded. That file has the sources of the layout; a test holds both against each other.

const VERTEX_BYTES: usize = 32;
const NORMAL: usize = 12;
const TANGENT: usize = 16;
const UV0: usize = 20;
const COLOR0: usize = 28;

const NO_LENGTH: f64 = 1e-8;
const SNORM10: f64 = 511;
/** 1.5 * 2^52: adding it leaves a float64 no bits below 1, so that the sum rounds half to even. */
const ROUND: f64 = 6755399441055744;
/** Ten bits of +1 and of -1 in the place of x; the words of +X, -X and of the fallbacks follow. */
const PLUS_ONE: u32 = 511;
const MINUS_ONE: u32 = 0x201;
const POSITIVE_SIGN: u32 = 1 << 30;
const NEGATIVE_SIGN: u32 = 0xc0000000;

/** A normal counts as parallel to X beyond these (acrossNormal in geometry/mesh/attributes.ts). */
const PARALLEL: f64 = 0.999999;
const PARALLEL_SINE: f64 = 3e-6;

function tenBits(value: f64): u32 {
  return <u32>(<i32>(value * SNORM10 + ROUND - ROUND)) & 0x3ff;
}

function clampedTenBits(value: f64): u32 {
  return tenBits(max<f64>(-1, min<f64>(1, value)));
}

/** Whether a float32 is what ten bits unpack to: its number over 511. */
function isSnorm10(value: f64): bool {
  const number = value * SNORM10 + ROUND - ROUND;
  return <f64>(<f32>(number / SNORM10)) === value && number >= -SNORM10 - 1 && number <= SNORM10;
}

function packDirection(x: f64, y: f64, z: f64, none: u32): u32 {
  const length = sqrt<f64>(x * x + y * y + z * z);
  if (!(length > NO_LENGTH)) return none;
  if (isSnorm10(x) && isSnorm10(y) && isSnorm10(z)) return tenBits(x) | (tenBits(y) << 10) | (tenBits(z) << 20);
  return clampedTenBits(x / length) | (clampedTenBits(y / length) << 10) | (clampedTenBits(z / length) << 20);
}

/** Half-precision bits of a float32, with the largest finite value in place of infinity and 0 in place of NaN. */
function finiteHalfBits(bits: u32): u32 {
  const sign = (bits >> 16) & 0x8000;
  const size = bits & 0x7fffffff;
  if (size > 0x7f800000) return 0;
  if (size >= 0x477ff000) return sign | 0x7bff;
  if (size < 0x38800000) {
    // Subnormal: at 0.5 a float32 steps by 2^-24, as subnormal halves do, so adding 0.5 rounds.
    return sign | (reinterpret<u32>(<f32>(<f64>reinterpret<f32>(size) + 0.5)) - 0x3f000000);
  }
  return sign | ((size - 0x38000000 + 0xfff + ((size >> 13) & 1)) >> 13);
}

/** Float32 of one vertex where the matrix puts it, so that what follows reads them as stored ones. */
const PLACED: usize = memory.data(40, 8);

/** Writes the placed normal to PLACED; zeros where the matrix leaves no direction. `n`: nine float64, column-major. */
function placeNormal(from: usize, n: usize): void {
  const x = <f64>load<f32>(from);
  const y = <f64>load<f32>(from, 4);
  const z = <f64>load<f32>(from, 8);
  const nx = load<f64>(n) * x + load<f64>(n, 24) * y + load<f64>(n, 48) * z;
  const ny = load<f64>(n, 8) * x + load<f64>(n, 32) * y + load<f64>(n, 56) * z;
  const nz = load<f64>(n, 16) * x + load<f64>(n, 40) * y + load<f64>(n, 64) * z;
  const length = sqrt<f64>(nx * nx + ny * ny + nz * nz);
  const scale: f64 = length > 0 ? 1 / length : 0;
  store<f32>(PLACED, <f32>(nx * scale));
  store<f32>(PLACED, <f32>(ny * scale), 4);
  store<f32>(PLACED, <f32>(nz * scale), 8);
}

/** Writes the placed tangent behind the normal; the placed normal's fallback where the matrix leaves no direction. */
function placeTangent(from: usize, m: usize, mirrored: bool): void {
  const x = <f64>load<f32>(from);
  const y = <f64>load<f32>(from, 4);
  const z = <f64>load<f32>(from, 8);
  const tx = load<f64>(m) * x + load<f64>(m, 32) * y + load<f64>(m, 64) * z;
  const ty = load<f64>(m, 8) * x + load<f64>(m, 40) * y + load<f64>(m, 72) * z;
  const tz = load<f64>(m, 16) * x + load<f64>(m, 48) * y + load<f64>(m, 80) * z;
  const length = sqrt<f64>(tx * tx + ty * ty + tz * tz);
  if (length > 0) {
    store<f32>(PLACED, <f32>(tx / length), 12);
    store<f32>(PLACED, <f32>(ty / length), 16);
    store<f32>(PLACED, <f32>(tz / length), 20);
    store<f32>(PLACED, mirrored ? -load<f32>(from, 12) : load<f32>(from, 12), 24);
    return;
  }
  const ny = <f64>load<f32>(PLACED, 4);
  const nz = <f64>load<f32>(PLACED, 8);
  const parallel = abs<f64>(<f64>load<f32>(PLACED)) > PARALLEL && ny * ny + nz * nz < PARALLEL_SINE;
  store<f32>(PLACED, parallel ? 0 : 1, 12);
  store<f32>(PLACED, parallel ? 1 : 0, 16);
  store<f32>(PLACED, 0, 20);
  store<f32>(PLACED, 1, 24);
}

/** Writes a placed position. `size`: 4 for a float32 source, 8 for a float64 one. `m`: address 0 where it stays. */
function packPosition(from: usize, size: usize, m: usize, to: usize): void {
  const x = size === 4 ? <f64>load<f32>(from) : load<f64>(from);
  const y = size === 4 ? <f64>load<f32>(from, 4) : load<f64>(from, 8);
  const z = size === 4 ? <f64>load<f32>(from, 8) : load<f64>(from, 16);
  if (m === 0) {
    store<f32>(to, <f32>x);
    store<f32>(to, <f32>y, 4);
    store<f32>(to, <f32>z, 8);
    return;
  }
  store<f32>(to, <f32>(load<f64>(m) * x + load<f64>(m, 32) * y + load<f64>(m, 64) * z + load<f64>(m, 96)));
  store<f32>(to, <f32>(load<f64>(m, 8) * x + load<f64>(m, 40) * y + load<f64>(m, 72) * z + load<f64>(m, 104)), 4);
  store<f32>(to, <f32>(load<f64>(m, 16) * x + load<f64>(m, 48) * y + load<f64>(m, 80) * z + load<f64>(m, 112)), 8);
}

/** The tangent word of a vertex without a tangent: +X, sign +1; +Y where the normal is stored as +X or -X. */
function defaultTangent(normal: u32): u32 {
  return POSITIVE_SIGN | (normal === PLUS_ONE || normal === MINUS_ONE ? PLUS_ONE << 10 : PLUS_ONE);
}

/**
 * Writes `count` packed vertices. Positions are numbers of `size` bytes; tangents, UVs and colours are at address 0 where
 * the mesh has none. `matrices`: the world matrix and that of normals, 16 and 9 float64; address 0: vertices stay.
 */
export function packVertices(
  count: u32,
  positions: usize,
  size: usize,
  normals: usize,
  tangents: usize,
  uvs: usize,
  colors: usize,
  matrices: usize,
  mirrored: bool,
  words: usize,
): void {
  for (let v: usize = 0, to = words; v < <usize>count; v++, to += VERTEX_BYTES) {
    packPosition(positions + v * size * 3, size, matrices, to);
    let n = normals + v * 12;
    if (matrices !== 0) {
      placeNormal(n, matrices + 128);
      n = PLACED;
    }
    const none = PLUS_ONE << 20;
    const normal = packDirection(<f64>load<f32>(n), <f64>load<f32>(n, 4), <f64>load<f32>(n, 8), none);
    store<u32>(to, normal, NORMAL);
    let tangent = defaultTangent(normal);
    if (tangents !== 0) {
      let t = tangents + (v << 4);
      if (matrices !== 0) {
        placeTangent(t, matrices, mirrored);
        t = PLACED + 12;
      }
      tangent = packDirection(<f64>load<f32>(t), <f64>load<f32>(t, 4), <f64>load<f32>(t, 8), PLUS_ONE);
      tangent |= load<f32>(t, 12) < 0 ? NEGATIVE_SIGN : POSITIVE_SIGN;
    }
    store<u32>(to, tangent, TANGENT);
    const uv = uvs + (v << 3);
    store<u32>(to, uvs === 0 ? 0 : finiteHalfBits(load<u32>(uv)) | (finiteHalfBits(load<u32>(uv, 4)) << 16), UV0);
    store<u32>(to, 0, UV0 + 4);
    store<u32>(to, colors === 0 ? 0xffffffff : load<u32>(colors + (v << 2)), COLOR0);
  }
}
