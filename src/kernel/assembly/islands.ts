// The loops of UV islands (geometry/uv/uvs.ts says what an island is and why it moves).

import { rootOf, separate } from './sets.ts';
import { setWord, word } from './words.ts';

/** Position and UV of each vertex as float32, five words. Positions are numbers of `size` bytes. */
export function islandRows(positions: usize, size: usize, uvs: usize, count: u32, rows: usize): void {
  const step = size * 3;
  for (let v: u32 = 0, p = positions, uv = uvs, to = rows; v < count; v++, p += step, uv += 8, to += 20) {
    for (let k: usize = 0; k < 3; k++) {
      const x = size === 8 ? <f32>load<f64>(p + (k << 3)) : load<f32>(p + (k << 2));
      store<f32>(to + (k << 2), x);
    }
    store<u64>(to, load<u64>(uv), 12);
  }
}

/**
 * Joins what triangles cover, and writes for each vertex the least number of its island. `numbers`: of each of `count`
 * vertices, equal ones have the same. `parent`: room for a word a vertex.
 */
export function joinIslands(
  indices: usize,
  indexCount: u32,
  numbers: usize,
  count: u32,
  parent: usize,
  island: usize,
): void {
  separate(parent, count);
  for (let i: u32 = 0; i < indexCount; i += 3) {
    const a = rootOf(parent, word(numbers, word(indices, i)));
    const b = rootOf(parent, word(numbers, word(indices, i + 1)));
    const c = rootOf(parent, word(numbers, word(indices, i + 2)));
    // Towards the smaller number: the result does not depend on the order of triangles.
    const root = min(a, min(b, c));
    setWord(parent, a, root);
    setWord(parent, b, root);
    setWord(parent, c, root);
  }
  for (let v: u32 = 0; v < count; v++) setWord(island, v, rootOf(parent, word(numbers, v)));
}

/** Writes the least and the greatest value of each island on one axis: float64, Infinity and -Infinity where it has none. */
export function islandReach(uvs: usize, axis: u32, island: usize, count: u32, lowest: usize, highest: usize): void {
  for (let v: usize = 0; v < <usize>count; v++) {
    store<f64>(lowest + (v << 3), Infinity);
    store<f64>(highest + (v << 3), -Infinity);
  }
  for (let v: u32 = 0; v < count; v++) {
    const x = <f64>load<f32>(uvs + ((<usize>(v * 2 + axis)) << 2));
    const at = (<usize>word(island, v)) << 3;
    if (x < load<f64>(lowest + at)) store<f64>(lowest + at, x);
    if (x > load<f64>(highest + at)) store<f64>(highest + at, x);
  }
}

/**
 * Moves islands on one axis by whole numbers, in place, as near to 0 as they can lie; gives whether any moves. `lowest`,
 * `highest`: what islandReach wrote. `shifts`: room for a float64 a vertex.
 */
export function moveIslands(
  uvs: usize,
  axis: u32,
  island: usize,
  count: u32,
  lowest: usize,
  highest: usize,
  shifts: usize,
): bool {
  const end = shifts + ((<usize>count) << 3);
  const toMin = lowest - shifts;
  const toMax = highest - shifts;
  for (let at = shifts; at < end; at += 8) {
    const low = load<f64>(at + toMin);
    const high = load<f64>(at + toMax);
    // Islands are numbered by welded vertices, so there are fewer numbers than vertices.
    store<f64>(at, low > high ? 0 : nearestShift(low, high));
  }
  if (!anyShift(shifts, end)) return false;
  // An island moved across 0 may lose digits of values that were close to 0: it stops short of it, or stays.
  for (let attempt = 0; attempt < 2; attempt++) {
    for (let v: u32 = 0; v < count; v++) {
      const at = shifts + ((<usize>word(island, v)) << 3);
      const x = <f64>load<f32>(uvs + ((<usize>(v * 2 + axis)) << 2));
      const shift = load<f64>(at);
      if (<f64>(<f32>(x + shift)) - shift === x) continue;
      store<f64>(at, attempt === 0 ? outsideShift(load<f64>(at + toMin), load<f64>(at + toMax)) : 0);
    }
  }
  if (!anyShift(shifts, end)) return false;
  for (let v: u32 = 0; v < count; v++) {
    const uv = uvs + ((<usize>(v * 2 + axis)) << 2);
    store<f32>(uv, <f32>(<f64>load<f32>(uv) + load<f64>(shifts + ((<usize>word(island, v)) << 3))));
  }
  return true;
}

function anyShift(shifts: usize, end: usize): bool {
  for (let at = shifts; at < end; at += 8) if (load<f64>(at) !== 0) return true;
  return false;
}

/** How far from 0 what spans from `lowest` to `highest` reaches when it is moved by `n`; within [-1, 1] is near enough. */
function reachAt(lowest: f64, highest: f64, n: f64): f64 {
  return max<f64>(1, max<f64>(abs<f64>(lowest + n), abs<f64>(highest + n)));
}

/** Whole number that brings [least, most] nearest to 0, within [-1, 1] being near enough; the smaller one of equals. */
function nearestShift(lowest: f64, highest: f64): f64 {
  const middle = floor<f64>(-(lowest + highest) / 2);
  let best: f64 = 0;
  // Counted by a small step: adding 1 to a number beyond 2^53 would not change it.
  for (let step: f64 = -1; step <= 2; step++) {
    const n = middle + step;
    const gain = reachAt(lowest, highest, best) - reachAt(lowest, highest, n);
    if (gain > 0 || (gain === 0 && abs<f64>(n) < abs<f64>(best))) best = n;
  }
  // The shift would turn -0 into +0.
  return best === 0 ? 0 : best;
}

/** Whole number that brings an interval on one side of 0 as near to 0 as possible without crossing it. */
function outsideShift(lowest: f64, highest: f64): f64 {
  if (lowest >= 1) return -floor<f64>(lowest);
  if (highest <= -1) return -ceil<f64>(highest);
  return 0;
}
