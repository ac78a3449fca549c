// Optimise: triangles without area go, the others are ordered for the vertex cache, and vertices in the order they are
// fetched. Cache order by meshoptimizer (Forsyth's scores), which is loaded when first used.

/** Triangles that are ordered together. Longer runs gain nothing, and these let the WASM code warm up and stay small. */
const RUN = 16384;

/** Runs whose vertices add up to this share of all do not fit the mesh's order: it is ordered as a whole then. */
const SCATTERED = 1.25;

/**
 * A run keeps its order if ordering it takes more steps for each triangle (estimated from the squares of the vertices'
 * valences): it has hubs of great fans.
 */
const MAX_STEPS = 1000;

/** Squared sine below which two edges lie on one line: rounding of float64. */
const SAME_LINE = 1e-24;

/** Whether the triangle at three offsets into `positions` has an area; not when corners coincide or lie on a line. */
export function hasArea(positions: Float32Array | Float64Array, a: number, b: number, c: number): boolean {
  const ux = positions[b] - positions[a];
  const uy = positions[b + 1] - positions[a + 1];
  const uz = positions[b + 2] - positions[a + 2];
  const vx = positions[c] - positions[a];
  const vy = positions[c + 1] - positions[a + 1];
  const vz = positions[c + 2] - positions[a + 2];
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  return x * x + y * y + z * z > SAME_LINE * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz);
}

/**
 * Moves the triangles with an area to the front of `indices`, in their order, and gives how many indices that are.
 * Positions are the first three of every `stride` numbers.
 */
export function dropDegenerate(indices: Uint32Array, positions: Float32Array | Float64Array, stride = 3): number {
  let kept = 0;
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const a = indices[i];
    const b = indices[i + 1];
    const c = indices[i + 2];
    if (!hasArea(positions, a * stride, b * stride, c * stride)) continue;
    indices[kept++] = a;
    indices[kept++] = b;
    indices[kept++] = c;
  }
  return kept;
}

/** Orders triangles for the vertex cache, in place. Each keeps its winding; which corner comes first may change. */
export async function orderForCache(indices: Uint32Array, vertexCount: number): Promise<void> {
  const { MeshoptEncoder } = await import('meshoptimizer/encoder');
  await MeshoptEncoder.ready;
  const scratch = { localOf: new Uint32Array(vertexCount), seenIn: new Uint32Array(vertexCount) };
  const run = indices.length > RUN * 3 && !isScattered(indices, vertexCount) ? RUN * 3 : indices.length;
  for (let start = 0, number = 1; start < indices.length; start += run, number++) {
    const part = indices.subarray(start, Math.min(indices.length, start + run));
    const { local, vertices, steps } = numberLocally(part, number, scratch);
    if (steps > MAX_STEPS * Math.max(RUN, part.length / 3)) continue;
    const [remap] = MeshoptEncoder.reorderMesh(local, true, false);
    numberBack(part, local, vertices, remap);
  }
}

interface Scratch {
  /** Number in the run of each vertex, valid where seenIn is the run's number. */
  readonly localOf: Uint32Array;
  readonly seenIn: Uint32Array;
}

/**
 * The indices of a run with its vertices numbered from 0, the vertex of each number, and a measure of the work of ordering
 * them: meshoptimizer visits all triangles around a vertex again and again while the vertex stays in the cache.
 */
function numberLocally(part: Uint32Array, number: number, { localOf, seenIn }: Scratch) {
  const local = new Uint32Array(part.length);
  const valence = new Uint32Array(part.length);
  const vertices = new Uint32Array(part.length);
  let count = 0;
  for (let i = 0; i < part.length; i++) {
    const v = part[i];
    if (seenIn[v] !== number) {
      seenIn[v] = number;
      localOf[v] = count;
      vertices[count++] = v;
    }
    const own = localOf[v];
    local[i] = own;
    valence[own]++;
  }
  let steps = 0;
  for (let v = 0; v < count; v++) steps += valence[v] * valence[v];
  return { local, vertices: vertices.subarray(0, count), steps };
}

function numberBack(part: Uint32Array, local: Uint32Array, vertices: Uint32Array, remap: Uint32Array): void {
  const back = new Uint32Array(vertices.length);
  for (let v = 0; v < vertices.length; v++) back[remap[v]] = vertices[v];
  for (let i = 0; i < part.length; i++) part[i] = back[local[i]];
}

/** Whether runs of triangles share so many vertices that they have to be ordered as a whole. */
function isScattered(indices: Uint32Array, vertexCount: number): boolean {
  const seenIn = new Uint32Array(vertexCount);
  let total = 0;
  for (let start = 0, number = 1; start < indices.length; start += RUN * 3, number++) {
    const end = Math.min(indices.length, start + RUN * 3);
    for (let i = start; i < end; i++) {
      if (seenIn[indices[i]] === number) continue;
      seenIn[indices[i]] = number;
      total++;
    }
  }
  return total > vertexCount * SCATTERED;
}

/** Renumbers vertices in the order that `indices` first use them, in place; gives the old number of each new vertex. */
export function orderForFetch(indices: Uint32Array, vertexCount: number): Uint32Array {
  const numberOf = new Uint32Array(vertexCount);
  const order = new Uint32Array(vertexCount);
  let count = 0;
  for (let i = 0; i < indices.length; i++) {
    const v = indices[i];
    if (numberOf[v] === 0) {
      order[count++] = v;
      // Numbers start at 1; 0 means not seen.
      numberOf[v] = count;
    }
    indices[i] = numberOf[v] - 1;
  }
  return order.subarray(0, count);
}
