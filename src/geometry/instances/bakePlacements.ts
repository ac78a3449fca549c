// Bake placements: a packed mesh of instances as the one packed mesh that the instances draw, in world space. What levels
// and checks work with; the file keeps the mesh once. float64 from the stored float32 values to the float32 results.

import type { Bounds, Mat4 } from '../../scene/types.ts';
import { alignedWords } from '../lod/borders.ts';
import { dropDegenerate } from '../mesh/optimise.ts';
import { packNormal, packTangent, VERTEX_WORDS } from '../mesh/pack.ts';
import { packWelded } from '../mesh/tileGeometry.ts';
import { placementOf, placeVertices } from '../mesh/transform.ts';
import type { PackedMesh } from '../mesh/types.ts';

const NORMAL = 3;
const TANGENT = 4;

/**
 * The mesh at each of `placements` (float32 values; neither mirrored nor flattened), as one: positions p' = M p, normals
 * by the inverse transpose, tangents by M, packed and ordered as the cook packs placed meshes. Triangles that lose their
 * area go, unless all would.
 */
export async function bakePlacements(mesh: PackedMesh, placements: readonly Mat4[]): Promise<PackedMesh> {
  const { vertexCount } = mesh;
  const local = alignedWords(mesh.vertices);
  const words = new Uint32Array(local.length * placements.length);
  const indices = new Uint32Array(mesh.indices.length * placements.length);
  const decoded = decodeVertices(local, vertexCount);
  for (const [n, world] of placements.entries()) {
    placeWords(local, decoded, world, words.subarray(n * local.length, (n + 1) * local.length));
    for (let i = 0, to = n * mesh.indices.length; i < mesh.indices.length; i++) {
      indices[to++] = n * vertexCount + mesh.indices[i];
    }
  }
  const kept = indices.slice();
  const keptCount = dropDegenerate(kept, new Float32Array(words.buffer), VERTEX_WORDS);
  return packWelded(words, keptCount > 0 ? kept.slice(0, keptCount) : indices);
}

/** The box of the mesh's vertices where `world` (float32 values) puts them, as float32: that of bakePlacements. */
export function placedBounds(mesh: PackedMesh, world: Mat4): Bounds {
  const words = alignedWords(mesh.vertices);
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

interface DecodedVertices {
  readonly vertexCount: number;
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  readonly tangents: Float32Array;
}

/** Ten bits in two's complement from `shift` on, as they count: in steps of 1/511, but only directions matter here. */
const tenBits = (word: number, shift: number): number => (word << (22 - shift)) >> 22;

function decodeVertices(words: Uint32Array, vertexCount: number): DecodedVertices {
  const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  const positions = new Float32Array(vertexCount * 3);
  const normals = new Float32Array(vertexCount * 3);
  const tangents = new Float32Array(vertexCount * 4);
  for (let v = 0, at = 0; v < vertexCount; v++, at += VERTEX_WORDS) {
    const normal = words[at + NORMAL];
    const tangent = words[at + TANGENT];
    for (let k = 0; k < 3; k++) {
      positions[v * 3 + k] = floats[at + k];
      normals[v * 3 + k] = tenBits(normal, k * 10);
      tangents[v * 4 + k] = tenBits(tangent, k * 10);
    }
    tangents[v * 4 + 3] = tangent >>> 31 === 1 ? -1 : 1;
  }
  return { vertexCount, positions, normals, tangents };
}

/** Whether directions stay: the linear part is one number on the diagonal. */
function keepsDirections(m: Mat4): boolean {
  const isDiagonal = [1, 2, 4, 6, 8, 9].every((i) => m[i] === 0);
  return isDiagonal && m[0] === m[5] && m[5] === m[10];
}

/** Copies the vertices with positions, normals and tangents in world space. Directions that stay are not rounded again. */
function placeWords(local: Uint32Array, decoded: DecodedVertices, world: Mat4, out: Uint32Array): void {
  const { vertexCount } = decoded;
  const placed = {
    positions: new Float32Array(vertexCount * 3),
    normals: new Float32Array(vertexCount * 3),
    tangents: new Float32Array(vertexCount * 4),
  };
  placeVertices(decoded, placementOf(world), 0, vertexCount, placed);
  const { positions, normals, tangents } = placed;
  const floats = new Float32Array(out.buffer, out.byteOffset, out.length);
  const isTurned = !keepsDirections(world);
  out.set(local);
  for (let v = 0, at = 0; v < vertexCount; v++, at += VERTEX_WORDS) {
    for (let k = 0; k < 3; k++) floats[at + k] = positions[v * 3 + k];
    if (!isTurned) continue;
    out[at + NORMAL] = packNormal(normals[v * 3], normals[v * 3 + 1], normals[v * 3 + 2]);
    out[at + TANGENT] = packTangent(tangents[v * 4], tangents[v * 4 + 1], tangents[v * 4 + 2], tangents[v * 4 + 3]);
  }
}
