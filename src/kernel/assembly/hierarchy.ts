// The bounding volume hierarchy: boxes over triangles sorted along a Morton curve, built in linear time, searched without
// recursion.

import { Hierarchy, MeasuredSurface, NONE } from './layout.ts';
import { cross, crossX, crossY, crossZ, pointTriangle } from './triangle.ts';
import { setWord, word } from './words.ts';

/** Most triangles of a leaf. */
export const LEAF: u32 = 4;
/** Two boxes, interleaved: each number of the first is followed by that of the second; least corners come first. */
const PAIR_BYTES: usize = 48;
const TRIANGLE_BYTES: usize = 36;

/**
 * A search's stack: the nodes still to visit, each with the squared distance of its box. Each step down the tree adds
 * at most one entry, so it never holds more than 32; there is room for 64.
 */
const STACK: usize = memory.data(64 * 16, 16);

/** Counters of the radix sort, which takes ten bits at a time. */
const DIGITS: usize = memory.data(1024 * 4, 4);

/** Fills in the hierarchy: `triangles`, `order` and `boxes` are addresses of arrays for it, leafCount is set. */
export function buildHierarchy(tree: Hierarchy): void {
  sortAlongCurve(tree);
  const positions = tree.positions;
  const indices = tree.indices;
  const order = tree.order;
  const count = tree.triangleCount;
  let to = tree.triangles;
  for (let i: u32 = 0; i < count; i++) {
    let corner = indices + <usize>word(order, i) * 12;
    for (let k = 0; k < 3; k++, corner += 4, to += 12) {
      const from = positions + <usize>load<u32>(corner) * 12;
      store<u64>(to, load<u64>(from));
      store<u32>(to, load<u32>(from, 8), 8);
    }
  }
  buildBoxes(tree);
  tree.lastTriangle = 0;
}

/** Writes `order`: triangles along a Morton curve through their centres, ten bits for each axis; equal keys keep their order. */
function sortAlongCurve(tree: Hierarchy): void {
  const positions = tree.positions;
  const indices = tree.indices;
  const order = tree.order;
  const count = tree.triangleCount;
  // 1. The box of three times the centres: the curve through these is the same.
  let x0 = Infinity;
  let y0 = Infinity;
  let z0 = Infinity;
  let x1 = -Infinity;
  let y1 = -Infinity;
  let z1 = -Infinity;
  for (let i: u32 = 0, at = indices; i < count; i++, at += 12) {
    const x = centre(positions, at);
    const y = centre(positions + 4, at);
    const z = centre(positions + 8, at);
    if (x < x0) x0 = x;
    if (y < y0) y0 = y;
    if (z < z0) z0 = z;
    if (x > x1) x1 = x;
    if (y > y1) y1 = y;
    if (z > z1) z1 = z;
  }
  const sx = x1 > x0 ? 1023 / (x1 - x0) : 0;
  const sy = y1 > y0 ? 1023 / (y1 - y0) : 0;
  const sz = z1 > z0 ? 1023 / (z1 - z0) : 0;

  // 2. Keys with the numbers of their triangles, in the array that holds the triangles afterwards.
  let from = tree.triangles;
  let other = from + ((<usize>count) << 3);
  for (let i: u32 = 0, at = indices; i < count; i++, at += 12) {
    const x = spread(<i32>((centre(positions, at) - x0) * sx) & 1023);
    const y = spread(<i32>((centre(positions + 4, at) - y0) * sy) & 1023);
    const z = spread(<i32>((centre(positions + 8, at) - z0) * sz) & 1023);
    store<u64>(from + ((<usize>i) << 3), ((<u64>(x | (y << 1) | (z << 2))) << 32) | <u64>i);
  }

  // 3. Three passes of ten bits.
  const bytes = (<usize>count) << 3;
  for (let shift: u64 = 32; shift < 62; shift += 10) {
    const begin = from;
    memory.fill(DIGITS, 0, 4096);
    for (let at = begin; at < begin + bytes; at += 8) {
      const digit = digitOf(load<u64>(at), shift);
      setWord(DIGITS, digit, word(DIGITS, digit) + 1);
    }
    let sum: u32 = 0;
    for (let digit: u32 = 0; digit < 1024; digit++) {
      const size = word(DIGITS, digit);
      setWord(DIGITS, digit, sum);
      sum += size;
    }
    for (let at = begin; at < begin + bytes; at += 8) {
      const entry = load<u64>(at);
      const digit = digitOf(entry, shift);
      const to = word(DIGITS, digit);
      setWord(DIGITS, digit, to + 1);
      store<u64>(other + ((<usize>to) << 3), entry);
    }
    from = other;
    other = begin;
  }
  for (let i: u32 = 0; i < count; i++) setWord(order, i, <u32>load<u64>(from + ((<usize>i) << 3)));
}

