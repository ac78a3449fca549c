import { describe, expect, it } from 'vitest';
import type { Bounds } from '../../../src/scene/types.ts';
import { DEFAULT_TILING } from '../../../src/tiling/options.ts';
import { batchCellSize } from '../../../src/tiling/partition/budgets.ts';
import { floorOf, planFloors } from '../../../src/tiling/partition/floors.ts';
import { tierOf, tierOfName, wordsOf } from '../../../src/tiling/partition/tiers.ts';
import { placeInKdtree, placeInQuadtree } from '../../../src/tiling/partition/trees.ts';
import { planScene } from '../../../src/tiling/plan.ts';
import { rangeRadii, tierPriority, tierRadii } from '../../../src/tiling/streaming/radii.ts';
import { box, object } from '../objects.ts';

const SCENE: Bounds = box(-64, -64, 64, 64, 0, 12);

describe('the quadtree', () => {
  const nodeOf = (bounds: Bounds) => {
    const [{ node, spanning }] = placeInQuadtree([object(0, bounds)], SCENE, 2);
    return [node.id, spanning];
  };

  it('numbers children 0 (-x, +z), 1 (+x, +z), 2 (-x, -z), 3 (+x, -z), six levels down', () => {
    // A box near the corner of lowest X and highest Z is child 0 at every level: the tree's second axis is -Z.
    expect(nodeOf(box(-63.9, 63.8, -63.8, 63.9))).toEqual(['F02_Q_0_0_0_0_0_0', false]);
    expect(nodeOf(box(63.8, 63.8, 63.9, 63.9))).toEqual(['F02_Q_1_1_1_1_1_1', false]);
    expect(nodeOf(box(-63.9, -63.9, -63.8, -63.8))).toEqual(['F02_Q_2_2_2_2_2_2', false]);
    expect(nodeOf(box(63.8, -63.9, 63.9, -63.8))).toEqual(['F02_Q_3_3_3_3_3_3', false]);
  });

  it('holds what lies across a border where it is wide for the children', () => {
    expect(nodeOf(box(-20, 10, 20, 20))).toEqual(['F02_Q', true]);
    // 10 m across the middle line go to a child of 64 m by their centre, and so on down to one of 16 m.
    expect(nodeOf(box(-4, 4, 6, 14))).toEqual(['F02_Q_1_2_2', true]);
  });
});

describe('the k-d tree', () => {
  it('cuts the longer side at the median centre, four objects to a leaf', () => {
    const objects = [-60, -50, -40, -30, -20, 20, 30, 40, 50, 60].map((x, i) => object(i, box(x, 0, x + 1, 1)));
    const placed = placeInKdtree(objects, SCENE, 1);
    const nodes = new Map(placed.map(({ object: o, node }) => [o.node, node.id]));
    // Ten objects part into five and five; each five, along X still, as the Z centres are equal.
    for (let i = 0; i < 5; i++) expect(nodes.get(i)).toMatch(/^F01_K_0/);
    for (let i = 5; i < 10; i++) expect(nodes.get(i)).toMatch(/^F01_K_1/);
  });

  it('holds wide objects that cross a cut, and ends for equal centres', () => {
    const small = [-60, -50, -40, 40, 50].map((x, i) => object(i, box(x, 0, x + 1, 1)));
    const placed = placeInKdtree([...small, object(9, box(-64, -1, 64, 1))], SCENE, 1);
    expect(placed.find(({ object: o }) => o.node === 9)).toMatchObject({ spanning: true, node: { id: 'F01_K' } });
    const same = Array.from({ length: 100 }, (_, i) => object(i, box(0, 0, 1, 1)));
    expect(placeInKdtree(same, SCENE, 1).length).toBe(100);
  });
});

