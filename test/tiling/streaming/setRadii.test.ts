// How far tiles without levels are drawn: as far as the others of their set, within the memory of the engine.

import { describe, expect, test } from 'vitest';
import { shownLevel, showsShared } from '../../../src/engine/shownLevel.ts';
import type { Bounds } from '../../../src/scene/types.ts';
import { clusterRadii } from '../../../src/tiling/streaming/clusterRadii.ts';
import type { StreamingRange } from '../../../src/tiling/streaming/radii.ts';
import {
  drawnUntil,
  fitsMemory,
  lastTogether,
  type PlacedTile,
  type TileRadii,
  tileRadii,
} from '../../../src/tiling/streaming/setRadii.ts';
import type { TreeTile } from '../../../src/tiling/types.ts';
import { box } from '../objects.ts';

const GRID: StreamingRange = { kind: 'grid', tileSize: 25 };
const LEVEL = { error: 0.01 };

function tile(
  id: string,
  more: Partial<PlacedTile> = {},
  range: StreamingRange = GRID,
  tree: TreeTile | null = null,
): PlacedTile {
  return { planned: { id, tree, range }, bounds: box(0, 0, 25, 25), gpuBytes: 1000, ...more };
}

const treeOf = (tier: TreeTile['tier']): TreeTile => ({
  floor: 1,
  nodeId: 'F01_Q',
  tier,
  cellBounds: box(0, 0, 25, 25),
  spanning: false,
  interior: true,
});

const SCENE: Bounds = box(0, 0, 200, 200);

/** The distances of the tiles as a manifest would have them, and which ended. */
function settled(tiles: readonly PlacedTile[], shared: PlacedTile | null = null) {
  const all = shared ? [...tiles, shared] : tiles;
  const radii = tileRadii(all, SCENE);
  const { widened, ended, until } = lastTogether(radii, shared);
  const of = (one: PlacedTile) => widened.get(one) ?? (radii.get(one) as TileRadii);
  return { of, ended, until, widened };
}

const shownAt = (radii: TileRadii, distance: number) =>
  shownLevel({ ...radii, prefetch: radii.prefetch ?? null, isGated: false }, distance);

describe('a level that looks like full detail from some distance', () => {
  const radiiWith = (looksFrom: number, range: StreamingRange = GRID) =>
    tileRadii([tile('a', { lods: [{ error: 0.01, looksFrom }] }, range)], SCENE)
      .values()
      .next().value as TileRadii;

  test('is shown from there, nearer than four diagonals of its tile, and full detail goes soon after', () => {
    const radii = radiiWith(90);
    expect([radii.lods, radii.streaming < 86, radii.streaming > 85.9]).toEqual([[90], true, true]);
    expect(radii.unload).toBeLessThan(95);
    expect([89.9, 90.1].map((at) => shownAt(radii, at))).toEqual([{ kind: 'full' }, { kind: 'lod', index: 0 }]);
  });

  test('is shown from one and a half diagonals at the nearest', () => {
    // box() is 25 m x 25 m on the ground.
    const { min, max } = box(0, 0, 25, 25);
    const diagonal = Math.hypot(...[0, 1, 2].map((k) => max[k] - min[k]));
    const radii = radiiWith(5);
    expect(radii.streaming).toBeCloseTo(1.5 * diagonal, 1);
    expect(radii.lods[0]).toBeCloseTo(1.5 * diagonal + 4, 1);
  });

  test('is not shown nearer where that is far beyond its radii: full detail is requested up to it', () => {
    const radii = radiiWith(300);
    expect([radii.lods, radii.prefetch]).toEqual([[300], 300]);
    expect([299.9, 300.1].map((at) => shownAt(radii, at))).toEqual([{ kind: 'full' }, { kind: 'lod', index: 0 }]);
  });

  test('changes no radii that were given', () => {
    const given: StreamingRange = { kind: 'given', radii: { streaming: 120, unload: 140 } };
    // As the ladder of the engine's own exporter has it, between 124 and 136 m.
    expect(radiiWith(90, given)).toMatchObject({ streaming: 120, lods: [126.66] });
  });
});

describe('a set with levels', () => {
  const levelled = tile('levelled', { lods: [LEVEL] });
  const bare = tile('bare');

  test('a tile without levels shows full detail as far as the engine looks for tiles, and keeps its streaming radius', () => {
    const { of, until, ended } = settled([levelled, bare]);
    expect([until, ended]).toEqual([500, []]);
    // A footprint of 25 by 25 m: four diagonals are 141.43 m. The loader adds 1 m to what is requested.
    expect(of(bare)).toMatchObject({ streaming: of(levelled).streaming, prefetch: 499, unload: 501 });
    for (let distance = 0; distance <= 500; distance += 0.5) {
      expect([distance, shownAt(of(bare), distance)]).toEqual([distance, { kind: 'full' }]);
      expect([distance, shownAt(of(levelled), distance)]).not.toEqual([distance, null]);
    }
    expect(shownAt(of(bare), 500.5)).toBeNull();
  });

  test('… even where its geometry has no room, because levels are kept there that are no better', () => {
    const { of, ended } = settled([levelled, tile('large', { gpuBytes: 4e8 })]);
    expect(ended).toEqual([]);
    expect(of(levelled).lods).toHaveLength(1);
  });

  test('the shared bucket lasts as long, by the middle of its radii', () => {
    const shared = tile('shared', {}, { kind: 'shared' });
    const { of } = settled([levelled], shared);
    const { streaming, unload, prefetch } = of(shared);
    expect(prefetch).toBeUndefined();
    expect(showsShared(streaming, unload, 500)).toBe(true);
  });

  test('radii that the user gave stay', () => {
    const given = tile('given', {}, { kind: 'given', radii: { streaming: 30, unload: 40 } });
    const { of, ended } = settled([levelled, given]);
    expect([of(given).unload, of(given).prefetch, ended]).toEqual([40, undefined, []]);
  });

  test('the contents of rooms, which get no levels, last as long where all geometry fits the memory', () => {
    const chair = tile('chair', {}, GRID, treeOf('RoomContents'));
    expect(settled([levelled, chair]).of(chair).prefetch).toBe(499);
    // 512 MiB x 0.6 x 0.85 = 273.8 MB
    const heavy = tile('heavy', { lods: [LEVEL], gpuBytes: 273_000_000 });
    const { of, ended } = settled([heavy, { ...chair, gpuBytes: 1_000_000 }]);
    expect(ended.map(({ planned }) => planned.id)).toEqual(['chair']);
    expect(of(ended[0]).prefetch).toBeUndefined();
  });
});

