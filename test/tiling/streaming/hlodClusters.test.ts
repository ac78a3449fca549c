import { describe, expect, test } from 'vitest';
import { DEFAULT_TILING } from '../../../src/tiling/options.ts';
import { planScene } from '../../../src/tiling/plan.ts';
import { getsLevels, planHlodClusters } from '../../../src/tiling/streaming/hlodClusters.ts';
import type { PlannedTile, SemanticTier } from '../../../src/tiling/types.ts';
import { box, generatedScene, object, shuffled } from '../objects.ts';

let nodes = 0;
const tile = (id: string, more: Partial<PlannedTile>): PlannedTile => ({
  id,
  stem: id,
  cell: null,
  tree: null,
  objects: [object(nodes++, box(0, 0, 1, 1))],
  bounds: box(0, 0, 1, 1),
  priority: 10,
  range: { kind: 'grid', tileSize: 25 },
  estimate: { triangles: 1, vertices: 3, meshes: 1, bytes: 100 },
  over: null,
  ...more,
});
const inCell = (x: number, z: number, more: Partial<PlannedTile> = {}) =>
  tile(`tile_${x}_0_${z}`, { cell: [x, 0, z], bounds: box(25 * x, 25 * z, 25 * x + 25, 25 * z + 25), ...more });
const atNode = (nodeId: string, tier: SemanticTier, more: Partial<PlannedTile> = {}) =>
  tile(`${nodeId}_${tier}`, {
    tree: { floor: 1, nodeId, tier, cellBounds: box(0, 0, 1, 1), spanning: false, interior: false },
    range: { kind: 'tier', tier, profile: 'outdoor' },
    ...more,
  });
const named = (clusters: ReturnType<typeof planHlodClusters>) =>
  Object.fromEntries(clusters.map(({ id, members }) => [id, members.map((member) => member.id)]));

describe('in a grid', () => {
  const grid = (tiles: PlannedTile[], level: number) => planHlodClusters({ mode: 'uniform_grid', tiles }, level);
  const row = [0, 1, 2, 3, 4].map((x) => inCell(x, 0));

  test('squares of cells start at multiples of their edge', () => {
    expect(named(grid([...row, inCell(1, 1), inCell(2, 1), inCell(1, 2)], 1))).toEqual({
      far2_0_0_0: ['tile_0_0_0', 'tile_1_0_0', 'tile_1_0_1'],
      far2_1_0_0: ['tile_2_0_0', 'tile_3_0_0', 'tile_2_0_1'],
    });
    expect(named(grid([...row, inCell(1, 2), inCell(6, 3)], 2))).toEqual({
      far4_0_0_0: ['tile_0_0_0', 'tile_1_0_0', 'tile_2_0_0', 'tile_3_0_0', 'tile_1_0_2'],
      far4_1_0_0: ['tile_4_0_0', 'tile_6_0_3'],
    });
  });

  test('stand in order of z, then x, by number and not by word', () => {
    const tiles = [0, 1, 4, 5, 20, 21].flatMap((x) => [inCell(x, 0), inCell(x, 20)]);
    expect(grid(tiles, 1).map(({ id }) => id)).toEqual([
      'far2_0_0_0',
      'far2_2_0_0',
      'far2_10_0_0',
      'far2_0_0_10',
      'far2_2_0_10',
      'far2_10_0_10',
    ]);
  });

  test('hold what their members hold, under a file of their own', () => {
    const [cluster] = grid([inCell(2, 4), inCell(3, 5)], 1);
    expect(cluster.bounds).toEqual(box(50, 100, 100, 150));
    expect(cluster.id).toBe('far2_1_0_2');
  });

  test('parts of one cell make a cluster; a tile alone, and what spans, do not', () => {
    const parts = [inCell(0, 0, { id: 'tile_0_0_0_s0' }), inCell(0, 0, { id: 'tile_0_0_0_s1' })];
    const spanning = [0, 1].map((i) => tile(`tile_spanning_s${i}`, { range: { kind: 'shared' } }));
    expect(named(grid([...parts, inCell(2, 0), ...spanning], 1))).toEqual({
      far2_0_0_0: ['tile_0_0_0_s0', 'tile_0_0_0_s1'],
    });
  });

  test('go before every tile of the plan, grouped or not', () => {
    const tiles = [inCell(0, 0), inCell(1, 0, { priority: 12 }), inCell(8, 8, { priority: 40 })];
    expect(grid(tiles, 1)[0].priority).toBe(41);
  });

  test('there is no level 0, nor half a one', () => {
    expect(() => grid(row, 0)).toThrow();
    expect(() => grid(row, 1.5)).toThrow();
  });
});

