// Draws the numbers of triangles as an eye sees them, to find out which of them can be seen (src/zone). A view is square and looks
// along -back. Of each pixel it holds the inverse of the depth of the nearest surface in its middle, and the number of the
// triangle; and of tiles of pixels the least inverse depth, so that a box behind everything in its tiles is passed over.
//
// Of each row a triangle covers one span of pixels, whose ends are where the row crosses its edges. Crossings are reckoned from the
// lower end of an edge, so that two triangles have the same ones on the edge that they share, and both cover pixels on it.

import { setWord } from './words.ts';

@unmanaged
export class SeenView {
  eyeX: f64;
  eyeY: f64;
  eyeZ: f64;
  rightX: f64;
  rightY: f64;
  rightZ: f64;
  upX: f64;
  upY: f64;
  upZ: f64;
  backX: f64;
  backY: f64;
  backZ: f64;
  /** Pixels that a tangent of 1 covers. The middle of the picture is straight ahead. */
  scale: f64;
  /** What is nearer is cut away. */
  near: f64;
  /**
   * 0: the eye is a point. Otherwise rays are parallel, `scale` is the pixels of a metre, and in place of the inverse depth stands
   * what is left of so many metres, as a share.
   */
  parallel: f64;
  /** Pixels along a side, a multiple of TILE. */
  size: u32;
  /** float32 a pixel, 0: nothing is there; rows from the bottom. */
  inverses: usize;
  /** uint32 a pixel: the number of its triangle, from 1; 0: none. */
  numbers: usize;
  /** float32 a tile: the least inverse depth of its pixels, and less where the tile is stale. */
  leasts: usize;
  /** A byte a tile, 1: it was drawn on since its least value was found. */
  stale: usize;
}

export const TILE_BITS: u32 = 5;
/** Pixels along a side of a tile. */
const TILE: u32 = 1 << TILE_BITS;

/** The nearest surface counts, and hides what lies behind. */
const OPAQUE: u32 = 0;
/** What is not hidden is counted, and hides nothing. */
const CLEAR: u32 = 1;
/** Pixels are opened: nothing hides there. */
const OPEN: u32 = 2;

/** Nothing is drawn yet. `isOpen`: 0 where nothing can be seen until openSeen() was called. */
export function clearSeen(view: SeenView, isOpen: u32): void {
  const pixels = view.size * view.size;
  const nearest: f32 = isOpen !== 0 ? 0 : Infinity;
  if (isOpen !== 0) memory.fill(view.inverses, 0, (<usize>pixels) << 2);
  else for (let i: u32 = 0; i < pixels; i++) store<f32>(view.inverses + ((<usize>i) << 2), nearest);
  memory.fill(view.numbers, 0, (<usize>pixels) << 2);
  const tiles = (view.size >> TILE_BITS) * (view.size >> TILE_BITS);
  for (let i: u32 = 0; i < tiles; i++) store<f32>(view.leasts + ((<usize>i) << 2), nearest);
  memory.fill(view.stale, 0, tiles);
}

/** x, y and inverse depth of up to 4 corners, in pixels. */
const corners = memory.data(4 * 24);

function setCorner(i: u32, view: SeenView, x: f64, y: f64, z: f64): void {
  const at = corners + <usize>i * 24;
  const half = <f64>view.size * 0.5;
  const isParallel = view.parallel > 0;
  const inverse = 1 / z;
  const scale = isParallel ? view.scale : inverse * view.scale;
  store<f64>(at, half + x * scale);
  store<f64>(at, half + y * scale, 8);
  store<f64>(at, isParallel ? 1 - z / view.parallel : inverse, 16);
}

let clipped: u32 = 0;

/** Adds where an edge enters or leaves the space in front of the near plane, and its end if that is there. */
function clipEdge(view: SeenView, a: usize, b: usize): void {
  const az = load<f64>(a, 16);
  const bz = load<f64>(b, 16);
  const near = view.near;
  if (az >= near !== bz >= near) {
    const t = (near - az) / (bz - az);
    const ax = load<f64>(a);
    const ay = load<f64>(a, 8);
    setCorner(clipped++, view, ax + (load<f64>(b) - ax) * t, ay + (load<f64>(b, 8) - ay) * t, near);
  }
  if (bz >= near) setCorner(clipped++, view, load<f64>(b), load<f64>(b, 8), bz);
}

