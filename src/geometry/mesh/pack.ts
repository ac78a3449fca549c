// Pack: vertices as the 32 bytes of the container's PBR static layout V1, and indices in the narrowest type allowed.
// Little-endian, as every machine that Node runs this on is.

import type { Bounds } from '../../scene/types.ts';
import { type PlacedVertices, type Placement, placeVertices } from './transform.ts';
import type { TriangleMesh } from './types.ts';

/** 32-bit words a vertex: position 3, normal, tangent, uv0, uv1, color0. */
export const VERTEX_WORDS = 8;
const NORMAL = 3;
const TANGENT = 4;
const UV0 = 5;
const COLOR0 = 7;

/** Vertices up to this number are addressed by uint16 ("uint16 when vertexCount <= 65535"). */
const MAX_SHORT_VERTICES = 65535;

/** Vectors up to this length have no direction and get the fallback, as in the engine's exporter. */
const NO_LENGTH = 1e-8;

const HALF_INFINITY = 0x7c00;
const LARGEST_HALF = 0x7bff;
const WHITE = 0xffffffff;

/** 1.5 * 2^52: adding it leaves a float64 no bits below 1, so that the sum rounds half to even. */
const ROUND = 6755399441055744;

/** Vertices that are placed at a time: the scratch for them stays in the processor's cache. */
const BLOCK = 1024;

const scratchFloat = new Float32Array(1);
const scratchBits = new Uint32Array(scratchFloat.buffer);

/** IEEE 754 half-precision bits of the float32 next to `value`, rounded to nearest even; overflow gives infinity. */
export function halfBits(value: number): number {
  scratchFloat[0] = value;
  return halfFromFloat32(scratchBits[0]);
}

/** The value of half-precision bits that are finite, as all that are packed are. */
export function halfValue(bits: number): number {
  const fraction = bits & 0x3ff;
  const exponent = (bits >>> 10) & 0x1f;
  const size = exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25);
  return bits & 0x8000 ? -size : size;
}

/** As halfBits, from the bits of a float32. */
function halfFromFloat32(bits: number): number {
  const sign = (bits >>> 16) & 0x8000;
  const size = bits & 0x7fffffff;
  // NaN stays NaN; 65520 and above, half a step beyond the largest, is infinity.
  if (size > 0x7f800000) return sign | 0x7e00;
  if (size >= 0x477ff000) return sign | HALF_INFINITY;
  if (size < 0x38800000) {
    // Subnormal: at 0.5 a float32 steps by 2^-24, as subnormal halves do, so adding 0.5 rounds.
    scratchBits[0] = size;
    scratchFloat[0] += 0.5;
    return sign | (scratchBits[0] - 0x3f000000);
  }
  // Exponents from bias 127 to bias 15, then 13 bits fewer: just under half a step, plus the last bit kept, makes it even.
  return sign | ((size - 0x38000000 + 0xfff + ((size >>> 13) & 1)) >>> 13);
}

/** Half bits with the largest finite value in place of infinity, and 0 in place of NaN. */
function finiteHalf(bits: number): number {
  const half = halfFromFloat32(bits);
  if ((half & 0x7fff) < HALF_INFINITY) return half;
  return (half & 0x7fff) === HALF_INFINITY ? (half & 0x8000) | LARGEST_HALF : 0;
}

/** Ten bits, two's complement: the value clamped to [-1, 1] times 511, rounded half to even. */
export function snorm10(value: number): number {
  const clamped = Math.max(-1, Math.min(1, value));
  return (clamped * 511 + ROUND - ROUND) & 0x3ff;
}

/** normalPacked: x, y, z from the lowest bit, W 0; normalised, +Z for a vector without length. */
export function packNormal(x: number, y: number, z: number): number {
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > NO_LENGTH)) return 0x1ff << 20;
  return snorm10(x / length) | (snorm10(y / length) << 10) | (snorm10(z / length) << 20);
}

/** tangentPacked: x, y, z normalised, W 01 for a sign from 0 up and 11 below; +X for a vector without length. */
export function packTangent(x: number, y: number, z: number, sign: number): number {
  const w = sign < 0 ? 3 : 1;
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > NO_LENGTH)) return (0x1ff | (w << 30)) >>> 0;
  return (snorm10(x / length) | (snorm10(y / length) << 10) | (snorm10(z / length) << 20) | (w << 30)) >>> 0;
}

