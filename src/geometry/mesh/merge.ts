// Merge: several meshes of one material into one, their triangles in the order given; packed ones too.

import { defaultTangent } from '../shading/tangents.ts';
import { packWelded, uniteMeshes } from './tileGeometry.ts';
import type { PackedMesh, TriangleMesh } from './types.ts';

/**
 * One mesh of all (at least one). Colours are white and tangents the format's default where a mesh has none and another
 * has. Positions are float64 when a mesh's are. A single mesh comes back as it is.
 */
export function mergeMeshes(meshes: readonly TriangleMesh[]): TriangleMesh {
  if (meshes.length === 0) throw new RangeError('nothing to merge');
  if (meshes.length === 1) return meshes[0];
  let vertexCount = 0;
  let indexCount = 0;
  for (const mesh of meshes) {
    vertexCount += mesh.vertexCount;
    indexCount += mesh.indices.length;
  }
  const double = meshes.some((mesh) => mesh.positions instanceof Float64Array);
  const positions = double ? new Float64Array(vertexCount * 3) : new Float32Array(vertexCount * 3);
  const normals = new Float32Array(vertexCount * 3);
  const tangents = meshes.some((mesh) => mesh.tangents) ? new Float32Array(vertexCount * 4) : null;
  const uv0 = new Float32Array(vertexCount * 2);
  const colors = meshes.some((mesh) => mesh.colors) ? new Uint8Array(vertexCount * 4).fill(255) : null;
  const indices = new Uint32Array(indexCount);
  let first = 0;
  let at = 0;
  for (const mesh of meshes) {
    positions.set(mesh.positions, first * 3);
    normals.set(mesh.normals, first * 3);
    uv0.set(mesh.uv0, first * 2);
    if (colors && mesh.colors) colors.set(mesh.colors, first * 4);
    if (tangents && mesh.tangents) {
      tangents.set(mesh.tangents, first * 4);
    } else if (tangents) {
      for (let v = 0; v < mesh.vertexCount; v++) defaultTangent(mesh.normals[v * 3], tangents, (first + v) * 4);
    }
    for (let i = 0; i < mesh.indices.length; i++) indices[at++] = first + mesh.indices[i];
    first += mesh.vertexCount;
  }
  return { vertexCount, positions, normals, tangents, uv0, colors, indices };
}

/** One packed mesh of all (at least one), ordered again; vertices that are equal become one. */
export async function mergePacked(meshes: readonly PackedMesh[]): Promise<PackedMesh> {
  if (meshes.length === 0) throw new RangeError('nothing to merge');
  if (meshes.length === 1) return meshes[0];
  const { words, indices } = uniteMeshes(meshes);
  return packWelded(words, indices);
}
