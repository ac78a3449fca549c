// Connected components of a tile: triangles joined by positions, even if normals, UVs or materials differ. The smallest
// components are removed from far levels. (meshoptimizer's own pruning would also remove ones that hold a tile's border.)

import { kernel } from '../../kernel/kernel.ts';

export interface Components {
  readonly count: number;
  /** Component of each triangle; numbered in the order of their first triangles. */
  readonly componentOf: Uint32Array;
  /** Six numbers for each component: least and greatest corner. */
  readonly boxes: Float32Array;
  /** 1 for a component with a locked vertex. */
  readonly locked: Uint8Array;
}

/**
 * Components of the triangles in `indices`. `ids`: a number for each vertex, equal where vertices are joined, below
 * `idCount`.
 */
export function connectedComponents(
  positions: Float32Array,
  indices: Uint32Array,
  ids: Uint32Array,
  idCount: number,
  lockedVertices: Uint8Array,
): Components {
  const triangleCount = indices.length / 3;
  return kernel.within((memory) => {
    const placed = memory.put(indices);
    const of = memory.allocate(triangleCount * 4);
    const scratch = [memory.allocate(idCount * 4), memory.allocate(idCount * 4)] as const;
    const count = memory.calls.joinComponents(placed, triangleCount, memory.put(ids), idCount, ...scratch, of);
    const boxes = memory.allocate(count * 24);
    const locked = memory.allocate(count);
    const surface = [memory.put(positions), placed, triangleCount, memory.put(lockedVertices)] as const;
    memory.calls.boundComponents(...surface, of, count, boxes, locked);
    return {
      count,
      componentOf: memory.uint32(of, triangleCount).slice(),
      boxes: memory.float32(boxes, count * 6).slice(),
      locked: memory.uint8(locked, count).slice(),
    };
  });
}

/** Diagonal of a component's box in metres. */
export function componentDiagonal({ boxes }: Components, component: number): number {
  const at = component * 6;
  return Math.hypot(boxes[at + 3] - boxes[at], boxes[at + 4] - boxes[at + 1], boxes[at + 5] - boxes[at + 2]);
}

/**
 * The triangles without the components whose boxes have a diagonal up to `size` metres, except those with a locked vertex;
 * all of them when nothing else would be left.
 */
export function withoutSmallComponents(
  indices: Uint32Array,
  components: Components,
  lockedVertices: Uint8Array,
  size: number,
): Uint32Array {
  const { componentOf, count: componentCount } = components;
  const small = new Uint8Array(componentCount);
  for (let c = 0; c < componentCount; c++) if (componentDiagonal(components, c) <= size) small[c] = 1;
  if (!small.includes(1)) return indices;
  return kernel.within((memory) => {
    const kept = memory.allocate(indices.length * 4);
    const surface = [memory.put(indices), componentOf.length, memory.put(componentOf)] as const;
    const count = memory.calls.keepComponents(...surface, memory.put(lockedVertices), memory.put(small), kept);
    return count === 0 || count === indices.length ? indices : memory.uint32(kept, count).slice();
  });
}
