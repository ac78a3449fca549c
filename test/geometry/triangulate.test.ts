import { expect, test } from 'vitest';
import { triangulate } from '../../src/geometry/polygons/triangulate.ts';
import type { PolygonMesh } from '../../src/scene/types.ts';
import { polygons, random, SQUARE_POINTS, square } from './meshes.ts';

type Point = readonly [number, number];

/** Doubled signed area of a triangle in the XY plane. */
function area(a: Point, b: Point, c: Point): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/** Doubled area of an outline by the shoelace formula. */
function outlineArea(outline: readonly Point[]): number {
  return outline.reduce((sum, [x, y], i) => {
    const [u, v] = outline[(i + 1) % outline.length];
    return sum + x * v - u * y;
  }, 0);
}

function face(outline: readonly Point[], lift: (p: Point) => readonly number[] = ([x, y]) => [x, y, 0]): PolygonMesh {
  return polygons(
    outline.map(lift),
    [outline.map((_, i) => i)],
    // A single triangle would otherwise count as an all-triangle mesh.
    { faceCounts: Uint32Array.of(outline.length) },
  );
}

/** Checks that the triangles tile the outline: right number, all positive, areas that add up. */
function expectTiling(outline: readonly Point[], corners: ArrayLike<number>): void {
  expect(corners.length).toBe((outline.length - 2) * 3);
  let sum = 0;
  for (let i = 0; i < corners.length; i += 3) {
    const size = area(outline[corners[i]], outline[corners[i + 1]], outline[corners[i + 2]]);
    expect(size).toBeGreaterThan(0);
    sum += size;
  }
  expect(sum / outlineArea(outline)).toBeCloseTo(1, 9);
}

test('triangles as they are cost nothing', () => {
  const mesh = polygons(SQUARE_POINTS, [
    [0, 1, 2],
    [0, 2, 3],
  ]);
  expect(triangulate(mesh, -1)).toEqual({ count: 2, corners: null, faces: null, shortFaces: 0, fannedFaces: 0 });
  expect(triangulate({ ...mesh, faceCounts: Uint32Array.of(3, 3) }, -1).corners).toBeNull();
});

test('a square is cut from corner 0 to 2', () => {
  const { corners, faces } = triangulate(square(), -1);
  expect([...corners!]).toEqual([0, 1, 2, 0, 2, 3]);
  expect([...faces!]).toEqual([0, 0]);
});

test('a dart is cut through its reflex corner, wherever that is', () => {
  const dart: Point[] = [
    [0, 0],
    [2, 1],
    [0, 2],
    [0.5, 1],
  ];
  // Reflex at 3: the diagonal 1-3.
  expect([...triangulate(face(dart), -1).corners!]).toEqual([0, 1, 3, 1, 2, 3]);
  // Reflex at 0: the diagonal 0-2.
  const turned = [dart[3], dart[0], dart[1], dart[2]];
  expect([...triangulate(face(turned), -1).corners!]).toEqual([0, 1, 2, 0, 2, 3]);
  // Standing upright, seen from behind and mirrored, it is cut alike.
  const upright = triangulate(
    face(dart, ([x, y]) => [-x, 7, y]),
    -1,
  );
  expect([...upright.corners!]).toEqual([0, 1, 3, 1, 2, 3]);
});

test('a convex pentagon is a fan', () => {
  const pentagon = Array.from({ length: 5 }, (_, i): Point => [Math.cos(i * 1.2566), Math.sin(i * 1.2566)]);
  expect([...triangulate(face(pentagon), -1).corners!]).toEqual([0, 1, 2, 0, 2, 3, 0, 3, 4]);
});

test('an L is cut without leaving its outline', () => {
  const outline: Point[] = [
    [0, 0],
    [2, 0],
    [2, 1],
    [1, 1],
    [1, 2],
    [0, 2],
  ];
  expectTiling(outline, triangulate(face(outline), -1).corners!);
});

test('stars and random outlines are tiled in any plane', () => {
  const next = random(7);
  for (let round = 0; round < 200; round++) {
    const n = 5 + Math.floor(next() * 60);
    const outline = Array.from({ length: n }, (_, i): Point => {
      const radius = round % 2 ? 0.2 + next() : i % 2 ? 0.3 : 1;
      return [radius * Math.cos((i / n) * 2 * Math.PI), radius * Math.sin((i / n) * 2 * Math.PI)];
    });
    const [ax, ay, az, bx, by, bz] = Array.from({ length: 6 }, () => next() * 2 - 1);
    const mesh = face(outline, ([x, y]) => [ax * x + bx * y, ay * x + by * y, az * x + bz * y]);
    const cut = triangulate({ ...mesh, points: Float64Array.from(mesh.points) }, -1);
    expect(cut.fannedFaces).toBe(0);
    expectTiling(outline, cut.corners!);
  }
});

