// The parts of measuring a deviation (geometry/lod/deviation.ts explains what is measured and why): triangles that both
// surfaces have, points spread over one of them, and the greatest distance of points from the other.

import { squaredDistance } from './hierarchy.ts';
import { Found, Hierarchy, MeasuredSurface, NONE, Points } from './layout.ts';
import { crossSquared, longestEdge, vertexOf } from './triangle.ts';
import { setWord, word } from './words.ts';

/** Query every 16th point first. Removed components give large distances early; later queries can then stop at that bound. */
const FIRST: u32 = 16;

/** Triangles with a point whose squared distance is at least this share of the greatest are searched for a further one … */
const PROMISING: f64 = 0.5;
/** … by halving the step around the best point this many times. */
const HALVINGS: i32 = 6;

/** Steps from a point of a triangle, in shares of its first two corners' weights: six directions of equal length. */
const DIRECTIONS: usize = memory.data<f64>([1, 0, 0, 1, -1, 1, -1, 0, 0, -1, 1, -1]);
const DIRECTION_BYTES: usize = 16;

const SEED: u32 = 0x5eed1e55;
/** State of `random`. */
let state: u32 = 0;

/** A number from 0 to below 1: Steele and Vigna's mixing of a Weyl sequence, in 32 bits (mulberry32). */
function random(): f64 {
  state += 0x6d2b79f5;
  let x = (state ^ (state >> 15)) * (state | 1);
  x ^= x + (x ^ (x >> 7)) * (x | 61);
  return <f64>(x ^ (x >> 14)) / 4294967296;
}

/** One more than the greatest position id of the surface's triangles. */
export function idCountOf(surface: MeasuredSurface): u32 {
  const ids = surface.ids;
  const end = surface.indices + <usize>surface.triangleCount * 12;
  let count: u32 = 0;
  for (let at = surface.indices; at < end; at += 4) {
    const id = word(ids, load<u32>(at));
    if (id >= count) count = id + 1;
  }
  return count;
}

/** Fills in vertexAt and triangleAt: addresses of arrays for idCount numbers. */
export function findPositions(surface: MeasuredSurface): void {
  const ids = surface.ids;
  const indices = surface.indices;
  const vertexAt = surface.vertexAt;
  const triangleAt = surface.triangleAt;
  memory.fill(vertexAt, 0xff, (<usize>surface.idCount) << 2);
  memory.fill(triangleAt, 0xff, (<usize>surface.idCount) << 2);
  for (let t: u32 = 0, at = indices; t < surface.triangleCount; t++) {
    for (let k = 0; k < 3; k++, at += 4) {
      const v = load<u32>(at);
      const id = word(ids, v);
      if (word(vertexAt, id) !== NONE) continue;
      setWord(vertexAt, id, v);
      setWord(triangleAt, id, t);
    }
  }
}

function has(surface: MeasuredSurface, id: u32): bool {
  return id < surface.idCount && word(surface.vertexAt, id) !== NONE;
}

/** Writes the ids that `surface` has and `other` has not; gives how many. */
export function missingIds(surface: MeasuredSurface, other: MeasuredSurface, to: usize): u32 {
  let count: u32 = 0;
  for (let id: u32 = 0; id < surface.idCount; id++) {
    if (!has(surface, id) || has(other, id)) continue;
    setWord(to, count, id);
    count++;
  }
  return count;
}

/** Writes for each id of `surface` the same id where both surfaces have it, else NONE. */
export function sharedIds(surface: MeasuredSurface, other: MeasuredSurface, near: usize): void {
  for (let id: u32 = 0; id < surface.idCount; id++) {
    setWord(near, id, has(surface, id) && has(other, id) ? id : NONE);
  }
}

/**
 * Gives ids that `sharedIds` wrote NONE for one of those that it kept, where a triangle of the surface joins the two.
 * `kept`: room for a byte an id.
 */
export function idsBeside(surface: MeasuredSurface, near: usize, kept: usize): void {
  for (let id: u32 = 0; id < surface.idCount; id++) {
    store<u8>(kept + id, <u8>(word(near, id) !== NONE));
  }
  const ids = surface.ids;
  const end = surface.indices + <usize>surface.triangleCount * 12;
  for (let at = surface.indices; at < end; at += 12) {
    const a = word(ids, load<u32>(at));
    const b = word(ids, load<u32>(at, 4));
    const c = word(ids, load<u32>(at, 8));
    const isA = load<u8>(kept + a) === 1;
    const isB = load<u8>(kept + b) === 1;
    const isC = load<u8>(kept + c) === 1;
    if (isA && isB && isC) continue;
    if (isA) {
      if (!isB) setWord(near, b, a);
      if (!isC) setWord(near, c, a);
    }
    if (isB) {
      if (!isA) setWord(near, a, b);
      if (!isC) setWord(near, c, b);
    }
    if (isC) {
      if (!isA) setWord(near, a, c);
      if (!isB) setWord(near, b, c);
    }
  }
}

