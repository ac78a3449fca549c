// Meshes as the file holds them: packed vertices, narrow indices and a box; and back.

import { type Diagnostics, fail } from '../../../diagnostics/diagnostic.ts';
import { bakePlacements, bakePositions, keepsDirections } from '../../../geometry/instances/bakePlacements.ts';
import type { SourceLocation } from '../../../geometry/mesh/location.ts';
import type { Float32Mesh, Mesh } from '../../../geometry/mesh/mesh.ts';
import { dropDegenerate, orderForCache, orderForFetch } from '../../../geometry/mesh/optimise.ts';
import { placeMesh, placement } from '../../../geometry/mesh/transform.ts';
import { weldRows } from '../../../geometry/mesh/weld.ts';
import { isIdentity } from '../../../scene/matrix.ts';
import type { Bounds, Mat4 } from '../../../scene/types.ts';
import type { MeshPart } from '../../format.ts';
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

/** Geometry as the container stores it. */
export interface PackedMesh {
  readonly vertexCount: number;
  /** 32 bytes a vertex, PBR static layout V1. */
  readonly vertices: Uint8Array;
  readonly indices: Uint16Array | Uint32Array;
  /** The bounds of the float32 positions as stored. */
  readonly bounds: Bounds;
}

/**
 * Places, merges and packs without arrays in between: vertices as stored, equal ones welded, triangles that lost their
 * area in float32 dropped, ordered for the vertex cache and for fetching. Null when nothing is left. Empties `parts`, so
 * that meshes that nobody else needs can be let go. Throws UC2011; reports UC2000, UC2001 and UC2010.
 */
export async function packParts(
  parts: MeshPart[],
  diagnostics: Diagnostics,
  location: SourceLocation,
): Promise<PackedMesh | null> {
  // 1. Vertices as they will be stored.
  const { words, all } = placeParts(parts, diagnostics, location);
  parts.length = 0;

  // 2. Weld by bytes: vertices that are stored alike become one.
  const { count: vertexCount, remap } = weldRows(words, VERTEX_WORDS);
  const vertices = words.subarray(0, vertexCount * VERTEX_WORDS);
  if (remap) for (let i = 0; i < all.length; i++) all[i] = remap[all[i]];

  // 3. Drop, order, narrow.
  const { file, path } = location;
  const bounds = packedBounds(vertices);
  if (bounds === null) fail('UC2011', file, path, 'a position in world space is beyond what float32 can hold');
  const kept = dropDegenerate(all, new Float32Array(words.buffer), VERTEX_WORDS);
  if (kept === 0) {
    diagnostics.report('UC2000', file, path, 'no triangle has an area where it is placed');
    return null;
  }
  if (kept < all.length) {
    const total = all.length === 3 ? '1 triangle' : `${all.length / 3} triangles`;
    diagnostics.report('UC2001', file, path, `left out ${(all.length - kept) / 3} of ${total}: they have no area`);
  }
  const indices = all.subarray(0, kept);
  await orderForCache(indices, vertexCount);
  const order = orderForFetch(indices, vertexCount);
  const stored = reorderVertices(vertices, order);
  return {
    vertexCount: order.length,
    vertices: new Uint8Array(stored.buffer),
    indices: packIndices(indices, order.length),
    bounds: order.length === vertexCount ? bounds : packedBounds(stored)!,
  };
}

/** Packed vertices of all parts, part after part, and indices that count over all of them. */
function placeParts(
  parts: readonly MeshPart[],
  diagnostics: Diagnostics,
  location: SourceLocation,
): { readonly words: Uint32Array; readonly all: Uint32Array } {
  let vertexTotal = 0;
  let indexTotal = 0;
  for (const { mesh } of parts) {
    vertexTotal += mesh.vertexCount;
    indexTotal += mesh.indices.length;
  }
  const words = new Uint32Array(vertexTotal * VERTEX_WORDS);
  const all = new Uint32Array(indexTotal);
  let first = 0;
  let at = 0;
  for (const part of parts) {
    const { world } = part;
    let mesh: Mesh = part.mesh;
    let to = world ? placement(world, diagnostics, location) : null;
    if (to?.flattened) {
      // Some normals can only be repaired where the triangles are known.
      mesh = placeMesh(mesh, to.world, diagnostics, location);
      to = null;
    }
    packVertices(mesh, to, words, first);
    copyIndices(mesh.indices, first, to?.mirrored ?? false, all, at);
    first += mesh.vertexCount;
    at += mesh.indices.length;
  }
  return { words, all };
}

/** Copies indices to `out[at]`, raised by `first`; `turned` swaps the second and third corner of each triangle. */
function copyIndices(indices: Uint32Array, first: number, turned: boolean, out: Uint32Array, at: number): void {
  const second = turned ? 2 : 1;
  const third = turned ? 1 : 2;
  for (let i = 0; i < indices.length; i += 3, at += 3) {
    out[at] = first + indices[i];
    out[at + 1] = first + indices[i + second];
    out[at + 2] = first + indices[i + third];
  }
}

/** Copies vertices into a new array in the given order. */
function reorderVertices(words: Uint32Array, order: Uint32Array): Uint32Array {
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
function packedBounds(words: Uint32Array): Bounds | null {
  const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  let sum = 0;
  for (let at = 0; at < floats.length; at += VERTEX_WORDS) {
    for (let k = 0; k < 3; k++) {
      const x = floats[at + k];
      // 0 for finite values; becomes and stays NaN with the first that is not.
      sum += x * 0;
      if (x < min[k]) min[k] = x;
      if (x > max[k]) max[k] = x;
    }
  }
  return sum === 0 ? { min, max } : null;
}

/** A mesh packed as it is: its vertices and triangles in their order. */
export function packMesh(mesh: Float32Mesh): PackedMesh {
  const { vertexCount } = mesh;
  const words = new Uint32Array(vertexCount * VERTEX_WORDS);
  packVertices(mesh, null, words, 0);
  const bounds = packedBounds(words);
  if (bounds === null) throw new Error('a position to be packed is not finite');
  return {
    vertexCount,
    vertices: new Uint8Array(words.buffer),
    indices: packIndices(mesh.indices, vertexCount),
    bounds,
  };
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