function digitOf(entry: u64, shift: u64): u32 {
  return <u32>(entry >> shift) & 1023;
}

/** Three times one coordinate of a triangle's centre, as float32. */
function centre(coordinates: usize, corners: usize): f64 {
  const a = <f64>load<f32>(coordinates + <usize>load<u32>(corners) * 12);
  const b = <f64>load<f32>(coordinates + <usize>load<u32>(corners, 4) * 12);
  const c = <f64>load<f32>(coordinates + <usize>load<u32>(corners, 8) * 12);
  return <f64>(<f32>(a + b + c));
}

/** Ten bits, each followed by two zeros. */
export function spread(bits: u32): u32 {
  let x = (bits | (bits << 16)) & 0x030000ff;
  x = (x | (x << 8)) & 0x0300f00f;
  x = (x | (x << 4)) & 0x030c30c3;
  return (x | (x << 2)) & 0x09249249;
}

function buildBoxes(tree: Hierarchy): void {
  const triangles = tree.triangles;
  const leafCount = tree.leafCount;
  const endOfTriangles = triangles + <usize>tree.triangleCount * TRIANGLE_BYTES;
  for (let leaf: u32 = 0; leaf < leafCount; leaf++) {
    // An unused leaf takes the last corner, which makes no box larger.
    const begin = min(endOfTriangles - 12, triangles + <usize>leaf * LEAF * TRIANGLE_BYTES);
    const end = min(endOfTriangles, begin + LEAF * TRIANGLE_BYTES);
    const box = boxOf(tree, leafCount + leaf);
    for (let k: usize = 0; k < 3; k++) {
      let lowest: f32 = Infinity;
      let highest: f32 = -Infinity;
      for (let at = begin + (k << 2); at < end; at += 12) {
        const value = load<f32>(at);
        if (value < lowest) lowest = value;
        if (value > highest) highest = value;
      }
      store<f32>(box + (k << 3), lowest);
      store<f32>(box + (k << 3), highest, 24);
    }
  }
  for (let node = leafCount - 1; node > 0; node--) {
    const halves = tree.boxes + <usize>node * PAIR_BYTES;
    const box = boxOf(tree, node);
    for (let offset: usize = 0; offset < 24; offset += 8) {
      store<f32>(box + offset, min(load<f32>(halves + offset), load<f32>(halves + offset, 4)));
      store<f32>(box + offset, max(load<f32>(halves + offset, 24), load<f32>(halves + offset, 28)), 24);
    }
  }
}

/** Where the box of a node begins: its numbers lie 8 bytes apart. */
export function boxOf(tree: Hierarchy, node: u32): usize {
  return tree.boxes + <usize>(node >> 1) * PAIR_BYTES + <usize>((node & 1) << 2);
}

