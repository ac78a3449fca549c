// The deviation of a level from its tile: the Hausdorff distance, which is the greatest distance from either surface to the
// other, measured at points spread evenly over the area (the same on every run), at vertices, and around the furthest
// of both.

import { BoundingVolumeHierarchy, type Fans, NONE } from './boundingVolumeHierarchy.ts';

/** Triangles over positions, 3 a vertex. */
export interface MeasuredSurface {
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
  /** The position id of each vertex, equal where positions are: in the tile and in all of its levels (positionIds.ts). */
  readonly ids: Uint32Array;
}

/** What was measured of a level. */
export interface Measured {
  /** Metres, both ways, never negative. Infinity when the level is empty and the tile is not. */
  readonly error: number;
  /**
   * For each position id of the tile its distance to the level in metres, or that of a point in a triangle there; 0 where
   * the distance is within what is allowed. Null where all are.
   */
  readonly beyond: Float64Array | null;
}

/** Points spread over a surface: one for this many triangles, but at least and at most … */
const TRIANGLES_A_POINT = 8;
const MIN_POINTS = 1024;
const MAX_POINTS = 8192;

/** Query every 16th point first. Removed components give large distances early; later queries can then stop at that bound. */
const FIRST = 16;

/** Triangles with a point whose squared distance is at least this share of the greatest are searched for a further one, … */
const PROMISING = 0.5;
/** … as many of them as this, from the most promising down, … */
const SEARCHED = 64;
/** … by halving the step around the best point so many times. */
const HALVINGS = 6;

const SEED = 0x5eed1e55;

/** The deviation of several levels from one surface. What every comparison needs is made once, by the first. */
export class DeviationFrom {
  readonly #tile: MeasuredSurface;
  #prepared: Prepared | null = null;

  constructor(tile: MeasuredSurface) {
    this.#tile = tile;
  }

  /** The deviation of a level. `allowed`: positions that deviate by more than this, in metres, are listed. */
  measure(level: MeasuredSurface, allowed = Infinity): Measured {
    const tile = this.#tile;
    if (tile.indices.length === 0) return { error: 0, beyond: null };
    if (level.indices.length === 0) return { error: Infinity, beyond: null };
    this.#prepared ??= prepare(tile);
    const { points, spread, reach, positions, tree, fans } = this.#prepared;

    // 1. From the tile to the level. A vertex that the level has as well is no distance away.
    points.keepFirst(spread);
    const ofLevel = knownPositions(level);
    addVertices(tile, positions, ofLevel, points);
    const deviating: Deviating = { beyond: allowed * allowed, ids: [], distances: [] };
    const levelTree = new BoundingVolumeHierarchy(level.positions, level.indices);
    const fansOfLevel = levelTree.fans(level, ofLevel.vertexAt.length);
    const toLevel: Target = { tree: levelTree, fans: fansOfLevel, near: keptBeside(tile, positions, ofLevel) };
    const there = farthest(tile, points, reach, toLevel, 0, deviating);

    // 2. And back.
    const back = new Points(pointCount(level));
    spreadPoints(level, pointCount(level), SEED, back);
    addVertices(level, ofLevel, positions, back);
    const toTile: Target = { tree, fans, near: sharedIds(ofLevel, positions) };
    const error = Math.sqrt(farthest(level, back, reachOf(level), toTile, there, null));
    return { error, beyond: deviating.ids.length === 0 ? null : byId(deviating, positions.vertexAt.length) };
  }
}

/** What does not change from level to level. */
interface Prepared {
  /** Those spread over the tile, and room for vertices after them. */
  readonly points: Points;
  readonly spread: number;
  readonly reach: Float64Array;
  readonly positions: KnownPositions;
  readonly tree: BoundingVolumeHierarchy;
  readonly fans: Fans;
}

function prepare(tile: MeasuredSurface): Prepared {
  const positions = knownPositions(tile);
  const points = new Points(pointCount(tile) + positions.vertexAt.length);
  spreadPoints(tile, pointCount(tile), SEED, points);
  const spread = points.count;
  const tree = new BoundingVolumeHierarchy(tile.positions, tile.indices);
  return { points, spread, reach: reachOf(tile), positions, tree, fans: tree.fans(tile, positions.vertexAt.length) };
}

