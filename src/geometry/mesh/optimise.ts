// Optimise: triangles without area go, the others are ordered for the vertex cache, those of levels for LZ4 too, and vertices in the
// order they are fetched. The loops are the kernel's (kernel/assembly/order.ts; cacheOrder.ts there is the cache order, pairs.ts that
// for LZ4).

import { type Address, type Kernel, kernel } from '../../kernel/kernel.ts';

/** Triangles that are ordered together. Longer runs gain nothing, and these keep what the kernel lays out small. */
const RUN = 16384;

/** Runs whose vertices add up to this share of all do not fit the mesh's order: it is ordered as a whole then. */
const SCATTERED = 1.25;

/**
 * A run keeps its order if ordering it takes more steps for each triangle (estimated from the squares of the vertices'
 * valences): it has hubs of great fans.
 */
const MAX_STEPS = 1000;

const NONE = 0xffffffff;

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

/** Moves the triangles with an area to the front of `indices`, in their order, and gives how many indices that are. */
export function dropDegenerate(indices: Uint32Array, positions: Float32Array | Float64Array): number {
  if (positions instanceof Float32Array) return dropInKernel(indices, positions);
  let kept = 0;
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const a = indices[i];
    const b = indices[i + 1];
    const c = indices[i + 2];
    if (!hasArea(positions, a * 3, b * 3, c * 3)) continue;
    indices[kept++] = a;
    indices[kept++] = b;
    indices[kept++] = c;
  }
  return kept;
}

function dropInKernel(indices: Uint32Array, positions: Float32Array): number {
  return kernel.within((memory) => {
    const put = memory.put(indices);
    const kept = memory.calls.dropWithoutArea(put, indices.length, memory.put(positions), 12);
    if (kept < indices.length) indices.set(memory.uint32(put, kept));
    return kept;
  });
}

/** Indices in the kernel's memory. Each is less than `vertexCount`. */
export interface KernelIndices {
  readonly indices: Address;
  readonly count: number;
  readonly vertexCount: number;
}

/** Orders triangles for the vertex cache, in place. Each keeps its winding and its first corner. */
export function orderForCache(indices: Uint32Array, vertexCount: number): void {
  inKernel(indices, vertexCount, orderRuns);
}

/** Renumbers vertices in the order that `indices` first use them, in place; gives the old number of each new vertex. */
export function orderForFetch(indices: Uint32Array, vertexCount: number): Uint32Array {
  return inKernel(indices, vertexCount, numberByUse);
}

/** Both of the above. */
export function orderTriangles(indices: Uint32Array, vertexCount: number): Uint32Array {
  return inKernel(indices, vertexCount, (memory, put) => {
    orderRuns(memory, put);
    return numberByUse(memory, put);
  });
}

/** Like orderForFetch, after orderForPairs for triangles that are ordered for the vertex cache. */
export function orderPairs(indices: Uint32Array, vertexCount: number): Uint32Array {
  return inKernel(indices, vertexCount, (memory, put) => {
    orderForPairs(memory, put);
    return numberByUse(memory, put);
  });
}

/** Runs `work` on a copy of the indices, which then takes their place. */
function inKernel<T>(indices: Uint32Array, vertexCount: number, work: (memory: Kernel, put: KernelIndices) => T): T {
  return kernel.within((memory) => {
    const put = { indices: memory.put(indices), count: indices.length, vertexCount };
    const result = work(memory, put);
    indices.set(memory.uint32(put.indices, put.count));
    return result;
  });
}

/** orderForCache for indices in the kernel's memory. */
export function orderRuns(memory: Kernel, { indices, count, vertexCount }: KernelIndices): void {
  memory.within(() => {
    const perVertex = memory.allocate(vertexCount * 4);
    const clear = () => memory.uint32(perVertex, vertexCount).fill(NONE);
    let run = count;
    if (count > RUN * 3) {
      clear();
      const isScattered = memory.calls.verticesOfRuns(indices, count, RUN * 3, perVertex) > vertexCount * SCATTERED;
      if (!isScattered) run = RUN * 3;
    }
    clear();
    for (let start = 0; start < count; start += run) {
      const part = { indices: indices + start * 4, count: Math.min(count - start, run), vertexCount };
      memory.within(() => orderRun(memory, part, perVertex));
    }
  });
}

/** `localOf`: a word a vertex, all NONE before and after. */
function orderRun(memory: Kernel, { indices, count }: KernelIndices, localOf: Address): void {
  const { calls } = memory;
  const local = memory.allocate(count * 4);
  const vertices = memory.allocate(count * 4);
  const valence = memory.zeros(count * 4);
  const used = calls.numberLocally(indices, count, localOf, local, vertices, valence);
  // An estimate: the loop visits all triangles around a vertex again and again while the vertex stays in the cache.
  const steps = calls.sumOfSquares(valence, used);
  if (steps > MAX_STEPS * Math.max(RUN, count / 3)) return;
  const room = memory.allocate(calls.cacheOrderBytes(count, used));
  calls.orderForCache(local, count, vertices, valence, used, room, indices);
}

/**
 * Orders and turns triangles so that pairs of indices repeat, which LZ4 can use: each is written a few triangles earlier or later
 * at most, and the vertex cache misses as often.
 */
export function orderForPairs(memory: Kernel, { indices, count }: Pick<KernelIndices, 'indices' | 'count'>): void {
  memory.within(() => memory.calls.orderForPairs(indices, count, memory.allocate(memory.calls.pairBytes())));
}

/** orderForFetch for indices in the kernel's memory. */
export function numberByUse(memory: Kernel, { indices, count, vertexCount }: KernelIndices): Uint32Array {
  return memory.within(() => {
    const numberOf = memory.zeros(vertexCount * 4);
    const order = memory.allocate(vertexCount * 4);
    const used = memory.calls.numberByUse(indices, count, numberOf, order);
    return memory.uint32(order, used).slice();
  });
}
