// A vertex of the PBR static layout V1 as eight 32-bit words (format text, "Vertex Layout V1"): pack and unpack mirror each
// other, and packing unpacked values gives the same words. Words are little-endian in the file and, as on all
// machines that this runs on, in memory.

import type { AttributeArray, Attributes, Semantic } from '../../../geometry/mesh/attributes.ts';
import { bitsOf, type Float32Mesh, type Mesh } from '../../../geometry/mesh/mesh.ts';
import type { Placement } from '../../../geometry/mesh/transform.ts';
import { type Address, type Kernel, kernel } from '../../../kernel/kernel.ts';
import { finiteHalfBits, halfValue } from './halfFloat.ts';

/** 32-bit words of each vertex: position 3, normal, tangent, uv0, uv1, color0. */
export const VERTEX_WORDS = 8;

/** The attributes that a vertex holds after its position; uv1 is stored as zeros. */
export const STORED_ATTRIBUTES = ['normal', 'tangent', 'uv0', 'color0'] as const satisfies readonly Semantic[];

/** Vectors up to this length have no direction and get the fallback, as in the engine's exporter. */
const NO_LENGTH = 1e-8;

/** Value of the greatest ten-bit number, two's complement; the least, -512, is never packed from a vector. */
const SNORM10 = 511;

/** 1.5 * 2^52: adding it leaves a float64 no bits below 1, so that the sum rounds half to even. */
const ROUND = 6755399441055744;

/** Vertices that are packed at a time: the kernel's memory need not hold a large mesh. */
const BLOCK = 16384;

/** The bytes as words; copied only if their address is no multiple of 4. slice() of a Buffer would not copy. */
export function wordsOf(bytes: Uint8Array): Uint32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length >>> 2);
}

/** Ten bits, two's complement: the value clamped to [-1, 1] times 511, rounded half to even. */
export function snorm10(value: number): number {
  const clamped = Math.max(-1, Math.min(1, value));
  return (clamped * SNORM10 + ROUND - ROUND) & 0x3ff;
}

/** The value of the ten bits from `shift` on, as a float32: their number over 511. */
const fromSnorm10 = (word: number, shift: number): number => Math.fround(((word << (22 - shift)) >> 22) / SNORM10);

/** Whether a float32 is what ten bits unpack to: its number over 511. */
function isSnorm10(value: number): boolean {
  const number = value * SNORM10 + ROUND - ROUND;
  return Math.fround(number / SNORM10) === value && number >= -SNORM10 - 1 && number <= SNORM10;
}

const tenBits = (value: number): number => (value * SNORM10 + ROUND - ROUND) & 0x3ff;

/**
 * The direction at unit length as three times ten bits, x lowest. An unpacked vector, whose length differs from 1 by
 * rounding, gives the bits that it was unpacked from. `none` for a vector without length.
 */
function packDirection(x: number, y: number, z: number, none: number): number {
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > NO_LENGTH)) return none;
  if (isSnorm10(x) && isSnorm10(y) && isSnorm10(z)) return tenBits(x) | (tenBits(y) << 10) | (tenBits(z) << 20);
  return snorm10(x / length) | (snorm10(y / length) << 10) | (snorm10(z / length) << 20);
}

/** normalPacked: x, y, z from the lowest bit, W 0; normalised, +Z for a vector without length. */
export function packNormal(x: number, y: number, z: number): number {
  return packDirection(x, y, z, SNORM10 << 20);
}

/** tangentPacked: x, y, z normalised, W 01 for a sign from 0 up and 11 below; +X for a vector without length. */
export function packTangent(x: number, y: number, z: number, sign: number): number {
  return (packDirection(x, y, z, SNORM10) | ((sign < 0 ? 3 : 1) << 30)) >>> 0;
}

/**
 * Packs the mesh's vertices into the kernel's memory from `at` on, at `to` (null: where they are). What the mesh lacks is
 * stored as +X (+Y where the normal is +X or -X) with sign +1, UV 0 and white. The loop is the kernel's (kernel/assembly/pack.ts).
 */
export function packVertices(memory: Kernel, mesh: Mesh, to: Placement | null, at: Address): void {
  const { vertexCount, positions } = mesh;
  const { normal, tangent, uv0, color0 } = mesh.attributes;
  const moved = to !== null && !to.identity ? to : null;
  memory.within(() => {
    const matrices = moved ? memory.put(Float64Array.of(...moved.world, ...moved.normal)) : 0;
    for (let start = 0; start < vertexCount; start += BLOCK) {
      const end = Math.min(vertexCount, start + BLOCK);
      memory.within(() => {
        const put = (values: AttributeArray | Float64Array | undefined, size: number) =>
          values ? memory.put(values.subarray(start * size, end * size)) : 0;
        const directions = [put(normal, 3), put(tangent, 4)] as const;
        const others = [put(uv0, 2), put(color0, 4)] as const;
        const placed = [put(positions, 3), positions.BYTES_PER_ELEMENT, ...directions, ...others, matrices] as const;
        memory.calls.packVertices(end - start, ...placed, moved?.mirrored === true, at + start * VERTEX_WORDS * 4);
      });
    }
  });
}

