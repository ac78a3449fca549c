// All meshes of one tile as one run of vertices and triangles, so that what spans materials is seen as a whole, and back
// again into a mesh for each material.

import { alignedWords, NEGATIVE_ZERO } from '../lod/borders.ts';
import { orderForCache, orderForFetch } from './optimise.ts';
import { packedBounds, packIndices, reorderVertices, VERTEX_WORDS } from './pack.ts';
import type { PackedMesh } from './types.ts';
import { weldRows } from './weld.ts';

export interface TileGeometry {
  readonly vertexCount: number;
  /** 8 a vertex, mesh after mesh. */
  readonly words: Uint32Array;
  /** 3 a vertex. */
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
  /** First vertex of each mesh, and the vertex count at the end. */
  readonly firstVertex: Uint32Array;
  /** The mesh that each vertex belongs to. */
  readonly meshOf: Uint32Array;
}

export function uniteMeshes(meshes: readonly PackedMesh[]): TileGeometry {
  const firstVertex = new Uint32Array(meshes.length + 1);
  let indexCount = 0;
  meshes.forEach((mesh, i) => {
    firstVertex[i + 1] = firstVertex[i] + mesh.vertexCount;
    indexCount += mesh.indices.length;
  });
  const vertexCount = firstVertex[meshes.length];
  const words = new Uint32Array(vertexCount * VERTEX_WORDS);
  const meshOf = new Uint32Array(vertexCount);
  const indices = new Uint32Array(indexCount);
  let at = 0;
  meshes.forEach((mesh, i) => {
    const first = firstVertex[i];
    words.set(alignedWords(mesh.vertices), first * VERTEX_WORDS);
    meshOf.fill(i, first, firstVertex[i + 1]);
    for (let k = 0; k < mesh.indices.length; k++) indices[at++] = first + mesh.indices[k];
  });
  const floats = new Float32Array(words.buffer);
  const positions = new Float32Array(vertexCount * 3);
  for (let v = 0, from = 0, to = 0; v < vertexCount; v++, from += VERTEX_WORDS) {
    positions[to++] = floats[from];
    positions[to++] = floats[from + 1];
    positions[to++] = floats[from + 2];
  }
  return { vertexCount, words, positions, indices, firstVertex, meshOf };
}

/** A number for each vertex, equal where positions are (-0 is 0); and how many there are. */
export function positionClasses({ words, vertexCount }: TileGeometry): { classOf: Uint32Array; count: number } {
  const rows = new Uint32Array(vertexCount * 3);
  for (let v = 0, to = 0; v < vertexCount; v++) {
    for (let k = 0; k < 3; k++) {
      const bits = words[v * VERTEX_WORDS + k];
      rows[to++] = bits === NEGATIVE_ZERO ? 0 : bits;
    }
  }
  const { count, remap } = weldRows(rows, 3);
  return { classOf: remap ?? Uint32Array.from({ length: vertexCount }, (_, v) => v), count };
}

/**
 * The mesh of each material again, from triangles over the geometry's vertices: ordered as packPlaced orders. Null where
 * no triangle is left. No triangle may have corners of two meshes.
 */
export async function partMeshes(geometry: TileGeometry, indices: Uint32Array): Promise<(PackedMesh | null)[]> {
  const { words, firstVertex, meshOf } = geometry;
  const meshCount = firstVertex.length - 1;
  const ends = new Uint32Array(meshCount);
  for (let i = 0; i < indices.length; i += 3) ends[meshOf[indices[i]]] += 3;
  const sorted = new Uint32Array(indices.length);
  const next = new Uint32Array(meshCount);
  for (let m = 1; m < meshCount; m++) next[m] = next[m - 1] + ends[m - 1];
  for (let m = 0; m < meshCount; m++) ends[m] += next[m];
  for (let i = 0; i < indices.length; i += 3) {
    const m = meshOf[indices[i]];
    for (let k = 0; k < 3; k++) sorted[next[m]++] = indices[i + k] - firstVertex[m];
  }
  const meshes: (PackedMesh | null)[] = [];
  for (let m = 0, begin = 0; m < meshCount; begin = ends[m++]) {
    const own = sorted.slice(begin, ends[m]);
    const vertices = words.subarray(firstVertex[m] * VERTEX_WORDS, firstVertex[m + 1] * VERTEX_WORDS);
    meshes.push(own.length === 0 ? null : await packRows(vertices, own));
  }
  return meshes;
}

/** Triangles over packed vertices, whole and in any order, as a mesh: ordered, without unused vertices. */
export async function packRows(words: Uint32Array, indices: Uint32Array): Promise<PackedMesh> {
  await orderForCache(indices, words.length / VERTEX_WORDS);
  const order = orderForFetch(indices, words.length / VERTEX_WORDS);
  const stored = reorderVertices(words, order);
  const bounds = packedBounds(stored);
  if (bounds === null) throw new Error('a packed position is not finite');
  const vertices = new Uint8Array(stored.buffer);
  return { vertexCount: order.length, vertices, indices: packIndices(indices, order.length), bounds };
}

/** As packRows, but vertices may be equal: they become one. Orders `words` anew. */
export function packWelded(words: Uint32Array, indices: Uint32Array): Promise<PackedMesh> {
  const { count, remap } = weldRows(words, VERTEX_WORDS);
  if (remap) for (let i = 0; i < indices.length; i++) indices[i] = remap[indices[i]];
  return packRows(words.subarray(0, count * VERTEX_WORDS), indices);
}
