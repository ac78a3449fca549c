// Meshes of several materials as one mesh of one texture: of a palette, in which each mesh has one colour, or of an atlas,
// which holds the images that they had.

import type { Float32Mesh } from '../mesh/mesh.ts';
import { pickVertices, valuesOf } from '../mesh/mesh.ts';
import { uniteMeshes } from '../mesh/united.ts';
import { shiftOf } from '../uv/uvWindow.ts';

/** Where a mesh's texels are in the texture of all. */
export type AtlasedUv =
  /** One point for all vertices. */
  | readonly [number, number]
  /**
   * The repeats along u and v that hold each triangle of the mesh once it is moved by whole numbers (uvWindow), and the
   * left, bottom, right and top that they have in the whole.
   */
  | { readonly repeats: readonly [number, number]; readonly rect: readonly [number, number, number, number] };

/** One mesh of all (at least one), each with its UVs in the texture of all; vertices may be equal afterwards. */
export function atlasUvs(meshes: readonly Float32Mesh[], uvs: readonly AtlasedUv[]): Float32Mesh {
  const united = uniteMeshes(meshes);
  const { firstVertex, meshOf, vertexCount } = united;
  const indices = united.indices.slice();
  const source = valuesOf(united, 'uv0');

  // 1. Triangles that share a vertex may move apart: each of their corners gets a vertex of its own, after the others.
  const isMoved = (i: number): boolean => 'rect' in uvs[meshOf[indices[i]]];
  let corners = 0;
  for (let i = 0; i < indices.length; i++) if (isMoved(i)) corners++;
  const vertices = new Uint32Array(vertexCount + corners);
  for (let v = 0; v < vertexCount; v++) vertices[v] = v;

  // 2. Their UVs, and the one of each mesh that has one point.
  const uv0 = new Float32Array(vertices.length * 2);
  uv0.set(source);
  for (let m = 0; m < meshes.length; m++) {
    const uv = uvs[m];
    if ('rect' in uv) continue;
    for (let v = firstVertex[m]; v < firstVertex[m + 1]; v++) uv0.set(uv, v * 2);
  }
  const triangle = new Float64Array(6);
  let next = vertexCount;
  for (let i = 0; i < indices.length; i += 3) {
    const uv = uvs[meshOf[indices[i]]];
    if (!('rect' in uv)) continue;
    for (let k = 0; k < 3; k++) {
      triangle[k * 2] = source[indices[i + k] * 2];
      triangle[k * 2 + 1] = source[indices[i + k] * 2 + 1];
    }
    moveUvs(triangle, uv);
    for (let k = 0; k < 3; k++, next++) {
      vertices[next] = indices[i + k];
      uv0[next * 2] = triangle[k * 2];
      uv0[next * 2 + 1] = triangle[k * 2 + 1];
      indices[i + k] = next;
    }
  }
  const merged = pickVertices(united, vertices, indices);
  return { ...merged, attributes: { ...merged.attributes, uv0 } };
}

/** Moves the UVs of a triangle into the texture of all: u and v of its three corners. */
function moveUvs(
  uvs: Float64Array,
  { repeats, rect: [left, bottom, right, top] }: Extract<AtlasedUv, { readonly rect: unknown }>,
): void {
  const [n, m] = [shiftOf(uvs[0], uvs[2], uvs[4]), shiftOf(uvs[1], uvs[3], uvs[5])];
  for (let k = 0; k < 6; k += 2) {
    const u = Math.max(0, Math.min(1, (uvs[k] - n) / repeats[0]));
    const v = Math.max(0, Math.min(1, (uvs[k + 1] - m) / repeats[1]));
    uvs[k] = left + u * (right - left);
    uvs[k + 1] = bottom + v * (top - bottom);
  }
}
