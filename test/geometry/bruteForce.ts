// Distances and deviations by plain searches through all triangles, for tests of what the kernel finds.

import type { Measured, WeldedTriangles } from '../../src/geometry/lod/deviation.ts';

export function lots(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** Triangles of all sizes in a flat box, each with corners of its own; one in ten is without area. */
export function scattered(count: number, seed: number): WeldedTriangles {
  const random = lots(seed);
  const positions = new Float32Array(count * 9);
  for (let t = 0; t < count; t++) {
    const middle = [random() * 20, random() * 3, random() * 20];
    const size = 3 ** (random() * 4 - 2.5);
    for (let i = 0; i < 9; i++) positions[t * 9 + i] = middle[i % 3] + size * (random() - 0.5);
    if (t % 10 === 0) positions.copyWithin(t * 9 + 6, t * 9, t * 9 + 3);
  }
  const indices = Uint32Array.from({ length: count * 3 }, (_, i) => i);
  return { positions, indices, ids: indices };
}

export type Vector = readonly number[];
export const sub = (a: Vector, b: Vector): Vector => a.map((x, k) => x - b[k]);
export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** By projecting on the plane and on the edges. */
export function squaredDistance(p: Vector, corners: readonly Vector[]): number {
  const [a, b, c] = corners;
  const n = cross(sub(b, a), sub(c, a));
  const edges = [
    [a, b],
    [b, c],
    [c, a],
  ];
  const inside = edges.every(([from, to]) => dot(cross(sub(to, from), sub(p, from)), n) >= 0);
  if (inside && dot(n, n) > 0) return dot(sub(p, a), n) ** 2 / dot(n, n);
  return Math.min(
    ...edges.map(([from, to]) => {
      const d = sub(to, from);
      const t = dot(d, d) > 0 ? Math.max(0, Math.min(1, dot(sub(p, from), d) / dot(d, d))) : 0;
      const way = sub(
        p,
        from.map((x, k) => x + t * d[k]),
      );
      return dot(way, way);
    }),
  );
}

export const cornersOf = ({ positions, indices }: WeldedTriangles, t: number): Vector[] =>
  [0, 1, 2].map((k) => [...positions.subarray(indices[t * 3 + k] * 3, indices[t * 3 + k] * 3 + 3)]);

export function nearest(surface: WeldedTriangles, p: Vector): number {
  let min = Infinity;
  for (let t = 0; t < surface.indices.length / 3; t++) {
    min = Math.min(min, squaredDistance(p, cornersOf(surface, t)));
  }
  return min;
}

const AREA = ([a, b, c]: readonly Vector[]): number => {
  const n = cross(sub(b, a), sub(c, a));
  return Math.sqrt(dot(n, n)) / 2;
};

const edge = (a: Vector, b: Vector): number => Math.sqrt(dot(sub(a, b), sub(a, b)));
const reachOf = ([a, b, c]: readonly Vector[]): number => Math.max(edge(a, b), edge(b, c), edge(c, a));

/** The point of a triangle with weights a and b of its first two corners. */
const between = ([p, q, r]: readonly Vector[], a: number, b: number): Vector =>
  p.map((x, k) => a * x + b * q[k] + (1 - a - b) * r[k]);

/** mulberry32, as the cook seeds it. */
function random(): () => number {
  let state = 0x5eed1e55;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };
}

interface Query {
  readonly point: Vector;
  readonly triangle: number;
  readonly id: number;
}

/** What is asked of one surface: points spread over its area, then vertices at positions that the other does not use. */
function queriesOf(surface: WeldedTriangles, other: WeldedTriangles): Query[] {
  const { positions, indices, ids } = surface;
  const triangles = Array.from({ length: indices.length / 3 }, (_, t) => cornersOf(surface, t));
  const count = Math.max(1024, Math.min(8192, Math.ceil(triangles.length / 8)));
  const areas = triangles.map(AREA);
  const total = areas.reduce((sum, area) => sum + area, 0);
  const queries: Query[] = [];
  const next = random();
  for (let i = 0, t = 0, passed = 0; i < count && total > 0; i++) {
    const share = ((i + next()) / count) * total;
    while (t < areas.length - 1 && passed + areas[t] < share) passed += areas[t++];
    const root = Math.sqrt(next());
    const point = between(triangles[t], 1 - root, root * next());
    queries.push({ point, triangle: t, id: ids[indices[t * 3]] });
  }
  const shared = new Set([...other.indices].map((v) => other.ids[v]));
  const own = new Map<number, Query>();
  indices.forEach((v, i) => {
    const id = ids[v];
    if (shared.has(id) || own.has(id)) return;
    own.set(id, { point: [...positions.subarray(v * 3, v * 3 + 3)], triangle: Math.floor(i / 3), id });
  });
  return [...queries, ...[...own.values()].sort((a, b) => a.id - b.id)];
}

/** Steps uphill from the middle of a triangle, six ways, ever more finely. */
function uphill(corners: readonly Vector[], target: WeldedTriangles): number {
  const ways = [
    [1, 0],
    [0, 1],
    [-1, 1],
    [-1, 0],
    [0, -1],
    [1, -1],
  ];
  let [a, b] = [1 / 3, 1 / 3];
  let best = nearest(target, between(corners, a, b));
  for (let halving = 0, step = 1 / 3; halving < 6; halving++, step /= 2) {
    const [fromA, fromB] = [a, b];
    for (const [wayA, wayB] of ways) {
      const [nextA, nextB] = [fromA + wayA * step, fromB + wayB * step];
      if (nextA < 0 || nextB < 0 || nextA + nextB > 1) continue;
      const d = nearest(target, between(corners, nextA, nextB));
      if (d > best) [best, a, b] = [d, nextA, nextB];
    }
  }
  return best;
}

/** One way: no query is left out and none ends early. Squared. */
function farthest(
  surface: WeldedTriangles,
  target: WeldedTriangles,
  known: number,
  see: (id: number, squared: number) => void,
): number {
  const found = queriesOf(surface, target).map((query, i) => ({ ...query, i, d: nearest(target, query.point) }));
  let max = known;
  for (const { d, id } of found) {
    see(id, d);
    max = Math.max(max, d);
  }
  const limit = max;
  const promising = found
    .filter(
      ({ d, triangle }) => d > limit / 2 && Math.sqrt(d) + reachOf(cornersOf(surface, triangle)) > Math.sqrt(limit),
    )
    .sort((a, b) => b.d - a.d || (a.i % 16 === 0 ? 0 : 1) - (b.i % 16 === 0 ? 0 : 1) || a.i - b.i);
  const searched = new Set<number>();
  for (const { triangle, d: start } of promising) {
    if (searched.size === 64 || start <= max / 2) break;
    if (searched.has(triangle)) continue;
    searched.add(triangle);
    const d = uphill(cornersOf(surface, triangle), target);
    if (d <= max) continue;
    max = d;
    see(surface.ids[surface.indices[triangle * 3]], d);
  }
  return max;
}

/** What DeviationFrom measures, without a tree, bounds or a kernel. */
export function deviation(tile: WeldedTriangles, level: WeldedTriangles, allowed = Infinity): Measured {
  const beyond = new Float64Array(Math.max(...tile.ids) + 1);
  const there = farthest(tile, level, 0, (id, d) => {
    if (d > allowed * allowed) beyond[id] = Math.max(beyond[id], Math.sqrt(d));
  });
  const error = Math.sqrt(farthest(level, tile, there, () => {}));
  return { error, beyond: beyond.some((d) => d > 0) ? beyond : null };
}
