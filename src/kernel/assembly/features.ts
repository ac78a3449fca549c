// The loops of colour features (geometry/lod/features.ts and movedSurface.ts explain what they measure and why). The
// arithmetic of points and silhouettes is float64 over float32 positions.

import { numberSets, rootOf, separate } from './sets.ts';
import { setWord, word } from './words.ts';

/** Bytes of a point: float64 position, unit normal of its triangle, number of the triangle. */
const POINT: usize = 56;

/** Joins the sets of the corners of each triangle. */
function joinTriangles(indices: usize, indexCount: u32, parent: usize): void {
  const end = indices + ((<usize>indexCount) << 2);
  for (let at = indices; at < end; at += 12) {
    const a = rootOf(parent, load<u32>(at));
    setWord(parent, rootOf(parent, load<u32>(at, 4)), a);
    setWord(parent, rootOf(parent, load<u32>(at, 8)), a);
  }
}

/** Whether two vertices of one mesh have the same UV (float32, compared as numbers). */
function hasSameUv(uv0: usize, v: u32, w: u32): bool {
  const a = uv0 + ((<usize>v) << 3);
  const b = uv0 + ((<usize>w) << 3);
  return load<f32>(a) === load<f32>(b) && load<f32>(a, 4) === load<f32>(b, 4);
}

/**
 * Numbers the features: vertices that triangles join, or that lie at one position of one mesh, with one UV where that has a
 * texture. `starts`, `rows`: the vertices at each of `idCount` positions. `uv0`: address 0 for none; `textured`: a byte for
 * each mesh. `parent`, `numbers`: room for a word a vertex. Writes `featureOf`, gives how many features there are.
 */
export function joinFeatures(
  vertexCount: u32,
  indices: usize,
  indexCount: u32,
  meshOf: usize,
  uv0: usize,
  textured: usize,
  idCount: u32,
  starts: usize,
  rows: usize,
  parent: usize,
  numbers: usize,
  featureOf: usize,
): u32 {
  separate(parent, vertexCount);
  joinTriangles(indices, indexCount, parent);
  for (let id: u32 = 0; id < idCount; id++) {
    const first = word(starts, id);
    const end = word(starts, id + 1);
    for (let r = first; r < end; r++) {
      const v = word(rows, r);
      const mesh = word(meshOf, v);
      const needsUv = uv0 !== 0 && load<u8>(textured + mesh) === 1;
      // With the nearest before it that it is joined to: equal ones form a chain.
      for (let b = r; b-- > first; ) {
        const w = word(rows, b);
        if (word(meshOf, w) !== mesh || (needsUv && !hasSameUv(uv0, v, w))) continue;
        const other = rootOf(parent, w);
        setWord(parent, rootOf(parent, v), other);
        break;
      }
    }
  }
  return numberSets(parent, vertexCount, numbers, featureOf);
}

/** The feature of the first corner of each triangle. */
export function featuresOfTriangles(indices: usize, triangleCount: u32, featureOf: usize, to: usize): void {
  for (let t: u32 = 0, at = indices; t < triangleCount; t++, at += 12) {
    setWord(to, t, word(featureOf, load<u32>(at)));
  }
}

/** Of the triangle that was read last: its corners' addresses, … */
let cornerA: usize = 0;
let cornerB: usize = 0;
let cornerC: usize = 0;
/** … where the first corner lies, the edges from there to the second and third, and the cross product of both. */
let px: f64 = 0;
let py: f64 = 0;
let pz: f64 = 0;
let ux: f64 = 0;
let uy: f64 = 0;
let uz: f64 = 0;
let vx: f64 = 0;
let vy: f64 = 0;
let vz: f64 = 0;
let nx: f64 = 0;
let ny: f64 = 0;
let nz: f64 = 0;

function readTriangle(positions: usize, corners: usize): void {
  const a = positions + <usize>load<u32>(corners) * 12;
  const b = positions + <usize>load<u32>(corners, 4) * 12;
  const c = positions + <usize>load<u32>(corners, 8) * 12;
  cornerA = a;
  cornerB = b;
  cornerC = c;
  px = <f64>load<f32>(a);
  py = <f64>load<f32>(a, 4);
  pz = <f64>load<f32>(a, 8);
  ux = <f64>load<f32>(b) - px;
  uy = <f64>load<f32>(b, 4) - py;
  uz = <f64>load<f32>(b, 8) - pz;
  vx = <f64>load<f32>(c) - px;
  vy = <f64>load<f32>(c, 4) - py;
  vz = <f64>load<f32>(c, 8) - pz;
  nx = uy * vz - uz * vy;
  ny = uz * vx - ux * vz;
  nz = ux * vy - uy * vx;
}

