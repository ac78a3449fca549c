// Nearest triangles of a surface, by a bounding volume hierarchy in the kernel's memory (kernel/assembly/hierarchy.ts), and
// the Morton order of points.

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

/** 30-bit keys of points (3 numbers each) in a box. */
export function mortonKeys(points: Float32Array, low: readonly number[], high: readonly number[]): Uint32Array {
  const scale = low.map((from, k) => (high[k] > from ? 1023 / (high[k] - from) : 0));
  const keys = new Uint32Array(points.length / 3);
  for (let i = 0; i < keys.length; i++) {
    let key = 0;
    for (let k = 0; k < 3; k++) key |= spread(((points[i * 3 + k] - low[k]) * scale[k]) & 1023) << k;
    keys[i] = key;
  }
  return keys;
}

/** Ten bits, each followed by two zeros. */
function spread(bits: number): number {
  let x = (bits | (bits << 16)) & 0x030000ff;
  x = (x | (x << 8)) & 0x0300f00f;
  x = (x | (x << 4)) & 0x030c30c3;
  return (x | (x << 2)) & 0x09249249;
}

/** Numbers 0 … in ascending order of 30-bit keys, stable: three passes of ten bits. */
export function sortedByKey(keys: Uint32Array): Uint32Array {
  let order = new Uint32Array(keys.length);
  for (let i = 0; i < order.length; i++) order[i] = i;
  let other = new Uint32Array(keys.length);
  const starts = new Uint32Array(1025);
  for (let shift = 0; shift < 30; shift += 10) {
    starts.fill(0);
    for (let i = 0; i < keys.length; i++) starts[((keys[i] >>> shift) & 1023) + 1]++;
    for (let i = 0; i < 1024; i++) starts[i + 1] += starts[i];
    for (let i = 0; i < order.length; i++) other[starts[(keys[order[i]] >>> shift) & 1023]++] = order[i];
    [order, other] = [other, order];
  }
  return order;
}
