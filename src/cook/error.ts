// How far a level strays from the tile it stands for: the greatest distance from either surface to the other, from
// points spread evenly over the area, the same whenever it is asked, from the vertices, and around the furthest of them.

import { TriangleTree } from './triangleTree.ts';
import { RowSet } from './weld.ts';

/** Triangles over positions, 3 a vertex. */
export interface MeasuredSurface {
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
}

/** Points spread over a surface: one for this many triangles, but at least and at most … */
const TRIANGLES_A_POINT = 8;
const MIN_POINTS = 1024;
const MAX_POINTS = 8192;

/** Triangles with a point this near in square to the furthest are searched for a further one … */
const PROMISING = 0.5;
/** … as many of them as this, from the most promising down, … */
const SEARCHED = 64;
/** … by halving the way around the best point so many times. */
const HALVINGS = 6;

const SEED = 0x5eed1e55;

/** A surface that several levels are compared with: its tree is made once, when first asked for. */
export class ErrorMeter {
  readonly #full: MeasuredSurface;
  #target: Target | null = null;

  constructor(full: MeasuredSurface) {
    this.#full = full;
  }

  /** Error of a level in metres: both ways, never negative. Infinity when the level is empty and the tile is not. */
  measure(level: MeasuredSurface): number {
    const full = this.#full;
    if (full.indices.length === 0) return 0;
    if (level.indices.length === 0) return Infinity;
    this.#target ??= targetOf(full);
    const there = farthest(full, targetOf(level), 0);
    return Math.sqrt(farthest(level, this.#target, there));
  }
}

/** A surface that distances are measured to. */
interface Target {
  readonly tree: TriangleTree;
  /** The positions in use: a vertex that stands at one is no distance away. */
  readonly corners: RowSet;
}

function targetOf({ positions, indices }: MeasuredSurface): Target {
  const bits = new Uint32Array(positions.buffer, positions.byteOffset, positions.length);
  const corners = new RowSet(3, positions.length / 3);
  const seen = new Uint8Array(positions.length / 3);
  for (let i = 0; i < indices.length; i++) {
    const v = indices[i];
    if (seen[v] === 1) continue;
    seen[v] = 1;
    for (let k = 0; k < 3; k++) corners.row[k] = bits[v * 3 + k];
    corners.add();
  }
  return { tree: new TriangleTree(positions, indices), corners };
}

/**
 * The greatest squared distance from `surface` to the target's triangles, not below `known`: at points spread over the
 * area, at the vertices, and around the furthest of both. (Points as Aspert, Santa-Cruz, Ebrahimi, MESH: Measuring Errors
 * between Surfaces, ask them.)
 */
function farthest(surface: MeasuredSurface, { tree, corners }: Target, known: number): number {
  const { positions, indices } = surface;
  const bits = new Uint32Array(positions.buffer, positions.byteOffset, positions.length);
  let most = known;
  const triangles: number[] = [];
  const distances: number[] = [];
  const probe = (x: number, y: number, z: number, triangle: number): void => {
    const d = tree.squaredDistance(x, y, z, most * PROMISING);
    if (d <= most * PROMISING) return;
    if (d > most) most = d;
    triangles.push(triangle);
    distances.push(d);
  };
  const points = Math.max(MIN_POINTS, Math.min(MAX_POINTS, Math.ceil(indices.length / 3 / TRIANGLES_A_POINT)));
  // The spread points first: what they find spares most vertices a search to the end.
  spreadPoints(surface, points, SEED, probe);
  const asked = new Uint8Array(positions.length / 3);
  for (let i = 0; i < indices.length; i++) {
    const v = indices[i];
    if (asked[v] === 1) continue;
    asked[v] = 1;
    for (let k = 0; k < 3; k++) corners.row[k] = bits[v * 3 + k];
    if (corners.find() >= 0) continue;
    probe(positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2], Math.floor(i / 3));
  }

  const order = distances.map((_, i) => i).sort((a, b) => distances[b] - distances[a] || a - b);
  const searched = new Set<number>();
  for (const i of order) {
    if (searched.size === SEARCHED || distances[i] <= most * PROMISING) break;
    if (searched.has(triangles[i])) continue;
    searched.add(triangles[i]);
    most = Math.max(most, farthestInTriangle(surface, triangles[i] * 3, tree));
  }
  return most;
}

/** Steps from a point of a triangle, in shares of its first two corners' weights: six ways of equal length. */
const WAYS = [1, 0, 0, 1, -1, 1, -1, 0, 0, -1, 1, -1] as const;

/** The greatest squared distance found in one triangle by stepping uphill from its middle, ever more finely. */
function farthestInTriangle({ positions, indices }: MeasuredSurface, at: number, tree: TriangleTree): number {
  const p = indices[at] * 3;
  const q = indices[at + 1] * 3;
  const r = indices[at + 2] * 3;
  const distance = (a: number, b: number): number => {
    const c = 1 - a - b;
    const x = a * positions[p] + b * positions[q] + c * positions[r];
    const y = a * positions[p + 1] + b * positions[q + 1] + c * positions[r + 1];
    const z = a * positions[p + 2] + b * positions[q + 2] + c * positions[r + 2];
    return tree.squaredDistance(x, y, z, 0);
  };
  let [a, b] = [1 / 3, 1 / 3];
  let best = distance(a, b);
  for (let halving = 0, step = 1 / 3; halving < HALVINGS; halving++, step /= 2) {
    const [fromA, fromB] = [a, b];
    for (let way = 0; way < WAYS.length; way += 2) {
      const nextA = fromA + WAYS[way] * step;
      const nextB = fromB + WAYS[way + 1] * step;
      if (nextA < 0 || nextB < 0 || nextA + nextB > 1) continue;
      const d = distance(nextA, nextB);
      if (d > best) [best, a, b] = [d, nextA, nextB];
    }
  }
  return best;
}

/**
 * Gives `count` points on the surface to `visit`: one in each of as many equal shares of the area, in the order of the
 * triangles, where a generator seeded with `seed` puts it. None on a surface without area.
 */
export function spreadPoints(
  { positions, indices }: MeasuredSurface,
  count: number,
  seed: number,
  visit: (x: number, y: number, z: number, triangle: number) => void,
): void {
  const areas = new Float64Array(indices.length / 3);
  let total = 0;
  for (let t = 0; t < areas.length; t++) total += areas[t] = triangleArea(positions, indices, t * 3);
  if (!(total > 0)) return;
  const random = generator(seed);
  let t = 0;
  let passed = 0;
  for (let i = 0; i < count; i++) {
    const at = ((i + random()) / count) * total;
    while (t < areas.length - 1 && passed + areas[t] < at) passed += areas[t++];
    const root = Math.sqrt(random());
    const b = root * random();
    const a = 1 - root;
    const c = 1 - a - b;
    const p = indices[t * 3] * 3;
    const q = indices[t * 3 + 1] * 3;
    const r = indices[t * 3 + 2] * 3;
    visit(
      a * positions[p] + b * positions[q] + c * positions[r],
      a * positions[p + 1] + b * positions[q + 1] + c * positions[r + 1],
      a * positions[p + 2] + b * positions[q + 2] + c * positions[r + 2],
      t,
    );
  }
}

export function triangleArea(positions: Float32Array, indices: Uint32Array, at: number): number {
  const a = indices[at] * 3;
  const b = indices[at + 1] * 3;
  const c = indices[at + 2] * 3;
  const ux = positions[b] - positions[a];
  const uy = positions[b + 1] - positions[a + 1];
  const uz = positions[b + 2] - positions[a + 2];
  const vx = positions[c] - positions[a];
  const vy = positions[c + 1] - positions[a + 1];
  const vz = positions[c + 2] - positions[a + 2];
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  return Math.sqrt(x * x + y * y + z * z) / 2;
}

/** Numbers from 0 to below 1: Steele and Vigna's mixing of a Weyl sequence, in 32 bits (mulberry32). */
function generator(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };
}