/** The least coordinate of the triangle on the axis whose numbers lie `offset` bytes from the first ones. */
function lowest(offset: usize): f64 {
  return <f64>min(min(load<f32>(cornerA + offset), load<f32>(cornerB + offset)), load<f32>(cornerC + offset));
}

function greatest(offset: usize): f64 {
  return <f64>max(max(load<f32>(cornerA + offset), load<f32>(cornerB + offset)), load<f32>(cornerC + offset));
}

/**
 * Adds up the projected area of the triangles of each feature that face each way. `directions`: 3 float64 each.
 * `silhouettes`: zeros, two float64 for each feature and direction: along it and against it.
 */
export function addSilhouettes(
  positions: usize,
  indices: usize,
  indexCount: u32,
  featureOf: usize,
  directions: usize,
  directionCount: u32,
  silhouettes: usize,
): void {
  const end = indices + ((<usize>indexCount) << 2);
  const endOfDirections = directions + <usize>directionCount * 24;
  for (let at = indices; at < end; at += 12) {
    readTriangle(positions, at);
    const x = nx;
    const y = ny;
    const z = nz;
    let to = silhouettes + <usize>word(featureOf, load<u32>(at)) * <usize>directionCount * 16;
    for (let d = directions; d < endOfDirections; d += 24, to += 16) {
      const along = x * load<f64>(d) + y * load<f64>(d, 8) + z * load<f64>(d, 16);
      const half = along / 2;
      // Both ways at once: the one that it does not face gets 0.
      const isAlong = along > 0;
      const both = f64x2.replace_lane(f64x2.splat(isAlong ? half : 0), 1, isAlong ? 0 : -half);
      v128.store(to, f64x2.add(v128.load(to), both));
    }
  }
}

/** Writes the box of each feature's vertices, six float64: least and greatest corner. */
export function featureBoxes(positions: usize, featureOf: usize, vertexCount: u32, count: u32, boxes: usize): void {
  for (let f: u32 = 0, at = boxes; f < count; f++, at += 48) {
    for (let k: usize = 0; k < 24; k += 8) {
      store<f64>(at + k, Infinity);
      store<f64>(at + k, -Infinity, 24);
    }
  }
  for (let v: u32 = 0, at = positions; v < vertexCount; v++, at += 12) {
    const box = boxes + <usize>word(featureOf, v) * 48;
    for (let k: usize = 0; k < 3; k++) {
      const p = <f64>load<f32>(at + (k << 2));
      const low = box + (k << 3);
      if (p < load<f64>(low)) store<f64>(low, p);
      if (p > load<f64>(low, 24)) store<f64>(low, p, 24);
    }
  }
}

/** Steps of the plastic number's powers (Roberts, R2 sequence), folded into a triangle. */
const STEP_U: f64 = 0.7548776662466927;
const STEP_V: f64 = 0.5698402909980532;

/** What is left of a number from 0 up after its whole part. */
function fraction(x: f64): f64 {
  return x - floor<f64>(x);
}

/**
 * Writes points of listed features, one feature after the other, and how many each has: up to `highest`, spread evenly over the
 * area of its triangles, the same each time. `starts`, `rows`: the triangles of each feature. Gives the number of all points.
 */
export function spreadOverFeatures(
  positions: usize,
  indices: usize,
  starts: usize,
  rows: usize,
  list: usize,
  listed: u32,
  highest: u32,
  to: usize,
  counts: usize,
): u32 {
  let total: u32 = 0;
  for (let i: u32 = 0; i < listed; i++) {
    const f = word(list, i);
    const first = word(starts, f);
    const own = rows + ((<usize>first) << 2);
    const count = spreadOverRows(positions, indices, own, word(starts, f + 1) - first, highest, to);
    setWord(counts, i, count);
    to += <usize>count * POINT;
    total += count;
  }
  return total;
}

