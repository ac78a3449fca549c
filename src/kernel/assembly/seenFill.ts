// Draws one triangle into the tiles of a picture (seen.ts, seenTiles.ts).
//
// Of each row a triangle covers one span of pixels, whose ends are where the row crosses its edges. Crossings are reckoned from the
// lower end of an edge, so that two triangles have the same ones on the edge that they share, and both cover pixels on it.

import {
  BLOCK_BYTES,
  blocksOf,
  EMPTY,
  isBehindBlocks,
  needPixels,
  openAround,
  openWhole,
  PLANE,
  planeAt,
  SeenTile,
  SeenView,
  storedLeast,
  storeLeast,
  TILE,
  TILE_BITS,
  TILE_BYTES,
  tileAt,
  tilesAcross,
} from './seenTiles.ts';

/** The nearest surface counts, and hides what lies behind. */
const OPAQUE: u32 = 0;
/** What is not hidden is counted, and hides nothing. */
export const CLEAR: u32 = 1;
/** Pixels are opened: nothing hides there. */
const OPEN: u32 = 2;
/** The tiles of its pixels and of those around it are opened. */
const OPEN_AROUND: u32 = 3;

/** The corners of the triangle that is drawn from the lowest on, of two at one height the left one first, and its edges' slopes. */
let lowX: f64 = 0;
let lowY: f64 = 0;
let midX: f64 = 0;
let midY: f64 = 0;
let lowToHigh: f64 = 0;
let lowToMid: f64 = 0;
let midToHigh: f64 = 0;

/** Whether a corner comes before another. */
function isLower(a: usize, b: usize): bool {
  const ay = load<f64>(a, 8);
  const by = load<f64>(b, 8);
  return ay < by || (ay === by && load<f64>(a) < load<f64>(b));
}

function setEdges(a: usize, b: usize, c: usize): void {
  let low = a;
  let mid = b;
  let high = c;
  if (isLower(mid, low)) {
    low = b;
    mid = a;
  }
  if (isLower(high, mid)) {
    high = mid;
    mid = c;
    if (isLower(mid, low)) {
      mid = low;
      low = c;
    }
  }
  lowX = load<f64>(low);
  lowY = load<f64>(low, 8);
  midX = load<f64>(mid);
  midY = load<f64>(mid, 8);
  const highX = load<f64>(high);
  const highY = load<f64>(high, 8);
  lowToHigh = (highX - lowX) / (highY - lowY);
  lowToMid = (midX - lowX) / (midY - lowY);
  midToHigh = (highX - midX) / (highY - midY);
}

let spanLeft: f64 = 0;
let spanRight: f64 = 0;

/** Finds where the edges cross a row. Rows lie between the lowest and the highest corner, which are not at one height. */
function crossRow(middle: f64): void {
  const long = lowX + (middle - lowY) * lowToHigh;
  if (middle === midY) {
    // Where an edge lies in the row, its ends are those of the other two.
    const below = midY > lowY ? lowX + (middle - lowY) * lowToMid : midX;
    spanLeft = min(long, min(below, midX));
    spanRight = max(long, max(below, midX));
    return;
  }
  const short = middle < midY ? lowX + (middle - lowY) * lowToMid : midX + (middle - midY) * midToHigh;
  spanLeft = long < short ? long : short;
  spanRight = long < short ? short : long;
}

/** The triangle that is drawn: its number, its plane, and what its inverse depths stay between. */
let number: u32 = 0;
let anchorX: f64 = 0;
let anchorY: f64 = 0;
let anchor: f64 = 0;
let stepX: f64 = 0;
let stepY: f64 = 0;
let least: f32 = 0;
let most: f32 = 0;
/** By how much the plane may be wrong beyond the triangle, within a tile. */
let slack: f64 = 0;

/** Of the rows of tiles that are drawn, the first and the last pixel of each span: int32; none where the first lies behind. */
const spans = memory.data(32 * 8, 8);

