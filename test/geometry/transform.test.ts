import { expect, test } from 'vitest';
import { Diagnostics, SourceError } from '../../src/diagnostics/diagnostic.ts';
import { mergeMeshes } from '../../src/geometry/mesh/merge.ts';
import { placeMesh } from '../../src/geometry/mesh/transform.ts';
import { identity, multiply, rotation, scaling, translation } from '../../src/scene/matrix.ts';
import { random, triangleMesh } from './meshes.ts';

const place = { file: 'scene.glb', path: '/House' };
const plain = (data: ArrayLike<number>) => Array.from(data, (x) => x + 0);

const corner = triangleMesh(
  [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
  ],
  [0, 1, 2],
  { tangent: Float32Array.of(1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1) },
);

test('the identity gives the mesh itself', () => {
  const diagnostics = new Diagnostics();
  expect(placeMesh(corner, identity(), diagnostics, place)).toBe(corner);
  const double = { ...corner, positions: Float64Array.of(0.1, 0, 0, 1, 0, 0, 0, 1, 0) };
  const placed = placeMesh(double, identity(), diagnostics, place);
  expect(placed.positions).toBeInstanceOf(Float32Array);
  expect(placed.positions[0]).toBe(Math.fround(0.1));
});

test('a mirror turns the winding and the sign of the tangents', () => {
  const mirrored = placeMesh(corner, multiply(translation(5, 0, 0), scaling(-1, 1, 1)), new Diagnostics(), place);
  expect(plain(mirrored.positions)).toEqual([5, 0, 0, 4, 0, 0, 5, 1, 0]);
  // Seen from +Z, still the front, the corners run counter-clockwise again.
  expect([...mirrored.indices]).toEqual([0, 2, 1]);
  expect(plain(mirrored.attributes.normal)).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1]);
  // cross(+Z, -X) * -1 = +Y: V still grows along +Y.
  expect(plain(mirrored.attributes.tangent!.subarray(0, 4))).toEqual([-1, 0, 0, -1]);
  // The source is as it was.
  expect([...corner.indices]).toEqual([0, 1, 2]);
});

test('a mirror through the surface turns its normals', () => {
  const mirrored = placeMesh(corner, scaling(1, 1, -1), new Diagnostics(), place);
  expect(plain(mirrored.attributes.normal.subarray(0, 3))).toEqual([0, 0, -1]);
  expect([...mirrored.indices]).toEqual([0, 2, 1]);
  // cross(-Z, +X) * -1 = +Y.
  expect(plain(mirrored.attributes.tangent!.subarray(0, 4))).toEqual([1, 0, 0, -1]);
});

test('a rotation by half turns mirrors nothing', () => {
  const turned = placeMesh(corner, scaling(-1, -1, 1), new Diagnostics(), place);
  expect([...turned.indices]).toEqual([0, 1, 2]);
  expect(plain(turned.attributes.tangent!.subarray(0, 4))).toEqual([-1, 0, 0, 1]);
});

test('normals go by the inverse transpose under non-uniform scale and shear', () => {
  const normal = Float32Array.of(0.6, 0.8, 0, 0.6, 0.8, 0, 1, 0, 0);
  const slope = { ...corner, attributes: { ...corner.attributes, normal } };
  const wide = placeMesh(slope, scaling(2, 1, 1), new Diagnostics(), place);
  // (0.6 / 2, 0.8) = (0.3, 0.8), of length sqrt(0.73).
  expect(wide.attributes.normal[0]).toBeCloseTo(0.3 / Math.sqrt(0.73), 6);
  expect(wide.attributes.normal[1]).toBeCloseTo(0.8 / Math.sqrt(0.73), 6);
  // x' = x + y: the plane x = 0 leans over to (1, -1, 0).
  const shear = identity();
  shear[4] = 1;
  const leaning = placeMesh(slope, shear, new Diagnostics(), place);
  expect(leaning.attributes.normal[6]).toBeCloseTo(Math.SQRT1_2, 6);
  expect(leaning.attributes.normal[7]).toBeCloseTo(-Math.SQRT1_2, 6);
  expect(plain(leaning.attributes.tangent!.subarray(0, 4))).toEqual([1, 0, 0, 1]);
});

