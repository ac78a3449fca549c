// Several meshes as one surface in the kernel's memory.

import type { Kernel } from '../../kernel/kernel.ts';
import type { PlacedTriangles } from '../lod/boundingVolumeHierarchy.ts';
import type { Triangles } from '../mesh/mesh.ts';

/** Vertices and triangles mesh after mesh. */
export function placeUnited(memory: Kernel, meshes: readonly Triangles[]): PlacedTriangles {
  const sum = (length: (mesh: Triangles) => number) => meshes.reduce((all, mesh) => all + length(mesh), 0);
  const positions = memory.allocate(sum((mesh) => mesh.positions.length) * 4);
  const indices = memory.allocate(sum((mesh) => mesh.indices.length) * 4);
  let firstVertex = 0;
  let firstIndex = 0;
  for (const mesh of meshes) {
    memory.float32(positions + firstVertex * 12, mesh.positions.length).set(mesh.positions);
    addTo(firstVertex, mesh.indices, memory.uint32(indices + firstIndex * 4, mesh.indices.length));
    firstVertex += mesh.positions.length / 3;
    firstIndex += mesh.indices.length;
  }
  return { positions, indices, triangleCount: firstIndex / 3 };
}

function addTo(first: number, values: Uint32Array, sums: Uint32Array): void {
  for (let i = 0; i < values.length; i++) sums[i] = values[i] + first;
}
