// Which objects are cut, at which planes, and where their pieces go.

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Bounds } from '../../../src/scene/types.ts';
import { DEFAULT_TILING, type TilingOptions } from '../../../src/tiling/options.ts';
import { cutToBudgets, DEFAULT_BUDGETS } from '../../../src/tiling/partition/budgets.ts';
import {
  cellBetweenPlanes,
  gridPlanes,
  quadtreePlanes,
  sideOfPlane,
} from '../../../src/tiling/partition/cellPlanes.ts';
import { assignCells, gridOrigin, isSpanning } from '../../../src/tiling/partition/grid.ts';
import { boundsOf } from '../../../src/tiling/partition/tile.ts';
import { placeInKdtree, placeInQuadtree } from '../../../src/tiling/partition/trees.ts';
import { planScene } from '../../../src/tiling/plan.ts';
import type { PlannedObject, ScenePlan } from '../../../src/tiling/types.ts';
import { box, generatedScene, object, shuffled } from '../objects.ts';
import { CASES, describeCuts, payloads, piecesIn, planned } from './cutPlans.ts';

const PARTITIONS = ['grid', 'quadtree', 'kdtree'] as const;
const cuts = (plan: ScenePlan) => plan.cut.map(({ object: { node }, pieces, fineness }) => [node, pieces, fineness]);

/** Grounds of as much as makes no tile far too small, and none too large. */
const GROUND = { triangles: 150_000, vertices: 150_000 };

describe('in a grid', () => {
  // Cells of 25 m from x = -75 along +X and from z = 75 along -Z.
  const ground = object(0, box(-60, -40, 140, 60), GROUND);
  const plan = planScene([ground], 25, 's');

  it('the planes are the borders of its cells inside of the object', () => {
    const [piece] = piecesIn(plan);
    expect(piece.piece?.planes).toEqual({
      x: [-50, -25, 0, 25, 50, 75, 100, 125],
      z: [-25, 0, 25, 50],
    });
    expect(cuts(plan)).toEqual([[0, 45, 0]]);
  });

  it('each piece is the one object of its cell', () => {
    const rows = payloads(plan).map((tile) => {
      const [{ piece, bounds }] = tile.objects;
      expect(tile.objects.length).toBe(1);
      return [tile.id, piece?.column, piece?.row, bounds.min[0], bounds.max[0], bounds.min[2], bounds.max[2]];
    });
    expect(rows.length).toBe(45);
    // Rows go up along +Z, cells along -Z: the last row lies in the first cells.
    expect(rows[0]).toEqual(['tile_0_0_0', 0, 4, -60, -50, 50, 60]);
    expect(rows[1]).toEqual(['tile_1_0_0', 1, 4, -50, -25, 50, 60]);
    expect(rows[44]).toEqual(['tile_8_0_4', 8, 0, 125, 140, -40, -25]);
  });

  it('a piece holds its share of the footprint, and all of them the whole', () => {
    const pieces = piecesIn(plan);
    const at = (column: number, row: number) => pieces.find(({ piece: p }) => p?.column === column && p.row === row);
    // 25 m by 25 m and 10 m by 15 m of 200 m by 100 m.
    expect(at(3, 2)?.vertices).toBeCloseTo(150_000 / 32, -1);
    expect(at(0, 0)?.triangles).toBeCloseTo(1125, -1);
    expect(pieces.reduce((sum, o) => sum + o.triangles, 0)).toBe(150_000);
    expect(pieces.reduce((sum, o) => sum + o.vertices, 0)).toBe(150_000);
  });

  it('pieces are what their object is', () => {
    const tags = { priority: 'High' } as const;
    const more = { ...GROUND, tags, name: 'Ground', materialNames: ['grass'], draws: ['3', '4'] };
    const { bounds, triangles, vertices, piece, ...rest } = piecesIn(
      planScene([object(7, box(-60, -40, 140, 60, 2, 5), more)], 25, 's'),
    )[11];
    expect(rest).toEqual({ node: 7, tags, name: 'Ground', materialNames: ['grass'], draws: ['3', '4'] });
    expect([bounds.min[1], bounds.max[1]]).toEqual([2, 5]);
  });

  it('planes are the float32 nearest to the borders, and cells begin there for pieces', () => {
    // 3 * 0.7 and 1.4, 2.8 as well are no float32.
    const small = planScene([object(0, box(0, -3, 3, 0), { ...GROUND, tags: { priority: 'Low' } })], 0.7, 's');
    const planes = [0.699999988079071, 1.399999976158142, 2.0999999046325684, 2.799999952316284];
    const [{ piece }] = piecesIn(small);
    expect(piece?.planes).toEqual({ x: planes, z: planes.map((at) => -at).reverse() });
    // A place between the rounded 2.1 and 2.1 lies in the cell above for a piece, in that below for anything else.
    const at = (more: object) => object(0, box(2.0999999999, -0.5, 2.0999999999, -0.4), more);
    const cellOf = (o: PlannedObject) => assignCells([o], box(0, -3, 3, 0), 0.7).cells[0].cell[0];
    expect([cellOf(at({})), cellOf(at({ piece: { ...piece, column: 3, row: 4 } }))]).toEqual([2, 3]);
    // 0.3 becomes 0.30000001192092896.
    expect([0.30000000001, 0.30000001192092896].map((x) => cellBetweenPlanes(x, 0, 0.3))).toEqual([0, 1]);
  });

  it('a border that an object only touches cuts nothing off', () => {
    const touching = object(0, box(-0.00005, -125.00005, 125, 0), GROUND);
    const { x, z } = piecesIn(planScene([touching, object(1, box(-30, 1, -29, 2))], 25, 's'))[0].piece?.planes ?? {};
    expect([x, z]).toEqual([
      [25, 50, 75, 100],
      [-100, -75, -50, -25],
    ]);
    const crossing = object(0, box(-0.0002, -125, 125, 0), GROUND);
    expect(piecesIn(planScene([crossing], 25, 's'))[0].piece?.planes.x[0]).toBe(0);
  });

  it('light pieces are joined as light cells are', () => {
    const light = planScene([object(0, box(0, -250, 250, 0), { triangles: 1600, vertices: 900 })], 25, 's');
    expect(cuts(light)).toEqual([[0, 100, 0]]);
    expect(light.tiles.length).toBe(25);
    for (const tile of light.tiles) expect(tile.objects.length).toBe(4);
  });
});

