// Meshes as the file holds them: packed vertices, narrow indices and a box; and back.

import { type Diagnostics, fail } from '../../../diagnostics/diagnostic.ts';
import { bakePlacements, bakePositions, keepsDirections } from '../../../geometry/instances/bakePlacements.ts';
import type { SourceLocation } from '../../../geometry/mesh/location.ts';
import { bitsOf, type Float32Mesh, type Mesh, valuesOf } from '../../../geometry/mesh/mesh.ts';
import { numberByUse, orderRuns } from '../../../geometry/mesh/optimise.ts';
import { placeMesh, placement } from '../../../geometry/mesh/transform.ts';
import { firstRows } from '../../../geometry/mesh/weld.ts';
import { type Address, type Kernel, kernel } from '../../../kernel/kernel.ts';
import { isIdentity } from '../../../scene/matrix.ts';
import type { Bounds, Mat4 } from '../../../scene/types.ts';
import type { PlacedMesh } from '../../format.ts';
import { rounded } from '../../rounded.ts';
import {
  packVertices,
  roundValues,
  unpackPositions,
  unpackVertices,
  VERTEX_WORDS,
  wholeDirections,
  wordsOf,
} from './vertexWords.ts';

/** Vertices up to this number are addressed by uint16 ("uint16 when vertexCount <= 65535"). */
export const MAX_SHORT_VERTICES = 65_535;

const VERTEX_BYTES = VERTEX_WORDS * 4;
/**
 * Words of the four joints and the four weights of a vertex and of the number of its point, which follow its other words
 * while it is packed.
 */
const JOINT_WORDS = 2;
const WEIGHT_WORDS = 4;
const POINT_WORDS = 1;
const SKINNED_WORDS = VERTEX_WORDS + JOINT_WORDS + WEIGHT_WORDS + POINT_WORDS;

/** Geometry as the container stores it. */
export interface PackedMesh {
  readonly vertexCount: number;
  /** 32 bytes a vertex, PBR static layout V1. */
  readonly vertices: Uint8Array;
  readonly indices: Uint16Array | Uint32Array;
  /** The bounds of the float32 positions as stored. */
  readonly bounds: Bounds;
  /** Of a mesh that follows a skeleton. */
  readonly influences?: PackedInfluences;
  /** Of a mesh with morph targets: the numbers by which these list the points of the vertices; 0: none moves it. */
  readonly points?: Uint32Array;
}

/** Four for each vertex. */
export interface PackedInfluences {
  /** Numbers of joints in the skeleton. */
  readonly joints: Uint16Array;
  readonly weights: Float32Array;
}

/**
 * Places, merges and packs without arrays in between: vertices as stored, equal ones welded, triangles that lost their
 * area in float32 dropped, ordered for the vertex cache and for fetching. Null when nothing is left. Empties `parts`, so
 * that meshes that nobody else needs can be let go. Throws UC2011; reports UC2000, UC2001 and UC2010.
 */
export async function packParts(
  parts: PlacedMesh[],
  diagnostics: Diagnostics,
  location: SourceLocation,
): Promise<PackedMesh | null> {
  return kernel.within((memory) => packInKernel(memory, parts, diagnostics, location));
}

/** packParts with all vertices and indices in the kernel's memory. */
function packInKernel(
  memory: Kernel,
  parts: PlacedMesh[],
  diagnostics: Diagnostics,
  location: SourceLocation,
): PackedMesh | null {
  const { calls } = memory;

  // 1. Vertices as they will be stored.
  const placed = placeParts(memory, parts, diagnostics, location);
  const { total, indices, indexTotal } = placed;
  const isSkinned = parts.some(({ mesh }) => mesh.attributes.joints);
  const width = isSkinned ? SKINNED_WORDS : VERTEX_WORDS;
  const words = isSkinned ? withInfluences(memory, placed.words, parts, total) : placed.words;
  parts.length = 0;

  // 2. Weld by bytes: vertices that are stored alike become one.
  const vertexCount = memory.within(() => {
    const first = firstRows(memory, words, width, total);
    const count = calls.closeGaps(words, width, total, first);
    if (count < total) calls.remapIndices(indices, indexTotal, first);
    return count;
  });

  // 3. Drop, order, narrow.
  const { file, path } = location;
  const bounds = packedBounds(memory, words, vertexCount, width * 4);
  if (bounds === null) fail('UC2011', file, path, 'a position in world space is beyond what float32 can hold');
  const count = calls.dropWithoutArea(indices, indexTotal, words, width * 4);
  if (count === 0) {
    diagnostics.report('UC2000', file, path, 'no triangle has an area where it is placed');
    return null;
  }
  if (count < indexTotal) {
    const all = indexTotal === 3 ? '1 triangle' : `${indexTotal / 3} triangles`;
    diagnostics.report('UC2001', file, path, `left out ${(indexTotal - count) / 3} of ${all}: they have no area`);
  }
  orderRuns(memory, { indices, count, vertexCount });
  const used = numberByUse(memory, { indices, count, vertexCount });
  const picked = pickVertices(memory, words, used, width);
  const { vertices, influences, points } = isSkinned
    ? splitRows(picked)
    : { vertices: picked, influences: null, points: null };
  return {
    vertexCount: used.length,
    vertices: new Uint8Array(vertices.buffer),
    indices: packIndices(memory.uint32(indices, count), used.length),
    bounds: used.length === vertexCount ? bounds : boundsOfUsed(memory, vertices),
    ...(influences ? { influences } : {}),
    ...(points?.some((point) => point > 0) ? { points } : {}),
  };
}

