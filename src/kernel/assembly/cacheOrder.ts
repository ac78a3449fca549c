// The order of triangles for the vertex cache (geometry/mesh/optimise.ts): greedy, by Forsyth's scores ("Linear-Speed Vertex
// Cache Optimisation", 2006). The next triangle is the best one of those around the vertices in a modelled cache. The tuned
// score tables and the order of arithmetic are meshoptimizer's, so that both give the same order; a test holds them against
// each other.

import { setWord, word } from './words.ts';

const NONE: u32 = 0xffffffff;
/** Vertices in the modelled cache. */
const CACHE: u32 = 16;
/** A triangle brings up to three vertices: so many stand before and after what stays. */
const ROOM: u32 = CACHE + 4;
/** Vertices of so many triangles or more score alike. */
const MAX_LIVE: u32 = 8;
/** Score of a triangle that was written. */
const WRITTEN: f32 = -1;

/** Score by place in the cache, after that of a vertex outside. */
const BY_PLACE: usize = memory.data<f32>([
  0, 0.779, 0.791, 0.789, 0.981, 0.843, 0.726, 0.847, 0.882, 0.867, 0.799, 0.642, 0.613, 0.6, 0.568, 0.372, 0.234,
]);
/** Score by the number of triangles that are left around a vertex. */
const BY_LIVE: usize = memory.data<f32>([0, 0.995, 0.713, 0.45, 0.404, 0.059, 0.005, 0.147, 0.006]);

/** Two caches of ROOM words each: the present one and the next. */
const CACHES: usize = memory.data(160, 16);

/** A vertex: where its triangles are listed, how many are left, its score. A triangle is listed by the address of its score. */
const VERTEX_BYTES: usize = 16;
const LIVE: usize = 4;
const SCORE: usize = 8;

/** Bytes that orderForCache() needs. */
export function cacheOrderBytes(indexCount: u32, vertexCount: u32): usize {
  return <usize>vertexCount * VERTEX_BYTES + <usize>indexCount * 4 + <usize>(indexCount / 3) * 4;
}

function scoreOf(placeBytes: usize, live: u32): f32 {
  return load<f32>(BY_PLACE + placeBytes) + load<f32>(BY_LIVE + ((<usize>min(live, MAX_LIVE)) << 2));
}

/** Takes a triangle from the list of one of its vertices: the last one comes in its place. */
function takeFrom(vertex: usize, list: usize, triangle: u32): void {
  const at = list + ((<usize>load<u32>(vertex)) << 2);
  const live = load<u32>(vertex, LIVE);
  for (let i: u32 = 0; i < live; i++) {
    if (word(at, i) !== triangle) continue;
    setWord(at, i, word(at, live - 1));
    store<u32>(vertex, live - 1, LIVE);
    return;
  }
}

/**
 * Writes the triangles of `local`, over vertices from 0 to below `vertexCount`, in their new order: to `ordered`, with the
 * number that `vertices` has for each vertex. `valence`: how often each vertex occurs; `room` has cacheOrderBytes().
 */
export function orderForCache(
  local: usize,
  indexCount: u32,
  vertices: usize,
  valence: usize,
  vertexCount: u32,
  room: usize,
  ordered: usize,
): void {
  const list = room + <usize>vertexCount * VERTEX_BYTES;
  const scores = list + ((<usize>indexCount) << 2);
  const triangleCount = indexCount / 3;

  // 1. The triangles around each vertex, and the scores while the cache is empty.
  let total: u32 = 0;
  for (let v: u32 = 0, at = room; v < vertexCount; v++, at += VERTEX_BYTES) {
    const live = word(valence, v);
    store<u32>(at, total);
    store<u32>(at, live, LIVE);
    store<f32>(at, scoreOf(0, live), SCORE);
    total += live;
  }
  for (let t: u32 = 0, at = local; t < triangleCount; t++, at += 12) {
    const triangle = <u32>scores + (t << 2);
    const a = room + <usize>load<u32>(at) * VERTEX_BYTES;
    const b = room + <usize>load<u32>(at, 4) * VERTEX_BYTES;
    const c = room + <usize>load<u32>(at, 8) * VERTEX_BYTES;
    store<f32>(triangle, load<f32>(a, SCORE) + load<f32>(b, SCORE) + load<f32>(c, SCORE));
    // While the lists are filled, the first word of a vertex says where its next triangle goes. The loop below sets it back to
    // the beginning of its list.
    let to = load<u32>(a);
    setWord(list, to, triangle);
    store<u32>(a, to + 1);
    to = load<u32>(b);
    setWord(list, to, triangle);
    store<u32>(b, to + 1);
    to = load<u32>(c);
    setWord(list, to, triangle);
    store<u32>(c, to + 1);
  }
  for (let v: u32 = 0, at = room; v < vertexCount; v++, at += VERTEX_BYTES) {
    store<u32>(at, load<u32>(at) - load<u32>(at, LIVE));
  }

  // 2. One triangle after the other.
  let cache = CACHES;
  let next = CACHES + <usize>ROOM * 4;
  let held: u32 = 0;
  let cursor = scores;
  let current = <u32>scores;
  for (let n: u32 = 0, to = ordered; n < triangleCount; n++, to += 12) {
    if (current === NONE) {
      // No vertex in the cache has a triangle left: on with the first that was not written.
      while (load<f32>(cursor) === WRITTEN) cursor += 4;
      current = <u32>cursor;
    }
    const corners = local + (<usize>current - scores) * 3;
    const a = load<u32>(corners);
    const b = load<u32>(corners, 4);
    const c = load<u32>(corners, 8);
    store<u32>(to, word(vertices, a));
    store<u32>(to, word(vertices, b), 4);
    store<u32>(to, word(vertices, c), 8);
    store<f32>(current, WRITTEN);
    const first = room + <usize>a * VERTEX_BYTES;
    const second = room + <usize>b * VERTEX_BYTES;
    const third = room + <usize>c * VERTEX_BYTES;
    takeFrom(first, list, current);
    takeFrom(second, list, current);
    takeFrom(third, list, current);

    // Its vertices come to the front of the cache. What drops out is scored once more.
    store<u32>(next, <u32>first);
    store<u32>(next, <u32>second, 4);
    store<u32>(next, <u32>third, 8);
    let end = next + 12;
    for (let i: u32 = 0; i < held; i++) {
      const vertex = word(cache, i);
      store<u32>(end, vertex);
      end += (<usize>(vertex !== <u32>first && vertex !== <u32>second && vertex !== <u32>third)) << 2;
    }
    const before = cache;
    cache = next;
    next = before;
    held = min(CACHE, <u32>((end - cache) >> 2));

    current = NONE;
    // The bits of positive floats are in the order of their values, and integers are chosen without a branch.
    let best: i32 = 0;
    for (let at = cache; at < end; at += 4) {
      const vertex = <usize>load<u32>(at);
      const live = load<u32>(vertex, LIVE);
      if (live === 0) continue;
      const place = at - cache;
      const score = scoreOf(place < CACHE * 4 ? place + 4 : 0, live);
      const change = score - load<f32>(vertex, SCORE);
      store<f32>(vertex, score, SCORE);
      let around = list + ((<usize>load<u32>(vertex)) << 2);
      const last = around + ((<usize>live) << 2);
      for (; around < last; around += 4) {
        const triangle = load<u32>(around);
        const sum = load<f32>(triangle) + change;
        store<f32>(triangle, sum);
        const bits = reinterpret<i32>(sum);
        const isBetter = best < bits;
        current = select<u32>(triangle, current, isBetter);
        best = select<i32>(bits, best, isBetter);
      }
    }
  }
}
