// The loops over all triangles and vertices of giving levels their normals (geometry/lod/levelNormals.ts).

import { crossSquared, crossX, crossY, crossZ } from './triangle.ts';
import { word } from './words.ts';

/** The product of two vectors of three float32. */
export function cosine(a: usize, b: usize): f64 {
  return (
    <f64>load<f32>(a) * <f64>load<f32>(b) +
    <f64>load<f32>(a, 4) * <f64>load<f32>(b, 4) +
    <f64>load<f32>(a, 8) * <f64>load<f32>(b, 8)
  );
}

/** Writes the unit normal of each triangle, three float32; zeros without area. */
export function faceNormals(positions: usize, indices: usize, indexCount: u32, normals: usize): void {
  const end = indices + ((<usize>indexCount) << 2);
  for (let at = indices, to = normals; at < end; at += 12, to += 12) {
    const a = positions + <usize>load<u32>(at) * 12;
    const b = positions + <usize>load<u32>(at, 4) * 12;
    const c = positions + <usize>load<u32>(at, 8) * 12;
    const length = sqrt<f64>(crossSquared(a, b, c));
    const hasArea = length > 0;
    store<f32>(to, hasArea ? <f32>(crossX / length) : 0);
    store<f32>(to, hasArea ? <f32>(crossY / length) : 0, 4);
    store<f32>(to, hasArea ? <f32>(crossZ / length) : 0, 8);
  }
}

/**
 * Writes for each vertex the cosine (float32) of the greatest angle between its normal and one of its triangles; 1 for one
 * without triangles. `faces`: the normals of the triangles.
 */
export function greatestLeans(
  indices: usize,
  indexCount: u32,
  normals: usize,
  faces: usize,
  vertexCount: u32,
  leans: usize,
): void {
  for (let v: u32 = 0; v < vertexCount; v++) store<f32>(leans + ((<usize>v) << 2), 1);
  const end = indices + ((<usize>indexCount) << 2);
  for (let at = indices, face = faces; at < end; face += 12) {
    for (let k = 0; k < 3; k++, at += 4) {
      const v = <usize>load<u32>(at);
      const cos = cosine(normals + v * 12, face);
      const lean = leans + (v << 2);
      if (cos < <f64>load<f32>(lean)) store<f32>(lean, <f32>cos);
    }
  }
}

/**
 * Writes a byte for each position id: 1 where the first vertex there and another of the same mesh have normals whose
 * cosine is less than `edge`. `starts`, `rows`: the vertices at each id.
 */
export function hardPositions(
  normals: usize,
  meshOf: usize,
  starts: usize,
  rows: usize,
  idCount: u32,
  edge: f64,
  hard: usize,
): void {
  memory.fill(hard, 0, idCount);
  for (let id: u32 = 0; id < idCount; id++) {
    const begin = word(starts, id);
    const end = word(starts, id + 1);
    if (begin === end) continue;
    const first = word(rows, begin);
    const mesh = word(meshOf, first);
    for (let r = begin + 1; r < end; r++) {
      const v = word(rows, r);
      if (word(meshOf, v) !== mesh) continue;
      if (!(cosine(normals + <usize>v * 12, normals + <usize>first * 12) < edge)) continue;
      store<u8>(hard + id, 1);
      break;
    }
  }
}
