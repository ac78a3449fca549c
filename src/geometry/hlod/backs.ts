// The backs of sheets: where a slab, such as a roof or an awning, is simplified to one sheet, its upper and its lower side lie
// at one depth or have changed sides, and a renderer that culls nothing shows either. The side that looks up stays.

import { kernel } from '../../kernel/kernel.ts';
import { placeHierarchy } from '../lod/boundingVolumeHierarchy.ts';
import type { Float32Mesh } from '../mesh/mesh.ts';
import { placeUnited } from './placeUnited.ts';

/**
 * The meshes without the triangles that others which look up more cover at all points, from the other side and from no deeper
 * than `reach` metres below. Vertices stay as they are; null where no triangle is left.
 */
export function withoutBacks(meshes: readonly Float32Mesh[], reach: number): readonly (Float32Mesh | null)[] {
  if (meshes.every(({ indices }) => indices.length === 0)) return meshes;
  return kernel.within((memory) => {
    const surface = placeUnited(memory, meshes);
    const tree = placeHierarchy(memory, surface);
    const normals = memory.allocate(surface.triangleCount * 24);
    const isBack = memory.allocate(surface.triangleCount);
    memory.calls.findBacks(tree, reach, normals, isBack);
    let first = isBack;
    return meshes.map((mesh) => {
      const count = mesh.indices.length / 3;
      const backs = memory.uint8(first, count);
      first += count;
      return backs.includes(1) ? withoutTriangles(mesh, backs) : mesh;
    });
  });
}

/** The mesh without the triangles that have a 1; null where none is left. */
function withoutTriangles(mesh: Float32Mesh, isAway: Uint8Array): Float32Mesh | null {
  const indices = new Uint32Array(mesh.indices.length);
  let count = 0;
  for (let i = 0; i < indices.length; i += 3) {
    if (isAway[i / 3] === 1) continue;
    for (let k = i; k < i + 3; k++) indices[count++] = mesh.indices[k];
  }
  return count === 0 ? null : { ...mesh, indices: indices.slice(0, count) };
}
