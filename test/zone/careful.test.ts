// Pieces that are thinner than the error: the simplifier alone loses them, and with care they stay.

import { describe, expect, test } from 'vitest';
import { SharedPositions } from '../../src/geometry/lod/borders.ts';
import type { Float32Mesh } from '../../src/geometry/mesh/mesh.ts';
import type { Losses } from '../../src/zone/careful.ts';
import { thinned, type ZoneMesh } from '../../src/zone/thin.ts';
import { triangleMesh } from '../geometry/meshes.ts';

const NOTHING_SHARED = new SharedPositions(new Uint32Array(0));
const EYE = [0, 0, 0] as const;

/** How much may be lost with an error of so many metres: `pixel` of 0: as much as the error has. */
const losses = (limit: number, { eye = EYE, isCareful = true, pixel = 0 }: Partial<Losses> = {}): Losses => ({
  limit,
  pixel,
  eye,
  isCareful,
});
const WITHOUT = { isCareful: false };

/** A post of eight sides, 4 m high and 4 cm thick, in 12 pieces, with open ends. */
function post(x: number, z: number): Float32Mesh {
  const points: number[][] = [];
  const normals: number[][] = [];
  const corners: number[] = [];
  for (let i = 0; i <= 12; i++) {
    for (let k = 0; k < 8; k++) {
      const turn = (k / 8) * 2 * Math.PI;
      points.push([x + 0.02 * Math.cos(turn), -2 + i / 3, z + 0.02 * Math.sin(turn)]);
      normals.push([Math.cos(turn), 0, Math.sin(turn)]);
    }
  }
  for (let i = 0; i < 12; i++) {
    for (let k = 0; k < 8; k++) {
      const [a, b] = [i * 8 + k, i * 8 + ((k + 1) % 8)];
      corners.push(a, a + 8, b, b, a + 8, b + 8);
    }
  }
  return triangleMesh(points, corners, { normal: Float32Array.from(normals.flat()) });
}

/** A square of 2 m, front and back in one plane, as a box is that was flattened. */
function sheet(z: number): Float32Mesh {
  const points = [
    [-1, -1, z],
    [1, -1, z],
    [1, 1, z],
    [-1, 1, z],
  ];
  const normal = Float32Array.from([...points.flatMap(() => [0, 0, 1]), ...points.flatMap(() => [0, 0, -1])]);
  return triangleMesh([...points, ...points], [0, 1, 2, 0, 2, 3, 4, 6, 5, 4, 7, 6], { normal });
}

const meshOf = (mesh: Float32Mesh): ZoneMesh => ({ key: '0', mesh, isTextured: false });
const trianglesOf = (list: readonly ZoneMesh[]) => list.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);

/** What triangles show to an eye that is far away in a direction, fronts and backs. */
function shownArea(list: readonly ZoneMesh[], [x, z]: readonly [number, number]): number {
  let area = 0;
  for (const { mesh } of list) {
    const { positions: p, indices } = mesh;
    for (let i = 0; i < indices.length; i += 3) {
      const [a, b, c] = [indices[i] * 3, indices[i + 1] * 3, indices[i + 2] * 3];
      const [u, v] = [b, c].map((corner) => [0, 1, 2].map((k) => p[corner + k] - p[a + k]));
      area += Math.abs((u[1] * v[2] - u[2] * v[1]) * x + (u[0] * v[1] - u[1] * v[0]) * z) / 4;
    }
  }
  return area;
}

const heightOf = (list: readonly ZoneMesh[]): number => {
  const ys = list.flatMap(({ mesh }) => [...mesh.indices].map((v) => mesh.positions[v * 3 + 1]));
  return Math.max(...ys) - Math.min(...ys);
};

/** Of an eye 20 m away in a direction. */
const eyeIn = ([x, z]: readonly [number, number]) => [x * 20, 0, z * 20] as const;

const DIRECTIONS = Array.from({ length: 16 }, (_, i) => {
  const turn = (i / 16) * 2 * Math.PI;
  return [Math.cos(turn), Math.sin(turn)] as const;
});