describe('what is cut', () => {
  const cutInto = (o: PlannedObject, options: Partial<TilingOptions> = {}, size = 25) =>
    planScene([o], size, 's', { ...DEFAULT_TILING, ...options }).cut[0]?.pieces ?? 1;
  // Five by five cells, and ten by ten.
  const square = (side: number, triangles: number, more: Partial<PlannedObject> = {}) =>
    object(0, box(0, -side, side, 0), { triangles, vertices: triangles, ...more });

  it('spans, and has 1,024 triangles', () => {
    expect(cutInto(square(125, 1023))).toBe(1);
    expect(cutInto(square(125, 1024))).toBe(25);
    expect(cutInto(square(100, 5000))).toBe(1);
    expect(cutInto(square(100.1, 5000))).toBe(25);
  });

  it('has sixteen triangles for each piece, of two or four cells where those of one would have fewer', () => {
    expect(cutInto(square(250, 1600))).toBe(100);
    expect(cutInto(square(250, 1599))).toBe(25);
    // Twenty by twenty cells, ten by ten of two, five by five of four, and not three by three of eight.
    expect([1599, 1024].map((triangles) => cutInto(square(500, triangles)))).toEqual([25, 25]);
    expect(cutInto(square(1000, 1599))).toBe(1);
  });

  it('is whatever spans where that is asked for, and nothing where nothing is to be', () => {
    for (const partition of PARTITIONS) {
      expect(cutInto(square(250, 2), { split: 'always', partition })).toBeGreaterThan(50);
      expect(cutInto(square(100, 2), { split: 'always', partition })).toBe(1);
      expect(cutInto(square(250, 1_000_000), { split: 'never', partition })).toBe(1);
    }
  });

  it('is never what stays pickable or is tagged local, however heavy', () => {
    const tags = { policy: 'force_local' } as const;
    for (const split of ['auto', 'always'] as const) {
      for (const partition of PARTITIONS) {
        expect(cutInto(square(250, 900_000, { draws: ['0|2', '0|5'] }), { split, partition })).toBe(1);
        expect(cutInto(square(250, 900_000, { tags }), { split, partition })).toBe(1);
        // Another object's node is no reason.
        expect(cutInto(square(250, 900_000, { draws: ['10|2'] }), { split, partition })).toBeGreaterThan(1);
      }
    }
  });

  it('in trees is wider than four tiles, or of the shell that lies across the root', () => {
    for (const partition of ['quadtree', 'kdtree'] as const) {
      const options = { partition, profile: 'outdoor' } as const;
      const small = Array.from({ length: 6 }, (_, i) => object(1 + i, box(i * 8, -i - 1, i * 8 + 1, -i)));
      const cutOf = (name: string, side: number) =>
        planScene([square(side, 5000, { name }), ...small], 25, 's', { ...DEFAULT_TILING, ...options });
      expect(cutOf('Ground', 100).cut.length).toBe(0);
      expect(cutOf('Ground', 100.1).cut.length).toBe(1);
      const shell = cutOf('Facade', 60);
      expect(shell.cut.length).toBe(1);
      expect(shell.shared).toBeNull();
      const without = planScene([square(60, 900, { name: 'Facade' }), ...small], 25, 's', {
        ...DEFAULT_TILING,
        ...options,
      });
      expect(without.shared?.objects.map((o) => [o.node, o.piece])).toEqual([[0, undefined]]);
    }
  });

  it('leaves the bucket what is not cut', () => {
    const plan = planScene([square(250, 5000), object(1, box(0, -250, 250, 0), { triangles: 2 })], 25, 's');
    expect(plan.shared?.objects.map((o) => [o.node, o.piece])).toEqual([[1, undefined]]);
    expect(cuts(plan)).toEqual([[0, 100, 0]]);
  });
});

