// Edges that a wireframe shows: borders, and creases between faces that turn by 30 degrees or more. Diagonals of flat
// polygons are none. The rule is that of the engine's exporter.

/** Vertices whose coordinates round to the same point of this grid, in metres, are one. */
const GRID = 1e-5;
/** The cosine of the angle from which on two faces make a crease: of 30 degrees. */
const CREASE = 0.8660254;
/** Faces of one edge that are compared with each other: a bound on the work where very many meet. */
const MAX_FACES = 64;

/** Slots of a hash table for so many entries: a power of two, at most half full. */
function slotsFor(entries: number): number {
  let slots = 16;
  while (slots < 2 * entries) slots *= 2;
  return slots;
}

/** Numbers rows of integers, each different row once. */
class Rows {
  readonly #slots: Int32Array;
  readonly #mask: number;
  readonly #width: number;
  readonly #rows: Float64Array;
  count = 0;

  constructor(max: number, width: number) {
    const slots = slotsFor(max);
    this.#slots = new Int32Array(slots).fill(-1);
    this.#mask = slots - 1;
    this.#width = width;
    this.#rows = new Float64Array(max * width);
  }

  /** The number of the row; `count` before the call where it is new. */
  add(a: number, b: number, c: number): number {
    const rows = this.#rows;
    let hash = Math.imul(a | 0, 0x9e3779b1) ^ Math.imul(b | 0, 0x85ebca6b) ^ Math.imul(c | 0, 0xc2b2ae35);
    hash ^= hash >>> 15;
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const known = this.#slots[slot];
      if (known < 0) {
        const at = this.count * this.#width;
        rows[at] = a;
        rows[at + 1] = b;
        if (this.#width > 2) rows[at + 2] = c;
        this.#slots[slot] = this.count;
        return this.count++;
      }
      const at = known * this.#width;
      if (rows[at] === a && rows[at + 1] === b && (this.#width === 2 || rows[at + 2] === c)) return known;
    }
  }
}

/**
 * Pairs of vertices, an edge each, in the order in which the triangles first use them. A pair names the first vertex of
 * each point that the triangles use. `positions`: x, y and z of each vertex, `stride` numbers apart, all finite.
 */
export function featureEdges(positions: Float32Array, indices: ArrayLike<number>, stride = 3): Uint32Array {
  const count = indices.length - (indices.length % 3);
  const points = new Rows(count, 3);
  const vertexOf = new Uint32Array(count);
  const pointOf = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const at = indices[i] * stride;
    const [x, y, z] = [positions[at], positions[at + 1], positions[at + 2]];
    // Adding 0 makes one zero of the two.
    const point = points.add(Math.round(x / GRID) + 0, Math.round(y / GRID) + 0, Math.round(z / GRID) + 0);
    if (point === points.count - 1 && vertexOf[point] === 0) vertexOf[point] = indices[i] + 1;
    pointOf[i] = point;
  }
  const normals = faceNormals(positions, indices, count, stride);
  const edges = new Rows(count, 2);
  const from = new Uint32Array(count);
  const to = new Uint32Array(count);
  const kept = new Uint8Array(count);
  const faces = new Uint32Array(count);
  // The faces of an edge as a list: the last one, and by corner the face before it.
  const lastCorner = new Int32Array(count).fill(-1);
  const before = new Int32Array(count).fill(-1);
  for (let t = 0; t < count; t += 3) {
    const n = t;
    if (normals[n] === 0 && normals[n + 1] === 0 && normals[n + 2] === 0) continue;
    for (let k = 0; k < 3; k++) {
      const [a, b] = [pointOf[t + k], pointOf[t + ((k + 1) % 3)]];
      if (a === b) continue;
      const edge = edges.add(Math.min(a, b), Math.max(a, b), 0);
      if (faces[edge] === 0) {
        from[edge] = vertexOf[a] - 1;
        to[edge] = vertexOf[b] - 1;
      }
      for (let corner = lastCorner[edge], i = 0; corner >= 0 && kept[edge] === 0 && i < MAX_FACES; i++) {
        const m = corner - (corner % 3);
        const dot = normals[n] * normals[m] + normals[n + 1] * normals[m + 1] + normals[n + 2] * normals[m + 2];
        if (dot <= CREASE) kept[edge] = 1;
        corner = before[corner];
      }
      before[t + k] = lastCorner[edge];
      lastCorner[edge] = t + k;
      faces[edge]++;
    }
  }
  const pairs = new Uint32Array(edges.count * 2);
  let length = 0;
  for (let edge = 0; edge < edges.count; edge++) {
    if (kept[edge] === 0 && faces[edge] > 1) continue;
    pairs[length++] = from[edge];
    pairs[length++] = to[edge];
  }
  return pairs.slice(0, length);
}

/** Unit normals of triangles, three numbers each; zeros for one without an area. */
function faceNormals(positions: Float32Array, indices: ArrayLike<number>, count: number, stride: number): Float64Array {
  const normals = new Float64Array(count);
  for (let t = 0; t < count; t += 3) {
    const [a, b, c] = [indices[t] * stride, indices[t + 1] * stride, indices[t + 2] * stride];
    const ux = positions[b] - positions[a];
    const uy = positions[b + 1] - positions[a + 1];
    const uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a];
    const vy = positions[c + 1] - positions[a + 1];
    const vz = positions[c + 2] - positions[a + 2];
    const x = uy * vz - uz * vy;
    const y = uz * vx - ux * vz;
    const z = ux * vy - uy * vx;
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(length > 0)) continue;
    normals[t] = x / length;
    normals[t + 1] = y / length;
    normals[t + 2] = z / length;
  }
  return normals;
}
