// Draws the numbers of triangles as an eye sees them, to find out which of them can be seen (src/zone). A view is square and looks
// along -back. Of each pixel it holds the inverse of the depth of the nearest surface in its middle, and the number of the
// triangle, or planes of whole tiles (seenTiles.ts); and of tiles the least inverse depth, so that what is behind everything in its
// tiles is passed over.

import { CLEAR, fill } from './seenFill.ts';
import { SeenView } from './seenTiles.ts';

/** Bytes of a vertex: as the eye has it, 3 float64 to the right, up, and ahead; then x and y in pixels, and its inverse depth. */
const VERTEX: usize = 48;
const IN_PIXELS: usize = 24;

/** x, y and inverse depth of up to 4 corners, in pixels. */
const corners = memory.data(4 * 24);

function setCorner(at: usize, view: SeenView, x: f64, y: f64, z: f64): void {
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
    setCorner(corners + <usize>clipped * 24, view, ax + (load<f64>(b) - ax) * t, ay + (load<f64>(b, 8) - ay) * t, near);
    clipped++;
  }
  if (bz < near) return;
  memory.copy(corners + <usize>clipped * 24, b + IN_PIXELS, 24);
  clipped++;
}

/** Writes positions, 3 float32 a vertex, as the eye has them. */
function toView(view: SeenView, positions: usize, count: u32, out: usize): void {
  for (let i: u32 = 0; i < count; i++, positions += 12, out += VERTEX) {
    const x = <f64>load<f32>(positions) - view.eyeX;
    const y = <f64>load<f32>(positions, 4) - view.eyeY;
    const z = <f64>load<f32>(positions, 8) - view.eyeZ;
    const right = x * view.rightX + y * view.rightY + z * view.rightZ;
    const up = x * view.upX + y * view.upY + z * view.upZ;
    const ahead = -(x * view.backX + y * view.backY + z * view.backZ);
    store<f64>(out, right);
    store<f64>(out, up, 8);
    store<f64>(out, ahead, 16);
    if (ahead >= view.near) setCorner(out + IN_PIXELS, view, right, up, ahead);
  }
}

/**
 * Draws triangles over `vertexCount` positions of 3 float32, with indices of uint16. The first one has number `first`. `room`: 48
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
    const a = room + <usize>load<u16>(indices) * VERTEX;
    const b = room + <usize>load<u16>(indices, 2) * VERTEX;
    const c = room + <usize>load<u16>(indices, 4) * VERTEX;
    const isAhead = load<f64>(a, 16) >= near;
    const isWhole = isAhead && load<f64>(b, 16) >= near && load<f64>(c, 16) >= near;
    let pixels: u32 = 0;
    if (isWhole) pixels = fill(view, mode, first + i, a + IN_PIXELS, b + IN_PIXELS, c + IN_PIXELS);
    else if (isAhead || load<f64>(b, 16) >= near || load<f64>(c, 16) >= near) {
      clipped = 0;
      clipEdge(view, a, b);
      clipEdge(view, b, c);
      clipEdge(view, c, a);
      if (clipped >= 3) pixels += fill(view, mode, first + i, corners, corners + 24, corners + 48);
      if (clipped === 4) pixels += fill(view, mode, first + i, corners, corners + 48, corners + 72);
    }
    if (mode === CLEAR && pixels > 0) {
      const at = counts + ((<usize>i) << 2);
      store<u32>(at, load<u32>(at) + pixels);
    }
  }
}