function pointCount({ indices }: MeasuredSurface): number {
  return Math.max(MIN_POINTS, Math.min(MAX_POINTS, Math.ceil(indices.length / 3 / TRIANGLES_A_POINT)));
}

/** For each position id the first vertex and the first triangle there; NONE where the surface has none. */
interface KnownPositions {
  readonly vertexAt: Uint32Array;
  readonly triangleAt: Uint32Array;
}

function knownPositions({ indices, ids }: MeasuredSurface): KnownPositions {
  let end = 0;
  for (let i = 0; i < indices.length; i++) if (ids[indices[i]] >= end) end = ids[indices[i]] + 1;
  const vertexAt = new Uint32Array(end).fill(NONE);
  const triangleAt = new Uint32Array(end).fill(NONE);
  for (let t = 0, i = 0; i < indices.length; t++) {
    for (const last = i + 3; i < last; i++) {
      const id = ids[indices[i]];
      if (vertexAt[id] !== NONE) continue;
      vertexAt[id] = indices[i];
      triangleAt[id] = t;
    }
  }
  return { vertexAt, triangleAt };
}

/** Adds a vertex for each position that the other surface does not have. */
function addVertices(
  surface: MeasuredSurface,
  { vertexAt, triangleAt }: KnownPositions,
  other: KnownPositions,
  points: Points,
): void {
  for (let id = 0; id < vertexAt.length; id++) {
    if (vertexAt[id] === NONE) continue;
    if (id < other.vertexAt.length && other.vertexAt[id] !== NONE) continue;
    points.addVertex(surface, vertexAt[id], triangleAt[id], id);
  }
}

/** For each position id of the one the same id where the other has it as well, else NONE. */
function sharedIds({ vertexAt }: KnownPositions, other: KnownPositions): Uint32Array {
  const shared = new Uint32Array(vertexAt.length).fill(NONE);
  const end = Math.min(vertexAt.length, other.vertexAt.length);
  for (let id = 0; id < end; id++) {
    if (vertexAt[id] !== NONE && other.vertexAt[id] !== NONE) shared[id] = id;
  }
  return shared;
}

/** For each position id of the tile the same id where the level has it, else one that the level has and a triangle joins it to. */
function keptBeside({ indices, ids }: MeasuredSurface, tile: KnownPositions, level: KnownPositions): Uint32Array {
  const near = sharedIds(tile, level);
  const kept = new Uint8Array(near.length);
  for (let id = 0; id < near.length; id++) if (near[id] !== NONE) kept[id] = 1;
  for (let i = 0; i < indices.length; i += 3) {
    const a = ids[indices[i]];
    const b = ids[indices[i + 1]];
    const c = ids[indices[i + 2]];
    if (kept[a] + kept[b] + kept[c] === 3) continue;
    if (kept[a] === 1) {
      if (kept[b] === 0) near[b] = a;
      if (kept[c] === 0) near[c] = a;
    }
    if (kept[b] === 1) {
      if (kept[a] === 0) near[a] = b;
      if (kept[c] === 0) near[c] = b;
    }
    if (kept[c] === 1) {
      if (kept[a] === 0) near[a] = c;
      if (kept[b] === 0) near[b] = c;
    }
  }
  return near;
}

/** The longest edge of each triangle: no point of it is further from another. */
function reachOf({ positions, indices }: MeasuredSurface): Float64Array {
  const reach = new Float64Array(indices.length / 3);
  for (let t = 0, i = 0; t < reach.length; t++, i += 3) {
    const a = indices[i] * 3;
    const b = indices[i + 1] * 3;
    const c = indices[i + 2] * 3;
    reach[t] = Math.sqrt(
      Math.max(squaredEdge(positions, a, b), squaredEdge(positions, b, c), squaredEdge(positions, c, a)),
    );
  }
  return reach;
}

