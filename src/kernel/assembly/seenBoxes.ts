// Which boxes of a scene an eye may see something of (seen.ts): those in the picture that are nearer than what its tiles show.

import {
  BEFORE,
  leastOf,
  PIXELS,
  PLANE,
  SeenView,
  TILE,
  TILE_BITS,
  TILE_BYTES,
  tileAt,
  tilePlaneAt,
  tilesAcross,
} from './seenTiles.ts';

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
  const last = view.size - 1;
  const first = <u32>max(0, left);
  const end = min(last, <u32>max(0, right));
  const highest = min(last, <u32>max(0, top));
  for (let row = <u32>max(0, bottom); row <= highest; row = (row | (TILE - 1)) + 1) {
    const upTo = min(highest, row | (TILE - 1));
    for (let column = first; column <= end; column = (column | (TILE - 1)) + 1) {
      if (isNearerInTile(view, column, row, min(end, column | (TILE - 1)), upTo, depth)) return false;
    }
  }
  return true;
}

/** Whether some of the pixels of a tile, by their columns and rows in the picture, are farther away than an inverse depth. */
function isNearerInTile(view: SeenView, left: u32, bottom: u32, right: u32, top: u32, depth: f32): bool {
  const index = (bottom >> TILE_BITS) * tilesAcross(view) + (left >> TILE_BITS);
  if (leastOf(view, index) >= depth) return false;
  const tile = tileAt(view, index);
  const fromX = left & (TILE - 1);
  const fromY = bottom & (TILE - 1);
  const toX = right & (TILE - 1);
  const toY = top & (TILE - 1);
  if (tile.state === PLANE) {
    const a = min(tilePlaneAt(tile, fromX, fromY), tilePlaneAt(tile, toX, fromY));
    return min(a, min(tilePlaneAt(tile, fromX, toY), tilePlaneAt(tile, toX, toY))) < depth;
  }
  if (tile.state !== PIXELS && tile.state !== BEFORE) return true;
  const inverses = (tile.state === PIXELS ? view.inverses : view.made) + <usize>tile.slot * TILE_BYTES;
  const factor = f32x4.splat(tile.state === PIXELS ? 1 : <f32>view.factor);
  const depths = f32x4.splat(depth);
  for (let y = fromY; y <= toY; y++) {
    const line = inverses + (((<usize>y) << TILE_BITS) << 2);
    // Whole fours of pixels: some more than were asked for.
    for (let x = fromX & ~3; x <= toX; x += 4) {
      const there = v128.load(line + ((<usize>x) << 2));
      if (v128.any_true(f32x4.lt(f32x4.mul(there, factor), depths))) return true;
    }
  }
  return false;
}

/** Of `count` boxes the first one from `from` on of which something may be seen; `count`: none. */
export function nextSeenBox(view: SeenView, boxes: usize, from: u32, count: u32): u32 {
  for (let i = from; i < count; i++) if (!isBoxUnseen(view, boxes + <usize>i * 24)) return i;
  return count;
}
