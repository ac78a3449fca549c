import { MeshoptTangents } from 'meshoptimizer/tangents';
import { expect, test } from 'vitest';
import type { Mesh } from '../../src/geometry/mesh/mesh.ts';
import { addTangents, turnTangents, unitTangents } from '../../src/geometry/shading/tangents.ts';
import { random, SQUARE_POINTS, triangleMesh } from './meshes.ts';

/** The unit square facing +Z with the given UVs at its corners. */
function squareWith(uvs: readonly (readonly number[])[]): Mesh {
  return triangleMesh(SQUARE_POINTS, [0, 1, 2, 0, 2, 3], { uv0: Float32Array.from(uvs.flat()) });
}

const tangentOf = (mesh: Mesh, v: number) => [...mesh.attributes.tangent!.subarray(v * 4, v * 4 + 4)].map((x) => x + 0);

test('the sign makes cross(normal, tangent) * w point towards growing V', () => {
  // Upright: U along +X, V along +Y. cross(+Z, +X) = +Y.
  const upright = addTangents(squareWith(SQUARE_POINTS.map(([x, y]) => [x, y])));
  for (let v = 0; v < 4; v++) expect(tangentOf(upright, v)).toEqual([1, 0, 0, 1]);
  // Mirrored: U along -X. cross(+Z, -X) = -Y, V is +Y.
  const mirrored = addTangents(squareWith(SQUARE_POINTS.map(([x, y]) => [1 - x, y])));
  for (let v = 0; v < 4; v++) expect(tangentOf(mirrored, v)).toEqual([-1, 0, 0, -1]);
  // V down, as glTF has it before an importer turns it into 1 - v.
  const flipped = addTangents(squareWith(SQUARE_POINTS.map(([x, y]) => [x, 1 - y])));
  for (let v = 0; v < 4; v++) expect(tangentOf(flipped, v)).toEqual([1, 0, 0, -1]);
  // A quarter turn: U along +Y, V along -X. cross(+Z, +Y) = -X.
  const turned = addTangents(squareWith(SQUARE_POINTS.map(([x, y]) => [y, -x])));
  for (let v = 0; v < 4; v++) expect(tangentOf(turned, v)).toEqual([0, 1, 0, 1]);
});

test('mirrored islands that share a seam are split along it', () => {
  // Two squares left and right of x = 0 with u = |x|: equal position, normal and UV at the seam, opposite tangents.
  const points = [
    [-1, 0, 0],
    [0, 0, 0],
    [0, 1, 0],
    [-1, 1, 0],
    [1, 0, 0],
    [1, 1, 0],
  ];
  const mesh = triangleMesh(points, [0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2], {
    uv0: Float32Array.from(points.flatMap(([x, y]) => [Math.abs(x), y])),
  });
  const made = addTangents(mesh);
  expect(made.vertexCount).toBe(8);
  expect([...made.indices]).toEqual([0, 1, 2, 0, 2, 3, 6, 4, 5, 6, 5, 7]);
  expect([0, 1, 2, 3].map((v) => tangentOf(made, v))).toEqual(new Array(4).fill([-1, 0, 0, -1]));
  expect([4, 5, 6, 7].map((v) => tangentOf(made, v))).toEqual(new Array(4).fill([1, 0, 0, 1]));
  expect([...made.positions.subarray(18)]).toEqual([0, 0, 0, 0, 1, 0]);
  // The source is as it was.
  expect([...mesh.indices.subarray(6)]).toEqual([1, 4, 5, 1, 5, 2]);
});

test('around a vertex tangents are weighted by angle and lie in its plane', () => {
  // Around the origin 90 degrees with U along +X, then 45 degrees with U along (1, -1) and V along +Y.
  const points = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [-1, 1, 0],
  ];
  const mesh = triangleMesh(points, [0, 1, 2, 0, 2, 3], { uv0: Float32Array.of(0, 0, 1, 0, 0, 1, -1, 0) });
  // 2 (1, 0) + 1 (1, -1) / sqrt 2, by angles of 90 and 45 degrees.
  const x = 2 + Math.SQRT1_2;
  const y = -Math.SQRT1_2;
  const [tx, ty, tz, w] = tangentOf(addTangents(mesh), 0);
  expect(tx).toBeCloseTo(x / Math.hypot(x, y), 6);
  expect(ty).toBeCloseTo(y / Math.hypot(x, y), 6);
  expect([tz, w]).toEqual([0, 1]);
  // A tilted normal: the tangent keeps its heading and loses what sticks out of the plane.
  const upright = squareWith(SQUARE_POINTS.map(([x, y]) => [x, y]));
  const normal = Float32Array.from([0, 1, 2, 3].flatMap(() => [0.6, 0, 0.8]));
  const tilted = addTangents({ ...upright, attributes: { ...upright.attributes, normal } });
  expect(tangentOf(tilted, 0)[0]).toBeCloseTo(0.8, 6);
  expect(tangentOf(tilted, 0)[2]).toBeCloseTo(-0.6, 6);
});

