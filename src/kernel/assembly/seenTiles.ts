// The picture of an eye (seen.ts) in tiles of 32 x 32 pixels. A tile is nothing, or one plane, until something finer is drawn on it: a
// wall or the ground close to an eye takes a record for each tile, and not two numbers for each pixel.

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
  /** By what inverse depths of tiles BEFORE are multiplied. */
  factor: f64;
  /** Pixels along a side, a multiple of TILE. */
  size: u32;
  /** A SeenTile for each tile; rows from the bottom. */
  tiles: usize;
  /** float32 a tile: the least inverse depth of its pixels, and less where the tile is stale. */
  leasts: usize;
  /** float32 for each block of 8 x 8 pixels of each tile that has pixels: as `leasts`. */
  blocks: usize;
  /** Room for the pixels of all tiles, of which those that have some take the first: float32, 0: nothing is there. */
  inverses: usize;
  /** As much room: uint32 a pixel, the number of its triangle, from 1; 0: none. Address 0: nobody asks for numbers. */
  numbers: usize;
  /** Tiles that have pixels. */
  used: u32;
  /** Of tiles BEFORE: the inverse depths of the view that they stand before. */
  made: usize;
  /** Pixels around a triangle whose tiles it opens in mode OPEN_AROUND. */
  around: u32;
}

export const TILE_BITS: u32 = 5;
/** Pixels along a side of a tile. */
export const TILE: u32 = 1 << TILE_BITS;
/** Pixels along a side of a block, and blocks along a side of a tile. */
export const BLOCK_BITS: u32 = 3;
export const BLOCKS: u32 = 4;
/** Bytes of the least inverse depths of the blocks of a tile. */
export const BLOCK_BYTES: usize = 64;
/** Bytes of the inverse depths, and of the numbers, of a tile. */
export const TILE_BYTES: usize = 4096;

/** Nothing is drawn yet. */
export const EMPTY: u32 = 0;
/** Nothing can be seen until it is opened. */
export const CLOSED: u32 = 1;
/** One triangle covers all of it. */
export const PLANE: u32 = 2;
/** It has pixels. */
export const PIXELS: u32 = 3;
/** Nothing is drawn on it yet, and its inverse depths are those of another view, multiplied. */
export const BEFORE: u32 = 4;

@unmanaged
export class SeenTile {
  state: u32;
  /** Where its pixels are, of PIXELS; where those of the other view are, of BEFORE. */
  slot: u32;
  /** 1: it was drawn on since its least value was found. */
  stale: u32;
  /** Of PLANE the triangle. */
  number: u32;
  /** Of PLANE the inverse depth in the middle of its first pixel, and what it grows by from pixel to pixel. */
  first: f64;
  stepX: f64;
  stepY: f64;
  /** Of PLANE what inverse depths stay between. Nothing in the tile has a greater one than `most`. */
  least: f32;
  most: f32;
  /** The slot that it has had since the view was cleared, from 1; 0: none. It takes no second one when it has pixels again. */
  own: u32;
}

export const TILE_RECORD: usize = 56;

export function tileAt(view: SeenView, index: u32): SeenTile {
  return changetype<SeenTile>(view.tiles + <usize>index * TILE_RECORD);
}

export function tilesAcross(view: SeenView): u32 {
  return view.size >> TILE_BITS;
}

export function storedLeast(view: SeenView, index: u32): f32 {
  return load<f32>(view.leasts + ((<usize>index) << 2));
}

export function storeLeast(view: SeenView, index: u32, least: f32): void {
  store<f32>(view.leasts + ((<usize>index) << 2), least);
}

/** The inverse depth of a plane in a pixel of its tile, to the bit the same whether the tile is a plane or has pixels. */
export function planeAt(first: f64, stepX: f64, stepY: f64, least: f32, most: f32, x: u32, y: u32): f32 {
  return min(most, max(least, <f32>(first + <f64>y * stepY) + <f32>x * <f32>stepX));
}