/** Draws a triangle whose corners are x, y and inverse depth; gives in mode CLEAR how many pixels it is seen in. */
export function fill(view: SeenView, mode: u32, own: u32, a: usize, b: usize, c: usize): u32 {
  const va = v128.load(a);
  const vb = v128.load(b);
  const vc = v128.load(c);
  const halves = f64x2.splat(0.5);
  const lows = f64x2.ceil(f64x2.sub(f64x2.pmin(va, f64x2.pmin(vb, vc)), halves));
  const highs = f64x2.floor(f64x2.sub(f64x2.pmax(va, f64x2.pmax(vb, vc)), halves));
  const from = f64x2.pmax(lows, f64x2.splat(0));
  const to = f64x2.pmin(highs, f64x2.splat(<f64>(view.size - 1)));
  // Most of what is far away has no pixel's middle.
  if (!i64x2.all_true(f64x2.le(from, to))) return 0;
  const aw = load<f64>(a, 16);
  const bw = load<f64>(b, 16);
  const cw = load<f64>(c, 16);
  least = <f32>min(aw, min(bw, cw));
  most = <f32>max(aw, max(bw, cw));
  const leftmost = <u32>f64x2.extract_lane(from, 0);
  const bottom = <u32>f64x2.extract_lane(from, 1);
  const rightmost = <u32>f64x2.extract_lane(to, 0);
  const top = <u32>f64x2.extract_lane(to, 1);
  if (mode === OPEN_AROUND) {
    openAround(view, leftmost, bottom, rightmost, top);
    return 0;
  }
  if (mode !== OPEN && isBehindBlocks(view, leftmost, bottom, rightmost, top, most)) return 0;
  const ax = load<f64>(a);
  const ay = load<f64>(a, 8);
  const bx = load<f64>(b) - ax;
  const by = load<f64>(b, 8) - ay;
  const cx = load<f64>(c) - ax;
  const cy = load<f64>(c, 8) - ay;
  const area = bx * cy - by * cx;
  if (area === 0) return 0;
  number = own;
  anchorX = ax;
  anchorY = ay;
  anchor = aw;
  stepX = ((bw - aw) * cy - (cw - aw) * by) / area;
  stepY = ((cw - aw) * bx - (bw - aw) * cx) / area;
  const reach = max(max(Math.abs(bx), Math.abs(by)), max(Math.abs(cx), Math.abs(cy))) + <f64>TILE;
  // Corners far outside of the picture, and slivers, have planes that nothing is known of beyond their pixels.
  const isSound = Math.abs(area) >= 1 && reach <= 32768;
  slack = isSound ? (Math.abs(stepX) + Math.abs(stepY)) * reach * 1e-7 + <f64>most * 1e-6 : Infinity;
  setEdges(a, b, c);
  let seen: u32 = 0;
  for (let row = bottom >> TILE_BITS; row <= top >> TILE_BITS; row++) {
    seen += fillRow(view, mode, row, <i32>leftmost, <i32>rightmost, max(bottom, row << TILE_BITS), top);
  }
  return seen;
}