/** Fills in the fans: fanBegins and fanTriangles are addresses of arrays for one number more than ids, and for all corners. */
export function buildFans(tree: Hierarchy, surface: MeasuredSurface): void {
  const ids = surface.ids;
  const indices = surface.indices;
  const idCount = surface.idCount;
  const order = tree.order;
  const fanBegins = tree.fanBegins;
  const fanTriangles = tree.fanTriangles;
  const count = tree.triangleCount;
  memory.fill(fanBegins, 0, (<usize>idCount + 1) << 2);
  const end = indices + <usize>count * 12;
  for (let at = indices; at < end; at += 4) {
    const id = idOf(ids, at);
    setWord(fanBegins, id, word(fanBegins, id) + 1);
  }
  let sum: u32 = 0;
  for (let id: u32 = 0; id <= idCount; id++) {
    sum += word(fanBegins, id);
    setWord(fanBegins, id, sum);
  }
  // Filled from the back: ends become beginnings.
  for (let i = count; i-- > 0; ) {
    const corners = indices + <usize>word(order, i) * 12;
    for (let at = corners; at < corners + 12; at += 4) {
      const id = idOf(ids, at);
      const to = word(fanBegins, id) - 1;
      setWord(fanBegins, id, to);
      setWord(fanTriangles, to, i);
    }
  }
}

function idOf(ids: usize, corner: usize): u32 {
  return word(ids, load<u32>(corner));
}

/** The squared distances from a point to the two boxes of a pair. */
function pairDistances(pair: usize, x: f64, y: f64, z: f64): v128 {
  const dx = beyond(pair, f64x2.splat(x));
  const dy = beyond(pair + 8, f64x2.splat(y));
  const dz = beyond(pair + 16, f64x2.splat(z));
  return f64x2.add(f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy)), f64x2.mul(dz, dz));
}

/** How far a coordinate lies outside of what two boxes span, 0 inside. */
function beyond(pair: usize, value: v128): v128 {
  const lowest = f64x2.promote_low_f32x4(v128.load_zero<u64>(pair));
  const highest = f64x2.promote_low_f32x4(v128.load_zero<u64>(pair, 24));
  return f64x2.max(f64x2.max(f64x2.sub(lowest, value), f64x2.sub(value, highest)), f64x2.splat(0));
}

/**
 * The least of `best` and the squared distances to the triangles of a leaf, up to the first one that is `enough`. Takes down
 * the triangle of a distance less than `best`.
 */
function searchLeaf(tree: Hierarchy, leaf: u32, x: f64, y: f64, z: f64, best: f64, enough: f64): f64 {
  const first = (leaf - tree.leafCount) * LEAF;
  const end = min(tree.triangleCount, first + LEAF);
  for (let t = first, at = tree.triangles + <usize>first * TRIANGLE_BYTES; t < end; t++, at += TRIANGLE_BYTES) {
    const d = pointTriangle(at, x, y, z);
    if (d >= best) continue;
    best = d;
    tree.lastTriangle = t;
    if (d <= enough) break;
  }
  return best;
}

/**
 * The squared distance from a point to the nearest triangle; or, as soon as one is known to be no further than `enough`
 * (squared), any number up to that. Looks at the fan around position id `id` first (NONE: at the triangle where the last
 * search ended), and from there upwards into what lies beside.
 */
export function squaredDistance(tree: Hierarchy, x: f64, y: f64, z: f64, enough: f64, id: u32): f64 {
  const triangles = tree.triangles;
  const boxes = tree.boxes;
  const leafCount = tree.leafCount;
  let best = Infinity;
  if (id !== NONE) {
    const fan = tree.fanTriangles;
    const first = word(tree.fanBegins, id);
    const end = word(tree.fanBegins, id + 1);
    for (let i = first; i < end; i++) {
      const t = word(fan, i);
      const d = pointTriangle(triangles + <usize>t * TRIANGLE_BYTES, x, y, z);
      if (d >= best) continue;
      best = d;
      tree.lastTriangle = t;
      if (d <= enough) return d;
    }
  } else {
    best = pointTriangle(triangles + <usize>tree.lastTriangle * TRIANGLE_BYTES, x, y, z);
    if (best <= enough) return best;
  }
  let up = leafCount + tree.lastTriangle / LEAF;
  best = searchLeaf(tree, up, x, y, z, best, enough);
  for (; up > 1 && best > enough; up >>= 1) {
    const pair = pairDistances(boxes + <usize>(up >> 1) * PAIR_BYTES, x, y, z);
    const beside = up & 1 ? f64x2.extract_lane(pair, 0) : f64x2.extract_lane(pair, 1);
    if (beside >= best) continue;
    let top = STACK;
    store<u32>(top, up ^ 1);
    store<f64>(top, beside, 8);
    while (top >= STACK) {
      const node = load<u32>(top);
      const distance = load<f64>(top, 8);
      top -= 16;
      if (distance >= best) continue;
      if (node >= leafCount) {
        const found = searchLeaf(tree, node, x, y, z, best, enough);
        if (found >= best) continue;
        best = found;
        if (best <= enough) break;
        continue;
      }
      top = pushHalves(boxes, node, x, y, z, best, top);
    }
  }
  return best;
}

