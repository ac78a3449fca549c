// HLODs that several far tiles share, in every kind of cook: how far they stray by other sampling, that threads change
// nothing, that one tile cooked alone gives what cooking everything gives, in grids and trees.

import { createHash } from 'node:crypto';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CookOutcome } from '../../src/cook/types.ts';
import { WorkerPool } from '../../src/workers/workerPool.ts';
import { sampledError } from '../geometry/sampled.ts';
import { payloadPath, withoutHash } from '../payloadNames.ts';
import { describeClusters } from './clusterSuite.ts';
import { BARE, type Entry, farTown, inSquare, town } from './farTown.ts';

const farCooks = farTown();
const { folder, cook, clustersOf, tilesOf, meshesOf, contents, found, expectUntouched } = farCooks;

describeClusters(farCooks, 3);

describe.each([
  [2, 'far2_0_0_0', 'far2_2_0_1'],
  [3, 'far4_0_0_0', 'far4_1_0_0'],
])('a town in cells with --hlod-levels %d', (levels, first, last) => {
  const out = `grid${levels}`;
  let outcome: CookOutcome;
  beforeAll(async () => {
    outcome = await cook(out, { values: { hlodLevels: levels } });
  });

  test('declares errors that other sampling finds, against full detail', async () => {
    const cluster = clustersOf(out).at(-1) as Entry;
    expect(cluster.tile_id).toBe(last);
    const members = tilesOf(out).filter((t) => inSquare(cluster.tile_id, t.tile_id));
    const full = (await Promise.all(members.map((t) => meshesOf(out, t.path_relative_to_manifest)))).flat();
    const hlod = await meshesOf(out, cluster.hlod_levels[0].path);
    const strays = Math.max(sampledError(full, hlod, 1024), sampledError(hlod, full, 1024));
    expect(strays).toBeGreaterThan(0.05);
    expect(cluster.hlod_levels[0].geometric_error).toBeGreaterThanOrEqual(0.9 * strays);
    // Two errors added, each at least its own: no fear of more than that.
    expect(cluster.hlod_levels[0].geometric_error).toBeLessThan(4 * strays);
    // A tile without levels gives full detail.
    const hlods = members.map(
      ({ lod_levels = [], path_relative_to_manifest: path }) => lod_levels.at(-1) ?? { path, geometric_error: 0 },
    );
    const before = (await Promise.all(hlods.map(({ path }) => meshesOf(out, path)))).flat();
    const own = Math.max(sampledError(before, hlod, 1024), sampledError(hlod, before, 1024));
    const largest = Math.max(...hlods.map(({ geometric_error }) => geometric_error));
    expect(own).toBeGreaterThan(0.05);
    expect(cluster.hlod_levels[0].geometric_error).toBeGreaterThanOrEqual(largest + 0.9 * own);
  });

  test('gives the same bytes and words in one thread', async () => {
    const one = await cook(`${out}-one`, { values: { hlodLevels: levels }, threads: new WorkerPool(1) });
    expect(contents(`${out}-one`)).toEqual(contents(out));
    expect(one.diagnostics).toEqual(outcome.diagnostics);
    expect(one.totals).toEqual(outcome.totals);
  });

  test('cooks one tile of a cluster with its HLOD, as a whole cook does', async () => {
    const again = `${out}-again`;
    cpSync(join(folder, out), join(folder, again), { recursive: true });
    const values = { hlodLevels: levels };
    expect((await cook(again, { values, only: 'tile_0_0_0' })).totals?.levels).toMatchObject([
      { level: 'lod1', tiles: 1 },
      { level: 'hlod', tiles: 1 },
      { level: 'far', tiles: 1 },
    ]);
    expect(contents(again)).toEqual(contents(out));

    const sunk = await cook(`${out}-sunk`, { values, things: town(0.5) });
    expect(sunk.status).toBe('ok');
    await cook(again, { values, things: town(0.5), only: 'tile_0_0_0' });
    expect(contents(again)).toEqual(contents(`${out}-sunk`));
    const far = (o: string) => payloadPath(join(folder, o), `town/${first}.untold`).slice(join(folder, o).length);
    expect(far(again)).not.toBe(far(out));
    expect(await found(again)).toEqual([]);
  });
});

test('one level is what none asked for gives', async () => {
  await cook('none');
  await cook('one', { values: { hlodLevels: 1 } });
  expect(contents('one')).toEqual(contents('none'));
  expect(Object.keys(contents('one')).filter((path) => /far|blank/.test(path))).toEqual([]);
});