/** Writes positions, 3 float32 a vertex, as the eye has them: 3 float64 to the right, up, and ahead. */
function toView(view: SeenView, positions: usize, count: u32, out: usize): void {
  for (let i: u32 = 0; i < count; i++, positions += 12, out += 24) {
    const x = <f64>load<f32>(positions) - view.eyeX;
    const y = <f64>load<f32>(positions, 4) - view.eyeY;
    const z = <f64>load<f32>(positions, 8) - view.eyeZ;
    store<f64>(out, x * view.rightX + y * view.rightY + z * view.rightZ);
    store<f64>(out, x * view.upX + y * view.upY + z * view.upZ, 8);
    store<f64>(out, -(x * view.backX + y * view.backY + z * view.backZ), 16);
  }
}

/**
 * Draws triangles over `vertexCount` positions of 3 float32, with indices of uint16. The first one has number `first`. `room`: 24
 * bytes a vertex. `counts`, of mode CLEAR: uint32 a triangle, to which its pixels that nothing hides are added.
 */
export function drawSeen(
  view: SeenView,
  mode: u32,
  positions: usize,
  vertexCount: u32,
  indices: usize,
  triangleCount: u32,
  first: u32,
  room: usize,
  counts: usize,
): void {
  toView(view, positions, vertexCount, room);
  const near = view.near;
  for (let i: u32 = 0; i < triangleCount; i++, indices += 6) {
    const a = room + <usize>load<u16>(indices) * 24;
    const b = room + <usize>load<u16>(indices, 2) * 24;
    const c = room + <usize>load<u16>(indices, 4) * 24;
    const az = load<f64>(a, 16);
    const bz = load<f64>(b, 16);
    const cz = load<f64>(c, 16);
    if (az < near && bz < near && cz < near) continue;
    clipped = 0;
    if (az >= near && bz >= near && cz >= near) {
      setCorner(0, view, load<f64>(a), load<f64>(a, 8), az);
      setCorner(1, view, load<f64>(b), load<f64>(b, 8), bz);
      setCorner(2, view, load<f64>(c), load<f64>(c, 8), cz);
      clipped = 3;
    } else {
      clipEdge(view, a, b);
      clipEdge(view, b, c);
      clipEdge(view, c, a);
    }
    let pixels: u32 = 0;
    if (clipped >= 3) pixels += fill(view, mode, first + i, corners, corners + 24, corners + 48);
    if (clipped === 4) pixels += fill(view, mode, first + i, corners, corners + 48, corners + 72);
    if (mode === CLEAR && pixels > 0) {
      const at = counts + ((<usize>i) << 2);
      store<u32>(at, load<u32>(at) + pixels);
    }
  }
}

let spanLeft: f64 = 0;
let spanRight: f64 = 0;

/** Widens the span of a row to where an edge crosses it. */
function crossRow(middle: f64, a: usize, b: usize): void {
  let low = a;
  let high = b;
  const isTurned =
    load<f64>(a, 8) > load<f64>(b, 8) || (load<f64>(a, 8) === load<f64>(b, 8) && load<f64>(a) > load<f64>(b));
  if (isTurned) {
    low = b;
    high = a;
  }
  const lowY = load<f64>(low, 8);
  const highY = load<f64>(high, 8);
  if (middle < lowY || middle > highY) return;
  const lowX = load<f64>(low);
  const highX = load<f64>(high);
  if (lowY === highY) {
    spanLeft = min(spanLeft, lowX);
    spanRight = max(spanRight, highX);
    return;
  }
  const x = lowX + (middle - lowY) * ((highX - lowX) / (highY - lowY));
  spanLeft = min(spanLeft, x);
  spanRight = max(spanRight, x);
}

