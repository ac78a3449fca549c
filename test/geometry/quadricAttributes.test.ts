// The attributes that simplification counts: in metres of error, in as few columns as the meshes need.

import { expect, test } from 'vitest';
import { quadricAttributes } from '../../src/geometry/lod/quadricAttributes.ts';
import type { Float32Mesh } from '../../src/geometry/mesh/mesh.ts';
import { uniteMeshes } from '../../src/geometry/mesh/united.ts';

/** A right triangle with legs of 4 m. */
const triangle = (colors: readonly number[]): Float32Mesh => ({
  vertexCount: 3,
  positions: Float32Array.of(0, 0, 0, 4, 0, 0, 0, 0, 4),
  attributes: {
    normal: Float32Array.of(0, 1, 0, 0, 1, 0, 0, 1, 0),
    // One unit of UV stretches over 2 m.
    uv0: Float32Array.of(0, 0, 2, 0, 0, 2),
    color0: Uint8Array.from(colors.flatMap((c) => [c, 0, 0, 255])),
  },
  indices: Uint32Array.of(0, 1, 2),
});

const LIMIT = 0.5;
const NORMAL_WEIGHT = 3;

const attributesOf = (parts: readonly { readonly mesh: Float32Mesh; readonly textured: boolean }[]) => {
  const united = uniteMeshes(parts.map(({ mesh }) => mesh));
  return quadricAttributes(
    united,
    parts.map((part) => ({ ...part, cards: false })),
    LIMIT,
    NORMAL_WEIGHT,
  );
};

test('a mesh with UVs on a texture and one with colours share columns', () => {
  const plain = triangle([51, 51, 51]);
  const coloured = triangle([0, 51, 255]);
  const { stride, values } = attributesOf([
    { mesh: plain, textured: true },
    { mesh: coloured, textured: false },
  ]);
  expect(stride).toBe(6);
  const normal = [0, LIMIT * NORMAL_WEIGHT, 0];
  const expected = [
    // UVs in metres of surface, a metre of which counts half.
    [...normal, 0, 0, 0],
    [...normal, 2, 0, 0],
    [...normal, 0, 2, 0],
    // A colour that turns by 1 counts as the limit.
    [...normal, 0, 0, 0],
    [...normal, LIMIT / 5, 0, 0],
    [...normal, LIMIT, 0, 0],
  ].flat();
  expect([...values]).toHaveLength(expected.length);
  for (const [i, value] of expected.entries()) expect(values[i]).toBeCloseTo(value, 6);
});

test('what a mesh does not need has no column', () => {
  expect(attributesOf([{ mesh: triangle([51, 51, 51]), textured: false }]).stride).toBe(3);
  expect(attributesOf([{ mesh: triangle([51, 51, 51]), textured: true }]).stride).toBe(5);
  expect(attributesOf([{ mesh: triangle([0, 51, 255]), textured: true }]).stride).toBe(8);
});