test('tiles whose HLOD would be no gain share an HLOD for their last LODs', async () => {
  const values = { lod: [0.3], hlod: 0.29 };
  const whole = await cook('lods', { values: { ...values, hlodLevels: 2 } });
  expect(whole.totals?.levels).toMatchObject([
    { level: 'lod1', tiles: 23 },
    { level: 'hlod', tiles: 0 },
    { level: 'far', tiles: 6 },
  ]);
  await cook('lods-alone', { values });
  const alone = new Map(tilesOf('lods-alone').map((tile) => [tile.tile_id, tile]));
  const members = tilesOf('lods').filter(({ tile_id }) => tile_id !== BARE);
  for (const { tile_id, lod_levels, hlod_levels } of members) {
    expect(lod_levels).toEqual(alone.get(tile_id)?.lod_levels);
    expect(hlod_levels.map(({ path }) => withoutHash(path))).toEqual(['town/town_blank.untold']);
  }
  const before = contents('lods');
  await cook('lods', { values: { ...values, hlodLevels: 2 }, only: 'tile_3_0_1' });
  expect(contents('lods')).toEqual(before);
});

test('a cook without clusters over one with them leaves none of their files', async () => {
  await cook('over', { values: { hlodLevels: 2 } });
  await cook('over');
  expect(contents('over')).toEqual(contents('none'));
});

describe.each(['quadtree', 'kdtree'] as const)('a %s behind https', (partition) => {
  const values = {
    partition,
    hlodLevels: 2,
    remote: true,
    minObjectsPerTileTier: 2,
    maxTileVertices: 6000,
    sceneProfile: 'outdoor',
  } as const;
  const out = `${partition}-tree`;

  let outcome: CookOutcome;
  beforeAll(async () => {
    outcome = await cook(out, { values });
  });

  test('has clusters of nodes that no floor gates, under names with hashes', async () => {
    const clusters = clustersOf(out);
    expect(clusters.length).toBeGreaterThan(1);
    expect(outcome.totals?.levels.at(-1)).toMatchObject({ level: 'far', tiles: clusters.length });
    expect(await found(out)).toEqual([]);
    expectUntouched(out);
    for (const cluster of clusters) {
      expect(Object.keys(cluster)).toEqual(
        expect.not.arrayContaining(['floor_id', 'quadtree_node_id', 'semantic_tier', 'interior', 'cell_bounds']),
      );
      const [{ path }] = cluster.hlod_levels;
      for (const one of [path, cluster.path_relative_to_manifest]) {
        const hash = createHash('sha256')
          .update(readFileSync(join(folder, out, one)))
          .digest('hex');
        expect(one).toMatch(new RegExp(`^town/(${cluster.tile_id}|town_blank)_${hash.slice(0, 8)}\\.untold$`));
      }
    }
    const [{ path_relative_to_manifest: blank }] = clusters;
    const members = tilesOf(out).filter((tile) => tile.hlod_levels.at(0)?.path === blank);
    expect(members.length).toBeGreaterThanOrEqual(2 * clusters.length);
    // Whoever has no cluster ends with an HLOD of its own.
    for (const tile of tilesOf(out)) {
      const [hlod] = tile.hlod_levels;
      if (hlod && hlod.path !== blank) expect(hlod.path).toContain(`${tile.tile_id}_hlod_`);
    }
  });

  test('gives the same bytes in one thread, and for one tile', async () => {
    await cook(`${out}-one`, { values, threads: new WorkerPool(1) });
    expect(contents(`${out}-one`)).toEqual(contents(out));
    const [{ path_relative_to_manifest: blank }] = clustersOf(out);
    const member = tilesOf(out).find((tile) => tile.hlod_levels.at(0)?.path === blank) as Entry;
    await cook(`${out}-one`, { values, only: member.tile_id });
    expect(contents(`${out}-one`)).toEqual(contents(out));
  });
});

describe('clusters without a place are named once, and their tiles stay as they are', () => {
  test('where they would be seen beyond 500 m', async () => {
    const values = { tierRadius: ['ExteriorShell=420,440'] };
    const outcome = await cook('wide', { values: { ...values, hlodLevels: 2 } });
    expect(outcome.diagnostics.filter(({ code }) => code === 'UC2062')).toMatchObject([
      { message: expect.stringMatching(/^6 of 6 clusters have tiles .* 500 m/) },
    ]);
    expect(outcome.totals?.levels.at(-1)).toEqual({ level: 'far', tiles: 0, triangles: 0 });
    await cook('wide-alone', { values });
    // All but the line of the manifest that tells the settings apart.
    const [wide, alone] = ['wide', 'wide-alone'].map((out) => {
      const { 'town.json': _, ...all } = contents(out);
      const text = readFileSync(join(folder, out, 'town.json'), 'utf8');
      return [all, text.replace(/"settings_sha256": "[0-9a-f]{64}"/, '')];
    });
    expect(wide).toEqual(alone);
  });
});