/** Draws what lies in a row of tiles, from the row of pixels `bottom` on. */
function fillRow(view: SeenView, mode: u32, row: u32, leftmost: i32, rightmost: i32, bottom: u32, top: u32): u32 {
  const end = min(top, (row << TILE_BITS) + TILE - 1);
  // What all spans have, and what any of them has.
  let innerLeft = leftmost;
  let innerRight = rightmost;
  let left = rightmost + 1;
  let right = leftmost - 1;
  for (let y = bottom; y <= end; y++) {
    crossRow(<f64>y + 0.5);
    const from = max(<f64>leftmost, Math.ceil(spanLeft - 0.5));
    const to = min(<f64>rightmost, Math.floor(spanRight - 0.5));
    const isNone = !(from <= to);
    const first = isNone ? rightmost + 1 : <i32>from;
    const last = isNone ? leftmost - 1 : <i32>to;
    const at = spans + ((<usize>(y & (TILE - 1))) << 3);
    store<i32>(at, first);
    store<i32>(at, last, 4);
    innerLeft = max(innerLeft, first);
    innerRight = min(innerRight, last);
    left = min(left, first);
    right = max(right, last);
  }
  if (left > right) return 0;
  if (end - bottom + 1 < TILE) innerLeft = innerRight + 1;
  let seen: u32 = 0;
  for (let column = <u32>left >> TILE_BITS; column <= <u32>right >> TILE_BITS; column++) {
    const begin = <i32>(column << TILE_BITS);
    const isFull = innerLeft <= begin && innerRight >= begin + <i32>TILE - 1;
    seen += fillTile(view, mode, row, column, isFull, bottom & (TILE - 1), end & (TILE - 1));
  }
  return seen;
}

/** Where a plane and the one of a tile lie: it is behind everywhere, before everywhere, or neither. */
const BEHIND: u32 = 1;
const AHEAD: u32 = 2;

function comparePlanes(tile: SeenTile, first: f64, room: f64): u32 {
  const span = <f64>(TILE - 1);
  const a = first - tile.first;
  const b = a + (stepX - tile.stepX) * span;
  const c = a + (stepY - tile.stepY) * span;
  const d = b + c - a;
  // Inverse depths are rounded to float32 twice.
  const margin = room + <f64>max(most, tile.most) * 1e-6;
  if (max(max(a, b), max(c, d)) <= -margin) return BEHIND;
  return min(min(a, b), min(c, d)) >= margin ? AHEAD : 0;
}

/** Draws the spans of rows `bottom` to `top` of a tile. `isFull`: they are all of it. */
function fillTile(view: SeenView, mode: u32, row: u32, column: u32, isFull: bool, bottom: u32, top: u32): u32 {
  const index = row * tilesAcross(view) + column;
  const tile = tileAt(view, index);
  const begin = column << TILE_BITS;
  if (mode === OPEN) {
    openTile(view, tile, index, isFull, begin, bottom, top);
    return 0;
  }
  const hidden = storedLeast(view, index);
  if (hidden >= most) return 0;
  const first = anchor + (<f64>begin + 0.5 - anchorX) * stepX + (<f64>(row << TILE_BITS) + 0.5 - anchorY) * stepY;
  let isAhead = false;
  if (tile.state === PLANE) {
    const order = comparePlanes(tile, first, isFull ? 0 : slack);
    if (order === BEHIND) return 0;
    isAhead = order === AHEAD;
  }
  if (isFull) {
    const last = TILE - 1;
    const a = planeAt(first, stepX, stepY, least, most, 0, 0);
    const b = planeAt(first, stepX, stepY, least, most, last, 0);
    const c = planeAt(first, stepX, stepY, least, most, 0, last);
    const d = planeAt(first, stepX, stepY, least, most, last, last);
    if (hidden >= max(max(a, b), max(c, d))) return 0;
    const nearest = min(min(a, b), min(c, d));
    if (nearest > tile.most) isAhead = true;
    if (isAhead && mode === OPAQUE) {
      tile.state = PLANE;
      tile.stale = 0;
      tile.number = number;
      tile.first = first;
      tile.stepX = stepX;
      tile.stepY = stepY;
      tile.least = least;
      tile.most = most;
      storeLeast(view, index, nearest);
      return 0;
    }
    if (isAhead && nearest > 0) return TILE * TILE;
  }
  needPixels(view, index);
  if (mode === OPAQUE) {
    tile.stale = 1;
    tile.most = max(tile.most, most);
  }
  const isOpaque = mode === OPAQUE;
  const inverses = view.inverses + <usize>tile.slot * TILE_BYTES;
  const numbers: usize = view.numbers === 0 ? 0 : view.numbers + <usize>tile.slot * TILE_BYTES;
  let seen: u32 = 0;
  for (let y = bottom; y <= top; y++) {
    const at = spans + ((<usize>y) << 3);
    const from = max(load<i32>(at) - <i32>begin, 0);
    const to = min(load<i32>(at, 4) - <i32>begin, <i32>TILE - 1);
    if (from > to) continue;
    const line = ((<usize>y) << TILE_BITS) << 2;
    const atFirst = <f32>(first + <f64>y * stepY);
    if (!isOpaque) seen += countSpan(inverses + line, from, to, atFirst);
    else drawSpan(inverses + line, numbers === 0 ? 0 : numbers + line, from, to, atFirst);
  }
  return seen;
}

