// Nearest point on a set of triangles: a tree of boxes over triangles sorted along a Morton curve. Built in linear time
// over typed arrays, asked without recursion.

/** Triangles a leaf. */
const LEAF = 4;
/** Levels of the tree at most: 2^32 leaves. */
const STACK = 64;

export class TriangleTree {
  readonly #leaves: number;
  /** Nine coordinates a triangle, in Morton order. */
  readonly #triangles: Float32Array;
  /** Six numbers a node, least and greatest corner; node 1 is the root, nodes 2i and 2i + 1 the halves of node i. */
  readonly #boxes: Float32Array;
  readonly #count: number;
  /** The number of each triangle as it was given. */
  readonly #order: Uint32Array;
  /** Where the last search ended: neighbouring points end there too. */
  #lastLeaf = 0;
  readonly #nodes = new Uint32Array(STACK);
  readonly #distances = new Float64Array(STACK);

  /** Positions 3 a vertex. At least one triangle. */
  constructor(positions: Float32Array, indices: Uint32Array) {
    const count = indices.length / 3;
    if (count === 0) throw new RangeError('a tree of no triangles');
    this.#count = count;
    const order = mortonOrder(positions, indices);
    this.#order = order;
    const triangles = new Float32Array(count * 9);
    for (let i = 0, to = 0; i < count; i++) {
      for (let k = 0; k < 3; k++) {
        const v = indices[order[i] * 3 + k] * 3;
        triangles[to++] = positions[v];
        triangles[to++] = positions[v + 1];
        triangles[to++] = positions[v + 2];
      }
    }
    this.#triangles = triangles;
    let leaves = 1;
    while (leaves * LEAF < count) leaves *= 2;
    this.#leaves = leaves;
    this.#boxes = boxesOf(triangles, count, leaves);
  }

  /**
   * The squared distance from a point to the nearest triangle; or, as soon as one is known to be no further than
   * `enough` (squared), any number up to that.
   */
  squaredDistance(x: number, y: number, z: number, enough: number): number {
    let best = this.#leafDistance(this.#lastLeaf, x, y, z);
    if (best <= enough) return best;
    const boxes = this.#boxes;
    const nodes = this.#nodes;
    const distances = this.#distances;
    let depth = 0;
    nodes[0] = 1;
    distances[0] = 0;
    while (depth >= 0) {
      const node = nodes[depth];
      if (distances[depth--] >= best) continue;
      if (node >= this.#leaves) {
        const d = this.#leafDistance(node - this.#leaves, x, y, z);
        if (d >= best) continue;
        best = d;
        this.#lastLeaf = node - this.#leaves;
        if (best <= enough) return best;
        continue;
      }
      const left = boxDistance(boxes, node * 12, x, y, z);
      const right = boxDistance(boxes, node * 12 + 6, x, y, z);
      // The nearer half comes off the stack first.
      const leftFirst = left <= right;
      const far = leftFirst ? right : left;
      const near = leftFirst ? left : right;
      if (far < best) {
        nodes[++depth] = leftFirst ? node * 2 + 1 : node * 2;
        distances[depth] = far;
      }
      if (near < best) {
        nodes[++depth] = leftFirst ? node * 2 : node * 2 + 1;
        distances[depth] = near;
      }
    }
    return best;
  }

