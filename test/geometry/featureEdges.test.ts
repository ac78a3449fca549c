// Which edges a wireframe shows: borders and creases, by literal shapes.

import { expect, test } from 'vitest';
import { featureEdges } from '../../src/geometry/mesh/featureEdges.ts';

const pairs = (edges: Uint32Array): number[][] =>
  Array.from({ length: edges.length / 2 }, (_, i) => [edges[i * 2], edges[i * 2 + 1]]);

/** Corners of the unit cube by their bits, x lowest; counter-clockwise seen from outside. */
const CUBE = Array.from({ length: 8 }, (_, c) => [c & 1, (c >> 1) & 1, c >> 2]);
const FACES = [
  [0, 2, 3, 1],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 4, 6, 2],
  [1, 3, 7, 5],
];
const triangles = (face: readonly number[]) => [face[0], face[1], face[2], face[0], face[2], face[3]];

test('a cube of twelve triangles has its twelve edges, and no diagonal of a face', () => {
  const edges = featureEdges(Float32Array.from(CUBE.flat()), FACES.flatMap(triangles));
  expect(edges.length).toBe(24);
  const keys = pairs(edges).map(([a, b]) => [Math.min(a, b), Math.max(a, b)]);
  // Ends differ in one bit: an axis.
  for (const [a, b] of keys) expect([1, 2, 4]).toContain(a ^ b);
  expect(new Set(keys.map(String)).size).toBe(12);
  // By first use: those of the first face come first, in its order.
  expect(pairs(edges).slice(0, 4)).toEqual([
    [0, 2],
    [2, 3],
    [3, 1],
    [1, 0],
  ]);
});

test('a cube whose faces have vertices of their own has the same edges: its points are one by their place', () => {
  const positions = FACES.flatMap((face) => face.flatMap((c) => CUBE[c]));
  const indices = FACES.flatMap((_, f) => triangles([0, 1, 2, 3].map((k) => f * 4 + k)));
  const edges = featureEdges(Float32Array.from(positions), indices);
  expect(edges.length).toBe(24);
  // The first vertex of each point is named: those of the first two faces, which have all eight corners.
  expect(Math.max(...edges)).toBeLessThan(8);
});

/** Two triangles that share an edge on the X axis and are folded by so many degrees. */
const folded = (degrees: number): Float32Array => {
  const angle = (degrees * Math.PI) / 180;
  return Float32Array.of(0, 0, 0, 1, 0, 0, 0.5, 0, 1, 0.5, Math.sin(angle), -Math.cos(angle));
};
const SHEET = [0, 2, 1, 0, 1, 3];

test.each([
  [0, 4],
  [29, 4],
  [31, 5],
  [90, 5],
])('two triangles folded by %i degrees have %i edges', (degrees, count) => {
  expect(featureEdges(folded(degrees), SHEET).length / 2).toBe(count);
});

test('triangles without an area have no edges, and hide none', () => {
  expect(featureEdges(folded(0), [...SHEET, 0, 1, 1]).length / 2).toBe(4);
  expect([...featureEdges(folded(0), [0, 0, 0])]).toEqual([]);
});

test('points that differ by less than the grid are one; rows may be longer than a position', () => {
  const [a, b] = [folded(0), folded(0)];
  for (let i = 0; i < b.length; i++) b[i] += 1e-7;
  const rows = [a, b].flatMap((all) => [0, 1, 2, 3].flatMap((v) => [...all.subarray(v * 3, v * 3 + 3), 9, 9]));
  const edges = featureEdges(Float32Array.from(rows), [0, 2, 1, 4, 5, 7], 5);
  expect(pairs(edges)).toEqual([
    [0, 2],
    [2, 1],
    [1, 7],
    [7, 0],
  ]);
});