/** Opens the spans of a tile. */
function openTile(view: SeenView, tile: SeenTile, index: u32, isFull: bool, begin: u32, bottom: u32, top: u32): void {
  if (tile.state === EMPTY) return;
  if (isFull) {
    openWhole(view, index);
    return;
  }
  needPixels(view, index);
  tile.stale = 1;
  storeLeast(view, index, 0);
  memory.fill(blocksOf(view, index), 0, BLOCK_BYTES);
  const inverses = view.inverses + <usize>tile.slot * TILE_BYTES;
  for (let y = bottom; y <= top; y++) {
    const at = spans + ((<usize>y) << 3);
    const from = max(load<i32>(at) - <i32>begin, 0);
    const to = min(load<i32>(at, 4) - <i32>begin, <i32>TILE - 1);
    if (from <= to) memory.fill(inverses + ((<usize>((y << TILE_BITS) + from)) << 2), 0, (<usize>(to - from + 1)) << 2);
  }
}

const RAMP = f32x4(0, 1, 2, 3);
const WHOLE = i32x4(0, 1, 2, 3);

/** Of four pixels from `x` on, those in a span that are nearer than what is there. */
function nearer(x: i32, from: i32, to: i32, own: v128, there: v128): v128 {
  const places = i32x4.add(i32x4.splat(x), WHOLE);
  const isInside = v128.and(i32x4.ge_s(places, i32x4.splat(from)), i32x4.le_s(places, i32x4.splat(to)));
  return v128.and(isInside, f32x4.gt(own, there));
}

/** The inverse depths of four pixels of a row. */
function depths(x: i32, atFirst: f32): v128 {
  const along = f32x4.add(f32x4.splat(<f32>x), RAMP);
  const own = f32x4.add(f32x4.splat(atFirst), f32x4.mul(along, f32x4.splat(<f32>stepX)));
  return f32x4.min(f32x4.splat(most), f32x4.max(f32x4.splat(least), own));
}

/** Draws a span of a row of a tile, four pixels at a time. `numbers`: 0 where nobody asks for them. */
function drawSpan(inverses: usize, numbers: usize, from: i32, to: i32, atFirst: f32): void {
  const ids = i32x4.splat(number);
  for (let x = from & ~3; x <= to; x += 4) {
    const at = (<usize>x) << 2;
    const own = depths(x, atFirst);
    const there = v128.load(inverses + at);
    const isNearer = nearer(x, from, to, own, there);
    if (!v128.any_true(isNearer)) continue;
    v128.store(inverses + at, v128.bitselect(own, there, isNearer));
    if (numbers !== 0) v128.store(numbers + at, v128.bitselect(ids, v128.load(numbers + at), isNearer));
  }
}

/** How many pixels of a span nothing hides. */
function countSpan(inverses: usize, from: i32, to: i32, atFirst: f32): u32 {
  let seen: u32 = 0;
  for (let x = from & ~3; x <= to; x += 4) {
    const there = v128.load(inverses + ((<usize>x) << 2));
    seen += popcnt<u32>(i32x4.bitmask(nearer(x, from, to, depths(x, atFirst), there)));
  }
  return seen;
}