/** Puts the halves of a node that lie nearer than `best` on the stack: the nearer one comes off first. Gives the new top. */
function pushHalves(boxes: usize, node: u32, x: f64, y: f64, z: f64, best: f64, top: usize): usize {
  const halves = pairDistances(boxes + <usize>node * PAIR_BYTES, x, y, z);
  const left = f64x2.extract_lane(halves, 0);
  const right = f64x2.extract_lane(halves, 1);
  const isLeftNearer = left <= right;
  const far = isLeftNearer ? right : left;
  const near = isLeftNearer ? left : right;
  if (far < best) {
    top += 16;
    store<u32>(top, node * 2 + <u32>isLeftNearer);
    store<f64>(top, far, 8);
  }
  if (near < best) {
    top += 16;
    store<u32>(top, node * 2 + <u32>!isLeftNearer);
    store<f64>(top, near, 8);
  }
  return top;
}

/**
 * The number of the triangle nearest to each of `count` points that faces the same way as the normal there; where none
 * does, or there are no normals (address 0), of the nearest triangle of all. Points and normals are 3 float64 each, the
 * numbers go to `nearest`.
 */
export function nearestTriangles(tree: Hierarchy, points: usize, normals: usize, count: u32, nearest: usize): void {
  const rounding = roundingOf(tree);
  let last: u32 = NONE;
  for (let i: u32 = 0; i < count; i++) {
    const offset = <usize>i * 24;
    let found = NONE;
    if (normals !== 0) found = nearestFrom(tree, points + offset, normals + offset, last, rounding);
    if (found === NONE) found = nearestFrom(tree, points + offset, 0, last, rounding);
    last = found;
    // No triangle is nearest to a point that is no number: give the first triangle.
    if (found === NONE) found = 0;
    setWord(nearest, i, word(tree.order, found));
  }
}

/** Equal squared distances may differ by this and a millionth of themselves: (1e-6 of the tree's diagonal)^2. */
function roundingOf(tree: Hierarchy): f64 {
  const root = boxOf(tree, 1);
  const x = <f64>load<f32>(root, 24) - <f64>load<f32>(root);
  const y = <f64>load<f32>(root, 32) - <f64>load<f32>(root, 8);
  const z = <f64>load<f32>(root, 40) - <f64>load<f32>(root, 16);
  return (x * x + y * y + z * z) * 1e-12;
}

/**
 * The nearest triangle in Morton order; NONE where none faces the same way as the normal. The triangle `last` that was
 * found for the point before gives a bound to begin with, which decides nothing. Let d be the distance to `last`. The
 * nearest triangle is no further than d, and neither is any box around it, so that all of them lie below a bound that is
 * greater than d by more than rounding. The boxes that remain are visited in the same order as without a bound, so that
 * of triangles at the same distance the same one comes first.
 */
