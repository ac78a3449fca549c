// Stand-ins that several far tiles share, through whole cooks: which tiles share one, what the manifest says of it and of
// them, that neighbours meet, how far it strays, and that one tile cooked alone gives what cooking everything gives.

import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OptionsOf, settle } from '../../src/config/options/option.ts';
import { SETTING_OPTIONS } from '../../src/config/options/table.ts';
import { cookSettings } from '../../src/config/settings.ts';
import { cookSource } from '../../src/cook/cookSource.ts';
import type { CookOutcome } from '../../src/cook/types.ts';
import { loaderBands } from '../../src/engine/streaming.ts';
import { validateManifest } from '../../src/formats/manifest/validate.ts';
import { validateUntold } from '../../src/formats/untold/check/validate.ts';
import { readUntold } from '../../src/formats/untold/read.ts';
import { decodeMips } from '../../src/textures/atlas/mips.ts';
import { srgbByte } from '../../src/textures/bake/color.ts';
import { WorkerPool } from '../../src/workers/workerPool.ts';
import { ground, leaves, places, sphere } from '../geometry/packed.ts';
import { sampledError } from '../geometry/sampled.ts';
import { payloadPath, withoutHash } from '../payloadNames.ts';
import { gltf, plain, type Thing } from './things.ts';

