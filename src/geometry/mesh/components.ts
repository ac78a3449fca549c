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
  let classes = 0;
  for (let v = 0; v < classOf.length; v++) if (classOf[v] >= classes) classes = classOf[v] + 1;
  const parent = new Uint32Array(classes);
  for (let i = 0; i < classes; i++) parent[i] = i;
  for (let i = 0; i < indices.length; i += 3) {
    const a = rootOf(parent, classOf[indices[i]]);
    const b = rootOf(parent, classOf[indices[i + 1]]);
    parent[b] = a;
    parent[rootOf(parent, classOf[indices[i + 2]])] = a;
  }
  const numberOf = new Uint32Array(classes);
  const partOf = new Uint32Array(indices.length / 3);
  let count = 0;
  for (let t = 0; t < partOf.length; t++) {
    const root = rootOf(parent, classOf[indices[t * 3]]);
    if (numberOf[root] === 0) numberOf[root] = ++count;
    partOf[t] = numberOf[root] - 1;
  }
  const boxes = new Float32Array(count * 6);
  for (let at = 0; at < boxes.length; at += 6) {
    boxes[at] = boxes[at + 1] = boxes[at + 2] = Infinity;
    boxes[at + 3] = boxes[at + 4] = boxes[at + 5] = -Infinity;
  }
  const locked = new Uint8Array(count);
  const seen = new Uint8Array(classOf.length);
  for (let t = 0, i = 0; t < partOf.length; t++) {
    const part = partOf[t];
    const at = part * 6;
    for (const end = i + 3; i < end; i++) {
      const v = indices[i];
      if (seen[v] === 1) continue;
      seen[v] = 1;
      if (lockedVertices[v] === 1) locked[part] = 1;
      const x = positions[v * 3];
      const y = positions[v * 3 + 1];
      const z = positions[v * 3 + 2];
      if (x < boxes[at]) boxes[at] = x;
      if (y < boxes[at + 1]) boxes[at + 1] = y;
      if (z < boxes[at + 2]) boxes[at + 2] = z;
      if (x > boxes[at + 3]) boxes[at + 3] = x;
      if (y > boxes[at + 4]) boxes[at + 4] = y;
      if (z > boxes[at + 5]) boxes[at + 5] = z;
    }
  }
  return { count, partOf, boxes, locked };
}

/** The number that stands for all that is joined with `i`; the way there is halved for those who come after. */
function rootOf(parent: Uint32Array, i: number): number {
  for (;;) {
    const above = parent[i];
    if (above === i) return i;
    i = parent[i] = parent[above];
  }
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