function spreadOverRows(positions: usize, indices: usize, rows: usize, rowCount: u32, highest: u32, to: usize): u32 {
  let total: f64 = 0;
  for (let r: u32 = 0; r < rowCount; r++) {
    readTriangle(positions, indices + <usize>word(rows, r) * 12);
    total += sqrt<f64>(nx * nx + ny * ny + nz * nz) / 2;
  }
  if (!(total > 0)) return 0;
  let count: u32 = 0;
  let passed: f64 = 0;
  for (let r: u32 = 0; r < rowCount && count < highest; r++) {
    const t = word(rows, r);
    readTriangle(positions, indices + <usize>t * 12);
    const length = sqrt<f64>(nx * nx + ny * ny + nz * nz);
    passed += length / 2;
    while (count < highest && ((<f64>count + 0.5) / <f64>highest) * total <= passed) {
      let u = fraction(<f64>count * STEP_U + 0.5);
      let v = fraction(<f64>count * STEP_V + 0.5);
      if (u + v > 1) {
        u = 1 - u;
        v = 1 - v;
      }
      store<f64>(to, px + ux * u + vx * v);
      store<f64>(to, py + uy * u + vy * v, 8);
      store<f64>(to, pz + uz * u + vz * v, 16);
      store<f64>(to, nx / length, 24);
      store<f64>(to, ny / length, 32);
      store<f64>(to, nz / length, 40);
      store<f64>(to, <f64>t, 48);
      to += POINT;
      count++;
    }
  }
  return count;
}

/**
 * The squared distance from the point at `point` to the triangle that was read; Infinity where the triangle faces the other
 * way than the point's normal (Ericson, Real-Time Collision Detection, 5.1.5).
 */
function facingDistance(point: usize): f64 {
  if (!(nx * load<f64>(point, 24) + ny * load<f64>(point, 32) + nz * load<f64>(point, 40) > 0)) return Infinity;
  const x = load<f64>(point) - px;
  const y = load<f64>(point, 8) - py;
  const z = load<f64>(point, 16) - pz;
  const d1 = ux * x + uy * y + uz * z;
  const d2 = vx * x + vy * y + vz * z;
  const uu = ux * ux + uy * uy + uz * uz;
  const uv = ux * vx + uy * vy + uz * vz;
  const vv = vx * vx + vy * vy + vz * vz;
  const d3 = d1 - uu;
  const d4 = d2 - uv;
  const d5 = d1 - uv;
  const d6 = d2 - vv;
  const sa = d3 * d6 - d5 * d4;
  const sb = d5 * d2 - d1 * d6;
  const sc = d1 * d4 - d3 * d2;
  // The weights of the second and third corner in the nearest point.
  let s: f64 = 0;
  let t: f64 = 0;
  if (d1 <= 0 && d2 <= 0) s = 0;
  else if (d3 >= 0 && d4 <= d3) s = 1;
  else if (sc <= 0 && d1 >= 0 && d3 <= 0) s = d1 / (d1 - d3);
  else if (d6 >= 0 && d5 <= d6) t = 1;
  else if (sb <= 0 && d2 >= 0 && d6 <= 0) t = d2 / (d2 - d6);
  else if (sa <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    t = (d4 - d3) / (d4 - d3 + d5 - d6);
    s = 1 - t;
  } else {
    s = sb / (sa + sb + sc);
    t = sc / (sa + sb + sc);
  }
  const dx = x - s * ux - t * vx;
  const dy = y - s * uy - t * vy;
  const dz = z - s * uz - t * vz;
  return dx * dx + dy * dy + dz * dz;
}

/**
 * Keeps of `count` points of a feature those that no triangle in `rows` comes within `reach` metres of, facing the same
 * way; `open` holds their numbers afterwards. Gives how many remain.
 */