describe('an object that breaks a budget alone', () => {
  const block = (vertices: number, triangles = vertices) =>
    object(0, box(0, -10, 10, 0, 0, 40), { vertices, triangles });
  const plan = (o: PlannedObject, more: Partial<TilingOptions> = {}) =>
    planScene([o], 25, 's', { ...DEFAULT_TILING, ...more });

  it('is cut by halves of cells until its largest piece keeps them', () => {
    expect(cuts(plan(block(160_000)))).toEqual([]);
    // No half of 25 m lies inside of 10 m, the quarter does: 6.25 m of 10 m each way are 39 %.
    const quarters = plan(block(400_000));
    expect(cuts(quarters)).toEqual([[0, 4, 2]]);
    expect(piecesIn(quarters)[0].piece?.planes).toEqual({ x: [6.25], z: [-6.25] });
    // 156,250 vertices, twice 93,750 and 56,250: each tile keeps its budget.
    expect(quarters.tiles.map((t) => t.over)).toEqual(quarters.tiles.map(() => null));
    expect(quarters.tiles.flatMap((t) => t.objects.map((o) => o.vertices)).sort((a, b) => a - b)).toEqual([
      56_250, 93_750, 93_750, 156_250,
    ]);
    // 39 % of 420,000 are too many.
    expect(cuts(plan(block(420_000)))).toEqual([[0, 16, 3]]);
  });

  it('counts bytes as well', () => {
    // 3.2 MB of vertices and 24 MB of indices.
    expect(cuts(plan(block(100_000, 2_000_000)))).toEqual([[0, 4, 2]]);
    expect(cuts(plan(block(100_000, 900_000)))).toEqual([]);
  });

  it('is cut whatever it spans, and at the borders of cells too', () => {
    const across = object(0, box(20, -12, 32, -2), { vertices: 400_000, triangles: 400_000 });
    const [{ piece }] = piecesIn(plan(across));
    expect(piece?.planes.x).toContain(25);
    for (const partition of PARTITIONS) {
      const many = plan(block(2_000_000), { partition });
      expect(many.cut.length).toBe(1);
      for (const tile of many.tiles) expect(tile.over).toBeNull();
    }
  });

  it('is not cut where its pieces would hold next to nothing, or its materials are too many', () => {
    const budgets = { ...DEFAULT_TILING.budgets, vertices: 3 };
    expect(cuts(plan(block(4, 2), { budgets }))).toEqual([]);
    const across = object(0, box(20, -12, 32, -2), { vertices: 4, triangles: 2 });
    expect(cuts(plan(across, { budgets, split: 'always' }))).toEqual([]);
    // Sixteen pieces would be needed, but there are triangles for four.
    expect(cuts(plan(block(420_000, 100)))).toEqual([[0, 4, 2]]);
    const materials = { ...DEFAULT_TILING.budgets, bytes: 1000 };
    expect(cuts(plan({ ...block(2000), draws: ['1', '2', '3'] }, { budgets: materials }))).toEqual([]);
    // A plumb line of it has no footprint to cut.
    expect(cuts(plan(object(0, box(1, 1, 1, 1, 0, 9), { vertices: 400_000, triangles: 400_000 })))).toEqual([]);
  });
});

