// Sets of colours as files count them: up to the last one that shows.

import { expect, test } from 'vitest';
import { countedColors } from '../../src/formats/floatMesh.ts';
import type { Mesh } from '../../src/geometry/mesh/mesh.ts';

const triangle = (color0?: Uint8Array): Mesh => ({
  vertexCount: 3,
  positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 0, -1),
  attributes: { normal: Float32Array.of(0, 1, 0, 0, 1, 0, 0, 1, 0), ...(color0 && { color0 }) },
  indices: Uint32Array.of(0, 1, 2),
});

test('a mesh without colours, or with white alone, has no set', () => {
  expect(countedColors(triangle())).toEqual([]);
  expect(countedColors(triangle(new Uint8Array(12).fill(255)))).toEqual([]);
});

test('one component that is not white makes the set one that is stored', () => {
  const colors = new Uint8Array(12).fill(255);
  colors[11] = 254;
  expect(countedColors(triangle(colors))).toEqual([colors]);
});