export function tilePlaneAt(tile: SeenTile, x: u32, y: u32): f32 {
  return planeAt(tile.first, tile.stepX, tile.stepY, tile.least, tile.most, x, y);
}

/** All tiles are as if nothing was drawn. `isOpen`: 0 where nothing can be seen until it is opened. */
export function clearSeen(view: SeenView, isOpen: u32): void {
  const count = tilesAcross(view) * tilesAcross(view);
  const least: f32 = isOpen !== 0 ? 0 : Infinity;
  for (let i: u32 = 0; i < count; i++) {
    const tile = tileAt(view, i);
    tile.state = isOpen !== 0 ? EMPTY : CLOSED;
    tile.own = 0;
    tile.stale = 0;
    tile.most = least;
    storeLeast(view, i, least);
  }
  view.used = 0;
}

/** Opens a tile: nothing is drawn on it. */
export function openWhole(view: SeenView, index: u32): void {
  const tile = tileAt(view, index);
  tile.state = EMPTY;
  tile.stale = 0;
  tile.most = 0;
  storeLeast(view, index, 0);
}

/** Opens all tiles of some pixels, by their columns and rows in the picture, and of `around` more to each side. */
export function openAround(view: SeenView, left: u32, bottom: u32, right: u32, top: u32): void {
  const around = view.around;
  const last = view.size - 1;
  const firstColumn = (left > around ? left - around : 0) >> TILE_BITS;
  const firstRow = (bottom > around ? bottom - around : 0) >> TILE_BITS;
  const lastColumn = min(last, right + around) >> TILE_BITS;
  const lastRow = min(last, top + around) >> TILE_BITS;
  for (let row = firstRow; row <= lastRow; row++) {
    for (let column = firstColumn; column <= lastColumn; column++) openWhole(view, row * tilesAcross(view) + column);
  }
}

/** Whether something can be seen in any tile. */
export function hasOpenTiles(view: SeenView): bool {
  const count = tilesAcross(view) * tilesAcross(view);
  for (let i: u32 = 0; i < count; i++) if (tileAt(view, i).state !== CLOSED) return true;
  return false;
}

const RAMP = f32x4(0, 1, 2, 3);

/** Gives a tile its pixels, if it has none. */
export function needPixels(view: SeenView, index: u32): void {
  const tile = tileAt(view, index);
  const state = tile.state;
  if (state === PIXELS) return;
  if (tile.own === 0) tile.own = ++view.used;
  const slot = tile.own - 1;
  const inverses = view.inverses + <usize>slot * TILE_BYTES;
  let number: u32 = 0;
  if (state === PLANE) {
    number = tile.number;
    writePlane(tile, inverses);
  } else if (state === BEFORE) {
    const from = view.made + <usize>tile.slot * TILE_BYTES;
    const factors = f32x4.splat(<f32>view.factor);
    for (let at: usize = 0; at < TILE_BYTES; at += 16) {
      v128.store(inverses + at, f32x4.mul(v128.load(from + at), factors));
    }
  } else if (state === CLOSED) {
    for (let at: usize = 0; at < TILE_BYTES; at += 16) v128.store(inverses + at, f32x4.splat(Infinity));
  } else memory.fill(inverses, 0, TILE_BYTES);
  if (view.numbers !== 0) {
    const numbers = view.numbers + <usize>slot * TILE_BYTES;
    const filled = i32x4.splat(number);
    for (let at: usize = 0; at < TILE_BYTES; at += 16) v128.store(numbers + at, filled);
  }
  if (state !== BEFORE) {
    const least = f32x4.splat(storedLeast(view, index));
    const blocks = blocksOf(view, index);
    for (let at: usize = 0; at < BLOCK_BYTES; at += 16) v128.store(blocks + at, least);
  }
  tile.slot = slot;
  tile.state = PIXELS;
}

