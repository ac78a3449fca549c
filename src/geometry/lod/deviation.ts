// How far a level strays from the tile it stands for: the greatest distance from either surface to the other, from
// points spread evenly over the area, the same whenever it is asked, from the vertices, and around the furthest of them.

import { type Fans, NONE, TriangleTree } from './boundingVolumeHierarchy.ts';

/** Triangles over positions, 3 a vertex. */
export interface MeasuredSurface {
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
  /** The number of each vertex's position, equal where positions are: in the tile and in all of its levels (places.ts). */
  readonly places: Uint32Array;
}

/** What was measured of a level. */
export interface Measured {
  /** Metres, both ways, never negative. Infinity when the level is empty and the tile is not. */
  readonly error: number;
  /**
   * For each place of the tile how far from the level it was found, or a point in a triangle there, in metres; 0 where that
   * is not further than allowed. Null where nothing is.
   */
  readonly strays: Float64Array | null;
}

/** Points spread over a surface: one for this many triangles, but at least and at most … */
const TRIANGLES_A_POINT = 8;
const MIN_POINTS = 1024;
const MAX_POINTS = 8192;

/** Every so many points are asked for first: what is far off, as parts that went are, spares the others a search to the end. */
const FIRST = 16;

/** Triangles with a point this near in square to the furthest are searched for a further one … */
const PROMISING = 0.5;
/** … as many of them as this, from the most promising down, … */
const SEARCHED = 64;
/** … by halving the way around the best point so many times. */
const HALVINGS = 6;

const SEED = 0x5eed1e55;

/** A surface that several levels are compared with: what is asked of it every time is made once, when first needed. */
export class ErrorMeter {
  readonly #tile: MeasuredSurface;
  #prepared: Prepared | null = null;

  constructor(tile: MeasuredSurface) {
    this.#tile = tile;
  }

  /** Error of a level. `allowed`: what strays further than this, in metres, is told. */
  measure(level: MeasuredSurface, allowed = Infinity): Measured {
    const tile = this.#tile;
    if (tile.indices.length === 0) return { error: 0, strays: null };
    if (level.indices.length === 0) return { error: Infinity, strays: null };
    this.#prepared ??= prepare(tile);
    const { points, spread, reach, places, tree, fans } = this.#prepared;

    // 1. From the tile to the level. A vertex that the level has as well is no distance away.
    points.keepFirst(spread);
    const levelPlaces = placesOf(level);
    addVertices(tile, places, levelPlaces, points);
    const strays: Strays = { beyond: allowed * allowed, places: [], distances: [] };
    const levelTree = new TriangleTree(level.positions, level.indices);
    const fansOfLevel = levelTree.fans(level, levelPlaces.vertexAt.length);
    const toLevel: Target = { tree: levelTree, fans: fansOfLevel, near: keptBeside(tile, places, levelPlaces) };
    const there = farthest(tile, points, reach, toLevel, 0, strays);

    // 2. And back.
    const back = new Points(pointCount(level));
    spreadPoints(level, pointCount(level), SEED, back);
    addVertices(level, levelPlaces, places, back);
    const toTile: Target = { tree, fans, near: placesShared(levelPlaces, places) };
    const error = Math.sqrt(farthest(level, back, reachOf(level), toTile, there, null));
    return { error, strays: strays.places.length === 0 ? null : byPlace(strays, places.vertexAt.length) };
  }
}

/** What does not change from level to level. */
interface Prepared {
  /** Those spread over the tile, and room for vertices after them. */
  readonly points: Points;
  readonly spread: number;
  readonly reach: Float64Array;
  readonly places: Places;
  readonly tree: TriangleTree;
  readonly fans: Fans;
}

function prepare(tile: MeasuredSurface): Prepared {
  const places = placesOf(tile);
  const points = new Points(pointCount(tile) + places.vertexAt.length);
  spreadPoints(tile, pointCount(tile), SEED, points);
  const spread = points.count;
  const tree = new TriangleTree(tile.positions, tile.indices);
  return { points, spread, reach: reachOf(tile), places, tree, fans: tree.fans(tile, places.vertexAt.length) };
}

