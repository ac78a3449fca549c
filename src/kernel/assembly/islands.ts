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
export function islandReach(uvs: usize, axis: u32, island: usize, count: u32, least: usize, most: usize): void {
  for (let v: usize = 0; v < <usize>count; v++) {
    store<f64>(least + (v << 3), Infinity);
    store<f64>(most + (v << 3), -Infinity);
  }
  for (let v: u32 = 0; v < count; v++) {
    const x = <f64>load<f32>(uvs + ((<usize>(v * 2 + axis)) << 2));
    const at = (<usize>word(island, v)) << 3;
    if (x < load<f64>(least + at)) store<f64>(least + at, x);
    if (x > load<f64>(most + at)) store<f64>(most + at, x);
  }
}