/** Draws a triangle whose corners are x, y and inverse depth; gives in mode CLEAR how many pixels it is seen in. */
function fill(view: SeenView, mode: u32, number: u32, a: usize, b: usize, c: usize): u32 {
  const ax = load<f64>(a);
  const ay = load<f64>(a, 8);
  const aw = load<f64>(a, 16);
  const bx = load<f64>(b);
  const by = load<f64>(b, 8);
  const bw = load<f64>(b, 16);
  const cx = load<f64>(c);
  const cy = load<f64>(c, 8);
  const cw = load<f64>(c, 16);
  const last = <f64>(view.size - 1);
  const top = min(last, Math.floor(max(ay, max(by, cy)) - 0.5));
  const bottom = max(0, Math.ceil(min(ay, min(by, cy)) - 0.5));
  if (!(bottom <= top)) return 0;
  const leftmost = max(0, Math.ceil(min(ax, min(bx, cx)) - 0.5));
  const rightmost = min(last, Math.floor(max(ax, max(bx, cx)) - 0.5));
  if (!(leftmost <= rightmost)) return 0;
  const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  if (area === 0) return 0;
  const least = <f32>min(aw, min(bw, cw));
  const most = <f32>max(aw, max(bw, cw));
  if (mode !== OPEN && isBehindTile(view, <u32>leftmost, <u32>bottom, <u32>rightmost, <u32>top, most)) return 0;
  const acrossX = ((bw - aw) * (cy - ay) - (cw - aw) * (by - ay)) / area;
  const acrossY = ((cw - aw) * (bx - ax) - (bw - aw) * (cx - ax)) / area;
  let seen: u32 = 0;
  let isDrawn = false;
  for (let y = bottom; y <= top; y++) {
    spanLeft = Infinity;
    spanRight = -Infinity;
    crossRow(y + 0.5, a, b);
    crossRow(y + 0.5, b, c);
    crossRow(y + 0.5, c, a);
    const from = max(leftmost, Math.ceil(spanLeft - 0.5));
    const to = min(rightmost, Math.floor(spanRight - 0.5));
    if (!(from <= to)) continue;
    const atFrom = aw + (from + 0.5 - ax) * acrossX + (y + 0.5 - ay) * acrossY;
    const pixel = (<usize>(<u32>y) * view.size + <usize>(<u32>from)) << 2;
    const count = <u32>(to - from) + 1;
    if (mode === OPEN) openSpan(view, pixel, count);
    else seen += span(view, mode, pixel, count, <f32>atFrom, <f32>acrossX, least, most, number);
    isDrawn = true;
  }
  if (isDrawn && mode !== CLEAR) {
    noteDrawn(view, <u32>leftmost, <u32>bottom, <u32>rightmost, <u32>top);
  }
  return seen;
}

/** Whether pixels lie in one tile where everything is nearer than an inverse depth. The least value of a stale tile is too small. */
function isBehindTile(view: SeenView, left: u32, bottom: u32, right: u32, top: u32, most: f32): bool {
  const column = left >> TILE_BITS;
  const row = bottom >> TILE_BITS;
  if (column !== right >> TILE_BITS || row !== top >> TILE_BITS) return false;
  return load<f32>(view.leasts + ((<usize>(row * (view.size >> TILE_BITS) + column)) << 2)) >= most;
}

function openSpan(view: SeenView, pixel: usize, count: u32): void {
  memory.fill(view.inverses + pixel, 0, (<usize>count) << 2);
}

const RAMP = f32x4(0, 1, 2, 3);

/** Draws a span of a row from the left on, four pixels at a time; inverse depths stay between those of the corners. */
function span(
  view: SeenView,
  mode: u32,
  pixel: usize,
  count: u32,
  first: f32,
  step: f32,
  least: f32,
  most: f32,
  number: u32,
): u32 {
  const inverses = view.inverses + pixel;
  const numbers = view.numbers + pixel;
  const isOpaque = mode === OPAQUE;
  let seen: u32 = 0;
  let i: u32 = 0;
  if (count >= 4) {
    const lows = f32x4.splat(least);
    const highs = f32x4.splat(most);
    const steps = f32x4.splat(step);
    const ids = i32x4.splat(number);
    for (; i + 4 <= count; i += 4) {
      const at = (<usize>i) << 2;
      const along = f32x4.add(f32x4.splat(<f32>i), RAMP);
      const own = f32x4.min(highs, f32x4.max(lows, f32x4.add(f32x4.splat(first), f32x4.mul(along, steps))));
      const there = v128.load(inverses + at);
      const isNearer = f32x4.gt(own, there);
      if (!v128.any_true(isNearer)) continue;
      if (isOpaque) {
        v128.store(inverses + at, v128.bitselect(own, there, isNearer));
        v128.store(numbers + at, v128.bitselect(ids, v128.load(numbers + at), isNearer));
      } else seen += popcnt<u32>(i32x4.bitmask(isNearer));
    }
  }
  for (; i < count; i++) {
    const at = (<usize>i) << 2;
    const own = min(most, max(least, first + <f32>i * step));
    if (own <= load<f32>(inverses + at)) continue;
    if (isOpaque) {
      store<f32>(inverses + at, own);
      store<u32>(numbers + at, number);
    } else seen++;
  }
  return seen;
}

function noteDrawn(view: SeenView, left: u32, bottom: u32, right: u32, top: u32): void {
  const across = view.size >> TILE_BITS;
  const from = left >> TILE_BITS;
  const to = right >> TILE_BITS;
  for (let row = bottom >> TILE_BITS; row <= top >> TILE_BITS; row++) {
    memory.fill(view.stale + row * across + from, 1, to - from + 1);
  }
}

