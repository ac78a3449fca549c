// The backs of flattened slabs: which side goes, and what stays.

import { expect, test } from 'vitest';
import { withoutBacks } from '../../src/geometry/hlod/backs.ts';
import type { Float32Mesh } from '../../src/geometry/mesh/mesh.ts';

/** A rectangle of 4 by 4 m at a height, split along one of its diagonals. */
function sheet(height: number, side: 'up' | 'down', diagonal: 0 | 1): Float32Mesh {
  const corners = [0, height, 0, 4, height, 0, 4, height, 4, 0, height, 4];
  const up = diagonal === 0 ? [0, 2, 1, 0, 3, 2] : [1, 0, 3, 1, 3, 2];
  const indices = Uint32Array.from(side === 'up' ? up : up.slice().reverse());
  const normal = Float32Array.from(corners, (_, i) => (i % 3 === 1 ? (side === 'up' ? 1 : -1) : 0));
  return { vertexCount: 4, positions: Float32Array.from(corners), attributes: { normal }, indices };
}

const slab = (thickness: number) => [sheet(1, 'down', 0), sheet(1 + thickness, 'up', 1)];

test('of a slab without thickness the upper side stays, however it is triangulated', () => {
  const [lower, upper] = slab(0);
  expect(withoutBacks([lower, upper], 0.5)).toEqual([null, upper]);
  expect(withoutBacks([upper, lower], 0.5)).toEqual([upper, null]);
});

test('a side that has gone above the upper one goes as far as reach', () => {
  const [lower, upper] = slab(-0.3);
  expect(withoutBacks([lower, upper], 0.5)).toEqual([null, upper]);
  expect(withoutBacks([lower, upper], 0.2)).toEqual([lower, upper]);
});

test('a slab that is thick enough keeps both sides', () => {
  const sides = slab(0.1);
  expect(withoutBacks(sides, 0.5)).toEqual(sides);
});

test('a side that is covered in part stays', () => {
  const upper = sheet(1, 'up', 1);
  const half = { ...upper, positions: upper.positions.map((value, i) => (i % 3 === 0 ? value / 2 : value)) };
  const sides = [sheet(1, 'down', 0), half];
  expect(withoutBacks(sides, 0.5)).toEqual(sides);
});

test('of an upright sheet with two sides one stays', () => {
  const turn = (mesh: Float32Mesh) => ({
    ...mesh,
    positions: mesh.positions.map((_, i) => mesh.positions[i % 3 === 0 ? i + 1 : i % 3 === 1 ? i - 1 : i]),
  });
  const [front, back] = slab(0).map(turn);
  expect(withoutBacks([front, back], 0.5).filter((mesh) => mesh !== null)).toHaveLength(1);
});

test('no meshes stay no meshes', () => {
  expect(withoutBacks([], 1)).toEqual([]);
});