describe('in a tree', () => {
  const tiles = [
    atNode('F01_Q', 'ExteriorShell'),
    atNode('F01_Q_0_1', 'ExteriorShell'),
    atNode('F01_Q_0_1', 'StructuralInterior'),
    atNode('F01_Q_0_1', 'RoomContents'),
    atNode('F01_Q_0_3', 'StructuralInterior'),
    atNode('F01_Q_2', 'StructuralInterior'),
    atNode('F01_Q_3', 'FineProps'),
    atNode('F02_Q_0_1', 'ExteriorShell'),
    atNode('F02_Q_0_2', 'ExteriorShell'),
    tile('F01_Q_ES_spanning', { ...atNode('F01_Q_2', 'ExteriorShell', { range: { kind: 'shared' } }), id: 'wide' }),
  ];

  test('a level of a quadtree is one step up, on each floor, over tiers that have levels', () => {
    expect(named(planHlodClusters({ mode: 'quadtree_floor', tiles }, 1))).toEqual({
      F01_Q_0_far: ['F01_Q_0_1_ExteriorShell', 'F01_Q_0_1_StructuralInterior', 'F01_Q_0_3_StructuralInterior'],
      F02_Q_0_far: ['F02_Q_0_1_ExteriorShell', 'F02_Q_0_2_ExteriorShell'],
    });
    expect(Object.keys(named(planHlodClusters({ mode: 'quadtree_floor', tiles }, 2)))).toEqual([
      'F01_Q_far',
      'F02_Q_far',
    ]);
    expect(planHlodClusters({ mode: 'quadtree_floor', tiles }, 3)).toEqual([]);
  });

  test('a level of a k-d tree is two', () => {
    const leaves = ['0_0_0', '0_0_1', '0_1_0', '1_1', '1_0'].map((path) => atNode(`F01_K_${path}`, 'ExteriorShell'));
    expect(named(planHlodClusters({ mode: 'kdtree_floor', tiles: leaves }, 1))).toEqual({
      F01_K_0_far: ['F01_K_0_0_0_ExteriorShell', 'F01_K_0_0_1_ExteriorShell', 'F01_K_0_1_0_ExteriorShell'],
      F01_K_far: ['F01_K_1_1_ExteriorShell', 'F01_K_1_0_ExteriorShell'],
    });
  });
});

describe.each(['grid', 'quadtree', 'kdtree'] as const)('plans of a %s', (partition) => {
  for (const [seed, extent, count] of [
    [1, 2, 40],
    [2, 150, 250],
    [3, 2000, 600],
  ]) {
    const objects = generatedScene(seed, extent, count);
    const options = { ...DEFAULT_TILING, partition, sharedBucket: 'never' as const };
    const plan = planScene(objects, 25, 's', options);
    for (const level of [1, 2, 3]) {
      test(`${count} objects over ${extent} m, level ${level}`, () => {
        const clusters = planHlodClusters(plan, level);
        const members = clusters.flatMap((cluster) => cluster.members);
        expect(new Set(members).size).toBe(members.length);
        expect(members.every((member) => plan.tiles.includes(member) && getsLevels(member))).toBe(true);
        const names = [...plan.tiles.map(({ stem }) => stem), ...clusters.map(({ id }) => id)];
        const ids = names.map((name) => name.toLowerCase());
        expect(new Set(ids).size).toBe(ids.length);
        for (const cluster of clusters) {
          expect(cluster.members.length).toBeGreaterThan(1);
          for (const { bounds, priority } of cluster.members) {
            expect(cluster.priority).toBeGreaterThan(priority);
            for (let axis = 0; axis < 3; axis++) {
              expect(cluster.bounds.min[axis]).toBeLessThanOrEqual(bounds.min[axis]);
              expect(cluster.bounds.max[axis]).toBeGreaterThanOrEqual(bounds.max[axis]);
            }
          }
        }
        expect(planHlodClusters(planScene(shuffled(objects, seed), 25, 's', options), level)).toEqual(clusters);
      });
    }
  }
});

describe('a town of 20 by 20 houses, one a cell of 25 m', () => {
  const houses = Array.from({ length: 400 }, (_, i) => {
    const [x, z] = [25 * (i % 20) + 8, -25 * Math.floor(i / 20) - 16];
    return object(i, box(x, z, x + 8, z + 8, 0, 6), { vertices: 30_000, name: 'House' });
  });
  const sizes = (partition: 'grid' | 'quadtree' | 'kdtree', level: number) => {
    const options = { ...DEFAULT_TILING, partition, minObjects: 1, sharedBucket: 'never' as const };
    return planHlodClusters(planScene(houses, 25, 's', options), level).map(({ members }) => members.length);
  };

  test('makes 100 clusters of 4 and 25 of 16 in a grid', () => {
    expect(sizes('grid', 1)).toEqual(new Array(100).fill(4));
    expect(sizes('grid', 2)).toEqual(new Array(25).fill(16));
  });

  test('leaves few tiles without a cluster in a tree', () => {
    for (const partition of ['quadtree', 'kdtree'] as const) {
      expect(sizes(partition, 1).length).toBeGreaterThan(20);
      expect(Math.max(...sizes(partition, 1))).toBeGreaterThanOrEqual(4);
    }
  });
});
