// Nearest point on a set of triangles: a bounding volume hierarchy of boxes over triangles sorted along a Morton curve.
// Built in linear time over typed arrays, searched without recursion.

/** Triangles a leaf. */
const LEAF = 4;
/** Depth of the tree at most: 2^32 leaves. */
const STACK = 64;

/** No position id. */
export const NONE = 0xffffffff;

/** Triangles around positions: those of position id i from begins[i] to before begins[i + 1]. */
export interface Fans {
  readonly begins: Uint32Array;
  readonly triangles: Uint32Array;
}

export class BoundingVolumeHierarchy {
  readonly #leaves: number;
  /** Nine coordinates a triangle, in Morton order. */
  readonly #triangles: Float32Array;
  /** Six numbers a node, least and greatest corner; node 1 is the root, nodes 2i and 2i + 1 the halves of node i. */
  readonly #boxes: Float32Array;
  readonly #count: number;
  /** Numbers of the triangles, in Morton order. */
  readonly #order: Uint32Array;
  /** Where the last search ended: neighbouring points end there too. */
  #lastLeaf: number;
  readonly #nodes = new Uint32Array(STACK);
  readonly #distances = new Float64Array(STACK);
  /** The query point and the least squared distance so far: numbers in an array are never boxed. */
  readonly #query = new Float64Array(4);

  /** Positions 3 a vertex. At least one triangle. */
  constructor(positions: Float32Array, indices: Uint32Array) {
    const count = indices.length / 3;
    if (count === 0) throw new RangeError('a tree of no triangles');
    this.#count = count;
    const order = mortonOrder(positions, indices);
    this.#order = order;
    const triangles = new Float32Array(count * 9);
    for (let i = 0, to = 0; i < count; i++) {
      const from = order[i] * 3;
      for (let corner = from; corner < from + 3; corner++, to += 3) {
        const v = indices[corner] * 3;
        triangles[to] = positions[v];
        triangles[to + 1] = positions[v + 1];
        triangles[to + 2] = positions[v + 2];
      }
    }
    this.#triangles = triangles;
    let leaves = 1;
    while (leaves * LEAF < count) leaves *= 2;
    this.#leaves = leaves;
    this.#lastLeaf = leaves;
    this.#boxes = boxesOf(triangles, count, leaves);
  }

  /** The triangles around each of `count` position ids, by their numbers in the tree. */
  fans({ indices, ids }: { readonly indices: Uint32Array; readonly ids: Uint32Array }, count: number): Fans {
    const order = this.#order;
    const ends = new Uint32Array(count + 1);
    for (let i = 0; i < indices.length; i++) ends[ids[indices[i]]]++;
    for (let id = 0, sum = 0; id <= count; id++) {
      sum += ends[id];
      ends[id] = sum;
    }
    // Filled from the back: ends become beginnings.
    const triangles = new Uint32Array(indices.length);
    for (let i = this.#count - 1; i >= 0; i--) {
      const corner = order[i] * 3;
      triangles[--ends[ids[indices[corner]]]] = i;
      triangles[--ends[ids[indices[corner + 1]]]] = i;
      triangles[--ends[ids[indices[corner + 2]]]] = i;
    }
    return { begins: ends, triangles };
  }

