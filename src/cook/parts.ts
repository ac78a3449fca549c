// Connected parts of a tile: triangles joined by positions, whatever their normals, UVs or materials. The smallest parts
// go from far levels; the library's own pruning would also take parts that hold a tile's border.

import type { TileGeometry } from './tileGeometry.ts';

export interface Parts {
  readonly count: number;
  /** Part of each triangle; numbered in the order of their first triangles. */
  readonly partOf: Uint32Array;
  /** Six numbers a part: least and greatest corner. */
  readonly boxes: Float32Array;
  /** 1 for a part with a locked vertex. */
  readonly locked: Uint8Array;
}

/** Parts of the triangles in `indices`. `classOf`: a number for each vertex, equal where vertices hang together. */
export function connectedParts(
  { positions }: Pick<TileGeometry, 'positions'>,
  indices: Uint32Array,
  classOf: Uint32Array,
  lockedVertices: Uint8Array,
): Parts {
  const parent = new Uint32Array(classOf.length);
  for (let i = 0; i < parent.length; i++) parent[i] = i;
  const rootOf = (start: number): number => {
    let i = start;
    while (parent[i] !== i) {
      parent[i] = parent[parent[i]];
      i = parent[i];
    }
    return i;
  };
  for (let i = 0; i < indices.length; i += 3) {
    const a = rootOf(classOf[indices[i]]);
    const b = rootOf(classOf[indices[i + 1]]);
    // The lower number wins: what comes out does not depend on the order of unions.
    const ab = Math.min(a, b);
    parent[Math.max(a, b)] = ab;
    const c = rootOf(classOf[indices[i + 2]]);
    parent[Math.max(ab, c)] = Math.min(ab, c);
  }
  const numberOf = new Uint32Array(classOf.length);
  const partOf = new Uint32Array(indices.length / 3);
  let count = 0;
  for (let t = 0; t < partOf.length; t++) {
    const root = rootOf(classOf[indices[t * 3]]);
    if (numberOf[root] === 0) numberOf[root] = ++count;
    partOf[t] = numberOf[root] - 1;
  }
  const boxes = new Float32Array(count * 6);
  for (let p = 0; p < count; p++) boxes.fill(Infinity, p * 6, p * 6 + 3).fill(-Infinity, p * 6 + 3, p * 6 + 6);
  const locked = new Uint8Array(count);
  for (let i = 0; i < indices.length; i++) {
    const v = indices[i];
    const part = partOf[(i / 3) | 0];
    if (lockedVertices[v] === 1) locked[part] = 1;
    for (let k = 0; k < 3; k++) {
      const x = positions[v * 3 + k];
      if (x < boxes[part * 6 + k]) boxes[part * 6 + k] = x;
      if (x > boxes[part * 6 + 3 + k]) boxes[part * 6 + 3 + k] = x;
    }
  }
  return { count, partOf, boxes, locked };
}

/** Diagonal of a part's box in metres. */
export function partDiagonal({ boxes }: Parts, part: number): number {
  const at = part * 6;
  return Math.hypot(boxes[at + 3] - boxes[at], boxes[at + 4] - boxes[at + 1], boxes[at + 5] - boxes[at + 2]);
}

/**
 * The triangles without the parts whose boxes have a diagonal up to `size` metres, except parts with a locked vertex; all
 * of them when nothing else would be left.
 */
export function withoutSmallParts(
  geometry: Pick<TileGeometry, 'positions'>,
  indices: Uint32Array,
  classOf: Uint32Array,
  lockedVertices: Uint8Array,
  size: number,
): Uint32Array {
  const parts = connectedParts(geometry, indices, classOf, lockedVertices);
  const small = new Uint8Array(parts.count);
  for (let p = 0; p < parts.count; p++) {
    if (parts.locked[p] === 0 && partDiagonal(parts, p) <= size) small[p] = 1;
  }
  const kept = new Uint32Array(indices.length);
  let count = 0;
  for (let t = 0; t < parts.partOf.length; t++) {
    if (small[parts.partOf[t]] === 1) continue;
    for (let k = 0; k < 3; k++) kept[count++] = indices[t * 3 + k];
  }
  return count === 0 || count === indices.length ? indices : kept.slice(0, count);
}