describe('what would be too many or too small pieces', () => {
  it('is cut at every second border, or fourth …', () => {
    // 200 by 200 cells of 1 m, 100 by 100 of 2 m with sixteen triangles each.
    const at = (triangles: number) => planScene([object(0, box(0, -200, 200, 0), { triangles })], 1, 's');
    expect(cuts(at(160_000))).toEqual([[0, 10_000, -1]]);
    expect(cuts(at(159_999))).toEqual([[0, 2500, -2]]);
    expect(cuts(at(39_999))).toEqual([]);
    const [piece] = piecesIn(at(160_000));
    expect(piece.piece?.planes.x.slice(0, 3)).toEqual([2, 4, 6]);
    // 128 by 128 are just as many as may be.
    expect(cuts(planScene([object(0, box(0, -128, 128, 0), { triangles: 1e6 })], 1, 's'))).toEqual([[0, 16_384, 0]]);
    expect(cuts(planScene([object(0, box(0, -128, 129, 0), { triangles: 1e6 })], 1, 's'))).toEqual([[0, 65 * 64, -1]]);
  });

  it('is no object for the bucket, however many cells a piece covers', () => {
    const plan = planScene([object(0, box(0, -1000, 1000, 0), { triangles: 1e6 })], 1, 's');
    // 8 m: twice as wide as what spans cells of 1 m.
    expect(cuts(plan)).toEqual([[0, 15_625, -3]]);
    expect(plan.shared).toBeNull();
  });

  it('never is finer than a centimetre or than float32 can tell', () => {
    const scene = box(0, -1000, 1000, 0);
    const planesAt = gridPlanes(scene, [0, -1000], 25);
    expect(planesAt(box(1, -2, 1.03, -1.97), 11)?.x.length).toBe(3);
    expect(planesAt(box(1, -2, 1.03, -1.97), 12)).toBeNull();
    // 1,024 steps of 2^-14 m at 1,000 m are 6 cm.
    expect(planesAt(box(999, -2, 999.5, -1), 9)).toBeNull();
    expect(planesAt(box(999, -2, 999.5, -1), 8)?.x.length).toBeGreaterThan(3);
  });

  it('ends for bounds of any size', () => {
    const huge = object(0, box(-1e30, -1e30, 1e30, 1e30), { triangles: 1e9, vertices: 1e9 });
    const tiny = object(1, box(0, 0, 1e-20, 1e-20), { triangles: 1e9, vertices: 1e9 });
    for (const partition of PARTITIONS) {
      const plan = () => planScene([huge, tiny], 0.1, 's', { ...DEFAULT_TILING, partition, split: 'always' });
      // A quadtree has no more than 64 nodes each way.
      if (partition === 'quadtree') expect(new Set(planned(plan()).map((o) => o.node))).toEqual(new Set([0, 1]));
      else expect(plan).toThrow(/UC2202 : .* would need pieces .* times as long as cells/);
    }
  });

  it('is refused where pieces would be more than sixteen times as long as cells', () => {
    const ground = (side: number) => object(0, box(0, -side, side, 0), { name: 'Ground Ground', triangles: 1e6 });
    const plan = (side: number) =>
      planScene([ground(side)], 1, 's', DEFAULT_TILING, { source: 'a', finest: new Map() });
    // 128 by 128 pieces of 16 m; one metre more needs 32 m.
    expect(cuts(plan(2048))).toEqual([[0, 16_384, -4]]);
    expect(() => plan(2049)).toThrow(
      'UC2202 a: "Ground Ground" would need pieces 32 times as long as cells; 16384 pieces of at most 16 times is the limit',
    );
    // Far away cells are too small to be told apart, which makes few pieces and not many.
    const far = planScene([object(0, box(3e6, 0, 3e6 + 1500, 1500), { triangles: 1e6 })], 1, 's');
    expect(cuts(far)[0]?.[2]).toBeLessThan(-4);
  });

  it('is refused where all objects together would have more than 262,144 pieces', () => {
    const grounds = (count: number) =>
      Array.from({ length: count }, (_, i) => object(i, box(0, -128, 128, 0), { triangles: 1e6 }));
    expect(() => planScene(grounds(17), 1, 's')).toThrow(
      'UC2202 : objects are cut into 278528 pieces or more; 262144 is the limit',
    );
  });

  it('stops at the fineness that an object may be cut at, and lists coarser planes', () => {
    const ground = object(0, box(0, -200, 200, 0), { triangles: 1e6 });
    const plan = (finest: number | null) =>
      planScene([ground], 25, 's', DEFAULT_TILING, { source: 'a', finest: new Map([[0, finest]]) });
    const { cut } = planScene([ground], 25, 's', { ...DEFAULT_TILING, budgets: { ...DEFAULT_BUDGETS, bytes: 1e9 } });
    expect(cut.map(({ fineness, planes }) => [fineness, ...planes.map(({ x }) => x)])).toEqual([
      [0, [25, 50, 75, 100, 125, 150, 175], [50, 100, 150], [100]],
    ]);
    expect(cuts(plan(-1))).toEqual([[0, 16, -1]]);
    expect(plan(null).cut).toEqual([]);
    expect(planned(plan(null))).toEqual([ground]);
  });
});

