import { expect, test } from 'vitest';
import { attribute, SQUARE_POINTS } from './meshes.ts';
import {
  cage,
  corners,
  creases,
  edgeUse,
  faces,
  LOOP,
  OCTAHEDRON_FACES,
  OCTAHEDRON_POINTS,
  point,
  refined,
  rows,
  vertexAt,
} from './subdivisions.ts';

function expectPoint(actual: readonly number[], expected: readonly number[]): void {
  expected.forEach((x, k) => {
    expect(actual[k]).toBeCloseTo(x, 6);
  });
}

const TETRAHEDRON_POINTS = [
  [1, 1, 1],
  [1, -1, -1],
  [-1, 1, -1],
  [-1, -1, 1],
];
const TETRAHEDRON_FACES = [
  [0, 1, 2],
  [0, 3, 1],
  [0, 2, 3],
  [1, 3, 2],
];

test('a tetrahedron: 10 points and 16 triangles', () => {
  const mesh = refined(cage(TETRAHEDRON_POINTS, TETRAHEDRON_FACES, { subdivision: LOOP }));
  expect(mesh.faceCounts).toBeNull();
  expect(mesh.points.length / 3).toBe(4 + 6);
  expect(mesh.corners.length / 3).toBe(16);
  // Valence 3: beta = 3/16 for each neighbour, and the neighbours of v sum to -v: 7/16 - 3/16.
  TETRAHEDRON_POINTS.forEach((p, v) => {
    expectPoint(
      point(mesh, v),
      p.map((x) => x / 4),
    );
  });
  // 3/8 of both ends, 1/8 of the two others, which sum to the ends' negative.
  expect(rows(mesh.points).slice(4)).toEqual([
    [0.5, 0, 0],
    [0, 0.5, 0],
    [0, 0, 0.5],
    [0, 0, -0.5],
    [0, -0.5, 0],
    [-0.5, 0, 0],
  ]);
});

test('children: one a corner, that corner first, then the middle one', () => {
  const mesh = refined(cage(TETRAHEDRON_POINTS, TETRAHEDRON_FACES, { subdivision: LOOP }));
  expect(faces(mesh).slice(0, 4)).toEqual([
    [0, 4, 5],
    [1, 7, 4],
    [2, 5, 7],
    [4, 7, 5],
  ]);
});

test('an octahedron: valence 4 weighs neighbours 31/256', () => {
  const mesh = refined(cage(OCTAHEDRON_POINTS, OCTAHEDRON_FACES, { subdivision: LOOP }));
  expect(mesh.points.length / 3).toBe(18);
  OCTAHEDRON_POINTS.forEach((p, v) => {
    expectPoint(
      point(mesh, v),
      p.map((x) => (x * 33) / 64),
    );
  });
  expect(vertexAt(mesh, [0.375, 0.375, 0])).toBeGreaterThanOrEqual(6);
  expect(vertexAt(mesh, [0, -0.375, -0.375])).toBeGreaterThanOrEqual(6);
});

test('a regular vertex takes 5/8 of itself and 1/16 of each of six neighbours', () => {
  const ring = [0, 1, 2, 3, 4, 5].map((k) => [Math.cos((k * Math.PI) / 3), Math.sin((k * Math.PI) / 3), 0]);
  const fan = ring.map((_, k) => [6, k, (k + 1) % 6]);
  const mesh = refined(cage([...ring, [0, 0, 16]], fan, { subdivision: LOOP }));
  expectPoint(point(mesh, 6), [0, 0, 10]);
  // Spoke: 3/8 of the tip and the rim, 1/8 of the rim's neighbours, which sum to the rim.
  expect(vertexAt(mesh, [0.5, 0, 6])).toBeGreaterThanOrEqual(7);
});

test('one triangle: corners stay under edgeAndCorner, follow the boundary under edgeOnly', () => {
  const points = [
    [0, 0, 0],
    [8, 0, 0],
    [0, 8, 0],
  ];
  const both = refined(cage(points, [[0, 1, 2]], { subdivision: LOOP }));
  expect(rows(both.points)).toEqual([...points, [4, 0, 0], [0, 4, 0], [4, 4, 0]]);
  const edge = refined(cage(points, [[0, 1, 2]], { subdivision: { ...LOOP, boundary: 'edgeOnly' } }));
  expect(rows(edge.points).slice(0, 3)).toEqual([
    [1, 1, 0],
    [6, 1, 0],
    [1, 6, 0],
  ]);
});

test('creases and corners: sharp, and half way at 0.5', () => {
  const ridge = (sharpness: number) => creases([[0, 2, 1], sharpness]);
  const at = (sharpness: number) =>
    refined(cage(OCTAHEDRON_POINTS, OCTAHEDRON_FACES, { subdivision: LOOP, creases: ridge(sharpness) }));
  // Along 0-2-1 the ends cancel: 3/4 of vertex 2.
  expect(point(at(10), 2)).toEqual([0, 0.75, 0]);
  expect(vertexAt(at(10), [0.5, 0.5, 0])).toBeGreaterThanOrEqual(6);
  expect(vertexAt(at(0.5), [0.4375, 0.4375, 0])).toBeGreaterThanOrEqual(6);
  expectPoint(point(at(0.5), 2), [0, (0.75 + 33 / 64) / 2, 0]);
  const tip = { ...LOOP, corners: corners([4, 0.5]) };
  const mesh = refined(cage(OCTAHEDRON_POINTS, OCTAHEDRON_FACES, { subdivision: tip }));
  expectPoint(point(mesh, 4), [0, 0, (1 + 33 / 64) / 2]);
});

test('closed triangles stay closed over three levels', () => {
  const mesh = refined(cage(OCTAHEDRON_POINTS, OCTAHEDRON_FACES, { subdivision: LOOP }), 3);
  expect(mesh.corners.length / 3).toBe(8 * 64);
  expect(new Set(edgeUse(faces(mesh)).values())).toEqual(new Set([2]));
  expect(mesh.points.length / 3).toBe(2 + (8 * 64) / 2);
});

test('face-varying values along a seam of triangles', () => {
  const st = attribute([[0], [8], [16], [24], [0], [40]], 'faceVarying');
  const list = [
    [0, 1, 2],
    [0, 2, 3],
  ];
  const mesh = refined(cage(SQUARE_POINTS, list, { subdivision: LOOP, uvs: new Map([['st', st]]) }));
  const { data, indices } = mesh.uvs.get('st')!;
  const values = [...indices!].map((i) => data[i]);
  // Child by child: corner, edge after, edge before; then the middle.
  expect(values).toEqual([0, 4, 8, 8, 12, 4, 16, 8, 12, 4, 12, 8, 24, 12, 32, 0, 20, 12, 40, 32, 20, 12, 20, 32]);
});
