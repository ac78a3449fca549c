import { describe, expect, it } from 'vitest';
import type { Bounds } from '../../../src/scene/types.ts';
import { DEFAULT_TILING } from '../../../src/tiling/options.ts';
import { DEFAULT_BUDGETS } from '../../../src/tiling/partition/budgets.ts';
import { autoTileSize, gridOrigin, isSpanning } from '../../../src/tiling/partition/grid.ts';
import { boundsOf } from '../../../src/tiling/partition/tile.ts';
import { planScene } from '../../../src/tiling/plan.ts';
import { tilePriority } from '../../../src/tiling/streaming/priority.ts';
import { gridRadii, halfDiagonal, rangeRadii, sharedRadii, widenRadii } from '../../../src/tiling/streaming/radii.ts';
import { box, object } from '../objects.ts';

// A published city of the engine: its bounds in engine space and what its manifest says of them.
const CITY: Bounds = { min: [-81.13, -1.01, -74.21], max: [90.77, 76.1, 63.4] };

describe('the grid of the published city', () => {
  it('snaps its origin to cells along +X and -Z', () => {
    expect(gridOrigin(CITY, 25)).toEqual([-100, -1.01, -75]);
  });

  it('numbers the cell at x [-100, -75], z [50, 75] as 0, 0, 0', () => {
    const plan = planScene([object(0, CITY), object(1, box(-80, 60, -78, 62))], 25, 'city');
    expect(plan.tiles.map((t) => t.id)).toEqual(['tile_0_0_0']);
    expect(plan.shared?.objects.map((o) => o.node)).toEqual([0]);
    expect(plan.shared?.stem).toBe('city_shared');
  });

  it('has its eight by six cells, listed by z and then x, each where its manifest has it', () => {
    const objects = [object(0, CITY)];
    for (let tz = 5; tz >= 0; tz--) {
      for (let tx = 7; tx >= 0; tx--) {
        // The published cells: x from -100 + 25 tx, z from 75 - 25 (tz + 1).
        const [x, z] = [-100 + 25 * tx + 12.5, 75 - 25 * (tz + 1) + 12.5];
        const clamped = [Math.min(90, Math.max(-80, x)), Math.min(63, Math.max(-74, z))];
        objects.push(object(objects.length, box(clamped[0], clamped[1], clamped[0], clamped[1]), { vertices: 9000 }));
      }
    }
    const ids = planScene(objects, 25, 'city').tiles.map((t) => t.id);
    const expected = [0, 1, 2, 3, 4, 5].flatMap((tz) => [0, 1, 2, 3, 4, 5, 6, 7].map((tx) => `tile_${tx}_0_${tz}`));
    expect(ids).toEqual(expected);
  });

  it('gets the radii of its manifest', () => {
    const radii = gridRadii(CITY, 25);
    expect(radii.streaming).toBeCloseTo(38.535, 2);
    expect(radii.unload).toBeCloseTo(57.803, 2);
    expect(sharedRadii(CITY).streaming).toBeCloseTo(110.1, 1);
    expect(sharedRadii(CITY).unload).toBeCloseTo(165.15, 1);
    expect(halfDiagonal(CITY)).toBeCloseTo(110.1, 1);
  });
});

describe('ownership', () => {
  const heavy = { vertices: 20_000 };

  it('gives each object to the one cell that holds its centre', () => {
    const objects = [
      object(0, box(0, -1, 1, 0), heavy),
      object(1, box(20, -11, 40, -1), heavy),
      object(2, box(26, -2, 27, -1)),
    ];
    const plan = planScene(objects, 25, 's');
    expect(plan.tiles.map((t) => [t.id, t.objects.map((o) => o.node)])).toEqual([
      ['tile_0_0_0', [0]],
      ['tile_1_0_0', [1, 2]],
    ]);
  });

  it('orders tiles by z, then x, with z counted along engine -Z', () => {
    const objects = [object(0, box(60, -30, 61, -29)), object(1, box(0, -30, 1, -29)), object(2, box(60, -1, 61, 0))];
    expect(planScene(objects, 25, 's').tiles.map((t) => t.cell)).toEqual([
      [2, 0, 0],
      [0, 0, 1],
      [2, 0, 1],
    ]);
  });

  it('keeps an object with the tag local, however wide', () => {
    const objects = [
      object(0, box(-200, -200, 200, 200), { tags: { policy: 'force_local' } }),
      object(1, box(0, 0, 1, 1)),
    ];
    expect(planScene(objects, 25, 's').shared).toBeNull();
  });
});

