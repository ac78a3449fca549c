import { expect, test } from 'vitest';
import { flatNormals, repairNormals, smoothNormals, unitNormals } from '../../src/geometry/shading/normals.ts';
import { attribute, CUBE_FACES, CUBE_POINTS, polygons, square } from './meshes.ts';

const rows = (data: ArrayLike<number>, size = 3) =>
  Array.from({ length: data.length / size }, (_, i) => Array.from({ length: size }, (_, k) => data[i * size + k]));

test('a flat normal is the face’s, towards the side it is seen counter-clockwise from', () => {
  const cube = flatNormals(polygons(CUBE_POINTS, CUBE_FACES));
  expect(cube.interpolation).toBe('uniform');
  expect(rows(cube.data).map((n) => n.map((x) => x + 0))).toEqual([
    [0, 0, -1],
    [0, 0, 1],
    [0, -1, 0],
    [0, 1, 0],
    [1, 0, 0],
    [-1, 0, 0],
  ]);
  expect(rows(flatNormals(square({ leftHanded: true })).data)[0][2]).toBe(-1);
});

test('a bent quad has one normal, that of its best plane', () => {
  // Corners 0 and 2 up, 1 and 3 down by the same: the plane between them is level.
  const bent = polygons(
    [
      [0, 0, 1],
      [1, 0, -1],
      [1, 1, 1],
      [0, 1, -1],
    ],
    [[0, 1, 2, 3]],
  );
  expect(rows(flatNormals(bent).data)).toEqual([[0, 0, 1]]);
});

test('smooth normals of a cube point along its diagonals, however its faces are cut', () => {
  const third = Math.fround(1 / Math.sqrt(3));
  const quads = smoothNormals(polygons(CUBE_POINTS, CUBE_FACES));
  const cut = CUBE_FACES.flatMap(([a, b, c, d], i) =>
    i % 2
      ? [
          [a, b, c],
          [a, c, d],
        ]
      : [
          [a, b, d],
          [b, c, d],
        ],
  );
  const triangles = smoothNormals(polygons(CUBE_POINTS, cut));
  for (const { data, interpolation } of [quads, triangles]) {
    expect(interpolation).toBe('vertex');
    CUBE_POINTS.forEach((p, i) => {
      for (let k = 0; k < 3; k++) expect(data[i * 3 + k]).toBeCloseTo(p[k] * third, 6);
    });
  }
});

test('leftHanded smooth normals point the other way', () => {
  const right = smoothNormals(polygons(CUBE_POINTS, CUBE_FACES));
  const left = smoothNormals(
    polygons(
      CUBE_POINTS,
      CUBE_FACES.map((f) => [...f].reverse()),
      { leftHanded: true },
    ),
  );
  right.data.forEach((x, i) => {
    expect(left.data[i]).toBeCloseTo(x, 6);
  });
});

test('a crease all around the top keeps the lid apart and the walls smooth', () => {
  const mesh = polygons(CUBE_POINTS, CUBE_FACES, {
    creases: {
      vertices: Uint32Array.of(4, 5, 6, 7, 4),
      lengths: Uint32Array.of(5),
      sharpnesses: Float32Array.of(10),
    },
  });
  const { data, indices, interpolation } = smoothNormals(mesh);
  expect(interpolation).toBe('faceVarying');
  const at = (face: number, corner: number) => rows(data)[indices![face * 4 + corner]];
  // The lid (face 1) is flat.
  for (let k = 0; k < 4; k++) expect(at(1, k)).toEqual([0, 0, 1]);
  // Point 5, on the crease: its two walls share one normal, halfway between them.
  const half = Math.fround(Math.SQRT1_2);
  expect(at(2, 2)).toEqual(at(4, 3));
  expect(at(2, 2).map((x) => Math.fround(x))).toEqual([half, -half, 0]);
  // Point 1, at the bottom, is smooth over three faces.
  expect(at(2, 1)).toEqual(at(4, 0));
  expect(at(2, 1)[0]).toBeCloseTo(1 / Math.sqrt(3), 6);
});

test('creases count from sharpness 2, given a run or an edge', () => {
  const creased = (sharpnesses: readonly number[]) =>
    smoothNormals(
      polygons(CUBE_POINTS, CUBE_FACES, {
        creases: {
          vertices: Uint32Array.of(4, 5, 6),
          lengths: Uint32Array.of(3),
          sharpnesses: Float32Array.from(sharpnesses),
        },
      }),
    );
  expect(creased([1.9]).interpolation).toBe('vertex');
  expect(creased([2]).interpolation).toBe('faceVarying');
  expect(creased([1, 1]).interpolation).toBe('vertex');
  expect(creased([1, 2]).interpolation).toBe('faceVarying');
  // One hard edge that ends on a point parts nothing there: the corners are joined around the other side.
  const { indices } = creased([0, 5]);
  const corners = CUBE_FACES.flat();
  const at5 = corners.flatMap((p, i) => (p === 5 ? [indices![i]] : []));
  expect(new Set(at5).size).toBe(1);
});

test('authored normals come out at unit length, bad ones as counted zeros', () => {
  const good = attribute(
    [
      [0, 0, 1],
      [0.6, 0.8, 0],
    ],
    'vertex',
  );
  expect(unitNormals(good).attribute).toBe(good);
  const { attribute: unit, invalid } = unitNormals(
    attribute(
      [
        [0, 0, 5],
        [0, 0, 0],
        [Number.NaN, 0, 1],
        [3, 0, 4],
      ],
      'faceVarying',
      [3, 2, 1, 0],
    ),
  );
  expect(rows(unit.data)).toEqual([
    [0, 0, 1],
    [0, 0, 0],
    [0, 0, 0],
    [Math.fround(0.6), 0, Math.fround(0.8)],
  ]);
  expect([invalid, unit.interpolation, ...unit.indices!]).toEqual([2, 'faceVarying', 3, 2, 1, 0]);
});

test('zero normals take the direction of the triangles around them, by area', () => {
  const positions = Float32Array.of(0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 1, 9, 9, 9);
  const normals = new Float32Array(15);
  normals.set([1, 0, 0], 3);
  // Areas 2 towards +Z and 1 towards +X meet at points 0 and 2.
  repairNormals(normals, positions, Uint32Array.of(0, 1, 2, 0, 2, 3));
  const [a, b, c, , e] = rows(normals);
  expect(a[0] / a[2]).toBeCloseTo(0.5, 6);
  expect(b).toEqual([1, 0, 0]);
  expect(c).toEqual(a);
  expect(e).toEqual([0, 0, 1]);
});