function writePlane(tile: SeenTile, inverses: usize): void {
  const lows = f32x4.splat(tile.least);
  const highs = f32x4.splat(tile.most);
  const steps = f32x4.splat(<f32>tile.stepX);
  for (let y: u32 = 0; y < TILE; y++) {
    const begin = f32x4.splat(<f32>(tile.first + <f64>y * tile.stepY));
    for (let x: u32 = 0; x < TILE; x += 4, inverses += 16) {
      const along = f32x4.add(f32x4.splat(<f32>x), RAMP);
      v128.store(inverses, f32x4.min(highs, f32x4.max(lows, f32x4.add(begin, f32x4.mul(along, steps)))));
    }
  }
}

/** Where the least inverse depths of the blocks of a tile are. */
export function blocksOf(view: SeenView, index: u32): usize {
  return view.blocks + <usize>index * BLOCK_BYTES;
}

/** The least inverse depth of a tile. */
export function leastOf(view: SeenView, index: u32): f32 {
  const tile = tileAt(view, index);
  if (tile.stale === 0) return storedLeast(view, index);
  tile.stale = 0;
  let least: f32 = Infinity;
  const blocks = blocksOf(view, index);
  const inverses = view.inverses + <usize>tile.slot * TILE_BYTES;
  const blockRows = TILE_BYTES / BLOCKS;
  for (let row: usize = 0; row < BLOCKS; row++) {
    for (let column: usize = 0; column < BLOCKS; column++) {
      let found = f32x4.splat(Infinity);
      const begin = inverses + row * blockRows + column * 32;
      for (let line = begin; line < begin + blockRows; line += TILE << 2) {
        found = f32x4.min(found, f32x4.min(v128.load(line), v128.load(line, 16)));
      }
      const own = leastLane(found);
      store<f32>(blocks + ((row * BLOCKS + column) << 2), own);
      least = min(least, own);
    }
  }
  storeLeast(view, index, least);
  return least;
}

function leastLane(four: v128): f32 {
  const a = min(f32x4.extract_lane(four, 0), f32x4.extract_lane(four, 1));
  return min(a, min(f32x4.extract_lane(four, 2), f32x4.extract_lane(four, 3)));
}

/** Whether pixels, by their columns and rows in the picture, lie in a few blocks where everything is nearer than an inverse depth. */
export function isBehindBlocks(view: SeenView, left: u32, bottom: u32, right: u32, top: u32, most: f32): bool {
  const firstColumn = left >> BLOCK_BITS;
  const lastColumn = right >> BLOCK_BITS;
  const firstRow = bottom >> BLOCK_BITS;
  const lastRow = top >> BLOCK_BITS;
  if (lastColumn - firstColumn >= BLOCKS || lastRow - firstRow >= BLOCKS) return false;
  for (let row = firstRow; row <= lastRow; row++) {
    for (let column = firstColumn; column <= lastColumn; column++) {
      const index = (row / BLOCKS) * tilesAcross(view) + column / BLOCKS;
      if (storedLeast(view, index) >= most) continue;
      const state = tileAt(view, index).state;
      if (state !== PIXELS && state !== BEFORE) return false;
      const block = (row % BLOCKS) * BLOCKS + (column % BLOCKS);
      if (load<f32>(blocksOf(view, index) + ((<usize>block) << 2)) < most) return false;
    }
  }
  return true;
}

/** The inverse depth of a pixel, by its column and its row in the picture. */
export function inverseAt(view: SeenView, x: u32, y: u32): f32 {
  const tile = tileAt(view, (y >> TILE_BITS) * tilesAcross(view) + (x >> TILE_BITS));
  const column = x & (TILE - 1);
  const row = y & (TILE - 1);
  if (tile.state === PLANE) return tilePlaneAt(tile, column, row);
  if (tile.state === PIXELS) {
    return load<f32>(view.inverses + <usize>tile.slot * TILE_BYTES + ((<usize>(row * TILE + column)) << 2));
  }
  return tile.state === CLOSED ? Infinity : 0;
}