  /** The number of the triangle nearest to a point among those that `fits` takes; -1 where it takes none. */
  nearestTriangle(x: number, y: number, z: number, fits: (triangle: number) => boolean): number {
    const nodes = this.#nodes;
    const distances = this.#distances;
    let best = Infinity;
    let nearest = -1;
    let depth = 0;
    nodes[0] = 1;
    distances[0] = 0;
    while (depth >= 0) {
      const node = nodes[depth];
      if (distances[depth--] >= best) continue;
      if (node >= this.#leaves) {
        const first = (node - this.#leaves) * LEAF;
        const end = Math.min(this.#count, first + LEAF);
        for (let t = first; t < end; t++) {
          const d = squaredDistanceToTriangle(this.#triangles, t * 9, x, y, z);
          if (d >= best || !fits(this.#order[t])) continue;
          best = d;
          nearest = this.#order[t];
        }
        continue;
      }
      const left = boxDistance(this.#boxes, node * 12, x, y, z);
      const right = boxDistance(this.#boxes, node * 12 + 6, x, y, z);
      const leftFirst = left <= right;
      nodes[++depth] = leftFirst ? node * 2 + 1 : node * 2;
      distances[depth] = leftFirst ? right : left;
      nodes[++depth] = leftFirst ? node * 2 : node * 2 + 1;
      distances[depth] = leftFirst ? left : right;
    }
    return nearest;
  }

  #leafDistance(leaf: number, x: number, y: number, z: number): number {
    const first = leaf * LEAF;
    const end = Math.min(this.#count, first + LEAF);
    let best = Infinity;
    for (let t = first; t < end; t++) {
      const d = squaredDistanceToTriangle(this.#triangles, t * 9, x, y, z);
      if (d < best) best = d;
    }
    return best;
  }
}

function boxDistance(b: Float32Array, at: number, x: number, y: number, z: number): number {
  const dx = x < b[at] ? b[at] - x : x > b[at + 3] ? x - b[at + 3] : 0;
  const dy = y < b[at + 1] ? b[at + 1] - y : y > b[at + 4] ? y - b[at + 4] : 0;
  const dz = z < b[at + 2] ? b[at + 2] - z : z > b[at + 5] ? z - b[at + 5] : 0;
  return dx * dx + dy * dy + dz * dz;
}

function boxesOf(triangles: Float32Array, count: number, leaves: number): Float32Array {
  const boxes = new Float32Array(leaves * 12);
  for (let node = leaves * 2 - 1; node > 0; node--) {
    const at = node * 6;
    for (let k = 0; k < 3; k++) {
      let low = Infinity;
      let high = -Infinity;
      if (node >= leaves) {
        const first = (node - leaves) * LEAF;
        const end = Math.min(count, first + LEAF) * 9;
        for (let i = first * 9 + k; i < end; i += 3) {
          low = Math.min(low, triangles[i]);
          high = Math.max(high, triangles[i]);
        }
      } else {
        low = Math.min(boxes[node * 12 + k], boxes[node * 12 + 6 + k]);
        high = Math.max(boxes[node * 12 + 3 + k], boxes[node * 12 + 9 + k]);
      }
      boxes[at + k] = low;
      boxes[at + 3 + k] = high;
    }
  }
  return boxes;
}

/** Triangle numbers along a Morton curve through their centres, ten bits an axis; equal keys keep their order. */
function mortonOrder(positions: Float32Array, indices: Uint32Array): Uint32Array {
  const count = indices.length / 3;
  const centres = new Float32Array(count * 3);
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let t = 0; t < count; t++) {
    const a = indices[t * 3] * 3;
    const b = indices[t * 3 + 1] * 3;
    const c = indices[t * 3 + 2] * 3;
    for (let k = 0; k < 3; k++) {
      const middle = (positions[a + k] + positions[b + k] + positions[c + k]) / 3;
      centres[t * 3 + k] = middle;
      if (middle < low[k]) low[k] = middle;
      if (middle > high[k]) high[k] = middle;
    }
  }
  return sortedByKey(mortonKeys(centres, low, high));
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

/** Squared distance from a point to the triangle at `at`; Ericson, Real-Time Collision Detection, 5.1.5. */
function squaredDistanceToTriangle(t: Float32Array, at: number, x: number, y: number, z: number): number {
  const ax = t[at];
  const ay = t[at + 1];
  const az = t[at + 2];
  const abx = t[at + 3] - ax;
  const aby = t[at + 4] - ay;
  const abz = t[at + 5] - az;
  const acx = t[at + 6] - ax;
  const acy = t[at + 7] - ay;
  const acz = t[at + 8] - az;
  const apx = x - ax;
  const apy = y - ay;
  const apz = z - az;
  const d1 = abx * apx + aby * apy + abz * apz;
  const d2 = acx * apx + acy * apy + acz * apz;
  if (d1 <= 0 && d2 <= 0) return apx * apx + apy * apy + apz * apz;
  const abab = abx * abx + aby * aby + abz * abz;
  const abac = abx * acx + aby * acy + abz * acz;
  const acac = acx * acx + acy * acy + acz * acz;
  // Products with the point's vectors from b and c follow from those from a.
  const d3 = d1 - abab;
  const d4 = d2 - abac;
  let v = 0;
  let w = 0;
  const d5 = d1 - abac;
  const d6 = d2 - acac;
  const vc = d1 * d4 - d3 * d2;
  const vb = d5 * d2 - d1 * d6;
  const va = d3 * d6 - d5 * d4;
  if (d3 >= 0 && d4 <= d3) v = 1;
  else if (d6 >= 0 && d5 <= d6) w = 1;
  else if (vc <= 0 && d1 >= 0 && d3 <= 0) v = d1 / (d1 - d3);
  else if (vb <= 0 && d2 >= 0 && d6 <= 0) w = d2 / (d2 - d6);
  else if (va <= 0 && d4 >= d3 && d5 >= d6) {
    w = (d4 - d3) / (d4 - d3 + (d5 - d6));
    v = 1 - w;
  } else {
    const sum = va + vb + vc;
    // No area: one of the edges was nearest, and rounding hid which; the corner is not nearer than that.
    if (sum === 0) return apx * apx + apy * apy + apz * apz;
    v = vb / sum;
    w = vc / sum;
  }
  const dx = apx - v * abx - w * acx;
  const dy = apy - v * aby - w * acy;
  const dz = apz - v * abz - w * acz;
  return dx * dx + dy * dy + dz * dz;
}