test('UVs without area give the default tangent', () => {
  expect(
    tangentOf(
      addTangents(
        squareWith([
          [0, 0],
          [0, 0],
          [0, 0],
          [0, 0],
        ]),
      ),
      2,
    ),
  ).toEqual([1, 0, 0, 1]);
  const pointed = squareWith([
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
  const normal = Float32Array.from([0, 1, 2, 3].flatMap(() => [-1, 0, 0]));
  const sideways = { ...pointed, attributes: { ...pointed.attributes, normal } };
  expect(tangentOf(addTangents(sideways), 0)).toEqual([0, 1, 0, 1]);
});

test('a triangle without UV area takes the tangent of a neighbour but does not join mirrored ones', () => {
  // A fan around point 0: U along +X, without area (u = 0 all over), U along -X.
  const points = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [-0.5, 1, 0],
    [-1, 0, 0],
  ];
  const mesh = triangleMesh(points, [0, 1, 2, 0, 2, 3, 0, 3, 4], {
    uv0: Float32Array.of(0, 0, 1, 0, 0, 1, 0, 1, 1, 0),
  });
  const made = addTangents(mesh);
  const at = (i: number) => tangentOf(made, made.indices[i]);
  expect(at(0)).toEqual([1, 0, 0, 1]);
  expect(at(3)).toEqual(at(0));
  expect(at(6)[3]).toBe(-1);
  expect(at(6)[0]).toBeLessThan(0);
});

test('vertices that differ in colour alone share a tangent, loose triangles share one by value', () => {
  const next = random(5);
  const points = Array.from({ length: 25 }, (_, i) => [i % 5, Math.floor(i / 5), next()]);
  const uvs = points.map(([x, y]) => [x + 0.3 * next(), y + 0.3 * next()]);
  const corners: number[] = [];
  for (let y = 0; y < 4; y++) {
    for (let x = 0; x < 4; x++) {
      const a = y * 5 + x;
      corners.push(a, a + 1, a + 6, a, a + 6, a + 5);
    }
  }
  const whole = addTangents(triangleMesh(points, corners, { uv0: Float32Array.from(uvs.flat()) }));
  const loose = addTangents(
    triangleMesh(
      corners.map((c) => points[c]),
      corners.map((_, i) => i),
      {
        uv0: Float32Array.from(corners.flatMap((c) => uvs[c])),
        color0: Uint8Array.from({ length: corners.length * 4 }, (_, i) => i),
      },
    ),
  );
  expect(whole.vertexCount).toBe(25);
  expect(loose.vertexCount).toBe(96);
  corners.forEach((_, i) => {
    expect(tangentOf(loose, loose.indices[i])).toEqual(tangentOf(whole, whole.indices[i]));
  });
});

/** A bumpy sheet of `n` x `n` squares, triangles in random order, UVs mirrored and doubled here and there. */
function sheet(seed: number, n: number): Mesh {
  const next = random(seed);
  const side = n + 1;
  const points: number[][] = [];
  const normals: number[] = [];
  const uvs: number[] = [];
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      points.push([x + 0.4 * next(), y + 0.4 * next(), next()]);
      const tilt = [next() - 0.5, next() - 0.5, 1];
      const length = Math.hypot(...tilt);
      normals.push(...tilt.map((t) => t / length));
      uvs.push(Math.abs(x - n / 2) + 0.2 * next(), y + 0.2 * next());
    }
  }
  const triangles: number[][] = [];
  for (let y = 0; y < n; y++) {
    for (let x = 0; x < n; x++) {
      const a = y * side + x;
      triangles.push([a, a + 1, a + side + 1], [a, a + side + 1, a + side]);
    }
  }
  for (let i = triangles.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [triangles[i], triangles[j]] = [triangles[j], triangles[i]];
  }
  return triangleMesh(points, triangles.flat(), { normal: Float32Array.from(normals), uv0: Float32Array.from(uvs) });
}

