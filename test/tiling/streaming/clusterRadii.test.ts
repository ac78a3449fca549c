// Distances of HLOD clusters: worked out by hand, replayed against the loader, and held to what must be seen from where.

import { describe, expect, test } from 'vitest';
import { loaderBands, MAX_QUERY_RADIUS } from '../../../src/engine/streaming.ts';
import type { Bounds } from '../../../src/scene/types.ts';
import { DEFAULT_TILING } from '../../../src/tiling/options.ts';
import { planScene } from '../../../src/tiling/plan.ts';
import {
  type ClusterEntry,
  type ClusterMember,
  clusterRadii,
  clusterRange,
  spread,
} from '../../../src/tiling/streaming/clusterRadii.ts';
import { planHlodClusters } from '../../../src/tiling/streaming/hlodClusters.ts';
import { ladder } from '../../../src/tiling/streaming/ladder.ts';
import { rangeRadii } from '../../../src/tiling/streaming/radii.ts';
import { box, generatedScene, random } from '../objects.ts';

const f32 = Math.fround;

test('the far corner of a tile in 3, 4 and 12 more metres is 13 m further away', () => {
  const cluster = box(0, 0, 10, 10, 0, 20);
  expect(spread(cluster, box(3, 0, 10, 6, 8, 20))).toBe(Math.hypot(3, 4, 8));
  expect(spread(cluster, box(3, 4, 10, 10, 0, 8))).toBe(13);
  expect(spread(cluster, cluster)).toBe(0);
});

const member = (bounds: Bounds, more: Partial<ClusterMember> = {}): ClusterMember => ({
  bounds,
  streaming: 38.54,
  unload: 57.81,
  lods: [44.15, 48.15],
  hlod: 53.8,
  ...more,
});

describe('two tiles of 30 m, side by side', () => {
  const all = box(0, 0, 60, 30);
  const pair = [member(box(0, 0, 30, 30)), member(box(30, 0, 60, 30), { hlod: 55 })];
  const made = clusterRadii(all, pair, 0);

  test('the cluster begins 4.01 m beyond the last level of either', () => {
    // 55 + 4.01; streaming 4.01 below, unload 1.01 above; asked for within prefetch + 1 = 59.01
    expect(made?.cluster).toEqual({ streaming: 55, unload: 60.02, prefetch: 58.01, lods: [], hlod: 59.01 });
  });

  test('… or where its error is no longer seen', () => {
    expect(clusterRadii(all, pair, 120.001)?.cluster.hlod).toBe(120.01);
  });

  test('members end where the cluster is sure to be seen, and keep the reach of their full detail', () => {
    // (59.01 + 30 + 16) / 0.9 = 116.678; (38.54 + 57.81) / 2 = 48.175
    const rest = { streaming: 38.54, unload: 117.69, prefetch: 48.17, hlod: 116.68 };
    expect(made?.members).toEqual([
      { ...rest, lods: [44.15, 48.15, 53.8] },
      { ...rest, lods: [44.15, 48.15, 55] },
    ]);
  });

  test('… however far that is', () => {
    const wide = clusterRadii(all, [pair[0], member(box(30, 0, 60, 30), { hlod: 55, unload: 130 })], 0);
    expect(wide?.members.map(({ unload, hlod }) => [unload, hlod])).toEqual([
      [117.69, 116.68],
      [130, 116.68],
    ]);
  });

  test('without an HLOD the last LOD leads up to the cluster', () => {
    const bare = clusterRadii(all, [member(box(0, 0, 30, 30), { hlod: null }), member(all, { hlod: null })], 0);
    expect(bare?.cluster.hlod).toBe(52.16);
    expect(bare?.members[1].lods).toEqual([44.15, 48.15]);
    expect(bare?.members[1].hlod).toBe(75.74);
  });

  test('there is no cluster where its members would not end within the loader’s sight', () => {
    // (from + 30 + 16) / 0.9 < 500 up to from = 403.99
    expect(clusterRadii(all, pair, 403.9)?.members[0].hlod).toBe(499.89);
    expect(clusterRadii(all, pair, 404)).toBeNull();
  });

  test('its HLOD may be shown from one and a half times the least distance, or as far as there is a cluster', () => {
    // 55 + 4.01 = 59.01, and half of it more; 0.9 * 499.9 - 30 - 16 = 403.91
    expect(clusterRange(all, pair)).toBe(88.51);
    const late = (hlod: number) => [pair[0], member(box(30, 0, 60, 30), { unload: 600, hlod })];
    expect(clusterRange(all, late(390))).toBe(403.91);
    expect(clusterRadii(all, late(390), 403.91)).not.toBeNull();
    expect(clusterRange(all, late(399.9))).toBe(403.91);
    expect(clusterRange(all, late(400))).toBeNull();
  });
});

/** Distance from a point to a box, as the loader measures it. */
function distance({ min, max }: Bounds, at: readonly number[]): number {
  const away = (axis: 0 | 1 | 2) => Math.max(0, min[axis] - at[axis], at[axis] - max[axis]);
  return Math.hypot(away(0), away(1), away(2));
}

