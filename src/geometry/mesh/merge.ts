// Merge: several meshes into one, their triangles in the order given.

import { kernel } from '../../kernel/kernel.ts';
import { attributesFrom, fillFallback } from './attributes.ts';
import type { Float32Mesh, Mesh } from './mesh.ts';

/**
 * One mesh of all (at least one). It has the attributes that any of them has; where one lacks an attribute, its vertices
 * get the fallback. Positions are float64 when a mesh's are. A single mesh comes back as it is.
 */
export function mergeMeshes(meshes: readonly Float32Mesh[]): Float32Mesh;
export function mergeMeshes(meshes: readonly Mesh[]): Mesh;
export function mergeMeshes(meshes: readonly Mesh[]): Mesh {
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
  let first = 0;
  for (const mesh of meshes) {
    positions.set(mesh.positions, first * 3);
    first += mesh.vertexCount;
  }
  const indices = kernel.within((memory) => {
    const all = memory.allocate(indexCount * 4);
    let before = 0;
    let at = all;
    for (const mesh of meshes) {
      const { length } = mesh.indices;
      memory.uint32(at, length).set(mesh.indices);
      if (before > 0) memory.calls.raiseIndices(at, length, before, false);
      before += mesh.vertexCount;
      at += length * 4;
    }
    return memory.uint32(all, indexCount).slice();
  });
  const attributes = attributesFrom((semantic, kind, { normal }) => {
    if (!meshes.some((mesh) => mesh.attributes[semantic])) return undefined;
    const out = new kind.array(vertexCount * kind.components);
    let next = 0;
    for (const mesh of meshes) {
      const values = mesh.attributes[semantic];
      if (values) out.set(values, next * kind.components);
      else fillFallback(kind, normal as Float32Array, out, next, mesh.vertexCount);
      next += mesh.vertexCount;
    }
    return out;
  });
  return { vertexCount, positions, attributes, indices };
}
