import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Bounds } from '../../src/scene/types.ts';
import { DEFAULT_TILING, type TilingOptions } from '../../src/tiling/options.ts';
import { DEFAULT_BUDGETS, estimate } from '../../src/tiling/partition/budgets.ts';
import { planScene } from '../../src/tiling/plan.ts';
import type { PlannedTile, ScenePlan } from '../../src/tiling/types.ts';
import { box, generatedScene, object, shuffled } from './objects.ts';

const payloads = (plan: ScenePlan): PlannedTile[] => (plan.shared ? [...plan.tiles, plan.shared] : [...plan.tiles]);
const owners = (plan: ScenePlan) => payloads(plan).map((t) => [t.id, t.objects.map((o) => o.node)]);

const MODES = (['grid', 'quadtree', 'kdtree'] as const).flatMap((partition) =>
  (['auto', 'always', 'never'] as const).flatMap((sharedBucket) =>
    ([false, true] as const).map(
      (autoTileSize): TilingOptions => ({
        ...DEFAULT_TILING,
        partition,
        sharedBucket,
        autoTileSize,
        profile: sharedBucket === 'never' ? 'indoor' : 'auto',
      }),
    ),
  ),
);
const SCENES = [2, 30, 150, 600, 2000].flatMap((extent, i) => [
  { extent, objects: generatedScene(7 * i + 1, extent, 3) },
  { extent, objects: generatedScene(7 * i + 2, extent, 250) },
]);

describe.each(MODES)('$partition, bucket $sharedBucket, auto size $autoTileSize', (options) => {
  const plans = SCENES.map(({ objects }) => ({ objects, plan: planScene(objects, 25, 's', options) }));

  it('puts each object into exactly one payload', () => {
    for (const { objects, plan } of plans) {
      const owned = payloads(plan).flatMap((t) => t.objects);
      const pieces = owned.filter((o) => o.piece).map((o) => o.node);
      const whole = owned.filter((o) => !o.piece).map((o) => o.node);
      const nodes = [...whole, ...new Set(pieces)];
      expect(nodes.sort((a, b) => a - b)).toEqual(objects.map((o) => o.node));
    }
  });

  it('gives each payload an id and a file of its own, and something to hold', () => {
    for (const { plan } of plans) {
      const ids = payloads(plan).map((t) => t.id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(new Set(payloads(plan).map((t) => t.stem.toLowerCase())).size).toBe(ids.length);
      for (const tile of payloads(plan)) expect(tile.objects.length).toBeGreaterThan(0);
    }
  });

  it('has bounds, and cells, that miss nothing of their objects', () => {
    for (const { plan } of plans) {
      for (const tile of payloads(plan)) {
        // Some millions of comparisons: expect() is asked once a tile.
        const outer = [tile.bounds, ...(tile.tree ? [tile.tree.cellBounds] : [])];
        const isInside = ({ min, max }: Bounds) =>
          outer.every((own) => min.every((low, k) => own.min[k] <= low && own.max[k] >= max[k]));
        expect(tile.objects.filter(({ bounds }) => !isInside(bounds))).toEqual([]);
      }
    }
  });

  it('keeps the budgets, or says which one it breaks and why', () => {
    for (const { plan } of plans) {
      for (const tile of payloads(plan)) {
        const { bytes, meshes, vertices } = estimate(tile.objects);
        const { budgets } = options;
        const broken = [bytes > budgets.bytes, meshes > budgets.meshes, vertices > budgets.vertices];
        expect(tile.over?.broken.length ?? 0).toBe(broken.filter(Boolean).length);
        if (tile.over && tile !== plan.shared && !broken[1]) expect(tile.objects.length).toBe(1);
      }
      if (options.sharedBucket === 'never') expect(plan.shared).toBeNull();
      if (options.sharedBucket === 'auto' && plan.shared) expect(plan.shared.over).toBeNull();
    }
  });

  it('is the same for objects in any order', () => {
    for (const { objects, plan } of plans) {
      const again = planScene(shuffled(objects, 99), 25, 's', options);
      expect(owners(again)).toEqual(owners(plan));
      // Of whole plans toEqual() takes many times as long.
      expect(isDeepStrictEqual(again, plan)).toBe(true);
    }
  });

  it('arms the floor gate only indoors, and only for tiles that the gate spans', () => {
    for (const { plan } of plans) {
      for (const { tree, bounds } of plan.tiles) {
        if (!tree?.interior) continue;
        expect(plan.profile).toBe('indoor');
        expect(tree.tier).not.toBe('ExteriorShell');
        expect(bounds.max[1] - bounds.min[1]).toBeLessThanOrEqual(10);
      }
    }
  });
});

describe('budgets', () => {
  const row = (count: number, more: object = {}) =>
    Array.from({ length: count }, (_, i) => object(i, box(i / 10, -1, i / 10 + 0.05, 0), more));

  it('cut a cell in halves of equal weight along the objects', () => {
    const tiles = planScene(row(8, { vertices: 50_000 }), 25, 's').tiles;
    expect(tiles.map((t) => [t.id, t.objects.map((o) => o.node)])).toEqual([
      ['tile_0_0_0_s00', [0, 1]],
      ['tile_0_0_0_s01', [2, 3]],
      ['tile_0_0_0_s10', [4, 5]],
      ['tile_0_0_0_s11', [6, 7]],
    ]);
  });

  it('cut what has too many meshes, unless all parts would need the same', () => {
    const own = row(100).map((o) => ({ ...o, draws: [`${o.node}|0`] }));
    expect(planScene(own, 25, 's').tiles.map((t) => t.estimate.meshes)).toEqual([50, 50]);
    const draws = Array.from({ length: 60 }, (_, i) => String(i));
    const same = planScene(row(100, { draws, vertices: 10 }), 25, 's').tiles;
    expect(same.map((t) => t.over)).toEqual([{ broken: ['60 meshes of 50'], why: 'same materials' }]);
  });

  it('name one object that is not to be cut', () => {
    const tags = { policy: 'force_local' } as const;
    const [tile] = planScene([object(0, box(0, 0, 1, 1), { vertices: 200_000, tags })], 25, 's').tiles;
    expect(tile.over).toEqual({ broken: ['200,000 vertices of 160,000'], why: 'one object' });
  });

  it('cut objects that all stand in one place', () => {
    const stack = Array.from({ length: 64 }, (_, i) => object(i, box(0, 0, 1, 1), { vertices: 100_000 }));
    for (const partition of ['grid', 'quadtree', 'kdtree'] as const) {
      const tiles = planScene(stack, 25, 's', { ...DEFAULT_TILING, partition }).tiles;
      expect(tiles.map((t) => [t.objects.length, t.over])).toEqual(tiles.map(() => [1, null]));
      expect(tiles.length).toBe(64);
    }
  });

  it('expect 32 bytes a vertex and two or four an index', () => {
    const less = estimate([object(0, box(0, 0, 1, 1), { vertices: 1000, triangles: 0 })]);
    const more = estimate([object(0, box(0, 0, 1, 1), { vertices: 2000, triangles: 500 })]);
    expect(more.bytes - less.bytes).toBe(1000 * 32 + 500 * 3 * 2);
    const long = (triangles: number) => estimate([object(0, box(0, 0, 1, 1), { vertices: 70_000, triangles })]).bytes;
    expect(long(500) - long(0)).toBe(500 * 3 * 4);
    expect(DEFAULT_BUDGETS).toEqual({ bytes: 15e6, meshes: 50, vertices: 160_000 });
  });
});
