// Plain ray casting for tests of what is seen: Möller and Trumbore's intersection in float64, over a tree of boxes. It shares no
// code with src/zone or the kernel.

type Vec3 = readonly [number, number, number] | readonly number[];

export interface Hit {
  /** In lengths of the direction. */
  readonly t: number;
  readonly triangle: number;
  /** The least barycentric coordinate: 0 on an edge, and less than 0 a little outside. */
  readonly inside: number;
}

const LEAF = 4;
const NONE: Hit = { t: Infinity, triangle: -1, inside: 0 };

/** Triangles that rays can be cast against. */
export class Rays {
  /** The three corners of each triangle, nine numbers. */
  readonly #corners: Float64Array;
  readonly #order: Uint32Array;
  /** Six numbers a box of the tree. */
  readonly #boxes: Float64Array;
  /** Of each box its first triangle and their count, in `order`; and where its second half is: 0 for a leaf. */
  readonly #nodes: Uint32Array;
  readonly #stack = new Uint32Array(128);

  constructor(positions: ArrayLike<number>, indices: ArrayLike<number>) {
    const count = indices.length / 3;
    this.#corners = new Float64Array(count * 9);
    for (let i = 0; i < indices.length; i++) {
      for (let k = 0; k < 3; k++) this.#corners[i * 3 + k] = positions[indices[i] * 3 + k];
    }
    this.#order = Uint32Array.from({ length: count }, (_, i) => i);
    this.#boxes = new Float64Array(Math.max(1, count) * 2 * 6);
    this.#nodes = new Uint32Array(Math.max(1, count) * 2 * 3);
    if (count > 0) this.#split(0, 0, count);
  }

  /** Makes the box of some triangles, and those below it; gives the number of the next free one. */
  #split(node: number, first: number, count: number): number {
    const box = this.#boxes.subarray(node * 6, node * 6 + 6);
    box.fill(Infinity, 0, 3).fill(-Infinity, 3, 6);
    for (let i = first; i < first + count; i++) {
      const at = this.#order[i] * 9;
      for (let k = 0; k < 9; k++) {
        box[k % 3] = Math.min(box[k % 3], this.#corners[at + k]);
        box[3 + (k % 3)] = Math.max(box[3 + (k % 3)], this.#corners[at + k]);
      }
    }
    this.#nodes.set([first, count, 0], node * 3);
    if (count <= LEAF) return node + 1;
    const sizes = [0, 1, 2].map((k) => box[3 + k] - box[k]);
    const axis = sizes.indexOf(Math.max(...sizes));
    const middle = (t: number) =>
      this.#corners[t * 9 + axis] + this.#corners[t * 9 + 3 + axis] + this.#corners[t * 9 + 6 + axis];
    this.#order.subarray(first, first + count).sort((a, b) => middle(a) - middle(b) || a - b);
    const half = count >> 1;
    const second = this.#split(node + 1, first, half);
    this.#nodes[node * 3 + 2] = second;
    return this.#split(second, first + half, count - half);
  }

  /** Calls `found` for each triangle that a ray may hit before `limit()`. */
  #visit(origin: Vec3, direction: Vec3, limit: () => number, found: (triangle: number) => void): void {
    const [nodes, boxes, stack] = [this.#nodes, this.#boxes, this.#stack];
    let depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
      const node = stack[--depth];
      const b = node * 6;
      let near = 0;
      let far = limit();
      for (let k = 0; k < 3; k++) {
        const [low, high] = [boxes[b + k] - origin[k], boxes[b + 3 + k] - origin[k]];
        if (direction[k] === 0) {
          // The ray runs beside the box or between its sides.
          if (low > 0 || high < 0) far = -1;
          continue;
        }
        const [t0, t1] = [low / direction[k], high / direction[k]];
        near = Math.max(near, Math.min(t0, t1));
        far = Math.min(far, Math.max(t0, t1));
      }
      if (near > far + Math.abs(far) * 1e-9 || far < 0) continue;
      const second = nodes[node * 3 + 2];
      if (second > 0) {
        stack[depth++] = second;
        stack[depth++] = node + 1;
        continue;
      }
      const first = nodes[node * 3];
      for (let i = first; i < first + nodes[node * 3 + 1]; i++) found(this.#order[i]);
    }
  }

  /** Where a ray meets a triangle, also a little outside of it; null: it does not. */
  #meet(triangle: number, [ox, oy, oz]: Vec3, [dx, dy, dz]: Vec3, edge: number): Hit | null {
    const c = this.#corners;
    const at = triangle * 9;
    const [ax, ay, az] = [c[at], c[at + 1], c[at + 2]];
    const [ux, uy, uz] = [c[at + 3] - ax, c[at + 4] - ay, c[at + 5] - az];
    const [vx, vy, vz] = [c[at + 6] - ax, c[at + 7] - ay, c[at + 8] - az];
    const [px, py, pz] = [dy * vz - dz * vy, dz * vx - dx * vz, dx * vy - dy * vx];
    const det = ux * px + uy * py + uz * pz;
    if (det === 0) return null;
    const [sx, sy, sz] = [ox - ax, oy - ay, oz - az];
    const u = (sx * px + sy * py + sz * pz) / det;
    if (u < -edge || u > 1 + edge) return null;
    const [qx, qy, qz] = [sy * uz - sz * uy, sz * ux - sx * uz, sx * uy - sy * ux];
    const v = (dx * qx + dy * qy + dz * qz) / det;
    if (v < -edge || u + v > 1 + edge) return null;
    const t = (vx * qx + vy * qy + vz * qz) / det;
    return t > 0 ? { t, triangle, inside: Math.min(u, v, 1 - u - v) } : null;
  }

  /** The nearest triangle that a ray hits beyond `from`; triangle -1: none. */
  nearest(origin: Vec3, direction: Vec3, from = 0): Hit {
    let best = NONE;
    this.#visit(
      origin,
      direction,
      () => best.t,
      (triangle) => {
        const hit = this.#meet(triangle, origin, direction, 0);
        if (hit && hit.t >= from && hit.t < best.t) best = hit;
      },
    );
    return best;
  }

  /** All triangles that a ray hits, those within `edge` barycentric outside too. */
  all(origin: Vec3, direction: Vec3, edge: number): Hit[] {
    const hits: Hit[] = [];
    this.#visit(
      origin,
      direction,
      () => Infinity,
      (triangle) => {
        const hit = this.#meet(triangle, origin, direction, edge);
        if (hit) hits.push(hit);
      },
    );
    return hits;
  }
}