describe('spanning objects', () => {
  it('span when wider than four cells', () => {
    expect(isSpanning(box(0, -10, 100, 0), 0, 0, 25)).toBe(false);
    expect(isSpanning(box(0, -10, 100.1, 0), 0, 0, 25)).toBe(true);
    expect(isSpanning(box(0, -100.1, 10, 0), 0, 0, 25)).toBe(true);
  });

  it('span when they touch more than sixteen cells', () => {
    // 99 m square off the grid: five by five cells.
    expect(isSpanning(box(1, -100, 100, -1), 0, 0, 25)).toBe(false);
    expect(isSpanning(box(5, -104, 104, -5), 0, 0, 25)).toBe(true);
  });

  it('do not span for a border that is only touched', () => {
    expect(isSpanning(box(0, -100, 100, 0), 0, 0, 25)).toBe(false);
  });

  const ground = [object(0, box(-200, -200, 200, 200)), object(1, box(0, 0, 1, 1)), object(2, box(-200, 0, 200, 1))];
  const plan = (sharedBucket: 'auto' | 'always' | 'never', meshes = 50) =>
    planScene(ground, 25, 's', { ...DEFAULT_TILING, sharedBucket, budgets: { ...DEFAULT_BUDGETS, meshes } });

  it('share one bucket, or become tiles with the radii of one', () => {
    expect(plan('auto').shared?.objects.map((o) => o.node)).toEqual([0, 2]);
    const never = plan('never');
    expect(never.shared).toBeNull();
    expect(never.tiles.map((t) => [t.id, t.stem, t.objects.map((o) => o.node)])).toEqual([
      ['tile_8_0_7', 'tile_8_0_7', [1]],
      ['tile_spanning', 'tile_spanning', [0, 2]],
    ]);
    // Half the diagonal of 400 m by 400 m, which four diagonals of the tile itself exceed.
    expect(rangeRadii({ kind: 'shared' }, never.bounds, null).streaming).toBeCloseTo(282.85, 2);
    expect(never.tiles[1].range).toEqual({ kind: 'shared' });
  });

  it('become tiles too when the bucket would be over budget, unless it is asked for', () => {
    const many = ground.map((o) => ({ ...o, draws: [`${o.node}|0`] }));
    const options = { ...DEFAULT_TILING, budgets: { ...DEFAULT_BUDGETS, meshes: 1 } };
    const auto = planScene(many, 25, 's', options);
    expect(auto.shared).toBeNull();
    expect(auto.tiles.map((t) => t.id)).toEqual(['tile_8_0_7', 'tile_spanning_s0', 'tile_spanning_s1']);
    const always = planScene(many, 25, 's', { ...options, sharedBucket: 'always' });
    expect(always.shared?.over).toEqual({ broken: ['2 meshes of 1'], why: 'shared bucket' });
  });
});

describe('cells that hold next to nothing', () => {
  const heavy = { vertices: 20_000 };

  it('are joined with the emptiest neighbour across an edge', () => {
    const objects = [
      object(0, box(1, -2, 2, -1), { vertices: 3, triangles: 1 }),
      object(1, box(26, -2, 27, -1), heavy),
      object(2, box(1, -27, 2, -26), { vertices: 5000 }),
    ];
    const tiles = planScene(objects, 25, 's').tiles;
    expect(tiles.map((t) => [t.id, t.objects.map((o) => o.node)])).toEqual([
      ['tile_1_0_0', [1]],
      ['tile_0_0_1', [0, 2]],
    ]);
  });

  it('stay alone when the neighbour is too full or none is beside them', () => {
    const crumb = { vertices: 3, triangles: 1 };
    const full = { vertices: 100_000 };
    const beside = [object(0, box(1, -2, 2, -1), crumb), object(1, box(26, -2, 27, -1), full)];
    expect(planScene(beside, 25, 's').tiles.length).toBe(2);
    const across = [object(0, box(1, -2, 2, -1), crumb), object(1, box(26, -27, 27, -26), crumb)];
    expect(planScene(across, 25, 's').tiles.length).toBe(2);
  });

  it('never grow beyond two cells each way', () => {
    const row = Array.from({ length: 40 }, (_, i) =>
      object(i, box(25 * i + 1, -2, 25 * i + 2, -1), { vertices: 3, triangles: 1 }),
    );
    const tiles = planScene(row, 25, 's').tiles;
    expect(tiles.length).toBe(20);
    for (const tile of tiles) expect(tile.bounds.max[0] - tile.bounds.min[0]).toBeLessThan(50);
  });
});

