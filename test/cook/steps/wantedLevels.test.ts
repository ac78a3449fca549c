// Which levels a cook makes of what it is told.

import { expect, test } from 'vitest';
import { levelsWithoutTiles, wantedChains, wantedLevels } from '../../../src/cook/steps/plan/wantedLevels.ts';
import type { ScenePlan } from '../../../src/tiling/types.ts';

const settings = { missingTexture: 'error', tileSize: 25, compress: 'lz4' } as const;
const planOf = (tiles: number) => ({ tiles: Array(tiles).fill({}) }) as unknown as ScenePlan;

/** Of tiles, the levels that all of them get. */
const usual = (lods: readonly number[], hlod: number | null) => ({ lods, usual: lods.length, hlod });

test('more levels made by hand are for the tiles that have them', () => {
  const auto = { ...settings, lods: 'auto', hlod: 'auto' } as const;
  expect(wantedLevels(auto, planOf(2), 1)).toEqual(usual([0.5, 0.2], 0.1));
  const { lods, usual: count } = wantedLevels(auto, planOf(2), 12);
  expect([lods.length, count]).toEqual([8, 2]);
  expect(wantedLevels({ ...auto, lods: [0.5, 0.3, 0.1] }, planOf(2), 2)).toEqual(usual([0.5, 0.3, 0.1], 0.1));
});

test('auto makes the usual levels, but none of a scene that one tile holds', () => {
  const auto = { ...settings, lods: 'auto', hlod: 'auto' } as const;
  expect(wantedLevels(auto, planOf(2), 0)).toEqual(usual([0.5, 0.2], 0.1));
  expect(wantedLevels(auto, planOf(1), 0)).toEqual(usual([], null));
  expect(levelsWithoutTiles(auto, false)).toBeNull();
});

test('ratios hold as they are given, and each kind by itself', () => {
  const one = { ...settings, lods: [0.3], hlod: 'auto' } as const;
  expect(wantedLevels(one, planOf(1), 0)).toEqual(usual([0.3], null));
  expect(wantedLevels(one, planOf(3), 0)).toEqual(usual([0.3], 0.1));
  expect(wantedLevels({ ...settings, lods: [], hlod: null }, planOf(3), 0)).toEqual(usual([], null));
  const none = 'no levels are made for a single file';
  expect(levelsWithoutTiles(one, false)).toBe(none);
  expect(levelsWithoutTiles({ ...settings, hlod: 0.2 }, false)).toBe(none);
});

test('a single file and absent settings have none', () => {
  expect(wantedLevels({ ...settings, lods: [0.5], hlod: 0.1 }, null, 0)).toEqual(usual([], null));
  expect(wantedLevels(settings, planOf(9), 0)).toEqual(usual([], null));
});

test('a pack has chains by pictures, by the ratios of the engine’s cook or none, and never HLODs', () => {
  const auto = { ...settings, lods: 'auto', lodCheck: 'pictures' } as const;
  expect(wantedChains(auto)).toEqual({ ratios: null, similarity: 'good' });
  expect(wantedChains({ ...auto, lodQuality: 'best' })).toEqual({ ratios: null, similarity: 'best' });
  expect(wantedChains({ ...auto, lodCheck: 'geometry' })).toEqual({ ratios: null, similarity: null });
  expect(wantedChains({ ...auto, lods: [0.5, 0.15, 0.03] })).toEqual({ ratios: [0.5, 0.15, 0.03], similarity: null });
  expect(wantedChains({ ...auto, lods: [] })).toBeNull();
  expect(levelsWithoutTiles({ ...settings, lods: [0.5], hlod: 'auto' }, true)).toBeNull();
  expect(levelsWithoutTiles({ ...settings, hlod: 0.2 }, true)).toBe('no HLODs are made for the models of a pack');
});