const folder = mkdtempSync(join(tmpdir(), 'clusters-'));
const pool = new WorkerPool(3);
afterAll(async () => {
  await pool.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Grass, red, blue, sand. */
const COLORS = [
  [0.1, 0.5, 0.1],
  [0.8, 0.1, 0.1],
  [0.1, 0.1, 0.8],
  [0.7, 0.6, 0.3],
];
const MATERIALS = ['grass', 'red', 'blue', 'sand'].map((name, i) => plain(name, COLORS[i]));

/** Edge of a cell in metres. */
const CELL = 16;
/** Too coarse for levels: a flat square with a few cards on it, where five other cells meet it. */
const BARE = 'tile_4_0_3';

/**
 * Six by four cells, each of ground in one of two colours with two balls on it, but for one. Rows of cells are numbered
 * from the far end of Z, so that 0 is the last. `sunk`: metres by which one ball of `tile_0_0_0` lies deeper.
 */
function town(sunk = 0): Thing[] {
  return Array.from({ length: 24 }, (_, i) => [i % 6, Math.floor(i / 6)] as const).flatMap(([i, row]): Thing[] => {
    const id = `tile_${i}_0_${row}`;
    const [x, z] = [i * CELL, (3 - row) * CELL];
    if (id === BARE) {
      const cards = leaves(7, 2);
      for (let v = 0; v < cards.positions.length; v += 3) {
        cards.positions[v] += x + 4;
        cards.positions[v + 2] += z + 8;
      }
      return [
        { mesh: ground(x, z, CELL, 1), material: 0, name: 'Floor_bare' },
        { mesh: cards, material: 1, name: 'Wall_bare' },
      ];
    }
    return [
      { mesh: ground(x, z, CELL, 32), material: (i + row) % 2 ? 3 : 0, name: `Floor_${i}_${row}` },
      {
        mesh: sphere(x + 5, 2 - (id === 'tile_0_0_0' ? sunk : 0), z + 8, 1, 12),
        material: 1,
        name: `Wall_${i}_${row}`,
      },
      { mesh: sphere(x + 11, 2, z + 8, 1.5, 12), material: 2, name: `Facade_${i}_${row}` },
    ];
  });
}

type Values = OptionsOf<typeof SETTING_OPTIONS>;

const options = (values: Values) =>
  cookSettings(settle(SETTING_OPTIONS, { tileSize: CELL, lod: [0.6], hlod: 0.4, maxTileVertices: 6000 }, values));

interface Request {
  readonly values?: Values;
  readonly things?: Thing[];
  readonly threads?: WorkerPool;
  readonly only?: string;
}

async function cook(out: string, { values = {}, things = town(), threads = pool, only }: Request = {}) {
  const source = join(folder, 'town.gltf');
  writeFileSync(source, gltf(things, MATERIALS));
  mkdirSync(join(folder, out), { recursive: true });
  const outcome = await cookSource(
    {
      source,
      root: null,
      target: { kind: 'folder', folder: join(folder, out), sceneName: 'town' },
      settings: options(values),
      policy: { strict: false, deny: new Set(), allow: new Set() },
      force: false,
      only: only ?? null,
    },
    () => {},
    threads,
  );
  expect(outcome.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return outcome;
}

interface LevelEntry {
  path: string;
  switch_distance: number;
  geometric_error: number;
}
interface Entry {
  tile_id: string;
  path_relative_to_manifest: string;
  streaming_radius: number;
  unload_radius: number;
  prefetch_radius?: number;
  priority: number;
  lod_levels?: LevelEntry[];
  hlod_levels: LevelEntry[];
  bounds: { min: number[]; max: number[] };
  center: number[];
  export_policy?: string;
}
interface Manifest {
  scene_bounds: Entry['bounds'];
  shared_bucket: Entry | null;
  tiles: Entry[];
  files: { path: string; sha256: string }[];
}

const text = (out: string) => readFileSync(join(folder, out, 'town.json'), 'utf8');
const manifest = (out: string) => JSON.parse(text(out)) as Manifest;
const clustersOf = (out: string) => manifest(out).tiles.filter((tile) => tile.export_policy === 'far_group');
const tilesOf = (out: string) => manifest(out).tiles.filter((tile) => tile.export_policy !== 'far_group');
const read = (out: string, path: string) => readUntold(readFileSync(join(folder, out, path)), path);

async function meshesOf(out: string, path: string) {
  const { meshes } = await read(out, path);
  return meshes.map(({ localBounds, ...mesh }) => ({ ...mesh, bounds: localBounds }));
}
const trianglesOf = async (out: string, path: string) =>
  (await meshesOf(out, path)).reduce((sum, { indices }) => sum + indices.length / 3, 0);

/** Every file below a folder with its hash. */
function contents(out: string): Map<string, string> {
  const entries = readdirSync(join(folder, out), { recursive: true, withFileTypes: true }).filter((e) => e.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  const hash = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
  return new Map(paths.map((path) => [relative(join(folder, out), path), hash(path)]));
}

/** What the strict checks of manifest and payloads find. */
async function found(out: string) {
  const probe = {
    size: (path: string) => statSync(join(folder, out, path), { throwIfNoEntry: false })?.size ?? null,
    read: (path: string) => readFileSync(join(folder, out, path)),
  };
  const { manifest: checked, payloads, diagnostics } = await validateManifest(text(out), 'town.json', probe);
  expect(checked).not.toBeNull();
  const inside = payloads.map((path) => validateUntold(probe.read(path), path, { engine: true }));
  return [...diagnostics, ...(await Promise.all(inside)).flat()];
}

/** What the loader makes of every tile, in its float32. */
function expectUntouched(out: string): void {
  const { tiles } = manifest(out);
  for (const { streaming_radius, unload_radius, prefetch_radius, lod_levels = [], hlod_levels } of tiles) {
    const [s, u] = [Math.fround(streaming_radius), Math.fround(unload_radius)];
    const lods = lod_levels.map((level) => Math.fround(level.switch_distance));
    const hlod = hlod_levels.length > 0 ? Math.fround(hlod_levels[0].switch_distance) : null;
    expect(loaderBands(s, u, hlod, lods)).toEqual({ unload: u, hlod, lods });
    if (prefetch_radius === undefined) continue;
    expect(Math.fround(prefetch_radius)).toBeGreaterThanOrEqual(s);
    expect(Math.fround(prefetch_radius)).toBeLessThanOrEqual(u);
  }
}

/** Members of a cluster by the cells in its square. */
const inSquare = (cluster: string, tile: string) => {
  const [, edge, gx, gz] = /^far(\d)_(\d+)_0_(\d+)$/.exec(cluster) as unknown as string[];
  const [, x, z] = /^tile_(\d+)_0_(\d+)$/.exec(tile) as unknown as string[];
  return Math.floor(Number(x) / Number(edge)) === Number(gx) && Math.floor(Number(z) / Number(edge)) === Number(gz);
};

describe.each([
  [2, ['far2_0_0_0', 'far2_1_0_0', 'far2_2_0_0', 'far2_0_0_1', 'far2_1_0_1', 'far2_2_0_1']],
  [3, ['far4_0_0_0', 'far4_1_0_0']],
])('a town in cells with --hlod-levels %d', (levels, ids) => {
  const out = `grid${levels}`;
  const outOne = `alone${levels}`;
  let outcome: CookOutcome;
  beforeAll(async () => {
    outcome = await cook(out, { values: { hlodLevels: levels } });
    await cook(outOne);
  });

  test('gives each tile with an HLOD to the cluster of its square, and leaves the others as they are', () => {
    const { tiles } = manifest(out);
    expect(tiles.slice(-ids.length).map((tile) => tile.tile_id)).toEqual(ids);
    expect(tiles.length).toBe(24 + ids.length);
    const alone = new Map(tilesOf(outOne).map((tile) => [tile.tile_id, tile]));
    const blank = expect.stringMatching(/^town\/town_blank_[0-9a-f]{8}\.untold$/);
    for (const tile of tilesOf(out)) {
      const before = alone.get(tile.tile_id) as Entry;
      if (tile.tile_id === BARE) {
        expect(tile).toEqual(before);
        expect(tile.hlod_levels).toEqual([]);
        continue;
      }
      const cluster = clustersOf(out).find(({ tile_id }) => inSquare(tile_id, tile.tile_id)) as Entry;
      // All that it had, with the HLOD as the last LOD; it ends where the cluster is sure to be seen.
      expect(tile).toEqual({
        ...before,
        unload_radius: expect.any(Number),
        prefetch_radius: expect.any(Number),
        lod_levels: [...(before.lod_levels ?? []), ...before.hlod_levels],
        hlod_levels: [
          {
            path: blank,
            switch_distance: expect.any(Number),
            geometric_error: cluster.hlod_levels[0].geometric_error,
          },
        ],
      });
      const [own] = before.hlod_levels;
      const [{ switch_distance: from, geometric_error: error }] = cluster.hlod_levels;
      expect(from).toBeGreaterThanOrEqual(own.switch_distance + 4);
      // Two pixels of an image of 1080 lines with a field of view of 60 degrees.
      expect(from).toBeGreaterThanOrEqual((error * 1080) / (4 * Math.tan(Math.PI / 6)));
      expect(error).toBeGreaterThanOrEqual(own.geometric_error);
      const [{ switch_distance: end }] = tile.hlod_levels;
      const way = [0, 1, 2].map((k) =>
        Math.max(0, tile.bounds.min[k] - cluster.bounds.min[k], cluster.bounds.max[k] - tile.bounds.max[k]),
      );
      expect(end * 0.9).toBeGreaterThanOrEqual(from + Math.hypot(...way) + 15.99);
      expect(end).toBeLessThan(500);
      expect(tile.unload_radius).toBeGreaterThan(end + 1);
      expect(tile.prefetch_radius).toBeCloseTo((before.streaming_radius + before.unload_radius) / 2, 1);
    }
  });

  test('says of a cluster what makes it an ordinary tile that draws nothing near', async () => {
    const { files, scene_bounds } = manifest(out);
    expect(scene_bounds).toEqual(manifest(outOne).scene_bounds);
    for (const cluster of clustersOf(out)) {
      const members = tilesOf(out).filter((t) => inSquare(cluster.tile_id, t.tile_id) && t.hlod_levels.length > 0);
      const end = (pick: 'min' | 'max', k: number) => Math[pick](...members.map(({ bounds }) => bounds[pick][k]));
      const bounds = { min: [0, 1, 2].map((k) => end('min', k)), max: [0, 1, 2].map((k) => end('max', k)) };
      const [{ switch_distance: from, geometric_error }] = cluster.hlod_levels;
      expect(cluster).toEqual({
        tile_id: cluster.tile_id,
        export_policy: 'far_group',
        path_relative_to_manifest: expect.stringMatching(/^town\/town_blank_[0-9a-f]{8}\.untold$/),
        streaming_radius: expect.closeTo(from - 4.01, 6),
        unload_radius: expect.closeTo(from + 1.01, 6),
        prefetch_radius: expect.closeTo(from - 1, 6),
        priority: 11,
        hlod_levels: [{ path: expect.any(String), switch_distance: from, geometric_error }],
        file_size_bytes: 656,
        estimated_memory_bytes: 0,
        bounds,
        center: bounds.min.map((low, k) => (low + bounds.max[k]) / 2),
        object_count: 0,
      });
      const [{ path: far }] = cluster.hlod_levels;
      expect(withoutHash(far)).toBe(`town/${cluster.tile_id}.untold`);
      expect(files.filter(({ path }) => path === far)).toHaveLength(1);
      const { fileType, worldBounds } = await read(out, far);
      expect(fileType).toBe('hlod');
      for (let k = 0; k < 3; k++) {
        expect(worldBounds.min[k]).toBeGreaterThanOrEqual(bounds.min[k]);
        expect(worldBounds.max[k]).toBeLessThanOrEqual(bounds.max[k]);
      }
    }
    const blankPath = payloadPath(join(folder, out), 'town/town_blank.untold');
    const blank = await readUntold(readFileSync(blankPath), blankPath);
    expect([blank.fileType, blank.entities.length, blank.meshes.length]).toEqual(['tile', 1, 0]);
    expect(statSync(blankPath).size).toBe(656);
  });

  test('passes the strict checks and the loader as it is', async () => {
    expect(await found(out)).toEqual([]);
    expectUntouched(out);
  });

  test('draws a cluster once, with fewer triangles than its tiles and all their colours in one texture', async () => {
    let sum = 0;
    for (const cluster of clustersOf(out)) {
      const [{ path }] = cluster.hlod_levels;
      const members = tilesOf(out).filter((t) => inSquare(cluster.tile_id, t.tile_id) && t.hlod_levels.length > 0);
      let before = 0;
      for (const { lod_levels = [] } of members)
        before += await trianglesOf(out, lod_levels[lod_levels.length - 1].path);
      const triangles = await trianglesOf(out, path);
      expect(triangles).toBeLessThanOrEqual(before);
      sum += triangles;
      const { meshes, materials, textures, entities } = await read(out, path);
      expect([meshes.length, materials.length, textures.length]).toEqual([1, 1, 1]);
      expect(entities.map(({ name }) => name)).toEqual([`${cluster.tile_id}_plain3`]);
      const bytes = readFileSync(join(folder, out, 'town', textures[0].uri));
      const pixels = (await decodeMips(bytes, 1024))?.[0].data ?? new Uint8Array(0);
      const isThere = (color: readonly number[]) => {
        for (let i = 0; i < pixels.length; i += 4) {
          if (color.every((value, c) => Math.abs(pixels[i + c] - srgbByte(value)) <= 2)) return true;
        }
        return false;
      };
      expect(COLORS.map(isThere)).toEqual([true, true, true, true]);
    }
    expect(outcome.totals?.levels.at(-1)).toEqual({ level: 'far', tiles: ids.length, triangles: sum });
    const hlods = outcome.totals?.levels.find(({ level }) => level === 'hlod');
    expect(sum).toBeLessThan(0.85 * (hlods?.triangles ?? 0));
  });

  test('keeps what its tiles have in common with others, bit for bit, and no more', async () => {
    const full = new Map<string, readonly string[]>();
    for (const { tile_id, path_relative_to_manifest: path } of tilesOf(out)) {
      full.set(tile_id, places(await meshesOf(out, path)));
    }
    let shared = 0;
    let free = 0;
    for (const { tile_id: id, hlod_levels } of clustersOf(out)) {
      const isMember = (tile: string) => inSquare(id, tile) && tile !== BARE;
      const others = new Set([...full].flatMap(([tile, own]) => (isMember(tile) ? [] : own)));
      const inside = [...full].flatMap(([tile, own]) => (isMember(tile) ? own : []));
      const twice = inside.filter((place, i) => inside.indexOf(place) !== i && !others.has(place));
      const kept = new Set(places(await meshesOf(out, hlod_levels[0].path)));
      const border = [...new Set(inside)].filter((place) => others.has(place));
      expect(border.filter((place) => !kept.has(place))).toEqual([]);
      shared += border.length;
      free += twice.filter((place) => !kept.has(place)).length;
    }
    // A cell has 33 positions along an edge, of which the bare one shares its corners alone. Six clusters of 65 along an edge:
    // 3 with two such edges, 1 with three; beside the bare cell 65 + 65 + 33 + 1 - 2, and around it 33 + 65 - 1 + 2.
    // Two clusters: 97 and a corner on the one side; 97, and two corners of the bare cell, on the other.
    expect(shared).toBe(levels === 2 ? 3 * 129 + 193 + 162 + 99 : 98 + 99);
    expect(free).toBeGreaterThan(100);
  });

  test('declares errors that other sampling finds, against full detail', async () => {
    const cluster = clustersOf(out)[ids.length - 1];
    const members = tilesOf(out).filter((t) => inSquare(cluster.tile_id, t.tile_id) && t.tile_id !== BARE);
    const full = (await Promise.all(members.map((t) => meshesOf(out, t.path_relative_to_manifest)))).flat();
    const hlod = await meshesOf(out, cluster.hlod_levels[0].path);
    const strays = Math.max(sampledError(full, hlod, 1024), sampledError(hlod, full, 1024));
    expect(strays).toBeGreaterThan(0.05);
    expect(cluster.hlod_levels[0].geometric_error).toBeGreaterThanOrEqual(0.9 * strays);
    // Two errors added, each at least its own: no fear of more than that.
    expect(cluster.hlod_levels[0].geometric_error).toBeLessThan(4 * strays);
    const hlods = members.map(({ lod_levels = [] }) => lod_levels[lod_levels.length - 1]);
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

  test('is drawn on the map of the plan', () => {
    const map = readFileSync(join(folder, out, 'town.plan.svg'), 'utf8');
    expect(map.match(/stroke-dasharray="14 5"/g)).toHaveLength(ids.length + 1);
    for (const id of ids) expect(map).toContain(`<title>${id}\n`);
    expect(map).toContain('tiles with one HLOD from ');
    expect(readFileSync(join(folder, outOne, 'town.plan.svg'), 'utf8')).not.toContain('14 5');
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
    const far = (o: string) => payloadPath(join(folder, o), `town/${ids[0]}.untold`).slice(join(folder, o).length);
    expect(far(again)).not.toBe(far(out));
    expect(await found(again)).toEqual([]);
  });
});

test('one level is what none asked for gives', async () => {
  await cook('none');
  await cook('one', { values: { hlodLevels: 1 } });
  expect(contents('one')).toEqual(contents('none'));
  expect([...contents('one').keys()].filter((path) => /far|blank/.test(path))).toEqual([]);
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
  expect(contents('over')).toEqual(contents('alone2'));
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

  test('has clusters of nodes that no floor gates, under names with hashes', async () => {
    const outcome = await cook(out, { values });
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
  const reported = ({ diagnostics }: CookOutcome) => diagnostics.filter(({ code }) => code === 'UC2062');

  test('where they would be seen beyond 500 m', async () => {
    const values = { tierRadius: ['ExteriorShell=420,440'] };
    const outcome = await cook('wide', { values: { ...values, hlodLevels: 2 } });
    expect(reported(outcome)).toMatchObject([
      { message: expect.stringMatching(/^6 of 6 clusters have tiles .* 500 m/) },
    ]);
    expect(outcome.totals?.levels.at(-1)).toEqual({ level: 'far', tiles: 0, triangles: 0 });
    await cook('wide-alone', { values });
    // All but the line of the manifest that tells the settings apart.
    const [wide, alone] = ['wide', 'wide-alone'].map((out) => {
      const all = contents(out);
      all.delete('town.json');
      const text = readFileSync(join(folder, out, 'town.json'), 'utf8');
      return [all, text.replace(/"settings_sha256": "[0-9a-f]{64}"/, '')];
    });
    expect(wide).toEqual(alone);
  });

  test('where one tile alone has levels', async () => {
    const things = town().filter(({ name = '' }) => name.endsWith('bare') || name.endsWith('_4_2'));
    const outcome = await cook('few', { values: { hlodLevels: 2 }, things });
    expect(reported(outcome)).toMatchObject([{ message: '1 of 1 clusters have fewer than two tiles with levels' }]);
    expect(clustersOf('few')).toEqual([]);
  });

  test('where no two tiles lie together', async () => {
    const outcome = await cook('single', {
      values: { hlodLevels: 4 },
      things: [{ mesh: ground(0, 0, CELL, 32), material: 0 }],
    });
    expect(reported(outcome)).toMatchObject([{ message: 'no two tiles with levels lie together' }]);
  });
});

test('levels of HLODs without an HLOD are refused', () => {
  const failure = () => options({ hlod: null, hlodLevels: 2 });
  expect(failure).toThrow(expect.objectContaining({ diagnostics: [expect.objectContaining({ code: 'UC1012' })] }));
  expect(options({ hlod: null, hlodLevels: 1 }).hlodLevels).toBe(1);
});