describe('the size of cells by weight', () => {
  const town = (vertices: number) =>
    Array.from({ length: 400 }, (_, i) => {
      const [x, z] = [(i % 20) * 20, Math.floor(i / 20) * 20];
      return object(i, box(x, z, x + 15, z + 15), { vertices, triangles: vertices });
    });
  const size = (objects: ReturnType<typeof town>) => autoTileSize(objects, boundsOf(objects), DEFAULT_BUDGETS);

  it('is smaller the more lies in a place', () => {
    // A cell of 200 m holds 100 houses, one of 50 m about six.
    expect(size(town(100))).toBe(200);
    expect(size(town(10_000))).toBe(50);
    expect(size(town(80_000))).toBe(20);
  });

  it('is not decided by one heavy object or by many light ones', () => {
    const heavy = object(400, box(0, 0, 5, 5), { vertices: 3_000_000, triangles: 3_000_000 });
    expect(size([...town(10_000), heavy])).toBe(50);
    const bolts = Array.from({ length: 5000 }, (_, i) =>
      object(1000 + i, box(1, 1, 1.01, 1.01), { vertices: 3, triangles: 1 }),
    );
    expect(size([...town(100), ...bolts])).toBe(200);
  });

  it('is in the plan', () => {
    const plan = planScene(town(10_000), 25, 's', { ...DEFAULT_TILING, autoTileSize: true });
    expect([plan.tileSize, plan.tileSizeMode]).toEqual([50, 'auto']);
  });
});

describe('radii of small scenes', () => {
  it('keep full detail within 10 m and within four diagonals, and unload 4 m further', () => {
    const mug = { min: [0, 0, 0], max: [0.1, 0.1, 0.1] } as const;
    expect(widenRadii(gridRadii(mug, 25), mug)).toEqual({ streaming: 10, unload: 14 });
    const room = { min: [0, 0, 0], max: [3, 0, 4] } as const;
    expect(widenRadii(gridRadii(room, 25), room)).toEqual({ streaming: 20, unload: 24 });
  });
});

describe('what authors say', () => {
  it('keeps an object that spans in the tile of its centre', () => {
    const wide = box(0, -1, 200, 0);
    const small = object(1, box(0, -1, 1, 0));
    const shared = planScene([object(0, wide), small], 25, 's');
    expect(shared.shared?.objects.length).toBe(1);
    const local = planScene([{ ...object(0, wide), tags: { policy: 'force_local' } }, small], 25, 's');
    expect(local.shared).toBeNull();
    expect(local.tiles.map((t) => [t.id, t.objects.map((o) => o.node)])).toEqual([
      ['tile_0_0_0', [1]],
      ['tile_4_0_0', [0]],
    ]);
  });

  it('raises the priority of a tile to its highest hint, never below the default', () => {
    const hinted = (priority: 'Low' | 'Normal' | 'High' | 'Critical') => ({ ...object(0, CITY), tags: { priority } });
    expect(tilePriority([])).toBe(10);
    expect(tilePriority([hinted('Low'), hinted('Normal'), object(1, CITY)])).toBe(10);
    expect(tilePriority([hinted('Low'), hinted('High')])).toBe(12);
    expect(tilePriority([hinted('Critical'), hinted('High')])).toBe(15);
  });
});