/** Rows of the packed words of each vertex with its joints, two in a word, its weights and its point. */
function withInfluences(memory: Kernel, words: Address, parts: readonly PlacedMesh[], total: number): Address {
  const rows = memory.allocate(total * SKINNED_WORDS * 4);
  const from = memory.uint32(words, total * VERTEX_WORDS);
  const to = memory.uint32(rows, total * SKINNED_WORDS);
  const weightsTo = memory.float32(rows, total * SKINNED_WORDS);
  let v = 0;
  for (const { mesh } of parts) {
    const joints = valuesOf(mesh, 'joints');
    const weights = valuesOf(mesh, 'weights');
    const { point } = mesh.attributes;
    const points = point ? bitsOf(point) : null;
    for (let i = 0; i < mesh.vertexCount; i++, v++) {
      const at = v * SKINNED_WORDS;
      for (let k = 0; k < VERTEX_WORDS; k++) to[at + k] = from[v * VERTEX_WORDS + k];
      to[at + VERTEX_WORDS] = joints[i * 4] | (joints[i * 4 + 1] << 16);
      to[at + VERTEX_WORDS + 1] = joints[i * 4 + 2] | (joints[i * 4 + 3] << 16);
      for (let k = 0; k < WEIGHT_WORDS; k++) weightsTo[at + VERTEX_WORDS + JOINT_WORDS + k] = weights[i * 4 + k];
      to[at + SKINNED_WORDS - 1] = points ? points[i] : 0;
    }
  }
  return rows;
}

/** Rows of withInfluences as what is stored apart. */
function splitRows(rows: Uint32Array): {
  readonly vertices: Uint32Array;
  readonly influences: PackedInfluences;
  readonly points: Uint32Array;
} {
  const count = rows.length / SKINNED_WORDS;
  const vertices = new Uint32Array(count * VERTEX_WORDS);
  const joints = new Uint32Array(count * JOINT_WORDS);
  const weights = new Uint32Array(count * WEIGHT_WORDS);
  const points = new Uint32Array(count);
  for (let v = 0; v < count; v++) {
    const row = rows.subarray(v * SKINNED_WORDS, (v + 1) * SKINNED_WORDS);
    vertices.set(row.subarray(0, VERTEX_WORDS), v * VERTEX_WORDS);
    joints.set(row.subarray(VERTEX_WORDS, VERTEX_WORDS + JOINT_WORDS), v * JOINT_WORDS);
    weights.set(row.subarray(VERTEX_WORDS + JOINT_WORDS, SKINNED_WORDS - POINT_WORDS), v * WEIGHT_WORDS);
    points[v] = row[SKINNED_WORDS - 1];
  }
  return {
    vertices,
    influences: { joints: new Uint16Array(joints.buffer), weights: new Float32Array(weights.buffer) },
    points,
  };
}

/** Packed vertices of all parts, part after part, and indices that count over all of them. */
function placeParts(
  memory: Kernel,
  parts: readonly PlacedMesh[],
  diagnostics: Diagnostics,
  location: SourceLocation,
): { readonly words: Address; readonly total: number; readonly indices: Address; readonly indexTotal: number } {
  let total = 0;
  let indexTotal = 0;
  for (const { mesh } of parts) {
    total += mesh.vertexCount;
    indexTotal += mesh.indices.length;
  }
  const words = memory.allocate(total * VERTEX_BYTES);
  const indices = memory.allocate(indexTotal * 4);
  let first = 0;
  let at = indices;
  for (const part of parts) {
    const { world } = part;
    let mesh: Mesh = part.mesh;
    let to = world ? placement(world, diagnostics, location) : null;
    if (to?.flattened) {
      // Some normals can only be repaired where the triangles are known.
      mesh = placeMesh(mesh, to.world, diagnostics, location);
      to = null;
    }
    packVertices(memory, mesh, to, words + first * VERTEX_BYTES);
    const { length } = mesh.indices;
    memory.uint32(at, length).set(mesh.indices);
    memory.calls.raiseIndices(at, length, first, to?.mirrored === true);
    first += mesh.vertexCount;
    at += length * 4;
  }
  return { words, total, indices, indexTotal: (at - indices) / 4 };
}

