// Rings around a zone, and how far their surfaces lie from those of the source once they are simplified.

import { beforeAll, describe, expect, test } from 'vitest';
import { SharedPositions } from '../../src/geometry/lod/borders.ts';
import { bitsOf, type Float32Mesh } from '../../src/geometry/mesh/mesh.ts';
import { type Rings, ringsOf, thinned, triangleDistances, type ZoneMesh } from '../../src/zone/thin.ts';
import type { Zone } from '../../src/zone/zone.ts';
import { squaredDistance } from '../geometry/bruteForce.ts';
import { random, triangleMesh } from '../geometry/meshes.ts';

/** Surfaces may lie off by so many metres, and nothing is thin. */
const upTo = (limit: number) => ({ limit, pixel: 0, eye: [0, 0, 0], isCareful: false }) as const;

/** Eyes in the origin. */
const POINT: Zone = { boxes: [], spheres: [{ middle: [0, 0, 0], radius: 0 }], portals: [] };

/** Ground of gentle waves, `side` squares of `step` metres along each side from x = -1 and z = `from` on, 1.5 m below. */
function ground(side: number, step: number, from: number): Float32Mesh {
  const points: number[][] = [];
  const corners: number[] = [];
  for (let i = 0; i <= side; i++) {
    for (let k = 0; k <= side; k++) {
      const [x, z] = [k * step - (side * step) / 2, from + i * step];
      points.push([x, -1.5 + 0.02 * Math.sin(x * 2) + 0.02 * Math.cos(z * 1.5), z]);
    }
  }
  for (let i = 0; i < side; i++) {
    for (let k = 0; k < side; k++) {
      const a = i * (side + 1) + k;
      corners.push(a, a + side + 1, a + 1, a + 1, a + side + 1, a + side + 2);
    }
  }
  return triangleMesh(points, corners, { normal: Float32Array.from(points.flatMap(() => [0, 1, 0])) });
}

const trianglesOf = (meshes: readonly ZoneMesh[]): number =>
  meshes.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);

const cornersOf = ({ positions, indices }: Float32Mesh, t: number): number[][] =>
  [0, 1, 2].map((k) => [...positions.subarray(indices[t * 3 + k] * 3, indices[t * 3 + k] * 3 + 3)]);

test('the distance of a triangle is that of its box to the zone', () => {
  const mesh = triangleMesh(
    [
      [3, 4, 0],
      [9, 4, 0],
      [3, 9, 0],
      [-1, -1, -1],
      [1, 1, 1],
      [1, 0, 1],
    ],
    [0, 1, 2, 3, 4, 5],
  );
  expect([...triangleDistances(mesh, POINT)]).toEqual([5, 0]);
});