/** The least inverse depth of a tile. */
function leastOf(view: SeenView, column: u32, row: u32): f32 {
  const tile = row * (view.size >> TILE_BITS) + column;
  const at = view.leasts + ((<usize>tile) << 2);
  if (load<u8>(view.stale + tile) === 0) return load<f32>(at);
  store<u8>(view.stale + tile, 0);
  let least = f32x4.splat(Infinity);
  let line = view.inverses + ((<usize>(row * TILE) * view.size + column * TILE) << 2);
  for (let y: u32 = 0; y < TILE; y++, line += (<usize>view.size) << 2) {
    for (let x: usize = 0; x < TILE * 4; x += 16) least = f32x4.min(least, v128.load(line + x));
  }
  const found = min(
    min(f32x4.extract_lane(least, 0), f32x4.extract_lane(least, 1)),
    min(f32x4.extract_lane(least, 2), f32x4.extract_lane(least, 3)),
  );
  store<f32>(at, found);
  return found;
}

/** Whether nothing of a box, six float32 of its least and its greatest corner, can be seen: it is beside the picture or hidden. */
function isBoxUnseen(view: SeenView, box: usize): bool {
  let left = Infinity;
  let right = -Infinity;
  let bottom = Infinity;
  let top = -Infinity;
  let nearest: f64 = 0;
  let behind: u32 = 0;
  // Corners beyond each edge of the picture.
  let beyond: u32 = 0xf;
  const half = <f64>view.size * 0.5;
  const edge = half / view.scale;
  for (let i: u32 = 0; i < 8; i++) {
    const x = <f64>load<f32>(box + (i & 1 ? 12 : 0)) - view.eyeX;
    const y = <f64>load<f32>(box + (i & 2 ? 16 : 4)) - view.eyeY;
    const z = <f64>load<f32>(box + (i & 4 ? 20 : 8)) - view.eyeZ;
    const ahead = -(x * view.backX + y * view.backY + z * view.backZ);
    const across = x * view.rightX + y * view.rightY + z * view.rightZ;
    const up = x * view.upX + y * view.upY + z * view.upZ;
    const reach = view.parallel > 0 ? edge : ahead * edge;
    beyond &=
      <u32>(across < -reach) |
      ((<u32>(across > reach)) << 1) |
      ((<u32>(up < -reach)) << 2) |
      ((<u32>(up > reach)) << 3);
    if (ahead < view.near) {
      behind++;
      continue;
    }
    const scale = view.parallel > 0 ? view.scale : view.scale / ahead;
    const px = half + across * scale;
    const py = half + up * scale;
    left = min(left, px);
    right = max(right, px);
    bottom = min(bottom, py);
    top = max(top, py);
    nearest = max(nearest, view.parallel > 0 ? 1 - ahead / view.parallel : 1 / ahead);
  }
  if (behind === 8 || beyond !== 0) return true;
  const size = <f64>view.size;
  if (behind > 0) {
    left = 0;
    bottom = 0;
    right = size;
    top = size;
    nearest = Infinity;
  }
  if (!(left < size && right > 0 && bottom < size && top > 0)) return true;
  // Depths of triangles are rounded to float32, those of boxes are not.
  const depth = <f32>(nearest * (1 + 1e-6));
  const lastTile = (view.size >> TILE_BITS) - 1;
  const columns = min(lastTile, <u32>max(0, right) >> TILE_BITS);
  const rows = min(lastTile, <u32>max(0, top) >> TILE_BITS);
  for (let row = <u32>max(0, bottom) >> TILE_BITS; row <= rows; row++) {
    for (let column = <u32>max(0, left) >> TILE_BITS; column <= columns; column++) {
      if (leastOf(view, column, row) < depth) return false;
    }
  }
  return true;
}

/** Of `count` boxes the first one from `from` on of which something may be seen; `count`: none. */
export function nextSeenBox(view: SeenView, boxes: usize, from: u32, count: u32): u32 {
  for (let i = from; i < count; i++) if (!isBoxUnseen(view, boxes + <usize>i * 24)) return i;
  return count;
}

/**
 * Counts the pixels of each number that the view shows: adds to `counts`, uint32 for each number from 1 on, and gives how many
 * pixels show a surface.
 */
export function countSeen(view: SeenView, counts: usize): u32 {
  const end = view.numbers + ((<usize>view.size * view.size) << 2);
  let shown: u32 = 0;
  let number: u32 = 0;
  let run: u32 = 0;
  for (let at = view.numbers; at < end; at += 4) {
    const own = load<u32>(at);
    if (own === number) {
      run++;
      continue;
    }
    if (number !== 0) {
      setWord(counts, number - 1, load<u32>(counts + ((<usize>(number - 1)) << 2)) + run);
      shown += run;
    }
    number = own;
    run = 1;
  }
  if (number !== 0) {
    setWord(counts, number - 1, load<u32>(counts + ((<usize>(number - 1)) << 2)) + run);
    shown += run;
  }
  return shown;
}
