// Nearest triangles of a surface, by a bounding volume hierarchy in the kernel's memory (kernel/assembly/hierarchy.ts).

import { type Address, type Kernel, kernel } from '../../kernel/kernel.ts';

/** Triangles a leaf. */
const LEAF = 4;
/** Bytes a box, and the coordinates of a triangle. */
const BOX_BYTES = 24;
const TRIANGLE_BYTES = 36;

/** A surface in the kernel's memory. */
export interface PlacedTriangles {
  readonly positions: Address;
  readonly indices: Address;
  readonly triangleCount: number;
}

/** Builds the hierarchy of at least one triangle in the kernel's memory; with room for fans where these are given. */
export function placeHierarchy(
  memory: Kernel,
  { positions, indices, triangleCount }: PlacedTriangles,
  fans: { readonly begins: Address; readonly triangles: Address } = { begins: 0, triangles: 0 },
): Address {
  if (triangleCount === 0) throw new RangeError('a hierarchy of no triangles');
  let leafCount = 1;
  while (leafCount * LEAF < triangleCount) leafCount *= 2;
  const triangles = memory.allocate(triangleCount * TRIANGLE_BYTES);
  const order = memory.allocate(triangleCount * 4);
  const boxes = memory.allocate(leafCount * 2 * BOX_BYTES);
  const tree = memory.words(
    ...[positions, indices, triangleCount, leafCount, triangles, order, boxes],
    ...[0, fans.begins, fans.triangles],
  );
  memory.calls.buildHierarchy(tree);
  return tree;
}

/**
 * The number of the triangle nearest to each point (3 numbers each) among those that face the same way as the normal of
 * the point; of the nearest of all where none does, or where no normals are given. At least one triangle.
 */
export function nearestTriangles(
  surface: { readonly positions: Float32Array; readonly indices: Uint32Array },
  points: Float64Array,
  normals: Float64Array | null = null,
): Uint32Array {
  const count = points.length / 3;
  return kernel.within((memory) => {
    const positions = memory.put(surface.positions);
    const indices = memory.put(surface.indices);
    const triangleCount = surface.indices.length / 3;
    const tree = placeHierarchy(memory, { positions, indices, triangleCount });
    const placedPoints = memory.put(points);
    const placedNormals = normals === null ? 0 : memory.put(normals);
    const nearest = memory.allocate(count * 4);
    memory.calls.nearestTriangles(tree, placedPoints, placedNormals, count, nearest);
    return memory.uint32(nearest, count).slice();
  });
}
