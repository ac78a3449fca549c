import { describe, expect, it } from 'vitest';
import type { Bounds } from '../../src/scene/types.ts';
import { gridOrigin, isSpanning, planGrid } from '../../src/tiling/grid.ts';
import { tilePriority } from '../../src/tiling/priority.ts';
import { gridRadii, halfDiagonal, sharedRadii, widenRadii } from '../../src/tiling/radii.ts';
import type { PlannedObject } from '../../src/tiling/types.ts';

// A published city of the engine: its bounds in engine space and what its manifest says of them.
const CITY: Bounds = { min: [-81.13, -1.01, -74.21], max: [90.77, 76.1, 63.4] };

const box = (x0: number, z0: number, x1: number, z1: number): Bounds => ({ min: [x0, 0, z0], max: [x1, 1, z1] });
const object = (node: number, bounds: Bounds): PlannedObject => ({ node, bounds, triangles: 1 });

describe('the grid of the published city', () => {
  it('snaps its origin to cells along +X and -Z', () => {
    expect(gridOrigin(CITY, 25)).toEqual([-100, -1.01, -75]);
  });

  it('numbers the cell at x [-100, -75], z [50, 75] as 0, 0, 0', () => {
    const plan = planGrid([object(0, CITY), object(1, box(-80, 60, -78, 62))], 25, 'city');
    expect(plan.tiles.map((t) => t.id)).toEqual(['tile_0_0_0']);
    expect(plan.shared?.objects.map((o) => o.node)).toEqual([0]);
    expect(plan.shared?.fileName).toBe('city_shared.untold');
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
  it('gives each object to the one cell that holds its centre', () => {
    const objects = [object(0, box(0, -1, 1, 0)), object(1, box(20, -11, 40, -1)), object(2, box(26, -2, 27, -1))];
    const plan = planGrid(objects, 25, 's');
    expect(plan.tiles.map((t) => [t.id, t.objects.map((o) => o.node)])).toEqual([
      ['tile_0_0_0', [0]],
      ['tile_1_0_0', [1, 2]],
    ]);
  });

  it('orders tiles by z, then x, with z counted along engine -Z', () => {
    const objects = [object(0, box(60, -30, 61, -29)), object(1, box(0, -30, 1, -29)), object(2, box(60, -1, 61, 0))];
    expect(planGrid(objects, 25, 's').tiles.map((t) => t.cell)).toEqual([
      [2, 0, 0],
      [0, 0, 1],
      [2, 0, 1],
    ]);
  });

  it('owns every object exactly once, whatever the scene', () => {
    let seed = 7;
    const random = () => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return seed / 2 ** 32;
    };
    for (let round = 0; round < 50; round++) {
      const objects = Array.from({ length: 40 }, (_, node) => {
        const x = (random() - 0.5) * 500;
        const z = (random() - 0.5) * 500;
        return object(node, box(x, z, x + random() * 150, z + random() * 150));
      });
      const plan = planGrid(objects, 25, 's');
      const owned = [...plan.tiles, ...(plan.shared ? [plan.shared] : [])].flatMap((t) => t.objects.map((o) => o.node));
      expect(owned.sort((a, b) => a - b)).toEqual(objects.map((o) => o.node));
      for (const tile of plan.tiles) {
        expect(tile.cell!.every((n) => n >= 0)).toBe(true);
        for (const o of tile.objects) expect(isSpanning(o.bounds, ...origins(plan.bounds), 25)).toBe(false);
      }
    }
  });
});

function origins(bounds: Bounds): [number, number] {
  const [x, , z] = gridOrigin(bounds, 25);
  return [x, z];
}

describe('spanning objects', () => {
  it('spans when wider than four cells', () => {
    expect(isSpanning(box(0, -10, 100, 0), 0, 0, 25)).toBe(false);
    expect(isSpanning(box(0, -10, 100.1, 0), 0, 0, 25)).toBe(true);
    expect(isSpanning(box(0, -100.1, 10, 0), 0, 0, 25)).toBe(true);
  });

  it('spans when it touches more than sixteen cells', () => {
    // 99 m square off the grid: five by five cells.
    expect(isSpanning(box(1, -100, 100, -1), 0, 0, 25)).toBe(false);
    expect(isSpanning(box(5, -104, 104, -5), 0, 0, 25)).toBe(true);
  });

  it('does not count a border that is only touched', () => {
    expect(isSpanning(box(0, -100, 100, 0), 0, 0, 25)).toBe(false);
  });
});

describe('radii of small scenes', () => {
  it('keeps full detail within 10 m and within four diagonals, and unloads 4 m further', () => {
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
    const shared = planGrid([object(0, wide), small], 25, 's');
    expect(shared.shared?.objects.length).toBe(1);
    const local = planGrid([{ ...object(0, wide), tags: { policy: 'force_local' } }, small], 25, 's');
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