function pointCount({ indices }: MeasuredSurface): number {
  return Math.max(MIN_POINTS, Math.min(MAX_POINTS, Math.ceil(indices.length / 3 / TRIANGLES_A_POINT)));
}

/** For each place the first vertex and the first triangle that are there; NONE where nothing is. */
interface Places {
  readonly vertexAt: Uint32Array;
  readonly triangleAt: Uint32Array;
}

function placesOf({ indices, places }: MeasuredSurface): Places {
  let end = 0;
  for (let i = 0; i < indices.length; i++) if (places[indices[i]] >= end) end = places[indices[i]] + 1;
  const vertexAt = new Uint32Array(end).fill(NONE);
  const triangleAt = new Uint32Array(end).fill(NONE);
  for (let t = 0, i = 0; i < indices.length; t++) {
    for (const last = i + 3; i < last; i++) {
      const place = places[indices[i]];
      if (vertexAt[place] !== NONE) continue;
      vertexAt[place] = indices[i];
      triangleAt[place] = t;
    }
  }
  return { vertexAt, triangleAt };
}

/** Adds a vertex for each place where the other surface has none. */
function addVertices(surface: MeasuredSurface, { vertexAt, triangleAt }: Places, other: Places, points: Points): void {
  for (let place = 0; place < vertexAt.length; place++) {
    if (vertexAt[place] === NONE) continue;
    if (place < other.vertexAt.length && other.vertexAt[place] !== NONE) continue;
    points.addVertex(surface, vertexAt[place], triangleAt[place], place);
  }
}

/** Each place of the one that the other has as well, NONE for those that it has not. */
function placesShared({ vertexAt }: Places, other: Places): Uint32Array {
  const shared = new Uint32Array(vertexAt.length).fill(NONE);
  const end = Math.min(vertexAt.length, other.vertexAt.length);
  for (let place = 0; place < end; place++) {
    if (vertexAt[place] !== NONE && other.vertexAt[place] !== NONE) shared[place] = place;
  }
  return shared;
}