  /**
   * The squared distance from the point at `points[at]` … `points[at + 2]` to the nearest triangle; or, as soon as one is
   * known to be no further than `enough` (squared), any number up to that. Looks at the fan around position id `id` first
   * (NONE: where the last search ended), and from there upwards into what lies beside.
   */
  squaredDistance(points: Float64Array, at: number, enough: number, fans: Fans | null, id: number): number {
    const query = this.#query;
    const x = points[at];
    const y = points[at + 1];
    const z = points[at + 2];
    query[0] = x;
    query[1] = y;
    query[2] = z;
    query[3] = Infinity;
    if (fans !== null && id !== NONE) {
      const { begins, triangles } = fans;
      const end = begins[id + 1];
      for (let i = begins[id]; i < end; i++) {
        searchTriangles(this.#triangles, triangles[i] * 9, triangles[i] * 9 + 9, query);
        if (query[3] <= enough) return query[3];
      }
      this.#lastLeaf = this.#leaves + Math.floor(triangles[begins[id]] / LEAF);
    }
    let up = this.#lastLeaf;
    this.#searchLeaf(up);
    let best = query[3];
    const boxes = this.#boxes;
    const nodes = this.#nodes;
    const distances = this.#distances;
    const leaves = this.#leaves;
    for (; up > 1 && best > enough; up >>>= 1) {
      const beside = boxDistance(boxes, (up ^ 1) * 6, x, y, z);
      if (beside >= best) continue;
      let depth = 0;
      nodes[0] = up ^ 1;
      distances[0] = beside;
      while (depth >= 0) {
        const node = nodes[depth];
        if (distances[depth--] >= best) continue;
        if (node >= leaves) {
          this.#searchLeaf(node);
          if (query[3] >= best) continue;
          best = query[3];
          this.#lastLeaf = node;
          if (best <= enough) break;
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
    }
    return best;
  }

  /** The number of the triangle nearest to a point among those that `fits` takes; -1 where it takes none. */
  nearestTriangle(x: number, y: number, z: number, fits: (triangle: number) => boolean): number {
    const nodes = this.#nodes;
    const distances = this.#distances;
    const query = this.#query;
    query[0] = x;
    query[1] = y;
    query[2] = z;
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
          query[3] = best;
          searchTriangles(this.#triangles, t * 9, t * 9 + 9, query);
          if (query[3] >= best || !fits(this.#order[t])) continue;
          best = query[3];
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

  /**
   * The numbers of the triangles in leaves whose boxes meet a box, in Morton order: all that touch the box, and some beside.
   * Writes them to `found`, which has room for all triangles, and gives how many they are.
   */
  trianglesAround(low: Float64Array, high: Float64Array, found: Uint32Array): number {
    const boxes = this.#boxes;
    const nodes = this.#nodes;
    let count = 0;
    let depth = 0;
    nodes[0] = 1;
    while (depth >= 0) {
      const node = nodes[depth--];
      const at = node * 6;
      if (boxes[at] > high[0] || boxes[at + 3] < low[0]) continue;
      if (boxes[at + 1] > high[1] || boxes[at + 4] < low[1]) continue;
      if (boxes[at + 2] > high[2] || boxes[at + 5] < low[2]) continue;
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

  #searchLeaf(node: number): void {
    const first = (node - this.#leaves) * LEAF;
    searchTriangles(this.#triangles, first * 9, Math.min(this.#count, first + LEAF) * 9, this.#query);
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
    // The corners of the triangles in a leaf, or of the boxes of the two halves. An unused leaf takes the
    // last corner, which makes no box larger.
    const isLeaf = node >= leaves;
    const from = isLeaf ? triangles : boxes;
    let i = isLeaf ? Math.min(count * 9 - 3, (node - leaves) * LEAF * 9) : node * 12;
    const end = isLeaf ? Math.min(count * 9, i + LEAF * 9) : i + 12;
    let x0 = Infinity;
    let y0 = Infinity;
    let z0 = Infinity;
    let x1 = -Infinity;
    let y1 = -Infinity;
    let z1 = -Infinity;
    for (; i < end; i += 3) {
      const x = from[i];
      const y = from[i + 1];
      const z = from[i + 2];
      if (x < x0) x0 = x;
      if (y < y0) y0 = y;
      if (z < z0) z0 = z;
      if (x > x1) x1 = x;
      if (y > y1) y1 = y;
      if (z > z1) z1 = z;
    }
    const at = node * 6;
    boxes[at] = x0;
    boxes[at + 1] = y0;
    boxes[at + 2] = z0;
    boxes[at + 3] = x1;
    boxes[at + 4] = y1;
    boxes[at + 5] = z1;
  }
  return boxes;
}

/** Triangle numbers along a Morton curve through their centres, ten bits an axis; equal keys keep their order. */
function mortonOrder(positions: Float32Array, indices: Uint32Array): Uint32Array {
  const count = indices.length / 3;
  // Three times the centres: the curve is the same.
  const centres = new Float32Array(count * 3);
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < 3; k++) {
    let least = Infinity;
    let most = -Infinity;
    for (let i = 0, to = k; i < indices.length; i += 3, to += 3) {
      const sum = Math.fround(
        positions[indices[i] * 3 + k] + positions[indices[i + 1] * 3 + k] + positions[indices[i + 2] * 3 + k],
      );
      centres[to] = sum;
      if (sum < least) least = sum;
      if (sum > most) most = sum;
    }
    low[k] = least;
    high[k] = most;
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

/**
 * Lowers query[3] to the least squared distance from the point in query[0] … query[2] to the triangles from `at` to
 * before `end`; Ericson, Real-Time Collision Detection, 5.1.5.
 */
function searchTriangles(t: Float32Array, at: number, end: number, query: Float64Array): void {
  const x = query[0];
  const y = query[1];
  const z = query[2];
  let best = query[3];
  for (; at < end; at += 9) {
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
    let v = 0;
    let w = 0;
    if (d1 > 0 || d2 > 0) {
      const abab = abx * abx + aby * aby + abz * abz;
      const abac = abx * acx + aby * acy + abz * acz;
      const acac = acx * acx + acy * acy + acz * acz;
      // Products with the point's vectors from b and c follow from those from a.
      const d3 = d1 - abab;
      const d4 = d2 - abac;
      const d5 = d1 - abac;
      const d6 = d2 - acac;
      if (d3 >= 0 && d4 <= d3) v = 1;
      else if (d6 >= 0 && d5 <= d6) w = 1;
      else {
        const vc = d1 * d4 - d3 * d2;
        const vb = d5 * d2 - d1 * d6;
        const va = d3 * d6 - d5 * d4;
        if (vc <= 0 && d1 >= 0 && d3 <= 0) v = d1 / (d1 - d3);
        else if (vb <= 0 && d2 >= 0 && d6 <= 0) w = d2 / (d2 - d6);
        else if (va <= 0 && d4 >= d3 && d5 >= d6) {
          w = (d4 - d3) / (d4 - d3 + (d5 - d6));
          v = 1 - w;
        } else {
          // No area: one of the edges was nearest, and rounding hid which; the corner is not nearer than that.
          const sum = va + vb + vc;
          if (sum !== 0) {
            v = vb / sum;
            w = vc / sum;
          }
        }
      }
    }
    const dx = apx - v * abx - w * acx;
    const dy = apy - v * aby - w * acy;
    const dz = apz - v * abz - w * acz;
    const d = dx * dx + dy * dy + dz * dz;
    if (d < best) best = d;
  }
  query[3] = best;
}