describe('rings', () => {
  const key = '0';
  let rings: Rings;
  const mesh = ground(80, 0.125, 0);

  beforeAll(async () => {
    rings = await ringsOf([{ key, mesh, isTextured: false }], POINT);
  });

  test('are four for each doubling of the distance, hold each triangle once, and begin at their nearest triangle', () => {
    expect(rings.rings.reduce((sum, { meshes }) => sum + trianglesOf(meshes), 0)).toBe(mesh.indices.length / 3);
    // The ground is 1.5 m below the eyes, and its furthest triangles lie some 11 m away.
    const numberOf = (nearest: number) => Math.floor(Math.log2(nearest / 0.5) * 4);
    const numbers = rings.rings.map(({ nearest }) => numberOf(nearest));
    expect([numbers[0], numbers.at(-1)]).toEqual([6, 17]);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    for (const { nearest, meshes } of rings.rings) {
      const distances = meshes.flatMap((one) => [...triangleDistances(one.mesh, POINT)]);
      expect(Math.min(...distances)).toBe(nearest);
      expect(Math.max(...distances)).toBeLessThan(2 ** ((numberOf(nearest) + 1) / 4) * 0.5);
    }
  });

  test('share the positions that more than one of them has', () => {
    const owners = new Map<string, Set<number>>();
    for (const [ring, { meshes }] of rings.rings.entries()) {
      for (const one of meshes) {
        const bits = bitsOf(one.mesh.positions);
        for (let at = 0; at < bits.length; at += 3) {
          const name = [...bits.subarray(at, at + 3)].map((word) => (word === 0x80000000 ? 0 : word)).join(' ');
          owners.set(name, (owners.get(name) ?? new Set()).add(ring));
        }
      }
    }
    const several = [...owners].filter(([, of]) => of.size > 1).map(([name]) => name);
    const shared = Array.from({ length: rings.shared.length / 3 }, (_, i) =>
      rings.shared.slice(i * 3, i * 3 + 3).join(' '),
    );
    expect(shared.sort()).toEqual(several.sort());
    expect(shared.length).toBeGreaterThan(30);
  });

  test('simplified, they have fewer triangles, and the shared positions bit for bit', async () => {
    const shared = new SharedPositions(rings.shared);
    const pixel = 1 / 1948;
    for (const { nearest, meshes } of rings.rings) {
      const before = meshes.flatMap((one) => [...shared.lockedVertices(one.mesh.positions)]);
      const thin = await thinned(meshes, upTo(0.5 * pixel * nearest), shared);
      const places = (list: readonly ZoneMesh[]) => {
        const found = new Set<string>();
        for (const one of list) {
          const locked = shared.lockedVertices(one.mesh.positions);
          const bits = bitsOf(one.mesh.positions);
          for (let v = 0; v < locked.length; v++) if (locked[v]) found.add(bits.slice(v * 3, v * 3 + 3).join(' '));
        }
        return [...found].sort();
      };
      expect(before.some((flag) => flag === 1)).toBe(true);
      expect(places(thin)).toEqual(places(meshes));
    }
    const far = rings.rings.at(-3)!;
    expect(trianglesOf(await thinned(far.meshes, upTo(0.005), shared))).toBeLessThan(trianglesOf(far.meshes) / 2);
  });

  test('lie within the limit but for a few places, and nowhere twice as far, either way', async () => {
    const shared = new SharedPositions(rings.shared);
    const next = random(5);
    const limit = 0.004;
    const distances: number[] = [];
    for (const { meshes } of rings.rings.filter((_, i) => i % 3 === 1)) {
      const thin = await thinned(meshes, upTo(limit), shared);
      expect(trianglesOf(thin)).toBeLessThan(trianglesOf(meshes));
      for (const [from, to] of [
        [meshes, thin],
        [thin, meshes],
      ] as const) {
        const targets = to.flatMap(({ mesh: one }) =>
          Array.from({ length: one.indices.length / 3 }, (_, t) => cornersOf(one, t)),
        );
        for (let i = 0; i < 50; i++) {
          const one = from[Math.floor(next() * from.length)].mesh;
          const [a, b, c] = cornersOf(one, Math.floor((next() * one.indices.length) / 3));
          let [u, v] = [next(), next()];
          if (u + v > 1) [u, v] = [1 - u, 1 - v];
          const point = a.map((value, k) => value + u * (b[k] - value) + v * (c[k] - value));
          let nearest = Infinity;
          for (const corners of targets) nearest = Math.min(nearest, squaredDistance(point, corners));
          distances.push(Math.sqrt(nearest));
        }
      }
    }
    // Errors of collapses are means over the planes of a vertex: some points lie further off than they say.
    expect(distances.filter((distance) => distance <= limit).length).toBeGreaterThan(distances.length * 0.95);
    expect(Math.max(...distances)).toBeLessThan(2 * limit);
    expect(Math.max(...distances)).toBeGreaterThan(0);
  });

  test('stay as they are where no error is allowed: eyes stand in them', async () => {
    const { meshes } = rings.rings[1];
    expect(await thinned(meshes, upTo(0), new SharedPositions(rings.shared))).toEqual(meshes);
  });
});

test('rings hold a mesh for each key, in the order of the keys, and meshes of one key as one', async () => {
  const [a, b] = [ground(4, 0.25, 1), ground(4, 0.25, 2)];
  const { rings } = await ringsOf(
    [
      { key: '1', mesh: a, isTextured: false },
      { key: '0', mesh: b, isTextured: true },
      { key: '1', mesh: b, isTextured: false },
    ],
    POINT,
  );
  const found = rings.map(({ meshes }) => meshes.map(({ key, isTextured }) => [key, isTextured]));
  for (const keys of found)
    expect([
      [
        ['0', true],
        ['1', false],
      ],
      [['1', false]],
    ]).toContainEqual(keys);
  expect(rings.reduce((sum, { meshes }) => sum + trianglesOf(meshes), 0)).toBe(96);
});

test('the same rings come of the same meshes', async () => {
  const mesh = ground(12, 0.5, 0);
  const made = async () => {
    const { rings, shared } = await ringsOf([{ key: '0', mesh, isTextured: false }], POINT);
    const thin = await Promise.all(
      rings.map(({ meshes, nearest }) => thinned(meshes, upTo(nearest / 500), new SharedPositions(shared))),
    );
    return thin.flat().map(({ mesh: one }) => [one.positions, one.indices, one.attributes]);
  };
  expect(await made()).toEqual(await made());
});
