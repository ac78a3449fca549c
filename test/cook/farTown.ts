import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { type OptionsOf, settle } from '../../src/config/options/option.ts';
import { SETTING_OPTIONS } from '../../src/config/options/table.ts';
import { cookSettings } from '../../src/config/settings.ts';
import { cookSource } from '../../src/cook/cookSource.ts';
import type { CookOutcome } from '../../src/cook/types.ts';
import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import { loaderBands } from '../../src/engine/streaming.ts';
import { validateManifest } from '../../src/formats/manifest/validate.ts';
import { validateUntold } from '../../src/formats/untold/check/validate.ts';
import { readUntold } from '../../src/formats/untold/read.ts';
import { openCache } from '../../src/output/cache/cache.ts';
import { WorkerPool } from '../../src/workers/workerPool.ts';
import { ground, leaves, sphere } from '../geometry/packed.ts';
import { contents as contentsBelow } from '../support/files.ts';
import { gltf, plain, type Thing } from './things.ts';

/** Grass, red, blue, sand. */
export const COLORS = [
  [0.1, 0.5, 0.1],
  [0.8, 0.1, 0.1],
  [0.1, 0.1, 0.8],
  [0.7, 0.6, 0.3],
];
const MATERIALS = ['grass', 'red', 'blue', 'sand'].map((name, i) => plain(name, COLORS[i]));

/** Edge of a cell in metres. */
export const CELL = 16;
/** Too coarse for levels: a flat square with a few cards on it, where five other cells meet it. */
export const BARE = 'tile_4_0_3';

/**
 * Six by four cells, each of ground in one of two colours with two balls on it, but for one. Rows of cells are numbered
 * from the far end of Z, so that 0 is the last. `sunk`: metres by which one ball of `tile_0_0_0` lies deeper.
 */
export function town(sunk = 0): Thing[] {
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

/** A town as a glTF text. */
export const townGltf = (things = town()): string => gltf(things, MATERIALS);

type Values = OptionsOf<typeof SETTING_OPTIONS>;

export const options = (values: Values) =>
  cookSettings(
    settle(
      SETTING_OPTIONS,
      { tileSize: CELL, lod: [0.6], hlod: 0.4, lodCheck: 'geometry', maxTileVertices: 6000 },
      values,
    ),
  );

interface Request {
  readonly values?: Values;
  readonly things?: Thing[];
  readonly threads?: WorkerPool;
  readonly only?: string;
}

interface LevelEntry {
  path: string;
  switch_distance: number;
  geometric_error: number;
}
export interface Entry {
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

/** Members of a cluster by the cells in its square. */
export const inSquare = (cluster: string, tile: string) => {
  const [, edge, gx, gz] = /^far(\d)_(\d+)_0_(\d+)$/.exec(cluster) as unknown as string[];
  const [, x, z] = /^tile_(\d+)_0_(\d+)$/.exec(tile) as unknown as string[];
  return Math.floor(Number(x) / Number(edge)) === Number(gx) && Math.floor(Number(z) / Number(edge)) === Number(gz);
};

/** A folder for the cooks of one file of tests, two threads for them, and readers of what they write. */
export function farTown() {
  const folder = mkdtempSync(join(tmpdir(), 'clusters-'));
  const pool = new WorkerPool(2);
  afterAll(async () => {
    await pool.close();
    await cache.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Levels that cooks of other choices have in common. Those that are compared with others for their threads or tiles make their own. */
  const cache = openCache({
    folder: join(folder, 'cache'),
    isDefault: false,
    maxBytes: 1e9,
    diagnostics: new Diagnostics(),
  });

  /** The first cook of each choice of values, as long as nothing was cooked over it. */
  const first = new Map<string, { readonly out: string; readonly outcome: CookOutcome }>();

  /** Cooks into a folder. One where nothing is gets a copy of what the same values gave before. */
  async function cook(out: string, request: Request = {}): Promise<CookOutcome> {
    const { values = {}, ...others } = request;
    const key = JSON.stringify(values);
    const before = first.get(key);
    const isPlain = Object.keys(others).length === 0 && !existsSync(join(folder, out));
    if (isPlain && before) {
      cpSync(join(folder, before.out), join(folder, out), { recursive: true });
      return before.outcome;
    }
    for (const [other, one] of first) if (one.out === out) first.delete(other);
    const outcome = await cooked(out, request);
    if (isPlain) first.set(key, { out, outcome });
    return outcome;
  }

  async function cooked(out: string, { values = {}, things, threads, only }: Request) {
    const source = join(folder, 'town.gltf');
    writeFileSync(source, townGltf(things));
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
      { pool: threads ?? pool, cache: threads || only ? null : cache },
    );
    expect(outcome.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    return outcome;
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

  const contents = (out: string) => contentsBelow(join(folder, out));

  return { folder, cook, manifest, clustersOf, tilesOf, read, meshesOf, trianglesOf, contents, found, expectUntouched };
}