/** For each place of the tile itself where the level has it, else one that the level has and a triangle joins it to. */
function keptBeside({ indices, places }: MeasuredSurface, tile: Places, level: Places): Uint32Array {
  const near = placesShared(tile, level);
  const kept = new Uint8Array(near.length);
  for (let place = 0; place < near.length; place++) if (near[place] !== NONE) kept[place] = 1;
  for (let i = 0; i < indices.length; i += 3) {
    const a = places[indices[i]];
    const b = places[indices[i + 1]];
    const c = places[indices[i + 2]];
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

/** Points of a surface to be asked for. */
class Points {
  /** 3 a point. */
  positions: Float64Array;
  /** The triangle that each lies in, and a place at a corner of that; a vertex's own. */
  triangles: Uint32Array;
  places: Uint32Array;
  #count = 0;

  constructor(capacity: number) {
    this.positions = new Float64Array(capacity * 3);
    this.triangles = new Uint32Array(capacity);
    this.places = new Uint32Array(capacity);
  }

  get count(): number {
    return this.#count;
  }

  /** Forgets all but the first `count`. */
  keepFirst(count: number): void {
    this.#count = count;
  }

  addVertex({ positions }: MeasuredSurface, v: number, triangle: number, place: number): void {
    const at = this.next(triangle, place);
    this.positions[at] = positions[v * 3];
    this.positions[at + 1] = positions[v * 3 + 1];
    this.positions[at + 2] = positions[v * 3 + 2];
  }

  /** Where the position of one more point goes. */
  next(triangle: number, place: number): number {
    if (this.#count === this.triangles.length) this.#grow();
    this.triangles[this.#count] = triangle;
    this.places[this.#count] = place;
    return this.#count++ * 3;
  }

  #grow(): void {
    const { positions, triangles, places } = this;
    const capacity = Math.max(16, triangles.length * 2);
    this.positions = new Float64Array(capacity * 3);
    this.positions.set(positions);
    this.triangles = new Uint32Array(capacity);
    this.triangles.set(triangles);
    this.places = new Uint32Array(capacity);
    this.places.set(places);
  }
}

/** Points that were found further away than `beyond`, in square: a place at each, and the squared distance. */
interface Strays {
  readonly beyond: number;
  readonly places: number[];
  readonly distances: number[];
}

function byPlace({ places, distances }: Strays, count: number): Float64Array {
  const strays = new Float64Array(count);
  for (let i = 0; i < places.length; i++) {
    strays[places[i]] = Math.max(strays[places[i]], Math.sqrt(distances[i]));
  }
  return strays;
}

/** The surface that distances are measured to. */
interface Target {
  readonly tree: TriangleTree;
  readonly fans: Fans;
  /** For each place of the surface that is asked from one of the target beside it, or NONE. */
  readonly near: Uint32Array;
}

/**
 * The greatest squared distance from `surface` to the target, not below `known`: at its points, and around the
 * furthest of them. (Points as Aspert, Santa-Cruz, Ebrahimi, MESH: Measuring Errors between Surfaces, ask them.) A distance
 * changes by no more than the way that is gone, so that a triangle is passed over where its reach cannot lead further.
 */
function farthest(
  surface: MeasuredSurface,
  { positions, triangles, places, count }: Points,
  reach: Float64Array,
  { tree, fans, near }: Target,
  known: number,
  strays: Strays | null,
): number {
  let most = known;
  let root = Math.sqrt(most);
  const found: number[] = [];
  const distances: number[] = [];
  const ask = (i: number): void => {
    const t = triangles[i];
    const needed = root - reach[t];
    let enough = Math.max(most * PROMISING, needed > 0 ? needed * needed : 0);
    if (strays !== null && strays.beyond < enough) enough = strays.beyond;
    const d = tree.squaredDistance(positions, i * 3, enough, fans, near[places[i]]);
    if (d <= enough) return;
    if (strays !== null && d > strays.beyond) {
      strays.places.push(places[i]);
      strays.distances.push(d);
    }
    if (d > most) {
      most = d;
      root = Math.sqrt(d);
    }
    found.push(t);
    distances.push(d);
  };
  for (let i = 0; i < count; i += FIRST) ask(i);
  for (let i = 0; i < count; i++) if (i % FIRST !== 0) ask(i);

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
    if (strays !== null && d > strays.beyond) {
      strays.places.push(surface.places[surface.indices[t * 3]]);
      strays.distances.push(d);
    }
  }
  return most;
}

/** Steps from a point of a triangle, in shares of its first two corners' weights: six ways of equal length. */
const WAYS = [1, 0, 0, 1, -1, 1, -1, 0, 0, -1, 1, -1] as const;

const scratchPoint = new Float64Array(3);

/**
 * The greatest squared distance found in one triangle by stepping uphill from its middle, ever more finely; any number up
 * to `known` where none is greater.
 */
function farthestInTriangle(
  { positions, indices }: MeasuredSurface,
  at: number,
  reach: number,
  tree: TriangleTree,
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
  const needed = (way: number) => (root > way ? (root - way) * (root - way) : 0);
  let [a, b] = [1 / 3, 1 / 3];
  let best = distance(a, b, needed(reach));
  for (let halving = 0, step = 1 / 3; halving < HALVINGS; halving++, step /= 2) {
    // All steps from here on together are shorter than twice this one.
    if (best <= needed(2 * step * reach)) return 0;
    const [fromA, fromB] = [a, b];
    for (let way = 0; way < WAYS.length; way += 2) {
      const nextA = fromA + WAYS[way] * step;
      const nextB = fromB + WAYS[way + 1] * step;
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
function spreadPoints(
  { positions, indices, places }: MeasuredSurface,
  count: number,
  seed: number,
  points: Points,
): void {
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
    const at = points.next(t, places[indices[t * 3]]);
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