function squaredEdge(positions: Float32Array, a: number, b: number): number {
  const x = positions[b] - positions[a];
  const y = positions[b + 1] - positions[a + 1];
  const z = positions[b + 2] - positions[a + 2];
  return x * x + y * y + z * z;
}

/** Points of a surface whose distances are queried. */
class Points {
  /** 3 a point. */
  positions: Float64Array;
  /** The triangle that each lies in, and the position id of one of its corners; a vertex's own. */
  triangles: Uint32Array;
  ids: Uint32Array;
  #count = 0;

  constructor(capacity: number) {
    this.positions = new Float64Array(capacity * 3);
    this.triangles = new Uint32Array(capacity);
    this.ids = new Uint32Array(capacity);
  }

  get count(): number {
    return this.#count;
  }

  /** Forgets all but the first `count`. */
  keepFirst(count: number): void {
    this.#count = count;
  }

  addVertex({ positions }: MeasuredSurface, v: number, triangle: number, id: number): void {
    const at = this.next(triangle, id);
    this.positions[at] = positions[v * 3];
    this.positions[at + 1] = positions[v * 3 + 1];
    this.positions[at + 2] = positions[v * 3 + 2];
  }

  /** Where the position of one more point goes. */
  next(triangle: number, id: number): number {
    if (this.#count === this.triangles.length) this.#grow();
    this.triangles[this.#count] = triangle;
    this.ids[this.#count] = id;
    return this.#count++ * 3;
  }

  #grow(): void {
    const { positions, triangles, ids } = this;
    const capacity = Math.max(16, triangles.length * 2);
    this.positions = new Float64Array(capacity * 3);
    this.positions.set(positions);
    this.triangles = new Uint32Array(capacity);
    this.triangles.set(triangles);
    this.ids = new Uint32Array(capacity);
    this.ids.set(ids);
  }
}

/** Points whose squared distance exceeds `beyond`: a position id of each, and the squared distance. */
interface Deviating {
  readonly beyond: number;
  readonly ids: number[];
  readonly distances: number[];
}

function byId({ ids, distances }: Deviating, count: number): Float64Array {
  const greatest = new Float64Array(count);
  for (let i = 0; i < ids.length; i++) {
    greatest[ids[i]] = Math.max(greatest[ids[i]], Math.sqrt(distances[i]));
  }
  return greatest;
}

/** The surface that distances are measured to. */
interface Target {
  readonly tree: BoundingVolumeHierarchy;
  readonly fans: Fans;
  /** For each position id of the surface that is queried from one of the target at it or beside it, or NONE. */
  readonly near: Uint32Array;
}

/**
 * The greatest squared distance from `surface` to the target, not below `known`: at its points, and around the
 * furthest of them (points as in Aspert, Santa-Cruz, Ebrahimi, MESH: Measuring Errors between Surfaces). Distance to a
 * surface is 1-Lipschitz: moving a point by d changes it by at most d. A triangle is skipped when its reach plus the
 * distance of its point cannot exceed the current maximum.
 */
function farthest(
  surface: MeasuredSurface,
  { positions, triangles, ids, count }: Points,
  reach: Float64Array,
  { tree, fans, near }: Target,
  known: number,
  deviating: Deviating | null,
): number {
  let most = known;
  let root = Math.sqrt(most);
  const found: number[] = [];
  const distances: number[] = [];
  const query = (i: number): void => {
    const t = triangles[i];
    const needed = root - reach[t];
    let enough = Math.max(most * PROMISING, needed > 0 ? needed * needed : 0);
    if (deviating !== null && deviating.beyond < enough) enough = deviating.beyond;
    const d = tree.squaredDistance(positions, i * 3, enough, fans, near[ids[i]]);
    if (d <= enough) return;
    if (deviating !== null && d > deviating.beyond) {
      deviating.ids.push(ids[i]);
      deviating.distances.push(d);
    }
    if (d > most) {
      most = d;
      root = Math.sqrt(d);
    }
    found.push(t);
    distances.push(d);
  };
  for (let i = 0; i < count; i += FIRST) query(i);
  for (let i = 0; i < count; i++) if (i % FIRST !== 0) query(i);

  const promising = distances
    .map((_, i) => i)
    .filter((i) => distances[i] > most * PROMISING && Math.sqrt(distances[i]) + reach[found[i]] > root)
    .sort((a, b) => distances[b] - distances[a] || a - b);
  const searched = new Set<number>();
  for (const i of promising) {
    if (searched.size === SEARCHED || distances[i] <= most * PROMISING) break;
    const t = found[i];
    if (searched.has(t)) continue;
    searched.add(t);
    const d = farthestInTriangle(surface, t * 3, reach[t], tree, most);
    if (d <= most) continue;
    most = d;
    if (deviating !== null && d > deviating.beyond) {
      deviating.ids.push(surface.ids[surface.indices[t * 3]]);
      deviating.distances.push(d);
    }
  }
  return most;
}

/** Steps from a point of a triangle, in shares of its first two corners' weights: six directions of equal length. */
const DIRECTIONS = [1, 0, 0, 1, -1, 1, -1, 0, 0, -1, 1, -1] as const;

const scratchPoint = new Float64Array(3);

/**
 * The greatest squared distance found in one triangle by stepping uphill from its middle, ever more finely; any number up
 * to `known` where none is greater.
 */
function farthestInTriangle(
  { positions, indices }: MeasuredSurface,
  at: number,
  reach: number,
  tree: BoundingVolumeHierarchy,
  known: number,
): number {
  const p = indices[at] * 3;
  const q = indices[at + 1] * 3;
  const r = indices[at + 2] * 3;
  const root = Math.sqrt(known);
  const distance = (a: number, b: number, enough: number): number => {
    const c = 1 - a - b;
    for (let k = 0; k < 3; k++) {
      scratchPoint[k] = a * positions[p + k] + b * positions[q + k] + c * positions[r + k];
    }
    return tree.squaredDistance(scratchPoint, 0, enough, null, NONE);
  };
  /** What a point must be further than, so that one this far from it can be further than all known. */
  const needed = (distance: number) => (root > distance ? (root - distance) * (root - distance) : 0);
  let [a, b] = [1 / 3, 1 / 3];
  let best = distance(a, b, needed(reach));
  for (let halving = 0, step = 1 / 3; halving < HALVINGS; halving++, step /= 2) {
    // All steps from here on together are shorter than twice this one.
    if (best <= needed(2 * step * reach)) return 0;
    const [fromA, fromB] = [a, b];
    for (let way = 0; way < DIRECTIONS.length; way += 2) {
      const nextA = fromA + DIRECTIONS[way] * step;
      const nextB = fromB + DIRECTIONS[way + 1] * step;
      if (nextA < 0 || nextB < 0 || nextA + nextB > 1) continue;
      const d = distance(nextA, nextB, best);
      if (d > best) [best, a, b] = [d, nextA, nextB];
    }
  }
  return best;
}

/**
 * Adds `count` points on the surface: one in each of as many equal shares of the area, in the order of the triangles,
 * where a generator seeded with `seed` puts it. None on a surface without area.
 */
function spreadPoints({ positions, indices, ids }: MeasuredSurface, count: number, seed: number, points: Points): void {
  const areas = new Float64Array(indices.length / 3);
  let total = 0;
  for (let t = 0; t < areas.length; t++) total += areas[t] = triangleArea(positions, indices, t * 3);
  if (!(total > 0)) return;
  const random = generator(seed);
  let t = 0;
  let passed = 0;
  for (let i = 0; i < count; i++) {
    const share = ((i + random()) / count) * total;
    while (t < areas.length - 1 && passed + areas[t] < share) passed += areas[t++];
    const root = Math.sqrt(random());
    const b = root * random();
    const a = 1 - root;
    const c = 1 - a - b;
    const p = indices[t * 3] * 3;
    const q = indices[t * 3 + 1] * 3;
    const r = indices[t * 3 + 2] * 3;
    const at = points.next(t, ids[indices[t * 3]]);
    for (let k = 0; k < 3; k++) {
      points.positions[at + k] = a * positions[p + k] + b * positions[q + k] + c * positions[r + k];
    }
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
