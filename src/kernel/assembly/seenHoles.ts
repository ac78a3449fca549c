// Finds where a scene has a surface and what was made of it has none of about that depth nearby: holes. The picture of what was
// made is drawn first (seen.ts). Only what stands out in front of it is drawn of the scene, and looked at once more.

import {
  BEFORE,
  BLOCK_BYTES,
  blocksOf,
  inverseAt,
  leastOf,
  needPixels,
  openAround,
  PIXELS,
  PLANE,
  SeenView,
  storeLeast,
  TILE,
  TILE_BITS,
  TILE_BYTES,
  TILE_RECORD,
  tileAt,
  tilesAcross,
} from './seenTiles.ts';

/** In place of `stale`, once all is drawn: some pixels of the tile are marked. */
const MARKED: u32 = 2;

/**
 * Begins a view that shows what lies in front of another by more than a share: the inverse depths of that one, `made`, are multiplied
 * by `factor`.
 */
export function clearBefore(view: SeenView, made: SeenView, factor: f64): void {
  const tiles = tilesAcross(view) * tilesAcross(view);
  view.used = 0;
  view.made = made.inverses;
  view.factor = factor;
  for (let i: u32 = 0; i < tiles; i++) {
    const tile = tileAt(view, i);
    memory.copy(changetype<usize>(tile), changetype<usize>(tileAt(made, i)), TILE_RECORD);
    tile.own = 0;
    tile.stale = 0;
    tile.number = 0;
    tile.first *= factor;
    tile.stepX *= factor;
    tile.stepY *= factor;
    tile.least = <f32>(<f64>tile.least * factor);
    tile.most = <f32>(<f64>tile.most * factor);
    storeLeast(view, i, <f32>(<f64>leastOf(made, i) * factor));
    if (tile.state !== PIXELS) continue;
    tile.state = BEFORE;
    const from = blocksOf(made, i);
    const to = blocksOf(view, i);
    for (let at: usize = 0; at < BLOCK_BYTES; at += 16) {
      v128.store(to + at, f32x4.mul(v128.load(from + at), f32x4.splat(<f32>factor)));
    }
  }
}

/**
 * Marks the pixels that show a triangle and around which `made` has no inverse depth of at least its own divided by `factor`,
 * `radius` pixels to each side: their own is negative from then on. Gives how many there are.
 */
export function markHoles(view: SeenView, made: SeenView, factor: f32, radius: u32): u32 {
  const across = tilesAcross(view);
  let found: u32 = 0;
  for (let i: u32 = 0; i < across * across; i++) {
    const tile = tileAt(view, i);
    if (tile.state === PLANE && tile.number !== 0) needPixels(view, i);
    tile.stale = 0;
    if (tile.state !== PIXELS) continue;
    const inverses = view.inverses + <usize>tile.slot * TILE_BYTES;
    const numbers = view.numbers + <usize>tile.slot * TILE_BYTES;
    for (let four: usize = 0; four < TILE_BYTES; four += 16) {
      if (!v128.any_true(v128.load(numbers + four))) continue;
      for (let at = four; at < four + 16; at += 4) {
        if (load<u32>(numbers + at) === 0) continue;
        const pixel = <u32>(at >> 2);
        const x = ((i % across) << TILE_BITS) + (pixel & (TILE - 1));
        const y = ((i / across) << TILE_BITS) + (pixel >> TILE_BITS);
        if (isMadeNearby(made, x, y, load<f32>(inverses + at) / factor, radius, radius, radius, radius)) continue;
        store<f32>(inverses + at, -load<f32>(inverses + at));
        tile.stale = MARKED;
        found++;
      }
    }
  }
  return found;
}

/** Opens the tiles of a picture in which marked pixels of a view lie, and those of `around` pixels to each side of them. */
export function openMarked(made: SeenView, view: SeenView, around: u32): void {
  const across = tilesAcross(view);
  made.around = around;
  for (let i: u32 = 0; i < across * across; i++) {
    const tile = tileAt(view, i);
    if (tile.stale !== MARKED) continue;
    const inverses = view.inverses + <usize>tile.slot * TILE_BYTES;
    for (let at: usize = 0; at < TILE_BYTES; at += 4) {
      if (load<f32>(inverses + at) >= 0) continue;
      const pixel = <u32>(at >> 2);
      const x = ((i % across) << TILE_BITS) + (pixel & (TILE - 1));
      const y = ((i / across) << TILE_BITS) + (pixel >> TILE_BITS);
      openAround(made, x, y, x, y);
    }
  }
}