function isUntouched({ streaming, unload, prefetch, lods, hlod }: ClusterEntry): void {
  const used = loaderBands(f32(streaming), f32(unload), f32(hlod), lods.map(f32));
  expect(used).toEqual({ unload: f32(unload), hlod: f32(hlod), lods: lods.map(f32) });
  expect(f32(prefetch)).toBeGreaterThanOrEqual(f32(streaming));
  expect(f32(prefetch)).toBeLessThanOrEqual(f32(unload));
  for (const value of [streaming, unload, prefetch, hlod]) expect(Number(value.toFixed(2))).toBe(value);
}

interface Case {
  readonly bounds: Bounds;
  readonly members: readonly ClusterMember[];
  readonly min: number;
}

/** The clusters of a generated scene, with errors of all sizes. */
function cases(seed: number, extent: number, partition: 'grid' | 'quadtree' | 'kdtree', level: number): Case[] {
  const plan = planScene(generatedScene(seed, extent, 300), Math.min(25, extent / 6), 's', {
    ...DEFAULT_TILING,
    partition,
    minObjects: 1,
    profile: seed % 2 ? 'indoor' : 'outdoor',
    budgets: { ...DEFAULT_TILING.budgets, vertices: 20_000 },
  });
  const next = random(seed);
  return planHlodClusters(plan, level).map(({ bounds, members }) => ({
    bounds,
    min: next() < 0.5 ? 0 : next() * 150,
    members: members.map((tile) => {
      const { streaming, unload } = rangeRadii(tile.range, plan.bounds, tile.bounds);
      const errors = Array.from({ length: 1 + Math.floor(next() * 3) }, () => ({ error: next() ** 4 * 0.3 }));
      const hlod = next() < 0.8 ? { error: next() ** 2 * 0.4 } : null;
      return { bounds: tile.bounds, streaming, ...ladder(streaming, unload, errors, hlod) };
    }),
  }));
}

describe.each([2, 12, 60, 300, 900, 2000])('scenes of %d m', (extent) => {
  const all = (['grid', 'quadtree', 'kdtree'] as const).flatMap((partition, i) =>
    [1, 2].flatMap((level) => cases(extent + 10 * i + level, extent, partition, level)),
  );
  const made = all.flatMap((one) => {
    const radii = clusterRadii(one.bounds, one.members, one.min);
    return radii ? [{ ...one, radii }] : [];
  });

  test('what is written passes the loader untouched, in its float32', () => {
    expect(made.length).toBeGreaterThan(0);
    for (const { radii } of made) for (const entry of [radii.cluster, ...radii.members]) isUntouched(entry);
  });

  test('a cluster has a reach exactly where it has distances, and its reach is one of them', () => {
    const reaches = all.map((one) => ({ ...one, range: clusterRange(one.bounds, one.members) }));
    for (const { bounds, members, range } of reaches) {
      if (range !== null) expect(clusterRadii(bounds, members, range + 0.02)).not.toBeNull();
      // The rounding alone lies between.
      else
        expect(
          clusterRadii(bounds, members, 0)?.members.every(({ hlod }) => hlod < MAX_QUERY_RADIUS - 0.2) ?? false,
        ).toBe(false);
    }
    expect(reaches.some(({ range }) => range !== null)).toBe(true);
  });

  test('full detail is asked for where it was, and kept no shorter', () => {
    for (const { members, radii } of made) {
      radii.members.forEach((entry, i) => {
        const before = (members[i].streaming + members[i].unload) / 2;
        expect(Math.abs(entry.prefetch - before)).toBeLessThanOrEqual(0.011);
        expect(entry.unload).toBeGreaterThanOrEqual(members[i].unload);
      });
    }
  });

  test('only members are drawn near, only the cluster afar, and one of them at least everywhere', () => {
    const next = random(extent);
    const seen = { near: 0, afar: 0 };
    const wrong: string[] = [];
    for (const { bounds, members, radii, min: lowest } of made) {
      const { cluster } = radii;
      for (let i = 0; i < 100; i++) {
        const angle = next() * 2 * Math.PI;
        const away = next() * MAX_QUERY_RADIUS * 1.2;
        const middle = (axis: 0 | 2) => (bounds.min[axis] + bounds.max[axis]) / 2;
        const at = [middle(0) + away * Math.cos(angle), next() ** 3 * 100, middle(2) + away * Math.sin(angle)];
        const far = distance(bounds, at);
        if (far > cluster.hlod && far < lowest) wrong.push('the error of the HLOD shows');
        members.forEach((one, m) => {
          const { lods, hlod } = radii.members[m];
          const near = distance(one.bounds, at);
          if (far > cluster.hlod) {
            seen.afar++;
            if (near <= lods[lods.length - 1]) wrong.push('the HLOD is drawn with levels finer than the last');
          } else {
            seen.near++;
            // Coming from afar: the members' levels have been in their turn for 16 m when the HLOD goes.
            if (near + 16 > 0.9 * hlod + 1e-9) wrong.push('the HLOD goes before the member comes');
          }
          // Going away: when the member goes, what hides the HLOD was out of reach before.
          if (near > hlod && far <= cluster.unload) wrong.push('the member goes before the HLOD comes');
        });
      }
    }
    expect(wrong).toEqual([]);
    expect(seen.near).toBeGreaterThan(0);
    expect(seen.afar).toBeGreaterThan(0);
  });
});
