// Which triangles of a surface lie around a box: a bounding volume hierarchy of axis-aligned boxes over the triangles in
// Morton order.

import { mortonKeys, sortedByKey } from './boundingVolumeHierarchy.ts';

/** Triangles in a leaf. */
const LEAF = 4;
/** Nodes that wait at most: the tree is never deeper than the bits of a triangle number. */
const STACK = 64;

export class TriangleBoxes {
  readonly #count: number;
  readonly #leaves: number;
  /** Numbers of the triangles, in Morton order. */
  readonly #order: Uint32Array;
  /** Six numbers for each node, least and greatest corner; node 1 is the root, nodes 2i and 2i + 1 are the halves of node i. */
  readonly #boxes: Float32Array;
  readonly #nodes = new Uint32Array(STACK);

  /** `positions`: three for each vertex. At least one triangle. */
  constructor(positions: Float32Array, indices: Uint32Array) {
    const count = indices.length / 3;
    if (count === 0) throw new RangeError('a hierarchy of no triangles');
    let leaves = 1;
    while (leaves * LEAF < count) leaves *= 2;
    this.#count = count;
    this.#leaves = leaves;
    this.#order = mortonOrder(positions, indices);
    this.#boxes = this.#fill(positions, indices);
  }

  /**
   * The numbers of the triangles in leaves whose boxes meet a box, in Morton order: all that touch the box, and some more.
   * Writes them to `found`, which has room for all triangles, and gives how many they are.
   */
  around(low: Float64Array, high: Float64Array, found: Uint32Array): number {
    const boxes = this.#boxes;
    const nodes = this.#nodes;
    let count = 0;
    let depth = 0;
    nodes[0] = 1;
    while (depth >= 0) {
      const node = nodes[depth--];
      const at = node * 6;
      // An unused leaf has an empty box, which meets nothing.
      if (!(boxes[at] <= high[0] && boxes[at + 3] >= low[0])) continue;
      if (!(boxes[at + 1] <= high[1] && boxes[at + 4] >= low[1])) continue;
      if (!(boxes[at + 2] <= high[2] && boxes[at + 5] >= low[2])) continue;
      if (node < this.#leaves) {
        nodes[++depth] = node * 2 + 1;
        nodes[++depth] = node * 2;
        continue;
      }
      const first = (node - this.#leaves) * LEAF;
      const end = Math.min(this.#count, first + LEAF);
      for (let t = first; t < end; t++) found[count++] = this.#order[t];
    }
    return count;
  }

  /** The boxes of all nodes: leaves from the corners of their triangles, the others from their halves. */
  #fill(positions: Float32Array, indices: Uint32Array): Float32Array {
    const leaves = this.#leaves;
    const boxes = new Float32Array(leaves * 12);
    for (let at = 0; at < boxes.length; at += 6) {
      boxes.fill(Infinity, at, at + 3);
      boxes.fill(-Infinity, at + 3, at + 6);
    }
    for (let t = 0; t < this.#count; t++) {
      const at = (leaves + Math.floor(t / LEAF)) * 6;
      for (let corner = 0; corner < 3; corner++) {
        const v = indices[this.#order[t] * 3 + corner] * 3;
        for (let k = 0; k < 3; k++) {
          const p = positions[v + k];
          if (p < boxes[at + k]) boxes[at + k] = p;
          if (p > boxes[at + 3 + k]) boxes[at + 3 + k] = p;
        }
      }
    }
    for (let node = leaves - 1; node > 0; node--) {
      for (let k = 0; k < 3; k++) {
        boxes[node * 6 + k] = Math.min(boxes[node * 12 + k], boxes[node * 12 + 6 + k]);
        boxes[node * 6 + 3 + k] = Math.max(boxes[node * 12 + 3 + k], boxes[node * 12 + 9 + k]);
      }
    }
    return boxes;
  }
}

/** Triangle numbers along a Morton curve through their centres; equal keys keep their order. */
function mortonOrder(positions: Float32Array, indices: Uint32Array): Uint32Array {
  // Three times the centres: the curve is the same.
  const centres = new Float32Array(indices.length);
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < indices.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const sum = Math.fround(
        positions[indices[i] * 3 + k] + positions[indices[i + 1] * 3 + k] + positions[indices[i + 2] * 3 + k],
      );
      centres[i + k] = sum;
      low[k] = Math.min(low[k], sum);
      high[k] = Math.max(high[k], sum);
    }
  }
  return sortedByKey(mortonKeys(centres, low, high));
}
