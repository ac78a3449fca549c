// How what is left around a zone is cut into meshes that are drawn.

import { describe, expect, test } from 'vitest';
import type { Vec3 } from '../../src/scene/types.ts';
import { cutIntoCells, mergedInCells, shareInView } from '../../src/zone/cells.ts';
import { sectorOf } from '../../src/zone/sectors.ts';
import type { ZoneMesh } from '../../src/zone/thin.ts';
import { triangleMesh } from '../geometry/meshes.ts';
import { trianglesAt } from './zoneMeshes.ts';

const ORIGIN: Vec3 = [0, 0, 0];
const around = Array.from({ length: 64 }, (_, i) => trianglesAt(((i + 0.5) * 360) / 64));

/** Cut for so many draws; null: nobody counts them. */
const cutOf = (meshes: readonly ZoneMesh[], draws: number | null, middle = ORIGIN) =>
  cutIntoCells(meshes, middle, { draws, visibleTriangles: null }, []);

/** A row of triangles along +X, a metre apart. */
function row(count: number, key = '0'): ZoneMesh {
  const corners = Array.from({ length: count }, (_, i) => [
    [i + 1, 0, 1],
    [i + 1.5, 0, 1],
    [i + 1, 0.5, 1],
  ]).flat();
  return {
    key,
    isTextured: false,
    mesh: triangleMesh(
      corners,
      Array.from({ length: count * 3 }, (_, i) => i),
    ),
  };
}

test('triangles in view are those of the cells whose boxes a view of 90 degrees meets, from the worst eye', () => {
  const most = (draws: number | null, eyes: readonly Vec3[] = [ORIGIN]) =>
    shareInView(cutOf(around, draws), eyes, 1, []);
  // One mesh, and two of half a turn each, are in every view.
  expect([1, 2].map((draws) => most(draws))).toEqual([64, 64]);
  // Of four quarters a view along an axis meets the two beside it.
  expect(most(4)).toBe(32);
  expect(most(null)).toBeLessThanOrEqual(32);
  // An eye that stands outside of all has all in view.
  expect(most(null, [[0, 0, 1000]])).toBe(64);
  expect(most(null, [])).toBe(0);
});

describe('draws that are left', () => {
  test('halve the largest mesh, so that a view has less of what lies beside it', () => {
    const long = row(8000);
    const cut = (draws: number) => cutOf([long], draws);
    expect(cut(1).cells.map(({ triangles }) => triangles.length)).toEqual([8000]);
    expect(cut(3).cells.map(({ triangles }) => triangles.length)).toEqual([2000, 2000, 4000]);
    // Half of a row lies behind an eye that looks along it from the middle.
    const seen = (draws: number) => shareInView(cut(draws), [[4000.75, 0, 1]], 1, []);
    expect([seen(1), seen(2), seen(4)]).toEqual([8000, 4000, 4000]);
  });

  test('are spent as far as the triangles in view ask for it', () => {
    const long = row(8000);
    // From its middle, half of a row is in view once it is halved: 4,000 triangles.
    const cut = (visibleTriangles: number) =>
      cutIntoCells([long], ORIGIN, { draws: 8, visibleTriangles }, [[4000.75, 0, 1]]).cells.length;
    expect([64_000, 16_000, 8_000, 1000].map(cut)).toEqual([1, 2, 4, 8]);
  });

  test('share the triangles in view with what is drawn beside them', () => {
    const cells = cutOf([row(1000)], 1);
    const share = (...beside: { triangles: number; box: { low: number[]; high: number[] } }[]) =>
      shareInView(cells, [[500, 0, 5]], 5000, beside);
    // A row of a thousand ahead; 3,000 triangles around it leave 2,000 of 5,000 for it, and those behind the eye none less.
    expect(share()).toBe(1000 / 5000);
    expect(share({ triangles: 3000, box: { low: [499, -1, -1], high: [501, 1, 0] } })).toBe(1000 / 2000);
    expect(share({ triangles: 3000, box: { low: [499, -1, 9], high: [501, 1, 10] } })).toBe(1000 / 5000);
    expect(share({ triangles: 9000, box: { low: [499, -1, -1], high: [501, 1, 0] } })).toBe(1000);
  });

  test('are not spent on meshes of under a thousand triangles, and not without a budget', () => {
    expect(cutOf([row(999)], 100).cells).toHaveLength(1);
    expect(cutOf([row(3000)], 100).cells).toHaveLength(4);
    expect(cutOf([row(3000)], null).cells).toHaveLength(1);
    expect(cutOf([], 100).cells).toEqual([]);
  });
});

describe('meshes of cells', () => {
  const middle: Vec3 = [100, 1, -50];

  test('are merged by key, and lie in the order of the sectors, then of the keys', async () => {
    const meshes = [
      trianglesAt(10, '1', middle),
      trianglesAt(100, '0', middle),
      trianglesAt(11, '0', middle),
      trianglesAt(12, '1', middle),
    ];
    const merged = await mergedInCells(meshes, cutOf(meshes, 4, middle));
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
    const all = [...Array.from({ length: 64 }, (_, i) => trianglesAt(((i + 0.5) * 360) / 64, '0', middle)), wide];
    const merged = await mergedInCells(all, cutOf(all, null, middle));
    expect(merged.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0)).toBe(65);
    for (const { sector, mesh } of merged) {
      for (let t = 0; t < mesh.indices.length; t += 3) {
        const corner = (k: number, axis: number) => mesh.positions[mesh.indices[t + k] * 3 + axis];
        const [x, z] = [0, 2].map((axis) => (corner(0, axis) + corner(1, axis) + corner(2, axis)) / 3 - middle[axis]);
        expect(sectorOf(x, z, 8)).toBe(sector);
      }
    }
  });

  test('have all triangles once where meshes are halved', async () => {
    const meshes = [row(2500), row(700, '1'), row(1500)];
    const cut = cutOf(meshes, 7);
    const merged = await mergedInCells(meshes, cut);
    expect(merged.map(({ key }) => key)).toEqual(cut.cells.map(({ key }) => key));
    const xs = (key: string) =>
      merged
        .filter((one) => one.key === key)
        .flatMap(({ mesh }) => Array.from(mesh.indices, (v) => mesh.positions[v * 3]))
        .sort((a, b) => a - b);
    const authored = (list: readonly ZoneMesh[]) =>
      list.flatMap(({ mesh }) => Array.from(mesh.indices, (v) => mesh.positions[v * 3])).sort((a, b) => a - b);
    expect(xs('0')).toEqual(authored([meshes[0], meshes[2]]));
    expect(xs('1')).toEqual(authored([meshes[1]]));
  });
});
