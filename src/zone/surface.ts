// The triangles of one part of the scene, cut into clusters of neighbours, for eyes that look at them again and again. All numbers
// lie in buffers that threads share.

import type { Bounds } from '../scene/types.ts';

/** Triangles of a cluster at most: its vertices are counted by uint16. */
export const CLUSTER_TRIANGLES = 256;

/** Positions are float32 relative to the middle of the zone. */
export interface Surface {
  /** Something is seen through it, so that it hides nothing. */
  readonly isClear: boolean;
  /** Three numbers a vertex, cluster after cluster. */
  readonly positions: Float32Array;
  /** Three vertices for each triangle, counted from the first vertex of its cluster. */
  readonly indices: Uint16Array;
  /** Of each cluster the first vertex and the first triangle; one more entry is the end. */
  readonly firstVertices: Uint32Array;
  readonly firstTriangles: Uint32Array;
  /** Six numbers a cluster: its least and its greatest corner. */
  readonly boxes: Float32Array;
  /** The triangle of the part that each triangle here is. */
  readonly triangles: Uint32Array;
}

const shared = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes);

/** Spreads the lower ten bits so that two free ones follow each. */
function spread(value: number): number {
  let bits = value & 0x3ff;
  bits = (bits | (bits << 16)) & 0x030000ff;
  bits = (bits | (bits << 8)) & 0x0300f00f;
  bits = (bits | (bits << 4)) & 0x030c30c3;
  return (bits | (bits << 2)) & 0x09249249;
}

/** The triangles along a curve that fills the box, neighbours next to each other. */
function alongCurve(positions: Float32Array, corners: Uint32Array): Uint32Array {
  const count = corners.length / 3;
  const order = new Uint32Array(count);
  if (count <= CLUSTER_TRIANGLES) {
    for (let i = 0; i < count; i++) order[i] = i;
    return order;
  }
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < corners.length; i++) {
    for (let k = 0; k < 3; k++) {
      const value = positions[corners[i] * 3 + k];
      if (value < low[k]) low[k] = value;
      if (value > high[k]) high[k] = value;
    }
  }
  const scale = 1023 / Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2], 1e-9);
  // The place on the curve above the number of the triangle: 53 bits together are exact. Of more triangles places are coarser.
  const numbers = 2 ** Math.max(23, Math.ceil(Math.log2(count)));
  const places = numbers / 2 ** 23;
  const keys = new Float64Array(count);
  for (let t = 0; t < count; t++) {
    const [a, b, c] = [corners[t * 3] * 3, corners[t * 3 + 1] * 3, corners[t * 3 + 2] * 3];
    const x = ((positions[a] + positions[b] + positions[c]) / 3 - low[0]) * scale;
    const y = ((positions[a + 1] + positions[b + 1] + positions[c + 1]) / 3 - low[1]) * scale;
    const z = ((positions[a + 2] + positions[b + 2] + positions[c + 2]) / 3 - low[2]) * scale;
    const place = spread(x) | (spread(y) << 1) | (spread(z) << 2);
    keys[t] = Math.floor(place / places) * numbers + t;
  }
  keys.sort();
  for (let i = 0; i < count; i++) order[i] = keys[i] % numbers;
  return order;
}

/** The clusters of a part: its positions relative to the middle of the zone, and three corners for each of its triangles. */
export function surfaceOf(positions: Float32Array, corners: Uint32Array, isClear: boolean): Surface {
  const count = corners.length / 3;
  const order = alongCurve(positions, corners);
  const clusters = Math.ceil(count / CLUSTER_TRIANGLES);
  const firstVertices = new Uint32Array(shared((clusters + 1) * 4));
  const firstTriangles = new Uint32Array(shared((clusters + 1) * 4));
  const boxes = new Float32Array(shared(clusters * 24));
  const indices = new Uint16Array(shared(count * 6));
  const triangles = new Uint32Array(shared(count * 4));
  triangles.set(order);
  const vertices = new Uint32Array(count * 3);
  const numberOf = new Uint16Array(positions.length / 3);
  const clusterOf = new Uint32Array(positions.length / 3);
  let used = 0;
  for (let cluster = 0; cluster < clusters; cluster++) {
    const begin = cluster * CLUSTER_TRIANGLES;
    const end = Math.min(count, begin + CLUSTER_TRIANGLES);
    firstVertices[cluster] = used;
    firstTriangles[cluster] = begin;
    const box = cluster * 6;
    boxes.fill(Infinity, box, box + 3).fill(-Infinity, box + 3, box + 6);
    for (let i = begin; i < end; i++) {
      for (let k = 0; k < 3; k++) {
        const vertex = corners[order[i] * 3 + k];
        if (clusterOf[vertex] !== cluster + 1) {
          clusterOf[vertex] = cluster + 1;
          numberOf[vertex] = used - firstVertices[cluster];
          vertices[used++] = vertex;
          for (let axis = 0; axis < 3; axis++) {
            const value = positions[vertex * 3 + axis];
            if (value < boxes[box + axis]) boxes[box + axis] = value;
            if (value > boxes[box + 3 + axis]) boxes[box + 3 + axis] = value;
          }
        }
        indices[i * 3 + k] = numberOf[vertex];
      }
    }
  }
  firstVertices[clusters] = used;
  firstTriangles[clusters] = count;
  const own = new Float32Array(shared(used * 12));
  for (let i = 0; i < used; i++) {
    const from = vertices[i] * 3;
    own[i * 3] = positions[from];
    own[i * 3 + 1] = positions[from + 1];
    own[i * 3 + 2] = positions[from + 2];
  }
  return { isClear, positions: own, indices, firstVertices, firstTriangles, boxes, triangles };
}

/** A box as the kernel takes it: its least and its greatest corner, relative to the middle of the zone, rounded outwards. */
export function boxOf({ min, max }: Bounds, middle: readonly number[]): Float32Array {
  const box = new Float32Array(6);
  for (let axis = 0; axis < 3; axis++) {
    const [low, high] = [min[axis] - middle[axis], max[axis] - middle[axis]];
    const room = (Math.abs(low) + Math.abs(high)) * 1e-6 + 1e-6;
    box[axis] = low - room;
    box[axis + 3] = high + room;
  }
  return box;
}