test('collinear corners do not become triangles without area', () => {
  const outline: Point[] = [
    [0, 0],
    [1, 0],
    [2, 0],
    [3, 0],
    [3, 3],
    [1.5, 3],
    [0, 3],
    [0, 1],
  ];
  expectTiling(outline, triangulate(face(outline), -1).corners!);
});

test('a keyhole with doubled corners is tiled around its hole', () => {
  const outline: Point[] = [
    [0, 0],
    [4, 0],
    [4, 4],
    [0, 4],
    [0, 0],
    [1, 1],
    [1, 3],
    [3, 3],
    [3, 1],
    [1, 1],
  ];
  const { corners, fannedFaces } = triangulate(face(outline), -1);
  expect(fannedFaces).toBe(0);
  expectTiling(outline, corners!);
  // No triangle reaches into the hole: its centre is outside of all.
  for (let i = 0; i < corners!.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => outline[corners![i + k]]);
    const middle: Point = [2, 2.1];
    expect(area(a, b, middle) > 0 && area(b, c, middle) > 0 && area(c, a, middle) > 0).toBe(false);
  }
});

test('ten thousand corners in a comb and in a spiral are tiled', () => {
  const comb: Point[] = [[5000, -1]];
  for (let i = 4998; i >= 0; i--) comb.push([i, i % 2 ? 0 : 3]);
  comb.push([0, -1]);
  expectTiling(comb, triangulate(face(comb), -1).corners!);

  const spiral: Point[] = [];
  const arm = (i: number, radius: number): Point => [radius * Math.cos(i * 0.02), radius * Math.sin(i * 0.02)];
  for (let i = 0; i < 5000; i++) spiral.push(arm(i, 10 + i * 0.01));
  for (let i = 4999; i >= 0; i--) spiral.push(arm(i, 9 + i * 0.01));
  const outline = outlineArea(spiral) > 0 ? spiral : spiral.reverse();
  const points = face(outline, ([x, y]) => [x, y, 0]);
  const cut = triangulate({ ...points, points: Float64Array.from(outline.flatMap(([x, y]) => [x, y, 0])) }, -1);
  expect(cut.fannedFaces).toBe(0);
  expectTiling(outline, cut.corners!);
});

test('an outline that crosses itself still gives n - 2 triangles, and is counted', () => {
  const pentagram = [0, 2, 4, 1, 3].map((i): Point => [Math.cos(i * 1.2566), Math.sin(i * 1.2566)]);
  const cut = triangulate(face(pentagram), -1);
  expect(cut.count).toBe(3);
  expect(cut.fannedFaces).toBe(1);
});

test('a face without any area gives a fan and no complaint', () => {
  const line = [0, 1, 2, 3, 4].map((x): Point => [x, 0]);
  const cut = triangulate(face(line), -1);
  expect([cut.count, cut.fannedFaces]).toEqual([3, 0]);
});

test('holes and short faces are left out, faces and corners keep their numbers', () => {
  const mesh = polygons(
    SQUARE_POINTS,
    [
      [0, 1, 2, 3],
      [0, 1],
      [0, 1, 2],
      [3, 2, 1],
      [0, 2, 3],
    ],
    {
      holes: Uint8Array.of(0, 0, 1, 0, 0),
    },
  );
  const cut = triangulate(mesh, -1);
  expect([...cut.faces!]).toEqual([0, 0, 3, 4]);
  expect([...cut.corners!]).toEqual([0, 1, 2, 0, 2, 3, 9, 10, 11, 12, 13, 14]);
  expect(cut.shortFaces).toBe(1);
});

test('a subset has its own faces only, -1 those that none claims', () => {
  const mesh = polygons(
    SQUARE_POINTS,
    [
      [0, 1, 2],
      [0, 2, 3],
      [0, 1, 3],
    ],
    { faceSubsets: Int32Array.of(1, -1, 1) },
  );
  expect([...triangulate(mesh, 1).faces!]).toEqual([0, 2]);
  expect([...triangulate(mesh, 1).corners!]).toEqual([0, 1, 2, 6, 7, 8]);
  expect([...triangulate(mesh, -1).faces!]).toEqual([1]);
  expect(triangulate(mesh, 0).count).toBe(0);
  expect(triangulate({ ...mesh, faceSubsets: null }, 0).count).toBe(0);
});

test('leftHanded turns every triangle round', () => {
  expect([...triangulate(square({ leftHanded: true }), -1).corners!]).toEqual([0, 2, 1, 0, 3, 2]);
});