const DEFAULT_TANGENT = packTangent(1, 0, 0, 1);
const DEFAULT_TANGENT_ON_X = packTangent(0, 1, 0, 1);
const POSITIVE_X = packNormal(1, 0, 0);
const NEGATIVE_X = packNormal(-1, 0, 0);

/** The tangent word of a vertex without a tangent: +X, sign +1; +Y where the normal is stored as +X or -X. */
export function defaultTangent(normal: number): number {
  return normal === POSITIVE_X || normal === NEGATIVE_X ? DEFAULT_TANGENT_ON_X : DEFAULT_TANGENT;
}

/**
 * Writes the mesh's vertices to `words` from vertex `first` on: 8 words each, at `to` (null: where they are). A mesh
 * without tangents gets the format's default (defaultTangent).
 */
export function packVertices(mesh: TriangleMesh, to: Placement | null, words: Uint32Array, first: number): void {
  const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  const { vertexCount, colors } = mesh;
  const uvBits = new Uint32Array(mesh.uv0.buffer, mesh.uv0.byteOffset, vertexCount * 2);
  const moved = to !== null && !to.identity ? to : null;
  const block = Math.min(BLOCK, vertexCount);
  const scratch: PlacedVertices = {
    positions: new Float32Array(moved ? block * 3 : 0),
    normals: new Float32Array(moved ? block * 3 : 0),
    tangents: moved && mesh.tangents ? new Float32Array(block * 4) : null,
  };
  for (let start = 0; start < vertexCount; start += block) {
    const count = Math.min(block, vertexCount - start);
    if (moved) placeVertices(mesh, moved, start, count, scratch);
    const positions = moved ? scratch.positions : mesh.positions;
    const normals = moved ? scratch.normals : mesh.normals;
    const tangents = moved ? scratch.tangents : mesh.tangents;
    const skip = moved ? 0 : start;
    for (let i = 0, at = (first + start) * VERTEX_WORDS; i < count; i++, at += VERTEX_WORDS) {
      const v = skip + i;
      floats[at] = positions[v * 3];
      floats[at + 1] = positions[v * 3 + 1];
      floats[at + 2] = positions[v * 3 + 2];
      const normal = packNormal(normals[v * 3], normals[v * 3 + 1], normals[v * 3 + 2]);
      words[at + NORMAL] = normal;
      if (tangents) {
        words[at + TANGENT] = packTangent(
          tangents[v * 4],
          tangents[v * 4 + 1],
          tangents[v * 4 + 2],
          tangents[v * 4 + 3],
        );
      } else {
        words[at + TANGENT] = defaultTangent(normal);
      }
      const source = start + i;
      words[at + UV0] = finiteHalf(uvBits[source * 2]) | (finiteHalf(uvBits[source * 2 + 1]) << 16);
      words[at + COLOR0] = colors
        ? colors[source * 4] |
          (colors[source * 4 + 1] << 8) |
          (colors[source * 4 + 2] << 16) |
          (colors[source * 4 + 3] << 24)
        : WHITE;
    }
  }
}

/** Copies vertices into a new array in the given order. */
export function reorderVertices(words: Uint32Array, order: Uint32Array): Uint32Array {
  const out = new Uint32Array(order.length * VERTEX_WORDS);
  for (let v = 0, to = 0; v < order.length; v++) {
    const at = order[v] * VERTEX_WORDS;
    for (let k = 0; k < VERTEX_WORDS; k++) out[to++] = words[at + k];
  }
  return out;
}

/** Indices in the container's narrowest type for that many vertices. */
export function packIndices(indices: Uint32Array, vertexCount: number): Uint16Array | Uint32Array {
  if (vertexCount <= MAX_SHORT_VERTICES) return Uint16Array.from(indices);
  return indices.length * 4 === indices.buffer.byteLength ? indices : indices.slice();
}

/** Box of the packed positions; null when one of them is not finite. */
export function packedBounds(words: Uint32Array): Bounds | null {
  const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  let sum = 0;
  for (let at = 0; at < floats.length; at += VERTEX_WORDS) {
    for (let k = 0; k < 3; k++) {
      const x = floats[at + k];
      // Becomes NaN with the first value that is not finite, and stays so.
      sum += x * 0;
      if (x < min[k]) min[k] = x;
      if (x > max[k]) max[k] = x;
    }
  }
  return sum === 0 ? { min, max } : null;
}