describe('a post, thinner than the error', () => {
  const before = [meshOf(post(0, 0))];
  const shares = (made: readonly ZoneMesh[]) =>
    DIRECTIONS.map((direction) => shownArea(made, direction) / shownArea(before, direction));

  test('is a strip without care, which shows less than half from its edge', async () => {
    expect(Math.min(...shares(await thinned(before, losses(0.5, WITHOUT), NOTHING_SHARED)))).toBeLessThan(0.5);
  });

  test('keeps three quarters of what it shows to the eye with care, and its ends', async () => {
    for (const [i, direction] of DIRECTIONS.entries()) {
      const made = await thinned(before, losses(0.5, { eye: eyeIn(direction) }), NOTHING_SHARED);
      // An eye at 20 m sees no parallel rays.
      expect(shares(made)[i]).toBeGreaterThanOrEqual(0.74);
      expect(heightOf(made)).toBeGreaterThan(3.5);
      expect(trianglesOf(made)).toBeLessThanOrEqual(trianglesOf(before));
    }
  });
});

describe('what is a pixel or two wide', () => {
  const before = [meshOf(post(0, -20))];
  // Of 4 cm. The simplifier may move surfaces by 2 cm.
  const shown = async (pixel: number) => {
    const made = await thinned(before, losses(0.02, { ...WITHOUT, pixel }), NOTHING_SHARED);
    return { share: shownArea(made, [0, 1]) / shownArea(before, [0, 1]), triangles: trianglesOf(made) };
  };

  test('keeps three quarters of what it shows without care, too', async () => {
    expect((await shown(0)).share).toBeLessThan(0.75);
    const { share, triangles } = await shown(0.025);
    expect(share).toBeGreaterThanOrEqual(0.75);
    expect(triangles).toBeLessThan(192);
  });

  test('does not where it is wider, or shorter than a hole', async () => {
    // Narrower than 2 pixels of 2.5 cm, not of 1.5 cm; 4 m are shorter than three pixels of 1.5 m.
    expect((await shown(0.015)).share).toBe((await shown(0)).share);
    expect((await shown(1.5)).share).toBe((await shown(0)).share);
  });
});

describe('a sheet with a front and a back, as a flattened box is', () => {
  const before = [meshOf(sheet(-20))];

  test('is lost without care', async () => {
    expect(trianglesOf(await thinned(before, losses(0.05, WITHOUT), NOTHING_SHARED))).toBe(0);
  });

  test('stays with care', async () => {
    const made = await thinned(before, losses(0.05), NOTHING_SHARED);
    expect(shownArea(made, [0, 1])).toBeCloseTo(shownArea(before, [0, 1]), 5);
  });
});

test('with care, only what would be lost is finer: the rest is as without', async () => {
  const wall = triangleMesh(
    Array.from({ length: 121 }, (_, i) => [(i % 11) - 5, Math.floor(i / 11) - 5, -40]),
    Array.from({ length: 100 }, (_, i) => {
      const a = Math.floor(i / 10) * 11 + (i % 10);
      return [a, a + 1, a + 12, a, a + 12, a + 11];
    }).flat(),
    { normal: Float32Array.from(Array.from({ length: 121 }, () => [0, 0, 1]).flat()) },
  );
  const alone = await thinned([meshOf(wall)], losses(0.05, WITHOUT), NOTHING_SHARED);
  const both = await thinned([meshOf(wall), { ...meshOf(post(0, -20)), key: '1' }], losses(0.05), NOTHING_SHARED);
  const ofWall = both.filter(({ key }) => key === '0');
  expect(trianglesOf(ofWall)).toBe(trianglesOf(alone));
  const ofPost = both.filter(({ key }) => key === '1');
  expect(trianglesOf(ofPost)).toBeGreaterThan(0);
  // Eight sides of twelve pieces of two triangles before.
  expect(trianglesOf(ofPost)).toBeLessThan(192 / 2);
});

test('equal meshes come out equal', async () => {
  const made = async () =>
    (await thinned([meshOf(post(0.3, -20))], losses(0.05), NOTHING_SHARED)).map(({ mesh }) => [
      mesh.positions,
      mesh.indices,
    ]);
  expect(await made()).toEqual(await made());
});