/**
 * Takes the marks of pixels away around which another picture of what was made has something, as markHoles() has it, so many pixels
 * to each side. Gives how many are left.
 */
export function unmarkHoles(
  view: SeenView,
  made: SeenView,
  factor: f32,
  toLeft: u32,
  toBottom: u32,
  toRight: u32,
  toTop: u32,
): u32 {
  const across = tilesAcross(view);
  let left: u32 = 0;
  for (let i: u32 = 0; i < across * across; i++) {
    const tile = tileAt(view, i);
    if (tile.stale !== MARKED) continue;
    const inverses = view.inverses + <usize>tile.slot * TILE_BYTES;
    for (let at: usize = 0; at < TILE_BYTES; at += 4) {
      const own = -load<f32>(inverses + at);
      if (!(own > 0)) continue;
      const pixel = <u32>(at >> 2);
      const x = ((i % across) << TILE_BITS) + (pixel & (TILE - 1));
      const y = ((i / across) << TILE_BITS) + (pixel >> TILE_BITS);
      if (isMadeNearby(made, x, y, own / factor, toLeft, toBottom, toRight, toTop)) store<f32>(inverses + at, own);
      else left++;
    }
  }
  return left;
}

function isMadeNearby(
  made: SeenView,
  x: u32,
  y: u32,
  least: f32,
  toLeft: u32,
  toBottom: u32,
  toRight: u32,
  toTop: u32,
): bool {
  const left = x > toLeft ? x - toLeft : 0;
  const right = min(made.size - 1, x + toRight);
  const bottom = y > toBottom ? y - toBottom : 0;
  const top = min(made.size - 1, y + toTop);
  for (let row = bottom; row <= top; row++) {
    for (let column = left; column <= right; column++) if (inverseAt(made, column, row) >= least) return true;
  }
  return false;
}

/** Where the inverse depth of a pixel is that may be marked; 0: it has none of its own. */
function markAt(view: SeenView, x: u32, y: u32): usize {
  const tile = tileAt(view, (y >> TILE_BITS) * tilesAcross(view) + (x >> TILE_BITS));
  if (tile.state !== PIXELS) return 0;
  const pixel = ((y & (TILE - 1)) << TILE_BITS) + (x & (TILE - 1));
  return view.inverses + <usize>tile.slot * TILE_BYTES + ((<usize>pixel) << 2);
}

/** The first marked pixel from `from` on, row by row; as many as there are pixels: none. */
export function nextHole(view: SeenView, from: u32): u32 {
  const size = view.size;
  const count = size * size;
  for (let at = from; at < count; ) {
    const mark = markAt(view, at % size, at / size);
    if (mark === 0) at = (at | (TILE - 1)) + 1;
    else if (load<f32>(mark) < 0) return at;
    else at++;
  }
  return count;
}

/**
 * Writes the triangles of the marked pixels that hang together with a marked one, by their eight neighbours, uint32 each, and takes
 * their marks away. Gives how many there are. `pixels`: room for as many as the view has.
 */
export function takeHole(view: SeenView, start: u32, pixels: usize): u32 {
  const size = view.size;
  store<f32>(markAt(view, start % size, start / size), 0);
  store<u32>(pixels, start);
  let count: u32 = 1;
  for (let next: u32 = 0; next < count; next++) {
    const at = load<u32>(pixels + ((<usize>next) << 2));
    const x = at % size;
    const y = at / size;
    const right = min(size - 1, x + 1);
    const top = min(size - 1, y + 1);
    for (let row = y > 0 ? y - 1 : 0; row <= top; row++) {
      for (let column = x > 0 ? x - 1 : 0; column <= right; column++) {
        const mark = markAt(view, column, row);
        if (mark === 0 || load<f32>(mark) >= 0) continue;
        store<f32>(mark, 0);
        store<u32>(pixels + ((<usize>count) << 2), row * size + column);
        count++;
      }
    }
    // It is not asked for again: its triangle stands in its place from now on.
    store<u32>(pixels + ((<usize>next) << 2), load<u32>(markAt(view, x, y) - view.inverses + view.numbers));
  }
  return count;
}
