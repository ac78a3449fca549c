// The objects of a source: nodes that place meshes with triangles.

import { unite } from '../../scene/bounds.ts';
import { transformBounds } from '../../scene/matrix.ts';
import type { Bounds, Scene } from '../../scene/types.ts';

export interface PlacedNode {
  readonly node: number;
  readonly path: string;
  readonly mesh: number;
  readonly bounds: Bounds;
  readonly triangles: number;
  /** About, as a file stores them. */
  readonly vertices: number;
  /** Each once; -1 for none. */
  readonly materials: readonly number[];
}

/** Vertices that a file stores for each point where the source does not say: UVs and normals differ from corner to corner. */
const SEAMS = 2;
const VERTEX_BYTES = 32;
const INDEX_BYTES = 2;

/** Bytes of vertices and indices in memory, about. */
export const geometryBytes = ({ vertices, triangles }: Pick<PlacedNode, 'vertices' | 'triangles'>): number =>
  vertices * VERTEX_BYTES + triangles * 3 * INDEX_BYTES * (vertices > 65_536 ? 2 : 1);

export function placedNodes({ nodes, meshes }: Scene): PlacedNode[] {
  return nodes.flatMap(({ mesh, path, world }, node): PlacedNode[] => {
    if (mesh < 0) return [];
    let bounds: Bounds | null = null;
    let triangles = 0;
    let vertices = 0;
    const materials = new Set<number>();
    for (const primitive of meshes[mesh].primitives) {
      if (primitive.triangleCount === 0 || primitive.bounds === null) continue;
      bounds = unite(bounds, transformBounds(world, primitive.bounds));
      triangles += primitive.triangleCount;
      vertices += Math.min(3 * primitive.triangleCount, primitive.storedVertexCount ?? SEAMS * primitive.vertexCount);
      const inSubsets = primitive.subsets.reduce((sum, subset) => sum + subset.triangleCount, 0);
      if (inSubsets < primitive.triangleCount) materials.add(primitive.material);
      for (const subset of primitive.subsets) if (subset.triangleCount > 0) materials.add(subset.material);
    }
    if (bounds === null) return [];
    return [{ node, path, mesh, bounds, triangles, vertices, materials: [...materials] }];
  });
}