describe('in a quadtree', () => {
  const SCENE: Bounds = box(-64, -64, 64, 64);
  const options = { ...DEFAULT_TILING, partition: 'quadtree' } as const;
  const ground = object(0, SCENE, GROUND);

  it('the planes are the borders of the first nodes no longer than a tile', () => {
    const planes = [-48, -32, -16, 0, 16, 32, 48];
    for (const [size, expected] of [
      [25, planes],
      [16, planes],
      [15.9, planes.flatMap((at) => [at - 8, at]).concat(56)],
      [33, [-32, 0, 32]],
    ] as const) {
      const found = quadtreePlanes(SCENE, size, 6)(SCENE, 0);
      expect(found).toEqual({ x: expected, z: expected });
    }
    // Not deeper than the tree; a longer side counts.
    expect(quadtreePlanes(SCENE, 0.5, 6)(SCENE, 0)?.x.length).toBe(63);
    expect(quadtreePlanes(box(-64, -8, 64, 8), 33, 6)(box(-64, -8, 64, 8), 0)).toEqual({
      x: [-32, 0, 32],
      z: [-4, 0, 4],
    });
  });

  it('each piece is a tile at its node, however few objects that is', () => {
    const plan = planScene([ground], 25, 's', options);
    expect(plan.tiles.length).toBe(64);
    const tile = plan.tiles.find(({ id }) => id === 'F01_Q_0_1_0_SI');
    // Child 0 (-x, +z) of the whole, child 1 (+x, +z) of that, child 0 of that.
    expect(tile?.objects.map(({ bounds: { min, max } }) => [min[0], max[0], min[2], max[2]])).toEqual([
      [-32, -16, 48, 64],
    ]);
    expect(tile?.tree).toMatchObject({ spanning: false, cellBounds: { min: [-32, 0, 48], max: [-16, 1, 64] } });
  });

  it('pieces with next to nothing in them move up all the same', () => {
    const light = planScene([{ ...ground, triangles: 1024, vertices: 600 }], 25, 's', options);
    // Into nodes of four tile sizes at most: the root is 128 m wide.
    expect(light.tiles.map((t) => [t.id, t.objects.length])).toEqual(
      [0, 1, 2, 3].map((child) => [`F01_Q_${child}_SI`, 16]),
    );
  });

  it('pieces go to the floor and the tier of their object', () => {
    const storeys = Array.from({ length: 8 }, (_, i) =>
      object(1 + i, box(0, 0, 5, 5, 3 * i, 3 * i + 3), { name: 'Wall' }),
    );
    const tall = object(0, box(-64, -64, 64, 64, 3, 9), { ...GROUND, name: 'Roof' });
    const plan = planScene([tall, ...storeys], 25, 's', { ...options, profile: 'indoor' });
    expect(plan.floors).toBe(8);
    const places = new Set(
      plan.tiles.filter((t) => t.objects.some((o) => o.piece)).map((t) => `${t.tree?.floor} ${t.tree?.tier}`),
    );
    expect([...places]).toEqual(['3 ExteriorShell']);
    expect(plan.cut[0].pieces).toBe(64);
  });
});

