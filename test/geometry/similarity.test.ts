// copyTransform(): which meshes are others turned, moved and scaled, and what tells them apart.

import { describe, expect, test } from 'vitest';
import { COPY_TOLERANCE, copyTransform, shapeOf } from '../../src/geometry/instances/similarity.ts';
import { identity, multiply, rotation, scaling, transformPoint, translation } from '../../src/scene/matrix.ts';
import type { Attribute, Mat4, PolygonMesh } from '../../src/scene/types.ts';
import { type Part, stone } from '../support/partsGltf.ts';

const attribute = (data: Float32Array, size: number): Attribute => ({
  data,
  size,
  interpolation: 'vertex',
  indices: null,
});

function polygons({ positions, normals, uvs, indices }: Part, more: Partial<PolygonMesh> = {}): PolygonMesh {
  return {
    points: positions,
    faceCounts: null,
    corners: indices,
    holes: null,
    faceSubsets: null,
    leftHanded: false,
    normals: attribute(normals as Float32Array, 3),
    missingNormals: 'flat',
    tangents: null,
    uvs: new Map([['TEXCOORD_0', attribute(uvs as Float32Array, 2)]]),
    colors: null,
    opacities: null,
    creases: null,
    ...more,
  };
}

const ORIGINAL = polygons(stone(6));
const copyOf = (m: Mat4) => polygons(stone(6, m));

/** The largest distance between where two matrices put the points of the original. */
function apart(a: Mat4, b: Mat4): number {
  let worst = 0;
  const { points } = ORIGINAL;
  for (let i = 0; i < points.length; i += 3) {
    const [p, q] = [a, b].map((m) => transformPoint(m, [points[i], points[i + 1], points[i + 2]]));
    worst = Math.max(worst, Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]));
  }
  return worst;
}

const TURNED = multiply(translation(40, -3, 12), multiply(rotation(0.3, -0.5, 0.2, 0.8), scaling(2.5, 2.5, 2.5)));

describe('a copy', () => {
  test.each([
    ['that lies at the same place', identity()],
    ['that is moved', translation(100, 0.25, -7)],
    ['that is turned by a quarter', multiply(translation(3, 0, 0), rotation(0, Math.SQRT1_2, 0, Math.SQRT1_2))],
    ['that is turned, moved and scaled', TURNED],
    ['that is a thousandth as large', scaling(0.001, 0.001, 0.001)],
  ])('%s has the matrix that made it', (_, m) => {
    const found = copyTransform([ORIGINAL], [copyOf(m)]);
    expect(found).not.toBe(null);
    const size = Math.max(1, Math.hypot(m[12], m[13], m[14])) * Math.hypot(m[0], m[1], m[2]);
    expect(apart(found as Mat4, m)).toBeLessThan(2 * COPY_TOLERANCE * size * 10);
  });

  test('that is moved by a sum that floats hold has a matrix without a turn', () => {
    const found = copyTransform([ORIGINAL], [copyOf(translation(64, 0, 0))]) as Mat4;
    expect([...found.subarray(0, 12)]).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
  });

  test('has the moments of its original', () => {
    const [a, b] = [shapeOf([ORIGINAL]), shapeOf([copyOf(TURNED)])];
    expect(Math.abs((a?.spread ?? 0) - (b?.spread ?? 1))).toBeLessThan(1e-5);
    expect(Math.abs((a?.volume ?? 0) - (b?.volume ?? 1))).toBeLessThan(1e-5);
    expect(shapeOf([polygons({ ...stone(3), positions: new Float32Array(84) })])).toBe(null);
  });
});

describe('no copy is', () => {
  test('a mirrored mesh', () => {
    const part = stone(6, scaling(-1, 1, 1));
    expect(copyTransform([ORIGINAL], [polygons(part)])).toBe(null);
  });

  test('a mesh that is scaled unevenly', () => {
    expect(copyTransform([ORIGINAL], [copyOf(scaling(1, 1.001, 1))])).toBe(null);
  });

  test('a mesh of which one vertex is off by more than a millionth', () => {
    const moved = stone(6, translation(10, 0, 0));
    const positions = moved.positions.slice();
    positions[31] += 2e-4;
    expect(copyTransform([ORIGINAL], [polygons({ ...moved, positions })])).toBe(null);
    // A rounding is none.
    const rounded = moved.positions.map((value) => value * (1 + 1e-7));
    expect(copyTransform([ORIGINAL], [polygons({ ...moved, positions: rounded })])).not.toBe(null);
  });

  test.each<[string, (part: Part) => Partial<PolygonMesh>]>([
    [
      'other texture coordinates',
      ({ uvs }) => ({
        uvs: new Map([
          [
            'TEXCOORD_0',
            attribute(
              (uvs as Float32Array).map((u) => u + 0.5),
              2,
            ),
          ],
        ]),
      }),
    ],
    [
      'another set of texture coordinates',
      ({ uvs }) => ({ uvs: new Map([['st', attribute(uvs as Float32Array, 2)]]) }),
    ],
    [
      'other normals',
      ({ normals }) => ({
        normals: attribute(
          (normals as Float32Array).map((n) => -n),
          3,
        ),
      }),
    ],
    ['no normals', () => ({ normals: null })],
    ['colours', ({ positions }) => ({ colors: attribute(new Float32Array(positions.length), 3) })],
    ['other faces', ({ indices }) => ({ corners: Uint32Array.from([...indices].reverse()) })],
    ['another winding', () => ({ leftHanded: true })],
    ['smooth normals where the other has flat ones', () => ({ missingNormals: 'smooth' as const })],
    ['subsets', ({ indices }) => ({ faceSubsets: new Int32Array(indices.length / 3) })],
    [
      'creases',
      () => ({
        creases: { vertices: Uint32Array.of(0, 1), lengths: Uint32Array.of(2), sharpnesses: Float32Array.of(1) },
      }),
    ],
  ])('a mesh with %s', (_, change) => {
    const part = stone(6, TURNED);
    expect(copyTransform([ORIGINAL], [polygons(part, change(part))])).toBe(null);
    expect(copyTransform([ORIGINAL], [polygons(part)])).not.toBe(null);
  });

  test('a mesh of other parts', () => {
    expect(copyTransform([ORIGINAL], [ORIGINAL, ORIGINAL])).toBe(null);
    // Each part is moved, but not by the same.
    const [a, b] = [copyOf(translation(5, 0, 0)), copyOf(translation(6, 0, 0))];
    expect(copyTransform([ORIGINAL, ORIGINAL], [a, b])).toBe(null);
    expect(copyTransform([ORIGINAL, ORIGINAL], [a, a])).not.toBe(null);
  });
});
