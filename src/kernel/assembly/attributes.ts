// The loops over vertices and triangles that lay out attributes for simplification (geometry/lod/simplify.ts).

import { crossSquared } from './triangle.ts';
import { setWord, word } from './words.ts';

/**
 * Adds up the areas of the triangles of each mesh whose byte in `textured` is 1, in space and in UVs (`size` float32 a
 * vertex, of which the first two count). `areas`, `uvAreas`: zeros, a float64 a mesh.
 */
export function sumUvAreas(
  positions: usize,
  indices: usize,
  indexCount: u32,
  meshOf: usize,
  textured: usize,
  uvs: usize,
  size: u32,
  areas: usize,
  uvAreas: usize,
): void {
  const stride = (<usize>size) << 2;
  const end = indices + ((<usize>indexCount) << 2);
  for (let at = indices; at < end; at += 12) {
    const v = <usize>load<u32>(at);
    const w = <usize>load<u32>(at, 4);
    const x = <usize>load<u32>(at, 8);
    const mesh = <usize>word(meshOf, <u32>v);
    if (load<u8>(textured + mesh) !== 1) continue;
    const a = uvs + v * stride;
    const b = uvs + w * stride;
    const c = uvs + x * stride;
    const u0 = <f64>load<f32>(a);
    const v0 = <f64>load<f32>(a, 4);
    const cross =
      (<f64>load<f32>(b) - u0) * (<f64>load<f32>(c, 4) - v0) - (<f64>load<f32>(c) - u0) * (<f64>load<f32>(b, 4) - v0);
    const uvArea = uvAreas + (mesh << 3);
    store<f64>(uvArea, load<f64>(uvArea) + abs<f64>(cross) / 2);
    const area = areas + (mesh << 3);
    const square = crossSquared(positions + v * 12, positions + w * 12, positions + x * 12);
    store<f64>(area, load<f64>(area) + sqrt<f64>(square) / 2);
  }
}

/**
 * Copies `components` of the `size` float32 of `count` vertices into rows of `stride` float32, multiplied by `scale`. `to`:
 * where the first one goes.
 */
export function copyFloats(
  from: usize,
  size: u32,
  components: u32,
  count: u32,
  scale: f64,
  to: usize,
  stride: u32,
): void {
  for (let v: u32 = 0; v < count; v++) {
    for (let k: usize = 0; k < components; k++) {
      store<f32>(to + (k << 2), <f32>(<f64>load<f32>(from + (k << 2)) * scale));
    }
    from += (<usize>size) << 2;
    to += (<usize>stride) << 2;
  }
}

/** Like copyFloats, from bytes, which are divided by `unit`. */
export function copyBytes(
  from: usize,
  size: u32,
  components: u32,
  count: u32,
  unit: f64,
  to: usize,
  stride: u32,
): void {
  for (let v: u32 = 0; v < count; v++) {
    for (let k: usize = 0; k < components; k++) {
      store<f32>(to + (k << 2), <f32>(<f64>load<u8>(from + k) / unit));
    }
    from += size;
    to += (<usize>stride) << 2;
  }
}

/**
 * Marks the position ids where vertices belong to several meshes, or to one whose byte in `textured` is 1 and their values
 * (`size` words a vertex, address 0 for none) differ. `first`: zeros, a word an id. `seam`: a byte an id.
 */
export function markSeams(
  ids: usize,
  vertexCount: u32,
  meshOf: usize,
  textured: usize,
  values: usize,
  size: u32,
  first: usize,
  seam: usize,
): void {
  for (let v: u32 = 0; v < vertexCount; v++) {
    const id = word(ids, v);
    // From 1, so that 0 says unseen.
    if (word(first, id) === 0) {
      setWord(first, id, v + 1);
      continue;
    }
    const u = word(first, id) - 1;
    const mesh = word(meshOf, v);
    if (word(meshOf, u) !== mesh) {
      store<u8>(seam + id, 1);
      continue;
    }
    if (values === 0 || load<u8>(textured + mesh) !== 1) continue;
    for (let k: u32 = 0; k < size; k++) {
      if (word(values, u * size + k) !== word(values, v * size + k)) store<u8>(seam + id, 1);
    }
  }
}