describe('floors', () => {
  const storeys = [0, 3, 6, 9].map((y, i) => object(i, box(0, 0, 5, 5, y, y + 3)));

  it('are as given, else one outdoors and storeys indoors', () => {
    expect(planFloors(storeys, SCENE, 'indoor', { count: 5, band: 2 })).toEqual({ count: 5, band: 2 });
    expect(planFloors(storeys, SCENE, 'outdoor', { count: 3, band: null })).toEqual({ count: 3, band: 4 });
    expect(planFloors(storeys, SCENE, 'indoor', { count: null, band: 5 })).toEqual({ count: 3, band: 5 });
    expect(planFloors(storeys, SCENE, 'outdoor', { count: null, band: null }).count).toBe(1);
    expect(planFloors(storeys, SCENE, 'indoor', { count: null, band: null })).toEqual({ count: 4, band: 3 });
  });

  it('have 3.5 m where no object is as high as a storey, and never less than 2.5 m', () => {
    const flat = [object(0, box(0, 0, 5, 5, 0, 0.1))];
    expect(planFloors(flat, SCENE, 'indoor', { count: null, band: null })).toEqual({ count: 4, band: 3.5 });
    const low = [object(0, box(0, 0, 5, 5, 0, 1.9))];
    expect(planFloors(low, SCENE, 'indoor', { count: null, band: null }).band).toBe(2.5);
  });

  it('hold the centres of their objects, from 1', () => {
    const floors = { count: 4, band: 3 };
    expect(storeys.map((o) => floorOf(o, SCENE, floors))).toEqual([1, 2, 3, 4]);
    expect(floorOf(object(0, box(0, 0, 1, 1, 50, 51)), SCENE, floors)).toBe(4);
    const plane: Bounds = box(0, 0, 1, 1, 0, 0);
    expect(floorOf(object(0, plane), plane, planFloors([], plane, 'outdoor', { count: null, band: null }))).toBe(1);
  });
});

describe('tiers', () => {
  it('go by whole words', () => {
    expect(wordsOf('WindowWall_02-frameHTMLTag')).toEqual(['window', 'wall', 'frame', 'html', 'tag']);
    expect(['challenge', 'embedded', 'scoreboard', 'tvstation', 'framework'].map(tierOfName)).toEqual(
      Array(5).fill(null),
    );
    expect(tierOfName('entryHall_2')).toBe('StructuralInterior');
    expect(tierOfName('Kitchen Chairs')).toBe('RoomContents');
    expect(tierOfName('Bookshelves_1')).toBeNull();
    expect(tierOfName('shelves')).toBe('RoomContents');
    expect(tierOfName('Balconies_N')).toBe('ExteriorShell');
    expect(tierOfName('WindowWall')).toBe('ExteriorShell');
    expect(tierOfName('DoorFrame')).toBe('StructuralInterior');
    expect(tierOfName('doorway')).toBe('StructuralInterior');
  });

  it('are found by the first rule that hits: names, in their order, materials, sizes', () => {
    const tier = (name: string, materialNames: string[] = [], size = 5) =>
      tierOf(object(0, box(0, 0, size, size, 0, size), { name, materialNames }), null);
    expect(tier('Wall_pipe')).toBe('FineProps');
    expect(tier('Roof_lamp')).toBe('RoomContents');
    expect(tier('roof wall')).toBe('ExteriorShell');
    expect(tier('Thing', ['Red Brick', 'Wood'])).toBe('StructuralInterior');
    expect(tier('Thing', ['Red Brick', 'Window glass', 'Wood'])).toBe('ExteriorShell');
    expect(tier('Thing', ['Oak wood'])).toBe('RoomContents');
    expect(tier('Thing', [], 0.3)).toBe('FineProps');
    expect(tier('Thing', [], 1.4)).toBe('RoomContents');
    expect(tier('Thing', [], 2)).toBe('StructuralInterior');
  });

  it('are what the author says, before all rules', () => {
    const wall = { name: 'Wall' };
    expect(tierOf(object(0, SCENE, wall), 'FineProps')).toBe('FineProps');
    expect(tierOf(object(0, SCENE, { ...wall, tags: { semanticTier: 'ExteriorShell' } }), 'FineProps')).toBe(
      'ExteriorShell',
    );
  });

  it('have the exporter’s shares of the half-diagonal, and its priorities', () => {
    // 60 m by 80 m: half a diagonal of 50 m.
    const scene = box(0, 0, 60, 80);
    expect(tierRadii(scene, 'ExteriorShell', 'indoor')).toEqual({ streaming: 40, unload: 60 });
    expect(tierRadii(scene, 'StructuralInterior', 'outdoor')).toEqual({ streaming: 12.5, unload: 20 });
    expect(tierRadii(scene, 'FineProps', 'indoor').streaming).toBe(1.5);
    expect(tierRadii(box(0, 0, 0.3, 0.4), 'FineProps', 'outdoor')).toEqual({ streaming: 1, unload: 2 });
    expect(tierPriority('StructuralInterior', 'outdoor')).toBe(12);
    expect(tierPriority('StructuralInterior', 'indoor')).toBe(10);
  });

  it('keep the distances that are given', () => {
    const given = (streaming: number, unload: number) =>
      rangeRadii({ kind: 'given', radii: { streaming, unload } }, SCENE, SCENE);
    expect(given(20, 30)).toEqual({ streaming: 20, unload: 30 });
    expect(given(0.5, 0.7)).toEqual({ streaming: 1, unload: 5 });
  });
});