function nearestFrom(tree: Hierarchy, point: usize, normal: usize, last: u32, rounding: f64): u32 {
  const x = load<f64>(point);
  const y = load<f64>(point, 8);
  const z = load<f64>(point, 16);
  if (last !== NONE) {
    const triangle = tree.triangles + <usize>last * TRIANGLE_BYTES;
    if (normal === 0 || facesAlike(triangle, normal)) {
      const bound = pointTriangle(triangle, x, y, z) * (1 + 1e-6) + rounding;
      const found = nearestBelow(tree, x, y, z, normal, bound);
      if (found !== NONE) return found;
    }
  }
  return nearestBelow(tree, x, y, z, normal, Infinity);
}

/** The nearest triangle whose squared distance is below a bound. */
function nearestBelow(tree: Hierarchy, x: f64, y: f64, z: f64, normal: usize, bound: f64): u32 {
  const triangles = tree.triangles;
  const boxes = tree.boxes;
  const leafCount = tree.leafCount;
  let best = bound;
  let nearest = NONE;
  let top = STACK;
  store<u32>(top, 1);
  store<f64>(top, 0, 8);
  while (top >= STACK) {
    const node = load<u32>(top);
    const distance = load<f64>(top, 8);
    top -= 16;
    if (distance >= best) continue;
    if (node < leafCount) {
      top = pushHalves(boxes, node, x, y, z, best, top);
      continue;
    }
    const first = (node - leafCount) * LEAF;
    const end = min(tree.triangleCount, first + LEAF);
    for (let t = first; t < end; t++) {
      const triangle = triangles + <usize>t * TRIANGLE_BYTES;
      const d = pointTriangle(triangle, x, y, z);
      if (d >= best || (normal !== 0 && !facesAlike(triangle, normal))) continue;
      best = d;
      nearest = t;
    }
  }
  return nearest;
}

/** Boxes up to this many times as far are looked into: their squared distances are rounded, and so are those of triangles. */
const BOX_ROUNDING: f64 = 1 + 1e-9;

/**
 * Writes a byte for each of `count` points: 1 where a triangle that faces the same way as the normal there comes within
 * `reach` metres, else 0. The position and the normal of a point are the first six float64 of every `stride` bytes.
 */
export function facingWithin(
  tree: Hierarchy,
  points: usize,
  stride: usize,
  count: u32,
  reach: f64,
  isWithin: usize,
): void {
  const highest = reach * reach;
  tree.lastTriangle = 0;
  for (let i: u32 = 0, at = points; i < count; i++, at += stride) {
    store<u8>(isWithin + i, <u8>isFacingWithin(tree, at, highest));
  }
}

/** Whether a facing triangle lies within a squared distance of a point. The one that was found last is looked at first. */
function isFacingWithin(tree: Hierarchy, point: usize, highest: f64): bool {
  const x = load<f64>(point);
  const y = load<f64>(point, 8);
  const z = load<f64>(point, 16);
  const normal = point + 24;
  const triangles = tree.triangles;
  const leafCount = tree.leafCount;
  const last = triangles + <usize>tree.lastTriangle * TRIANGLE_BYTES;
  if (facesAlike(last, normal) && pointTriangle(last, x, y, z) <= highest) return true;
  let top = STACK;
  store<u32>(top, 1);
  while (top >= STACK) {
    const node = load<u32>(top);
    top -= 16;
    if (node < leafCount) {
      top = pushHalves(tree.boxes, node, x, y, z, highest * BOX_ROUNDING, top);
      continue;
    }
    const first = (node - leafCount) * LEAF;
    const end = min(tree.triangleCount, first + LEAF);
    for (let t = first; t < end; t++) {
      const triangle = triangles + <usize>t * TRIANGLE_BYTES;
      if (!facesAlike(triangle, normal) || pointTriangle(triangle, x, y, z) > highest) continue;
      tree.lastTriangle = t;
      return true;
    }
  }
  return false;
}

/** Whether a triangle faces the side that a normal (3 float64) points to. */
function facesAlike(t: usize, normal: usize): bool {
  cross(t, t + 12, t + 24);
  return load<f64>(normal) * crossX + load<f64>(normal, 8) * crossY + load<f64>(normal, 16) * crossZ > 0;
}
