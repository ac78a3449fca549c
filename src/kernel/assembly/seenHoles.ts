// Finds where a scene has a surface and what was made of it has none of about that depth nearby: holes. The picture of what was
// made is drawn first (seen.ts). Only what stands out in front of it is drawn of the scene, and looked at once more.

import { SeenView, TILE_BITS } from './seen.ts';

/** The inverse depth of a pixel that is a hole. */
const HOLE: f32 = -1;

/**
 * Begins a view that shows what lies in front of another by more than a share: `made` has the inverse depths of that one, which
 * are multiplied by `factor`.
 */
export function clearBefore(view: SeenView, made: usize, factor: f32): void {
  const bytes = (<usize>view.size * view.size) << 2;
  const factors = f32x4.splat(factor);
  for (let at: usize = 0; at < bytes; at += 16) {
    v128.store(view.inverses + at, f32x4.mul(v128.load(made + at), factors));
  }
  memory.fill(view.numbers, 0, bytes);
  const tiles = (view.size >> TILE_BITS) * (view.size >> TILE_BITS);
  memory.fill(view.leasts, 0, (<usize>tiles) << 2);
  memory.fill(view.stale, 1, tiles);
}

/**
 * Marks the pixels that show a triangle and around which `made` has no inverse depth of at least its own divided by `factor`,
 * `radius` pixels to each side. Gives how many there are.
 */
export function markHoles(view: SeenView, made: usize, factor: f32, radius: u32): u32 {
  const size = view.size;
  let found: u32 = 0;
  for (let y: u32 = 0; y < size; y++) {
    const row = (<usize>y * size) << 2;
    for (let x: u32 = 0; x < size; x += 4) {
      const numbers = v128.load(view.numbers + row + ((<usize>x) << 2));
      if (!v128.any_true(numbers)) continue;
      for (let own = x; own < x + 4; own++) {
        const pixel = row + ((<usize>own) << 2);
        if (load<u32>(view.numbers + pixel) === 0) continue;
        if (isMadeNearby(size, made, own, y, load<f32>(view.inverses + pixel) / factor, radius)) continue;
        store<f32>(view.inverses + pixel, HOLE);
        found++;
      }
    }
  }
  return found;
}

function isMadeNearby(size: u32, made: usize, x: u32, y: u32, least: f32, radius: u32): bool {
  const left = x > radius ? x - radius : 0;
  const right = min(size - 1, x + radius);
  const bottom = y > radius ? y - radius : 0;
  const top = min(size - 1, y + radius);
  for (let row = bottom; row <= top; row++) {
    const line = made + ((<usize>row * size) << 2);
    for (let column = left; column <= right; column++) {
      if (load<f32>(line + ((<usize>column) << 2)) >= least) return true;
    }
  }
  return false;
}

/** The first marked pixel from `from` on; as many as there are pixels: none. */
export function nextHole(view: SeenView, from: u32): u32 {
  const count = view.size * view.size;
  for (let at = from; at < count; at++) if (load<f32>(view.inverses + ((<usize>at) << 2)) === HOLE) return at;
  return count;
}

/**
 * Writes the numbers of the marked pixels that hang together with a marked one, by their eight neighbours, uint32 each, and takes
 * their marks away. Gives how many there are.
 */
export function takeHole(view: SeenView, start: u32, pixels: usize): u32 {
  const size = view.size;
  store<f32>(view.inverses + ((<usize>start) << 2), 0);
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
        const near = row * size + column;
        const mark = view.inverses + ((<usize>near) << 2);
        if (load<f32>(mark) !== HOLE) continue;
        store<f32>(mark, 0);
        store<u32>(pixels + ((<usize>count) << 2), near);
        count++;
      }
    }
  }
  return count;
}