function area(surface: MeasuredSurface, t: u32): f64 {
  const positions = surface.positions;
  const indices = surface.indices;
  const a = vertexOf(positions, indices, t * 3);
  const b = vertexOf(positions, indices, t * 3 + 1);
  const c = vertexOf(positions, indices, t * 3 + 2);
  return sqrt<f64>(crossSquared(a, b, c)) / 2;
}

/**
 * Writes `count` points of the surface: one in each of as many equal shares of the area, in the order of the triangles,
 * where a generator with a fixed seed puts it. None on a surface without area.
 */
export function spreadPoints(surface: MeasuredSurface, count: u32, points: Points): void {
  points.spreadCount = 0;
  const positions = surface.positions;
  const indices = surface.indices;
  const last = surface.triangleCount - 1;
  let total: f64 = 0;
  for (let t: u32 = 0; t <= last; t++) total += area(surface, t);
  if (!(total > 0)) return;
  state = SEED;
  let t: u32 = 0;
  let passed: f64 = 0;
  let own = area(surface, 0);
  for (let i: u32 = 0; i < count; i++) {
    const share = ((<f64>i + random()) / <f64>count) * total;
    while (t < last && passed + own < share) {
      passed += own;
      own = area(surface, ++t);
    }
    const root = sqrt<f64>(random());
    const b = root * random();
    const a = 1 - root;
    const p = vertexOf(positions, indices, t * 3);
    const q = vertexOf(positions, indices, t * 3 + 1);
    const r = vertexOf(positions, indices, t * 3 + 2);
    const to = points.positions + <usize>i * 24;
    for (let k: usize = 0; k < 3; k++) store<f64>(to + (k << 3), between(p, q, r, a, b, k << 2));
    setWord(points.triangles, i, t);
  }
  points.spreadCount = count;
}

/** One coordinate of the point of a triangle with weights a and b of its first corners, and what is left of the third. */
function between(p: usize, q: usize, r: usize, a: f64, b: f64, offset: usize): f64 {
  const c = 1 - a - b;
  return a * <f64>load<f32>(p + offset) + b * <f64>load<f32>(q + offset) + c * <f64>load<f32>(r + offset);
}

/**
 * The greatest squared distance of the points of `surface` from the triangles of `tree`, not below `known`. `near`: for
 * each position id of the surface one that the tree has at it or beside it, or NONE. `beyond`: the squared distance that is
 * allowed. Writes what deviates further, and points around which an even greater distance may be found.
 *
 * A point is not asked for its distance in full where any number up to `enough` leads to the same results:
 * - it is no further than allowed,
 * - it is less far than a promising point, and
 * - no point of its triangle is further than the greatest distance so far. Distance to a surface is 1-Lipschitz (moving a
 *   point by d changes it by at most d), and no point of the triangle is further from this one than its longest edge.
 * The last two also hold for the final greatest distance, because it only grows.
 *
 * Most points need no search: a triangle of `tree` has a corner at the position of the `near` id, so that the point is no
 * further from that surface than from this corner.
 */
