// Connected components of a tile: triangles joined by positions, even if normals, UVs or materials differ. The smallest
// components are removed from far levels. (meshoptimizer's own pruning would also remove ones that hold a tile's border.)

export interface Components {
  readonly count: number;
  /** Component of each triangle; numbered in the order of their first triangles. */
  readonly componentOf: Uint32Array;
  /** Six numbers for each component: least and greatest corner. */
  readonly boxes: Float32Array;
  /** 1 for a component with a locked vertex. */
  readonly locked: Uint8Array;
}

/** Components of the triangles in `indices`. `ids`: a number for each vertex, equal where vertices are joined. */
export function connectedComponents(
  positions: Float32Array,
  indices: Uint32Array,
  ids: Uint32Array,
  lockedVertices: Uint8Array,
): Components {
  let end = 0;
  for (let v = 0; v < ids.length; v++) if (ids[v] >= end) end = ids[v] + 1;
  const parent = new Uint32Array(end);
  for (let i = 0; i < end; i++) parent[i] = i;
  for (let i = 0; i < indices.length; i += 3) {
    const a = rootOf(parent, ids[indices[i]]);
    const b = rootOf(parent, ids[indices[i + 1]]);
    parent[b] = a;
    parent[rootOf(parent, ids[indices[i + 2]])] = a;
  }
  const numberOf = new Uint32Array(end);
  const componentOf = new Uint32Array(indices.length / 3);
  let count = 0;
  for (let t = 0; t < componentOf.length; t++) {
    const root = rootOf(parent, ids[indices[t * 3]]);
    if (numberOf[root] === 0) numberOf[root] = ++count;
    componentOf[t] = numberOf[root] - 1;
  }
  const boxes = new Float32Array(count * 6);
  for (let at = 0; at < boxes.length; at += 6) {
    boxes[at] = boxes[at + 1] = boxes[at + 2] = Infinity;
    boxes[at + 3] = boxes[at + 4] = boxes[at + 5] = -Infinity;
  }
  const locked = new Uint8Array(count);
  const seen = new Uint8Array(ids.length);
  for (let t = 0, i = 0; t < componentOf.length; t++) {
    const component = componentOf[t];
    const at = component * 6;
    for (const last = i + 3; i < last; i++) {
      const v = indices[i];
      if (seen[v] === 1) continue;
      seen[v] = 1;
      if (lockedVertices[v] === 1) locked[component] = 1;
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
  return { count, componentOf, boxes, locked };
}

/** The root of the set that `i` is in (union-find); the path there is halved for later searches. */
function rootOf(parent: Uint32Array, i: number): number {
  for (;;) {
    const above = parent[i];
    if (above === i) return i;
    i = parent[i] = parent[above];
  }
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
  positions: Float32Array,
  indices: Uint32Array,
  ids: Uint32Array,
  lockedVertices: Uint8Array,
  size: number,
): Uint32Array {
  const components = connectedComponents(positions, indices, ids, lockedVertices);
  const { componentOf, locked } = components;
  const small = new Uint8Array(components.count);
  for (let c = 0; c < components.count; c++) {
    if (locked[c] === 0 && componentDiagonal(components, c) <= size) small[c] = 1;
  }
  const kept = new Uint32Array(indices.length);
  let count = 0;
  for (let t = 0; t < componentOf.length; t++) {
    if (small[componentOf[t]] === 1) continue;
    for (let k = 0; k < 3; k++) kept[count++] = indices[t * 3 + k];
  }
  return count === 0 || count === indices.length ? indices : kept.slice(0, count);
}
