// Sectors around a zone, and the meshes that are drawn in them.

import { describe, expect, test } from 'vitest';
import type { Vec3 } from '../../src/scene/types.ts';
import { mergedInSectors, sectorCount, sectorOf, trianglesInView } from '../../src/zone/sectors.ts';
import type { ZoneMesh } from '../../src/zone/thin.ts';
import { triangleMesh } from '../geometry/meshes.ts';

/** A small triangle in a direction of so many degrees from +X towards +Z. */
function at(degrees: number, key = '0', middle: Vec3 = [0, 0, 0], metres = 10): ZoneMesh {
  const [x, z] = [Math.cos((degrees * Math.PI) / 180) * metres, Math.sin((degrees * Math.PI) / 180) * metres];
  const corner = (dx: number, dy: number) => [middle[0] + x + dx, middle[1] + dy, middle[2] + z];
  return {
    key,
    isTextured: false,
    mesh: triangleMesh([corner(-0.01, 0), corner(0.01, 0), corner(0, 0.02)], [0, 1, 2]),
  };
}

describe('the sector of a direction', () => {
  test('counts from +X towards +Z', () => {
    expect([sectorOf(1, 0.1, 4), sectorOf(-0.1, 1, 4), sectorOf(-1, -0.1, 4), sectorOf(0.1, -1, 4)]).toEqual([
      0, 1, 2, 3,
    ]);
    expect(
      [10, 50, 95, 140, 190, 230, 280, 320].map((degrees) => {
        const turn = (degrees * Math.PI) / 180;
        return sectorOf(Math.cos(turn), Math.sin(turn), 8);
      }),
    ).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test('is one of them on every axis, just beside it, and straight up', () => {
    expect([sectorOf(1, 0, 4), sectorOf(0, 1, 4), sectorOf(-1, 0, 4), sectorOf(0, -1, 4)]).toEqual([0, 1, 2, 3]);
    // So little below the axis that the turn rounds to a whole one.
    expect(sectorOf(1, -1e-20, 8)).toBe(0);
    expect(sectorOf(-1, -0, 8)).toBeLessThan(8);
    expect(sectorOf(0, 0, 8)).toBe(0);
    expect(sectorOf(3, -4, 1)).toBe(0);
  });
});

const around = Array.from({ length: 64 }, (_, i) => at(((i + 0.5) * 360) / 64));

describe('the number of sectors', () => {
  test('is 8 where nobody counts draws', () => {
    expect(sectorCount(around, [0, 0, 0], null)).toBe(8);
  });

  test('is the largest one whose meshes are within the draws', () => {
    expect([100, 16, 15, 12, 11, 8, 7, 5, 3, 2, 1].map((draws) => sectorCount(around, [0, 0, 0], draws))).toEqual([
      16, 16, 12, 12, 8, 8, 6, 4, 3, 2, 1,
    ]);
    const two = [...around, ...Array.from({ length: 64 }, (_, i) => at(((i + 0.5) * 360) / 64, '1'))];
    expect([32, 31, 16, 2].map((draws) => sectorCount(two, [0, 0, 0], draws))).toEqual([16, 12, 8, 1]);
    // Even one sector has two draws: it cannot be less.
    expect(sectorCount(two, [0, 0, 0], 1)).toBe(1);
    // What lies in one direction is one draw however many sectors there are.
    expect(sectorCount([at(100), at(101)], [0, 0, 0], 1)).toBe(16);
  });
});

test('triangles in view are those of the sectors whose boxes a view of 90 degrees meets, from the worst eye', () => {
  // From the middle a view meets the quarter that it looks into, and sectors that reach into it from both sides.
  const most = (sectors: number) => trianglesInView(around, [0, 0, 0], sectors, [[0, 0, 0]]);
  expect([1, 2].map(most)).toEqual([64, 64]);
  for (const sectors of [4, 8, 16]) {
    const inQuarter = 16;
    const beside = 2 * Math.ceil(64 / sectors);
    expect(most(sectors)).toBeGreaterThanOrEqual(inQuarter);
    expect(most(sectors)).toBeLessThanOrEqual(inQuarter + beside);
  }
  // An eye that stands outside of all has all in view.
  expect(trianglesInView(around, [0, 0, 0], 8, [[0, 0, 1000]])).toBe(64);
  expect(trianglesInView(around, [0, 0, 0], 8, [])).toBe(0);
});

describe('meshes of sectors', () => {
  const middle: Vec3 = [100, 1, -50];

  test('are merged by key, and lie in the order of the sectors, then of the keys', async () => {
    const meshes = [at(10, '1', middle), at(100, '0', middle), at(11, '0', middle), at(12, '1', middle)];
    const merged = await mergedInSectors(meshes, middle, 4);
    expect(merged.map(({ key, sector, mesh }) => [sector, key, mesh.indices.length / 3])).toEqual([
      [0, '0', 1],
      [0, '1', 2],
      [1, '0', 1],
    ]);
  });

  test('have all triangles once, each in the sector of its middle', async () => {
    const wide = {
      key: '0',
      isTextured: false,
      mesh: triangleMesh(
        [
          [101, 0, -49],
          [101, 0, -40],
          [60, 0, -49],
        ],
        [0, 1, 2],
      ),
    };
    const all = [...Array.from({ length: 64 }, (_, i) => at(((i + 0.5) * 360) / 64, '0', middle)), wide];
    const merged = await mergedInSectors(all, middle, 16);
    expect(merged.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0)).toBe(65);
    for (const { sector, mesh } of merged) {
      for (let t = 0; t < mesh.indices.length; t += 3) {
        const corner = (k: number, axis: number) => mesh.positions[mesh.indices[t + k] * 3 + axis];
        const [x, z] = [0, 2].map((axis) => (corner(0, axis) + corner(1, axis) + corner(2, axis)) / 3 - middle[axis]);
        expect(sectorOf(x, z, 16)).toBe(sector);
      }
    }
  });
});