test('under any matrix normals stay square to the surface, and fronts fronts', () => {
  const next = random(21);
  for (let round = 0; round < 100; round++) {
    const world = identity();
    for (let i = 0; i < 12; i++) if (i % 4 !== 3) world[i] = next() * 2 - 1;
    const placed = placeMesh(corner, world, new Diagnostics(), place);
    const { positions: p, indices: i } = placed;
    const n = placed.attributes.normal;
    const edge = (a: number, b: number) => [0, 1, 2].map((k) => p[i[b] * 3 + k] - p[i[a] * 3 + k]);
    const [u, v] = [edge(0, 1), edge(0, 2)];
    const cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(...cross);
    for (let k = 0; k < 3; k++) expect(n[k]).toBeCloseTo(cross[k] / length, 3);
  }
});

test('positions are computed in float64 and rounded once', () => {
  const far = { ...corner, positions: Float64Array.of(1e9 + 0.25, 0, 0, 1, 0, 0, 0, 1, 0) };
  const placed = placeMesh(far, translation(-1e9, 0, 0), new Diagnostics(), place);
  expect(placed.positions[0]).toBe(0.25);
});

test('a scale of 0 drops what it flattens and says so', () => {
  // A level triangle and one that stands upright.
  const mesh = triangleMesh(
    [
      [0, 0, 0],
      [0, 0, 1],
      [1, 0, 0],
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
    ],
    [0, 1, 2, 3, 4, 5],
    {
      normal: Float32Array.of(0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1),
      tangent: new Float32Array(24).fill(0).map((_, i) => (i % 4 === 1 || i % 4 === 3 ? 1 : 0)),
    },
  );
  const diagnostics = new Diagnostics();
  const flat = placeMesh(mesh, scaling(1, 0, 1), diagnostics, place);
  expect([...flat.indices]).toEqual([0, 1, 2]);
  // The third vertex' normal lay in the plane and lost its direction: it takes the triangle's.
  expect(plain(flat.attributes.normal.subarray(0, 9))).toEqual([0, 1, 0, 0, 1, 0, 0, 1, 0]);
  for (const list of [flat.positions, flat.attributes.normal, flat.attributes.tangent!])
    expect(list.every(Number.isFinite)).toBe(true);
  expect(diagnostics.list.map((d) => d.code)).toEqual(['UC2010']);
  expect(diagnostics.list[0].path).toBe('/House');

  const nothing = placeMesh(mesh, scaling(0, 0, 0), diagnostics, place);
  expect(nothing.indices.length).toBe(0);
});

test('tiny and huge scales are not flat', () => {
  const diagnostics = new Diagnostics();
  const turned = multiply(rotation(1, 2, 3, 4), scaling(1e-9, 1e-12, 1e-6));
  expect(placeMesh(corner, turned, diagnostics, place).indices.length).toBe(3);
  expect(placeMesh(corner, scaling(1e12, 1e12, 1e12), diagnostics, place).indices.length).toBe(3);
  expect(diagnostics.list).toEqual([]);
});

test('a matrix that is not finite is an error', () => {
  expect(() => placeMesh(corner, scaling(Number.NaN, 1, 1), new Diagnostics(), place)).toThrow(SourceError);
  expect(() => placeMesh(corner, translation(Infinity, 0, 0), new Diagnostics(), place)).toThrow(/UC2011/);
});

test('merging lines meshes up and fills in what only some have', () => {
  const { tangent: _, ...attributes } = corner.attributes;
  const color0 = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
  const colored = { ...corner, attributes: { ...attributes, color0 } };
  const merged = mergeMeshes([corner, colored]);
  expect(merged.vertexCount).toBe(6);
  expect([...merged.indices]).toEqual([0, 1, 2, 3, 4, 5]);
  expect([...merged.attributes.color0!]).toEqual([...new Array(12).fill(255), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect([...merged.attributes.tangent!.subarray(12, 16)]).toEqual([1, 0, 0, 1]);
  expect(mergeMeshes([corner])).toBe(corner);
  expect(mergeMeshes([colored, colored]).attributes.tangent).toBeUndefined();
});