describe('a plan of a tree', () => {
  const options = { ...DEFAULT_TILING, partition: 'quadtree' } as const;
  const room = [
    ...['Wall', 'Floor', 'Ceiling', 'Door'].map((name, i) => object(i, box(0, i, 4, i + 1), { name })),
    ...['Chair', 'Chair', 'Table', 'Lamp'].map((name, i) => object(10 + i, box(i, 0, i + 0.5, 0.5), { name })),
    object(20, box(0, 0, 4, 4, 0, 3), { name: 'Facade', tags: { priority: 'Critical' } }),
  ];

  it('has a tile for each tier, small groups joined, the wide shell in the bucket', () => {
    const plan = planScene(room, 25, 's', options);
    expect([plan.mode, plan.profile, plan.floors]).toEqual(['quadtree_floor', 'indoor', 1]);
    expect(plan.tiles.map((t) => [t.id, t.objects.length, t.tree?.interior])).toEqual([
      ['F01_Q_RC', 4, true],
      ['F01_Q_SI', 4, true],
    ]);
    expect(plan.shared?.objects.map((o) => o.node)).toEqual([20]);
    expect(plan.shared?.priority).toBe(15);
    expect(plan.sharedShell).toEqual(room[8].bounds);
    const without = planScene(room, 25, 's', { ...options, sharedBucket: 'never' });
    expect(without.tiles.at(-1)).toMatchObject({ id: 'F01_Q_ES_spanning', tree: { interior: false } });
  });

  it('joins no tile that is full enough on its own', () => {
    const heavy = room.map((o) => ({ ...o, vertices: 30_000 }));
    const plan = planScene(heavy, 25, 's', options);
    expect(plan.tiles.length).toBeGreaterThan(2);
  });

  it('takes a scene for indoors only when its names say so', () => {
    const houses = room.map((o) => ({ ...o, name: 'House' }));
    const plan = planScene(houses, 25, 's', options);
    expect([plan.profile, plan.floors]).toEqual(['outdoor', 1]);
    expect(plan.tiles.some((t) => t.tree?.interior)).toBe(false);
  });

  it('takes priority and radii of a tier from what is given', () => {
    const tierRadiiGiven = new Map([['RoomContents', { streaming: 7, unload: 12, priority: 3 }]] as const);
    const plan = planScene(room, 25, 's', { ...options, tierRadii: tierRadiiGiven });
    const [contents] = plan.tiles;
    expect(contents).toMatchObject({ id: 'F01_Q_RC', priority: 3 });
    expect(rangeRadii(contents.range, plan.bounds, contents.bounds)).toEqual({ streaming: 7, unload: 12 });
  });
});

describe('batch cells', () => {
  const at = (x: number, vertices: number) => ({ center: [x, 0, 0], vertices });

  it('are as large as a cell while that holds no more than the budget', () => {
    expect(batchCellSize([at(1, 100), at(5, 60)], 25, 160)).toBe(25);
    expect(batchCellSize([], 25, 160)).toBe(25);
  });

  it('are halved until they do, an eighth at the smallest', () => {
    expect(batchCellSize([at(1, 100), at(20, 100)], 25, 160)).toBe(12.5);
    expect(batchCellSize([at(1, 100), at(5, 100)], 25, 160)).toBe(3.125);
    expect(batchCellSize([at(1, 100), at(1.1, 100)], 25, 160)).toBe(25);
    expect(batchCellSize([at(1, 500)], 25, 160)).toBe(25);
  });
});

it('what is strewn over a scene is not joined beyond nodes four tile sizes wide', () => {
  // A lamp in each corner of 320 m, and two in one cell.
  const lamps = [
    [0, 0],
    [318, 0],
    [0, 318],
    [318, 318],
    [12, 12],
  ].map(([x, z], i) => object(i, box(x, -z - 2, x + 2, -z, 0, 2), { name: `Lamp_${i}` }));
  const joined = (size: number) =>
    planScene(lamps, size, 's', { ...DEFAULT_TILING, partition: 'quadtree', profile: 'outdoor' }).tiles.map((tile) => [
      tile.id,
      tile.objects.map(({ node }) => node),
    ]);
  // Nodes of 80 m for tiles of 20; the root for tiles of 80.
  expect(joined(20)).toEqual([
    ['F01_Q_0_0_RC', [0, 4]],
    ['F01_Q_1_1_RC', [1]],
    ['F01_Q_2_2_RC', [2]],
    ['F01_Q_3_3_RC', [3]],
  ]);
  expect(joined(80)).toEqual([['F01_Q_RC', [0, 1, 2, 3, 4]]]);
});
