// Meshes moved by a matrix, in literal numbers.

import { expect, test } from 'vitest';
import { placedMesh } from '../../src/raster/place.ts';
import type { RasterMesh } from '../../src/raster/scene.ts';

const surface = {
  baseColor: [1, 1, 1, 1],
  baseColorTexture: null,
  emissive: [0, 0, 0],
  emissiveTexture: null,
  alphaMode: 'opaque',
  alphaCutoff: 0.5,
} as const;
const mesh: RasterMesh = {
  positions: Float32Array.of(1, 2, 3),
  normals: Float32Array.of(0, 1, 0),
  uv0: null,
  color0: null,
  indices: new Uint32Array(0),
  surface,
};

test('points are scaled and moved, and normals stay upright on what is squeezed', () => {
  const world = Float64Array.of(2, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 2, 0, 10, 20, 30, 1);
  const { positions, normals } = placedMesh(mesh, world);
  expect([...positions]).toEqual([12, 21, 36]);
  expect([...(normals ?? [])]).toEqual([0, 4, 0]);
});

test('a mirror turns no normal over, and a mesh without normals keeps none', () => {
  const mirror = Float64Array.of(-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  expect([...(placedMesh(mesh, mirror).normals ?? [])].map((value) => value + 0)).toEqual([0, 1, 0]);
  expect([...placedMesh(mesh, mirror).positions]).toEqual([-1, 2, 3]);
  expect(placedMesh({ ...mesh, normals: null }, mirror).normals).toBeNull();
});
