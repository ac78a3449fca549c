// countCut: how many triangles a cut makes, against hand-worked cases and against the cut itself.

import { describe, expect, test } from 'vitest';
import { bareTriangles, countCut, placedFootprint } from '../../src/geometry/cut/countCut.ts';
import { splitMesh } from '../../src/geometry/cut/split.ts';
import { identity, translation } from '../../src/scene/matrix.ts';
import type { CutPlanes } from '../../src/scene/planes.ts';
import { polygons, random, triangleMesh } from './meshes.ts';

type Point = readonly [number, number];

function count(points: readonly Point[], planes: CutPlanes, max = Infinity): number {
  const indices = Uint32Array.from(points.keys());
  return countCut(Float32Array.from(points.flat()), indices, planes, max);
}

/** What splitMesh makes of the same triangles. */
function cut(points: readonly (readonly [number, number, number])[], planes: CutPlanes): number {
  const mesh = triangleMesh(points, [...points.keys()], {
    normal: Float32Array.from(points.flatMap(() => [0, 1, 0])),
  });
  return splitMesh(mesh, planes).reduce((sum, piece) => sum + piece.mesh.indices.length / 3, 0);
}

describe('one triangle with corners (0, 0), (8, 0), (0, 8)', () => {
  const corners: readonly Point[] = [
    [0, 0],
    [8, 0],
    [0, 8],
  ];
  test.each([
    ['no plane', [], [], 1],
    ['planes that touch its ends', [0, 8], [0, 8], 1],
    ['one plane: a triangle and a quad', [3], [], 3],
    ['two planes that cross inside: 4 + 3 + 3 + 5 corners', [3], [2], 7],
    ['two planes that meet on its long edge: a square and two triangles', [4], [4], 4],
    ['two planes that cross outside', [6], [6], 5],
  ])('%s', (_, x, z, expected) => {
    expect(count(corners, { x, z })).toBe(expected);
    expect(
      cut(
        corners.map(([cx, cz]) => [cx, 0, cz]),
        { x, z },
      ),
    ).toBe(expected);
  });
});

test('a plane through the middle corner parts a triangle in two', () => {
  const corners: readonly Point[] = [
    [0, 0],
    [4, 3],
    [8, 0],
  ];
  expect(count(corners, { x: [4], z: [] })).toBe(2);
});

test('counting stops above the number that is asked for', () => {
  const corners: readonly Point[] = Array.from({ length: 300 }, (_, i): Point => [i % 3 === 1 ? 10 : 0, i % 3]);
  expect(count(corners, { x: [5], z: [] })).toBe(300);
  expect(count(corners, { x: [5], z: [] }, 7)).toBe(9);
});

test('a line of triangles that stand upright is counted as it is cut', () => {
  const wall: readonly (readonly [number, number, number])[] = [
    [0, 0, 0],
    [10, 0, 10],
    [10, 5, 10],
  ];
  // Both planes cut it along the same upright line: a triangle and a quad.
  const planes = { x: [4], z: [4] };
  expect(cut(wall, planes)).toBe(3);
  expect(
    count(
      wall.map(([x, , z]) => [x, z]),
      planes,
    ),
  ).toBe(3);
});

test('random triangles count as they are cut', () => {
  const next = random(3);
  const planes = { x: [-20, -4, 1, 16, 30], z: [-31, -2, 0, 7, 8, 40] };
  for (let round = 0; round < 400; round++) {
    const long = round % 2 === 0 ? 100 : 20;
    const points = Array.from({ length: 3 }, () => [0, 1, 2].map(() => Math.fround((next() - 0.5) * long)));
    const corners = points as unknown as (readonly [number, number, number])[];
    const flat = corners.map(([x, , z]): Point => [x, z]);
    expect(count(flat, planes), JSON.stringify(corners)).toBe(cut(corners, planes));
  }
});

test('triangles on a lattice, whose corners and edges meet planes and their crossings, count as they are cut', () => {
  const next = random(8);
  const planes = { x: [1, 2, 3, 4, 5], z: [1, 2, 3, 4, 5] };
  for (let round = 0; round < 400; round++) {
    const corners = Array.from({ length: 3 }, () => [
      Math.floor(next() * 7),
      Math.floor(next() * 9),
      Math.floor(next() * 7),
    ]);
    const [a, b, c] = corners as unknown as (readonly [number, number, number])[];
    // Edge-on and collapsed ones are walls (above), or have no area and are left out before.
    if ((b[0] - a[0]) * (c[2] - a[2]) === (c[0] - a[0]) * (b[2] - a[2])) continue;
    const flat = [a, b, c].map(([x, , z]): Point => [x, z]);
    expect(count(flat, planes), JSON.stringify([a, b, c])).toBe(cut([a, b, c], planes));
  }
});

test('the triangles of a mesh are those with an area, of all subsets; their footprint is placed', () => {
  const points = [
    [0, 0, 0],
    [1, 0, 0],
    [1, 0, 1],
    [0, 0, 1],
    [2, 0, 0],
  ];
  // A quad of subset 0, and a triangle without area of none.
  const mesh = polygons(
    points,
    [
      [0, 1, 2, 3],
      [0, 1, 4],
    ],
    { faceSubsets: Int32Array.of(0, -1) },
  );
  const { positions, indices } = bareTriangles(mesh, 1);
  expect([...indices]).toEqual([0, 1, 2, 0, 2, 3]);
  expect([...placedFootprint(positions, translation(10, 20, 30)).subarray(0, 6)]).toEqual([10, 30, 11, 30, 11, 31]);
  expect([...placedFootprint(positions, identity()).subarray(4, 6)]).toEqual([1, 1]);
});