function pointsFarOff(
  positions: usize,
  indices: usize,
  rows: usize,
  rowCount: u32,
  points: usize,
  count: u32,
  reach: f64,
  open: usize,
): u32 {
  for (let i: u32 = 0; i < count; i++) setWord(open, i, i);
  const highest = reach * reach;
  for (let r: u32 = 0; r < rowCount && count > 0; r++) {
    readTriangle(positions, indices + <usize>word(rows, r) * 12);
    const lowX = lowest(0) - reach;
    const lowY = lowest(4) - reach;
    const lowZ = lowest(8) - reach;
    const highX = greatest(0) + reach;
    const highY = greatest(4) + reach;
    const highZ = greatest(8) + reach;
    let left: u32 = 0;
    for (let i: u32 = 0; i < count; i++) {
      const number = word(open, i);
      const at = points + <usize>number * POINT;
      const x = load<f64>(at);
      const y = load<f64>(at, 8);
      const z = load<f64>(at, 16);
      const isAround = x >= lowX && x <= highX && y >= lowY && y <= highY && z >= lowZ && z <= highZ;
      if (isAround && facingDistance(at) <= highest) continue;
      setWord(open, left++, number);
    }
    count = left;
  }
  return count;
}

/** Features whose points are looked for in a level. */
@unmanaged
export class Sought {
  /** Metres. */
  reach: f64;
  /** Triangles are marked of features with a smaller share of their points in reach. */
  kept: f64;
  /** The features, and of each of all features its first point and how many it has. */
  list: usize;
  listed: u32;
  begins: usize;
  counts: usize;
  points: usize;
  /** A byte for each triangle of the features' surface. */
  moved: usize;
}

/** Marks the triangle that a point lies in. */
function markTriangle(moved: usize, point: usize): void {
  store<u8>(moved + <usize>(<u32>load<f64>(point, 48)), 1);
}

/**
 * The least share of a listed feature's points that have a triangle of the level within reach which belongs to the same
 * feature and faces the same way; 1 without any. Marks the triangles of the others. `starts`, `rows`: the level's triangles of
 * each feature; `open`: room for a word for each point of a feature.
 */
export function minOfFeatures(
  s: Sought,
  positions: usize,
  indices: usize,
  starts: usize,
  rows: usize,
  open: usize,
): f64 {
  let smallest: f64 = 1;
  for (let i: u32 = 0; i < s.listed; i++) {
    const f = word(s.list, i);
    const count = word(s.counts, f);
    if (count === 0) continue;
    const first = word(starts, f);
    const own = rows + ((<usize>first) << 2);
    const points = s.points + <usize>word(s.begins, f) * POINT;
    const left = pointsFarOff(positions, indices, own, word(starts, f + 1) - first, points, count, s.reach, open);
    const share = 1 - <f64>left / <f64>count;
    if (share < smallest) smallest = share;
    if (share >= s.kept) continue;
    for (let k: u32 = 0; k < left; k++) markTriangle(s.moved, points + <usize>word(open, k) * POINT);
  }
  return smallest;
}

/** Copies every so many points of the listed features, the first of each and on; gives how many. */
export function everySoMany(s: Sought, stride: u32, to: usize): u32 {
  let total: u32 = 0;
  for (let i: u32 = 0; i < s.listed; i++) {
    const f = word(s.list, i);
    const count = word(s.counts, f);
    const points = s.points + <usize>word(s.begins, f) * POINT;
    for (let k: u32 = 0; k < count; k += stride, total++) {
      memory.copy(to + <usize>total * POINT, points + <usize>k * POINT, POINT);
    }
  }
  return total;
}

/**
 * The least share of a listed feature's points that are within reach, 1 without any; marks the triangles of the others.
 * `points`: those of everySoMany(); `isWithin`: a byte each.
 */
export function minWithin(s: Sought, stride: u32, points: usize, isWithin: usize): f64 {
  let smallest: f64 = 1;
  for (let i: u32 = 0; i < s.listed; i++) {
    const count = (word(s.counts, word(s.list, i)) + stride - 1) / stride;
    if (count === 0) continue;
    let lost: u32 = 0;
    for (let k: usize = 0; k < <usize>count; k++) if (load<u8>(isWithin + k) === 0) lost++;
    const share = 1 - <f64>lost / <f64>count;
    if (share < smallest) smallest = share;
    if (share < s.kept) {
      for (let k: usize = 0; k < <usize>count; k++) {
        if (load<u8>(isWithin + k) === 0) markTriangle(s.moved, points + k * POINT);
      }
    }
    points += <usize>count * POINT;
    isWithin += <usize>count;
  }
  return smallest;
}
