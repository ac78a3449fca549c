// Which boxes of a scene an eye may see something of (seen.ts): those in the picture that are nearer than what its tiles show.

import { leastOf, SeenView, TILE_BITS } from './seenTiles.ts';

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
      if (leastOf(view, row * (lastTile + 1) + column) < depth) return false;
    }
  }
  return true;
}

/** Of `count` boxes the first one from `from` on of which something may be seen; `count`: none. */
export function nextSeenBox(view: SeenView, boxes: usize, from: u32, count: u32): u32 {
  for (let i = from; i < count; i++) if (!isBoxUnseen(view, boxes + <usize>i * 24)) return i;
  return count;
}
