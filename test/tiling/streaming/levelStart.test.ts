// From where levels may be shown, while they are made and where no loader shows them.

import { describe, expect, test } from 'vitest';
import { drawDistances } from '../../../src/tiling/streaming/drawDistances.ts';
import { ladder } from '../../../src/tiling/streaming/ladder.ts';
import {
  furthestStart,
  minJudgedStreaming,
  minStreaming,
  nearestStart,
  pixelAtStart,
  startAfter,
  startOfLevel,
} from '../../../src/tiling/streaming/levelStart.ts';
import { setDistances } from '../../../src/tiling/streaming/setDistances.ts';
import type { PlacedTile } from '../../../src/tiling/streaming/setRadii.ts';
import { box } from '../objects.ts';

/** The diagonal of the box is 5 m. */
const CONTENT = { min: [0, 0, 0], max: [3, 0, 4] } as const;

describe('a level that is being made', () => {
  test('begins 4 m beyond the least streaming radius of its tile, 4 diagonals', () => {
    expect(minStreaming({ kind: 'shared' }, CONTENT)).toBe(20);
    expect(minStreaming({ kind: 'given', radii: { streaming: 7, unload: 9 } }, CONTENT)).toBe(7);
    expect(nearestStart(20)).toBe(24);
    expect(nearestStart(20, 2)).toBe(32);
    expect(startAfter(24)).toBe(28);
  });

  test('begins where pictures let it, at one and a half diagonals and 10 m, unless its radii were given', () => {
    expect(minJudgedStreaming({ kind: 'grid', tileSize: 1 }, CONTENT)).toBe(10);
    const large = { min: [0, 0, 0], max: [30, 0, 40] } as const;
    expect(minJudgedStreaming({ kind: 'grid', tileSize: 25 }, large)).toBe(75);
    expect(minJudgedStreaming({ kind: 'shared' }, large)).toBe(200);
    expect(minJudgedStreaming({ kind: 'given', radii: { streaming: 7, unload: 9 } }, large)).toBe(7);
  });

  test('is moved out by its error, as the ladder does later', () => {
    const from = startOfLevel(24, 0.1);
    expect(from).toBeCloseTo(46.77, 2);
    expect(ladder(20, 30, [{ error: 0.1 }], null).lods).toEqual([Math.round(from * 100) / 100]);
    expect(startOfLevel(24, 0.01)).toBe(24);
    expect(pixelAtStart(24, 0.1)).toBeCloseTo(0.05, 10);
  });

  test('is moved out to two or three radii at most, and with pictures no further than the engine shows it', () => {
    expect(furthestStart(20, 'lod', false)).toBe(40);
    expect(furthestStart(20, 'hlod', true)).toBe(60);
    expect(furthestStart(200, 'hlod', false)).toBe(600);
    expect(furthestStart(200, 'hlod', true)).toBe(500);
  });
});

/** Two tiles of 25 m, 100 m apart, with levels. */
const TILES = [0, 100].map((x, i): PlacedTile => {
  const planned = { id: `t${i}`, tree: null, range: { kind: 'grid', tileSize: 25 } as const };
  return { planned, bounds: box(x, 0, x + 25, 25), lods: [{ error: 0.01 }], hlod: { error: 0.02 }, gpuBytes: 1000 };
});
const SCENE = { scene: box(0, 0, 125, 25), defaultRange: { kind: 'shared' } as const };
const CLUSTER = { members: TILES, bounds: SCENE.scene, hlod: { error: 0.05 } };

describe('all distances of a set', () => {
  test('let the HLOD of a cluster begin beyond the last levels of its members, which end beyond that', () => {
    const { radii, clusters } = setDistances(TILES, null, [CLUSTER], SCENE);
    const alone = setDistances(TILES, null, [], SCENE);
    const cluster = clusters.get(CLUSTER);
    expect(cluster?.hlod).toBeGreaterThan(alone.radii.get(TILES[0])?.hlod as number);
    for (const tile of TILES) {
      const [before, now] = [alone.radii.get(tile), radii.get(tile)];
      expect(now?.lods).toEqual([...(before?.lods ?? []), before?.hlod]);
      expect(now?.hlod).toBeGreaterThan(cluster?.hlod as number);
    }
    expect(alone.clusters.size).toBe(0);
  });

  test('leave a cluster out whose members would end beyond what the engine shows', () => {
    const far = { ...CLUSTER, hlod: { error: 2 } };
    const { radii, clusters } = setDistances(TILES, null, [far], SCENE);
    expect(clusters.size).toBe(0);
    expect(radii).toEqual(setDistances(TILES, null, [], SCENE).radii);
  });
});

describe('where no loader is', () => {
  const levels = { streaming: 20, unload: 90, lods: [30, 50], hlod: 80 };

  test('a tile with levels is drawn as far as the engine looks for tiles, one without up to its radius', () => {
    expect(drawDistances(levels, CONTENT, null)).toEqual({ lods: [30, 50], hlod: 80, end: 500 });
    expect(drawDistances({ ...levels, lods: [], hlod: null }, CONTENT, null).end).toBe(90);
  });

  test('a member ends where its cluster is certainly drawn, measured between the centres of both', () => {
    // Half diagonals 2.5 and 5, centres 2.5 apart, and 16 m beyond that.
    const cluster = { bounds: { min: [0, 0, 0], max: [6, 0, 8] } as const, hlod: 100 };
    expect(drawDistances(levels, CONTENT, cluster)).toEqual({ lods: [30, 50], hlod: 121, end: 121 });
  });
});