test('agrees with meshoptimizer’s MikkTSpace on every corner', async () => {
  await MeshoptTangents.ready;
  for (const seed of [1, 2, 3, 4]) {
    const mesh = sheet(seed, 24);
    const made = addTangents(mesh);
    const positions = mesh.positions as Float32Array;
    const theirs = MeshoptTangents.generateTangents(
      mesh.indices,
      positions,
      3,
      mesh.attributes.normal,
      3,
      mesh.attributes.uv0!,
      2,
      ['Compatible'],
    );
    let worst = 1;
    for (let i = 0; i < mesh.indices.length; i++) {
      const t = tangentOf(made, made.indices[i]);
      expect(t[3]).toBe(theirs[i * 4 + 3]);
      worst = Math.min(worst, t[0] * theirs[i * 4] + t[1] * theirs[i * 4 + 1] + t[2] * theirs[i * 4 + 2]);
    }
    expect(made.vertexCount).toBeGreaterThan(mesh.vertexCount);
    // Half a step of ten bits is 1e-3 rad, a cosine of 1 - 5e-7; theirs approximates angles within 5e-4.
    expect(worst).toBeGreaterThan(1 - 1e-6);
  }
});

test('great fans are grouped as small ones: by edges, not by looking at every pair', async () => {
  await MeshoptTangents.ready;
  // Fans of more than a handful of corners; UVs turn over twice, and a gap separates two runs.
  for (const n of [40, 3000]) {
    const points = [
      [0, 0, 0],
      ...Array.from({ length: n }, (_, i) => [Math.cos((i / n) * 6), Math.sin((i / n) * 6), 0]),
    ];
    const corners: number[] = [];
    for (let i = 1; i < n; i++) if (i !== Math.floor(n / 3)) corners.push(0, i, i + 1);
    const uvs = points.map(([x, y], i) => (i < n / 2 ? [x, y] : [-x, y]));
    const mesh = triangleMesh(points, corners, { uv0: Float32Array.from(uvs.flat()) });
    const made = addTangents(mesh);
    const positions = mesh.positions as Float32Array;
    const theirs = MeshoptTangents.generateTangents(
      mesh.indices,
      positions,
      3,
      mesh.attributes.normal,
      3,
      mesh.attributes.uv0!,
      2,
      ['Compatible'],
    );
    for (let i = 0; i < corners.length; i++) {
      const t = tangentOf(made, made.indices[i]);
      expect(t[3]).toBe(theirs[i * 4 + 3]);
      for (let k = 0; k < 3; k++) expect(t[k]).toBeCloseTo(theirs[i * 4 + k], 3);
    }
  }
});

test('two runs give equal arrays', () => {
  expect(addTangents(sheet(9, 12))).toEqual(addTangents(sheet(9, 12)));
});

test('authored tangents keep their direction and sign; those without one get the default', () => {
  const normals = Float32Array.of(0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1);
  const { tangents, invalid } = unitTangents(
    Float32Array.of(0, 2, 0, -1, 1, 0, 0, 0, 0, 0, 0, -1, Number.NaN, 0, 0, 1),
    normals,
  );
  expect([...tangents]).toEqual([0, 1, 0, -1, 1, 0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1]);
  expect(invalid).toBe(2);
});

test('authored tangents turn within their plane, and change their sign with a mirrored one', () => {
  const normals = Float32Array.of(0, 0, 1, 0, 0, 1, 1, 0, 0);
  // cross(+Z, +X) = +Y, against it with the sign; cross(+X, +Y) = +Z.
  const tangents = Float32Array.of(1, 0, 0, 1, 1, 0, 0, -1, 0, 1, 0, 1);
  const plain = (turned: Float32Array) => [...turned].map((x) => x + 0);
  expect(plain(turnTangents(tangents, normals, [0, 1, -1, 0]))).toEqual([0, 1, 0, 1, 0, -1, 0, -1, 0, 0, 1, 1]);
  expect(plain(turnTangents(tangents, normals, [-1, 0, 0, 1]))).toEqual([-1, 0, 0, -1, -1, 0, 0, 1, 0, -1, 0, -1]);
  // One that stands on the surface has no bitangent to turn to.
  expect([...turnTangents(Float32Array.of(0, 0, 1, 1), normals.subarray(0, 3), [0, 1, -1, 0])]).toEqual([1, 0, 0, 1]);
});

test('nothing is split where the groups agree', () => {
  const mesh = squareWith(SQUARE_POINTS.map(([x, y]) => [x, y]));
  const made = addTangents(mesh);
  expect(made.indices).toBe(mesh.indices);
  expect(made.positions).toBe(mesh.positions);
});

test('positions in float64 give the tangents of the same positions in float32', () => {
  const mesh = squareWith(SQUARE_POINTS.map(([x, y]) => [x + y / 3, y]));
  const wide = addTangents({ ...mesh, positions: Float64Array.from(mesh.positions) });
  expect(wide.attributes.tangent).toEqual(addTangents(mesh).attributes.tangent);
});