export function farthest(
  surface: MeasuredSurface,
  points: Points,
  tree: Hierarchy,
  near: usize,
  known: f64,
  beyond: f64,
  found: Found,
): f64 {
  const spreadCount = points.spreadCount;
  const count = spreadCount + points.vertexCount;
  let highest = known;
  let root = sqrt<f64>(known);
  // Forget the triangle of earlier calls: the result must not depend on them.
  tree.lastTriangle = 0;
  found.count = 0;
  found.deviatingCount = 0;
  // Every 16th point, then all others.
  for (let round = 0; round < 2; round++) {
    for (let i: u32 = 0; i < count; i++) {
      if ((i % FIRST === 0) !== (round === 0)) continue;
      let x: f64;
      let y: f64;
      let z: f64;
      let id: u32;
      let t: u32;
      if (i < spreadCount) {
        const at = points.positions + <usize>i * 24;
        x = load<f64>(at);
        y = load<f64>(at, 8);
        z = load<f64>(at, 16);
        t = word(points.triangles, i);
        id = firstId(surface, t);
      } else {
        id = word(points.vertexIds, i - spreadCount);
        t = word(surface.triangleAt, id);
        const at = surface.positions + <usize>word(surface.vertexAt, id) * 12;
        x = <f64>load<f32>(at);
        y = <f64>load<f32>(at, 4);
        z = <f64>load<f32>(at, 8);
      }
      const nearId = word(near, id);
      const toCorner = nearId === NONE ? Infinity : squaredToVertex(surface, nearId, x, y, z);
      // Not yet with the reach of the triangle, which costs a square root.
      if (toCorner <= min(highest * PROMISING, beyond)) continue;
      const needed = root - reach(surface, t);
      const enough = min(max(highest * PROMISING, needed > 0 ? needed * needed : 0), beyond);
      if (toCorner <= enough) continue;
      const d = squaredDistance(tree, x, y, z, enough, nearId);
      if (d <= enough) continue;
      if (d > beyond) {
        const entry = found.greatest + ((<usize>id) << 3);
        store<f64>(entry, max(load<f64>(entry), sqrt<f64>(d)));
        found.deviatingCount++;
      }
      if (d > highest) {
        highest = d;
        root = sqrt<f64>(d);
      }
      setWord(found.triangles, found.count, t);
      store<f64>(found.distances + ((<usize>found.count) << 3), d);
      found.count++;
    }
  }
  return highest;
}

/** The squared distance from a point to the position of an id that the surface has. */
function squaredToVertex(surface: MeasuredSurface, id: u32, x: f64, y: f64, z: f64): f64 {
  const at = surface.positions + <usize>word(surface.vertexAt, id) * 12;
  const dx = x - <f64>load<f32>(at);
  const dy = y - <f64>load<f32>(at, 4);
  const dz = z - <f64>load<f32>(at, 8);
  return dx * dx + dy * dy + dz * dz;
}

/** The longest edge of a triangle of the surface. */
export function reach(surface: MeasuredSurface, t: u32): f64 {
  const positions = surface.positions;
  const indices = surface.indices;
  const a = vertexOf(positions, indices, t * 3);
  const b = vertexOf(positions, indices, t * 3 + 1);
  const c = vertexOf(positions, indices, t * 3 + 2);
  return longestEdge(a, b, c);
}

/** The position id of a triangle's first corner. */
export function firstId(surface: MeasuredSurface, t: u32): u32 {
  return word(surface.ids, load<u32>(surface.indices + <usize>t * 12));
}

/** The squared distance that a point must exceed, so that a point `distance` from it can be further than `root`. */
function neededAt(root: f64, distance: f64): f64 {
  return root > distance ? (root - distance) * (root - distance) : 0;
}

/**
 * The greatest squared distance found in one triangle by stepping uphill from its middle, ever more finely; any number up
 * to `known` where none is greater.
 */
export function farthestInTriangle(surface: MeasuredSurface, t: u32, tree: Hierarchy, known: f64): f64 {
  const p = vertexOf(surface.positions, surface.indices, t * 3);
  const q = vertexOf(surface.positions, surface.indices, t * 3 + 1);
  const r = vertexOf(surface.positions, surface.indices, t * 3 + 2);
  const longest = longestEdge(p, q, r);
  const root = sqrt<f64>(known);
  let a: f64 = 1.0 / 3.0;
  let b: f64 = 1.0 / 3.0;
  let best = distanceBetween(p, q, r, a, b, tree, neededAt(root, longest));
  let step: f64 = 1.0 / 3.0;
  for (let halving = 0; halving < HALVINGS; halving++, step /= 2) {
    // All steps from here on together are shorter than twice this one.
    if (best <= neededAt(root, 2 * step * longest)) return 0;
    const fromA = a;
    const fromB = b;
    for (let way = DIRECTIONS; way < DIRECTIONS + 6 * DIRECTION_BYTES; way += DIRECTION_BYTES) {
      const nextA = fromA + load<f64>(way) * step;
      const nextB = fromB + load<f64>(way, 8) * step;
      if (nextA < 0 || nextB < 0 || nextA + nextB > 1) continue;
      const d = distanceBetween(p, q, r, nextA, nextB, tree, best);
      if (d > best) {
        best = d;
        a = nextA;
        b = nextB;
      }
    }
  }
  return best;
}

/** The squared distance of the point of a triangle with weights a and b, as squaredDistance gives it. */
function distanceBetween(p: usize, q: usize, r: usize, a: f64, b: f64, tree: Hierarchy, enough: f64): f64 {
  const x = between(p, q, r, a, b, 0);
  const y = between(p, q, r, a, b, 4);
  const z = between(p, q, r, a, b, 8);
  return squaredDistance(tree, x, y, z, enough, NONE);
}