test('without any levels, all tiles are drawn as far as the one that is drawn furthest', () => {
  const small = tile('small', { bounds: box(0, 0, 5, 5) });
  const wide = tile('wide', { bounds: box(0, 0, 50, 50) });
  const { of, until } = settled([small, wide]);
  const radii = tileRadii([small, wide], SCENE);
  // Four diagonals of 50 by 1 by 50 m, and the loader's gap: the middle of 282.88 and 286.88, and 1 m more.
  expect(until).toBeCloseTo(285.88, 2);
  expect(drawnUntil(radii.get(small) as TileRadii)).toBeLessThan(70);
  expect(drawnUntil(of(small))).toBeCloseTo(until, 2);
  expect(of(wide)).toEqual(radii.get(wide));
});

test('memory is reckoned for the worst place, not for the whole set', () => {
  const at = (x: number, bytes: number) => ({ bounds: box(x, 0, x + 10, 10), bytes });
  const max = 512 * 2 ** 20 * 0.6 * 0.85;
  expect(fitsMemory([at(0, max / 2), at(100, max / 2)])).toBe(true);
  expect(fitsMemory([at(0, max / 2), at(100, max / 2 + 1)])).toBe(false);
  // Four kilometres apart, no place has both.
  expect(fitsMemory([at(0, max / 2), at(4000, max / 2 + 1)])).toBe(true);
});

test('in a cluster, full detail of a tile without levels is drawn until the shared HLOD has taken over', () => {
  const all = box(0, 0, 60, 30);
  const near = { streaming: 38.54, unload: 57.81 };
  const levelled = { ...near, bounds: box(0, 0, 30, 30), lods: [44.15], hlod: 55 };
  const bare = { ...near, bounds: box(30, 0, 60, 30), lods: [], hlod: null };
  const made = clusterRadii(all, [levelled, bare], 0);
  // The cluster begins at 55 + 4.01; a member ends at (59.01 + 30 + 16) / 0.9 = 116.678.
  expect(made?.cluster.hlod).toBe(59.01);
  expect(made?.members[1]).toEqual({ ...near, unload: 117.69, prefetch: 116.68, lods: [], hlod: 116.68 });
  for (let distance = 0; distance <= 116.5; distance += 0.5) {
    const { prefetch, ...rest } = made!.members[1];
    expect(shownLevel({ ...rest, prefetch, isGated: false }, distance)).toEqual({ kind: 'full' });
  }
});

test('a share of their distances moves full detail and levels nearer; what was given, always loaded or without levels stays', () => {
  const coarse = { error: 1, looksFrom: 400 };
  const levelled = tile('levelled', { lods: [LEVEL, coarse], hlod: { error: 2 } });
  const given = tile('given', { lods: [LEVEL] }, { kind: 'given', radii: { streaming: 40, unload: 80 } });
  const always = tile('always', {}, { kind: 'always' });
  const tiles = [levelled, given, always, tile('bare')];
  const [usual, half] = [tileRadii(tiles, SCENE), tileRadii(tiles, SCENE, 0.5)];
  const of = (radii: typeof usual) => radii.get(levelled) as TileRadii;
  expect(of(half).streaming).toBeCloseTo(of(usual).streaming / 2, 1);
  expect(of(half).lods[0]).toBeLessThan(of(usual).lods[0]);
  // 400 m were asked for, and an error of 2 m is unseen from 935 m.
  expect([of(usual).lods[1], of(half).lods[1]]).toEqual([467.65, 233.83]);
  expect(of(half).hlod).toBeCloseTo((of(usual).hlod as number) / 2, 1);
  expect(of(half).unload).toBeLessThan(of(usual).unload);
  for (const one of [given, always, tiles[3]]) expect(half.get(one)?.streaming).toBe(usual.get(one)?.streaming);
  // Full detail stays within ten metres.
  const small = tile('small', { lods: [LEVEL], bounds: box(0, 0, 1, 1) });
  const radii = (scale: number) => tileRadii([small], box(0, 0, 20, 20), scale).get(small)?.streaming;
  expect([radii(1), radii(0.5)]).toEqual([10, 10]);
});