/**
 * Positions and attributes of packed vertices: finite values, as the reader has checked. The loop is the kernel's
 * (kernel/assembly/unpack.ts).
 */
export function unpackVertices(words: Uint32Array): Pick<Float32Mesh, 'vertexCount' | 'positions' | 'attributes'> {
  const vertexCount = words.length / VERTEX_WORDS;
  const positions = new Float32Array(vertexCount * 3);
  const normal = new Float32Array(vertexCount * 3);
  const tangent = new Float32Array(vertexCount * 4);
  const uv0 = new Float32Array(vertexCount * 2);
  const color0 = new Uint8Array(vertexCount * 4);
  kernel.within((memory) => {
    const max = Math.min(vertexCount, BLOCK);
    const packed = memory.allocate(max * VERTEX_WORDS * 4);
    // Of positions and normals the kernel writes four numbers at a time.
    const to = [max * 12 + 4, max * 12 + 4, max * 16, max * 8, max * 4].map((bytes) => memory.allocate(bytes));
    const [p, n, t, uv, color] = to;
    for (let start = 0; start < vertexCount; start += BLOCK) {
      const count = Math.min(vertexCount - start, BLOCK);
      const block = words.subarray(start * VERTEX_WORDS, (start + count) * VERTEX_WORDS);
      memory.uint32(packed, block.length).set(block);
      memory.calls.unpackVertices(packed, count, p, n, t, uv, color);
      positions.set(memory.float32(p, count * 3), start * 3);
      normal.set(memory.float32(n, count * 3), start * 3);
      tangent.set(memory.float32(t, count * 4), start * 4);
      uv0.set(memory.float32(uv, count * 2), start * 2);
      color0.set(memory.uint8(color, count * 4), start * 4);
    }
  });
  return { vertexCount, positions, attributes: { normal, tangent, uv0, color0 } };
}

/** The positions of packed vertices. */
export function unpackPositions(words: Uint32Array): Float32Array {
  const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  const positions = new Float32Array((words.length / VERTEX_WORDS) * 3);
  for (let at = 0, to = 0; at < floats.length; at += VERTEX_WORDS) {
    positions[to++] = floats[at];
    positions[to++] = floats[at + 1];
    positions[to++] = floats[at + 2];
  }
  return positions;
}

/**
 * The same vertices with directions as the stored whole numbers, 511 times as long. Placing makes directions unit length
 * again. If it began with quotients by 511, their rounding to float32 would sometimes change the last of the ten bits.
 */
export function wholeDirections({ normal, tangent, ...others }: Attributes): Attributes {
  const whole = (values: Float32Array, size: number): Float32Array =>
    values.map((x, i) => (i % size < 3 ? Math.round(x * SNORM10) : x));
  return { ...others, normal: whole(normal, 3), ...(tangent ? { tangent: whole(tangent, 4) } : {}) };
}

/** The values of an attribute as they come back from packed vertices; null for one that is not stored. */
export function roundValues(semantic: Semantic, values: AttributeArray): AttributeArray | null {
  switch (semantic) {
    case 'normal':
      return roundDirections(values, 3, (at) => packNormal(values[at], values[at + 1], values[at + 2]));
    case 'tangent':
      return roundDirections(values, 4, (at) =>
        packTangent(values[at], values[at + 1], values[at + 2], values[at + 3]),
      );
    case 'uv0':
      return roundHalves(bitsOf(values));
    case 'color0':
      return values;
    default:
      return null;
  }
}

function roundHalves(bits: Uint32Array): Float32Array {
  const halves = new Float32Array(bits.length);
  for (let i = 0; i < bits.length; i++) halves[i] = halfValue(finiteHalfBits(bits[i]));
  return halves;
}

function roundDirections(values: AttributeArray, size: number, pack: (at: number) => number): Float32Array {
  const rounded = new Float32Array(values.length);
  for (let at = 0; at < values.length; at += size) {
    const word = pack(at);
    for (let k = 0; k < 3; k++) rounded[at + k] = fromSnorm10(word, k * 10);
    if (size === 4) rounded[at + 3] = word >>> 31 === 1 ? -1 : 1;
  }
  return rounded;
}