/** Vertices that are picked at a time: the kernel's memory need not hold a large mesh twice. */
const BLOCK = 16384;

/** The listed vertices, in the order of the list. */
function pickVertices(memory: Kernel, words: Address, list: Uint32Array, width: number): Uint32Array {
  const out = new Uint32Array(list.length * width);
  for (let start = 0; start < list.length; start += BLOCK) {
    memory.within(() => {
      const block = list.subarray(start, start + BLOCK);
      const picked = memory.allocate(block.length * width * 4);
      memory.calls.copyRows(words, width * 4, memory.put(block), block.length, picked);
      out.set(memory.uint32(picked, block.length * width), start * width);
    });
  }
  return out;
}

/** A copy of indices in the container's narrowest type for that many vertices. */
export function packIndices(indices: Uint32Array, vertexCount: number): Uint16Array | Uint32Array {
  return vertexCount <= MAX_SHORT_VERTICES ? new Uint16Array(indices) : indices.slice();
}

/** Box of packed positions in the kernel's memory; null when one of them is not finite. */
function packedBounds(memory: Kernel, words: Address, count: number, rowBytes = VERTEX_BYTES): Bounds | null {
  return memory.within(() => {
    const box = memory.allocate(48);
    if (!memory.calls.boxOfRows(words, rowBytes, count, box)) return null;
    const [x0, y0, z0, x1, y1, z1] = memory.float64(box, 6);
    return { min: [x0, y0, z0], max: [x1, y1, z1] };
  });
}

/** Box of finite packed positions. */
function boundsOfUsed(memory: Kernel, vertices: Uint32Array): Bounds {
  return memory.within(() => packedBounds(memory, memory.put(vertices), vertices.length / VERTEX_WORDS) as Bounds);
}

/** A mesh packed as it is: its vertices and triangles in their order. */
export function packMesh(mesh: Float32Mesh): PackedMesh {
  const { vertexCount } = mesh;
  return kernel.within((memory) => {
    const words = memory.allocate(vertexCount * VERTEX_BYTES);
    packVertices(memory, mesh, null, words);
    const bounds = packedBounds(memory, words, vertexCount);
    if (bounds === null) throw new Error('a position to be packed is not finite');
    return {
      vertexCount,
      vertices: memory.uint8(words, vertexCount * VERTEX_BYTES).slice(),
      indices: packIndices(mesh.indices, vertexCount),
      bounds,
    };
  });
}

/** A packed mesh as it is: its vertices and triangles in their order. */
export function unpackMesh({ vertices, indices }: Pick<PackedMesh, 'vertices' | 'indices'>): Float32Mesh {
  return { ...unpackVertices(wordsOf(vertices)), indices: new Uint32Array(indices) };
}

/**
 * What entities draw of a packed mesh, in world space: the mesh itself, or at each of `placements` (float32 values; neither
 * mirrored nor flattened), rounded, welded and ordered as if it had been stored where it is drawn.
 */
export async function drawnMesh(packed: PackedMesh, placements: readonly Mat4[] | null): Promise<Float32Mesh> {
  const mesh = unpackMesh(packed);
  if (placements === null || (placements.length === 1 && isIdentity(placements[0]))) return mesh;
  const turned = { ...mesh, attributes: wholeDirections(mesh.attributes) };
  const instances = placements.map((world) => ({ mesh: keepsDirections(world) ? mesh : turned, world }));
  return rounded(bakePlacements(instances), roundValues);
}

/** The positions of what entities draw of a packed mesh: those of drawnMesh, before equal vertices are welded. */
export function drawnPositions(packed: PackedMesh, placements: readonly Mat4[] | null): Float32Array {
  const positions = unpackPositions(wordsOf(packed.vertices));
  return placements === null ? positions : bakePositions(positions, placements);
}

/** The box of the mesh's vertices where `world` (float32 values) puts them, as float32: that of drawnMesh. */
export function placedBounds(mesh: PackedMesh, world: Mat4): Bounds {
  const words = wordsOf(mesh.vertices);
  const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < 3; k++) {
    const mx = world[k];
    const my = world[4 + k];
    const mz = world[8 + k];
    const t = world[12 + k];
    for (let at = 0; at < floats.length; at += VERTEX_WORDS) {
      const p = mx * floats[at] + my * floats[at + 1] + mz * floats[at + 2] + t;
      if (p < min[k]) min[k] = p;
      if (p > max[k]) max[k] = p;
    }
    min[k] = Math.fround(min[k]);
    max[k] = Math.fround(max[k]);
  }
  return { min, max };
}