describe('in a k-d tree', () => {
  const SCENE = box(0, -50, 200, 0);
  const cutGround = () => piecesIn(planScene([object(0, SCENE, GROUND)], 25, 's'));
  const houses = Array.from({ length: 40 }, (_, i) => object(1 + i, box(27 + i / 20, -1, 28 + i / 20, 0)));

  it('nodes that hold pieces are divided at the plane nearest to the median', () => {
    const pieces = cutGround();
    expect(pieces.length).toBe(16);
    const borders = [[25, 50, 75, 100, 125, 150, 175], [25]] as const;
    const placed = placeInKdtree([...pieces, ...houses], SCENE, 1, [borders]);
    // The median centre is that of a house at 29 m: the border at 25 m is nearest.
    for (const { object: o, node } of placed) {
      const below = o.piece?.column === 0;
      expect(node.id.slice(0, 7)).toBe(below ? 'F01_K_0' : 'F01_K_1');
    }
    expect(placed.length).toBe(56);
    expect(placed.every(({ spanning }) => !spanning)).toBe(true);
  });

  it('others are divided at the median, and so are those without a plane inside', () => {
    const median = (borders: Parameters<typeof placeInKdtree>[3]) =>
      placeInKdtree(houses, SCENE, 1, borders).map(({ node }) => node.id);
    expect(median([[[28, 29], []]])).toEqual(median([]));
    // No centre lies beyond these: the planes are of no use.
    const ids = (borders: Parameters<typeof placeInKdtree>[3]) =>
      placeInKdtree(cutGround(), SCENE, 1, borders).map(({ node }) => node.id);
    expect(ids([[[10, 190], []]])).toEqual(ids([]));
  });

  it('pieces of less than a cell are split between them, but not where a border of cells would do', () => {
    const options = { ...DEFAULT_TILING, partition: 'kdtree', minObjects: 1 } as const;
    const heavy = object(50, box(30, -10, 40, 0), { vertices: 420_000, triangles: 420_000 });
    const nodes = (plan: ScenePlan) => plan.tiles.flatMap(({ tree }) => (tree ? [tree.cellBounds] : []));
    const alone = planScene([heavy], 25, 's', options);
    expect(cuts(alone)).toEqual([[50, 16, 3]]);
    expectDisjoint(nodes(alone));
    // The median lies among the houses at 33.5 m, nearer to 34.375 m, where only the heavy one is cut, than to 25 m.
    const beside = houses.map((o) => ({ ...o, bounds: box(33, -46, 34, -45) }));
    const both = planScene([object(0, SCENE, GROUND), heavy, ...beside], 25, 's', options);
    expect(cuts(both)).toEqual([
      [0, 16, 0],
      [50, 16, 3],
    ]);
    const low = both.tiles.find(({ id }) => id === 'F01_K_0_SI');
    expect(low?.tree?.cellBounds).toEqual({ min: [0, 0, -50], max: [25, 1, 0] });
    expect(low?.objects.map((o) => [o.node, o.piece?.column])).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  it('no piece lies across a node', () => {
    const plan = planScene([object(0, SCENE, GROUND), ...houses], 25, 's', {
      ...DEFAULT_TILING,
      partition: 'kdtree',
      minObjects: 1,
    });
    const tiles = plan.tiles.filter((t) => t.objects.some((o) => o.piece));
    expect(tiles.length).toBeGreaterThan(3);
    expectDisjoint(tiles.map((t) => boundsOf(t.objects.filter((o) => o.piece))));
  });
});

it('a piece lies on one side of a plane that it ends at, within a hair', () => {
  expect([sideOfPlane(0, 5, 5), sideOfPlane(5, 9, 5)]).toEqual([0, 1]);
  expect([sideOfPlane(0, 5.00009, 5), sideOfPlane(4.99991, 9, 5)]).toEqual([0, 1]);
  expect([sideOfPlane(0, 5.0002, 5), sideOfPlane(4.9998, 9, 5)]).toEqual([null, null]);
  // Flat, on the plane.
  expect(sideOfPlane(5, 5, 5)).toBe(0);
});

it('a tile over budget is split the same whatever the order of what stands in one place', () => {
  const stack = Array.from({ length: 9 }, (_, i) => object(i, box(0, 0, 1, 1), { vertices: 50_000 }));
  const parts = (list: readonly PlannedObject[]) =>
    cutToBudgets(list, DEFAULT_BUDGETS).map(({ objects }) => objects.map((o) => o.node).sort());
  expect(parts(shuffled(stack, 3))).toEqual(parts(stack));
});

function expectDisjoint(list: readonly Bounds[]): void {
  list.forEach((a, i) => {
    for (const b of list.slice(i + 1)) {
      const overlap = [0, 2].map((axis) => Math.min(a.max[axis], b.max[axis]) - Math.max(a.min[axis], b.min[axis]));
      expect(Math.min(...overlap)).toBeLessThanOrEqual(0);
    }
  });
}

describeCuts({ partition: 'grid', split: 'auto' });
describeCuts({ partition: 'quadtree', split: 'always' });

describe('the cell of a tile contains its pieces', () => {
  /** Where an object ends a hair beyond a border, its piece does. */
  const HAIR = 1e-4;
  /** Whether bounds lie in a rectangle of X and -Z. */
  const isWithin = ({ min, max }: Bounds, low: readonly number[], high: readonly number[]) =>
    min[0] >= low[0] - HAIR && max[0] <= high[0] + HAIR && -max[2] >= low[1] - HAIR && -min[2] <= high[1] + HAIR;

  it('in a grid', () => {
    for (const { objects, size } of CASES) {
      const options = { ...DEFAULT_TILING, split: 'always' } as const;
      const plan = planScene(objects, size, 's', options);
      const fineness = new Map(plan.cut.map(({ object: { node }, fineness }) => [node, fineness]));
      const bounds = boundsOf(objects);
      const [ox, , oz] = gridOrigin(bounds, size);
      const pieces = piecesIn(plan).filter((o) => (fineness.get(o.node) ?? 0) >= 0);
      const { cells, spanning } = assignCells(pieces, bounds, size);
      expect(spanning).toEqual([]);
      for (const { cell, objects: owned } of cells) {
        const border = (origin: number, index: number) => Math.fround(origin + index * size);
        const u = [border(ox, cell[0]), border(ox, cell[0] + 1)];
        const v = [border(oz, cell[2]), border(oz, cell[2] + 1)];
        expect(owned.filter(({ bounds: own }) => !isWithin(own, [u[0], v[0]], [u[1], v[1]]))).toEqual([]);
      }
    }
  });

  it('in a quadtree', () => {
    for (const { objects, size } of CASES) {
      const plan = planScene(objects, size, 's', { ...DEFAULT_TILING, split: 'always', partition: 'quadtree' });
      const pieces = piecesIn(plan);
      const scene = boundsOf(objects);
      const wrong = placeInQuadtree(pieces, scene, 1).filter(({ object: { bounds }, node, spanning }) => {
        const { min, max } = node.rectangle;
        const isTooWide = node.depth < 6 && Math.max(max[0] - min[0], max[1] - min[1]) > 2 * size;
        return spanning || isTooWide || !isWithin(bounds, min.map(Math.fround), max.map(Math.fround));
      });
      expect(wrong).toEqual([]);
    }
  });

  it('spans of a grid are what the grid says', () => {
    for (const { objects, size } of CASES) {
      const bounds = boundsOf(objects);
      const [ox, , oz] = gridOrigin(bounds, size);
      const plan = planScene(objects, size, 's', { ...DEFAULT_TILING, split: 'always' });
      const cut = new Set(plan.cut.map(({ object: { node } }) => node));
      for (const o of objects) {
        const free = o.tags?.policy !== 'force_local' && !o.draws[0].includes('|');
        if (free && isSpanning(o.bounds, ox, oz, size)) expect(cut.has(o.node)).toBe(true);
      }
    }
  });
});

it('without cutting, plans are those of whole objects', () => {
  const hashes = PARTITIONS.map((partition) => {
    const hash = createHash('sha256');
    for (const sharedBucket of ['auto', 'always', 'never'] as const) {
      for (const autoTileSize of [false, true]) {
        for (const [i, extent] of [2, 30, 150, 600, 2000].entries()) {
          const options = { ...DEFAULT_TILING, partition, sharedBucket, autoTileSize, split: 'never' } as const;
          const { cut, ...plan } = planScene(generatedScene(7 * i + 2, extent, 250), 25, 's', options);
          expect(cut).toEqual([]);
          hash.update(JSON.stringify(plan));
        }
      }
    }
    return hash.digest('hex');
  });
  expect(hashes).toEqual([
    '9217cf6f07a22b1dd2c34bfeed6e91a5009395c8e12bbd9b8be3eca5f866b724',
    'df22bb1414cf97ff07d33302105d7970b9491bd690f1d2e0d490571e8c7ec835',
    'f4a5d76d1dcf56a44e3d89fd8232a878dab3967a431769f3b5c7965a5775317f',
  ]);
});
