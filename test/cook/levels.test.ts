// Levels through whole cooks: files of the right kind beside their tiles, a manifest that the loader leaves as it is,
// neighbours that meet in the files, few materials far away, the same bytes again.

import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OptionsOf, settle } from '../../src/config/options/option.ts';
import { SETTING_OPTIONS } from '../../src/config/options/table.ts';
import { cookSettings } from '../../src/config/settings.ts';
import type { CookSettings } from '../../src/config/types.ts';
import { cookSource } from '../../src/cook/cookSource.ts';
import type { CookOutcome } from '../../src/cook/types.ts';
import { loaderBands } from '../../src/engine/streaming.ts';
import { validateManifest } from '../../src/formats/manifest/validate.ts';
import { readUntold } from '../../src/formats/untold/read.ts';
import { ground, places, sphere } from '../geometry/packed.ts';
import { withoutHash } from '../payloadNames.ts';
import { gltf, plain, type Thing } from './things.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'levels-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MATERIALS = [plain('grass', [0.1, 0.5, 0.1]), plain('red', [0.8, 0.1, 0.1]), plain('blue', [0.1, 0.1, 0.8])];

/** Four tiles of ground, each with two balls of other materials on it. */
function town(): Thing[] {
  return [0, 1, 2, 3].flatMap((i): Thing[] => {
    const [x, z] = [(i % 2) * 16, Math.floor(i / 2) * 16];
    return [
      { mesh: ground(x, z, 16, 32), material: 0 },
      { mesh: sphere(x + 5, 2, z + 8, 1, 12), material: 1 },
      { mesh: sphere(x + 11, 2, z + 8, 1.5, 12), material: 2 },
    ];
  });
}

/** The same town with names of tiers, and a facade around it that lies across the root of any tree. */
function namedTown(): Thing[] {
  const names = ['Floor', 'Lamp', 'Facade'];
  const things = town().map((thing, i): Thing => ({ ...thing, name: `${names[i % 3]}_${i}` }));
  return [...things, { mesh: sphere(16, 4, 16, 12, 24), material: 1, name: 'Facade_all' }];
}

async function cook(out: string, settings: Partial<CookSettings>, things = town()): Promise<CookOutcome> {
  const source = join(folder, 'town.gltf');
  writeFileSync(source, gltf(things, MATERIALS));
  mkdirSync(join(folder, out), { recursive: true });
  const outcome = await cookSource({
    source,
    root: null,
    target: { kind: 'folder', folder: join(folder, out), sceneName: 'town' },
    settings: { missingTexture: 'error', tileSize: 16, compress: 'lz4', ...settings },
    policy: { strict: false, deny: new Set(), allow: new Set() },
    force: false,
  });
  expect(outcome.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return outcome;
}

interface LevelEntry {
  path: string;
  switch_distance: number;
  geometric_error: number;
}
interface TileEntry {
  tile_id: string;
  path_relative_to_manifest: string;
  streaming_radius: number;
  unload_radius: number;
  lod_levels?: LevelEntry[];
  hlod_levels: LevelEntry[];
  bounds: { min: number[]; max: number[] };
}

const manifest = (out: string) =>
  JSON.parse(readFileSync(join(folder, out, 'town.json'), 'utf8')) as { tiles: TileEntry[]; files: { path: string }[] };
const read = (out: string, path: string) => readUntold(readFileSync(join(folder, out, path)), path);

async function meshesOf(out: string, path: string) {
  const { meshes } = await read(out, path);
  return meshes.map(({ localBounds, ...mesh }) => ({ ...mesh, bounds: localBounds }));
}

describe('a town with two LODs and an HLOD', () => {
  const settings = { lods: [0.5, 0.2], hlod: 0.1 };
  let outcome: CookOutcome;
  beforeAll(async () => {
    outcome = await cook('out', settings);
  });

  test('has files of their kinds beside each tile, listed and counted', async () => {
    const { totals, outputs } = outcome;
    const { tiles, files } = manifest('out');
    expect(tiles.length).toBe(4);
    const counts = { tile: 0, lod1: 0, lod2: 0, hlod: 0 };
    for (const tile of tiles) {
      const paths = [
        tile.path_relative_to_manifest,
        ...[...(tile.lod_levels ?? []), ...tile.hlod_levels].map((l) => l.path),
      ];
      expect(paths.map(withoutHash)).toEqual(
        ['', '_lod1', '_lod2', '_hlod'].map((end) => `town/${tile.tile_id}${end}.untold`),
      );
      const kinds: string[] = [];
      let before = Infinity;
      for (const [i, path] of paths.entries()) {
        const { fileType, meshes } = await read('out', path);
        kinds.push(fileType);
        const triangles = meshes.reduce((sum, { indices }) => sum + indices.length / 3, 0);
        expect(triangles).toBeLessThan(before);
        before = triangles;
        counts[Object.keys(counts)[i] as keyof typeof counts] += triangles;
        expect(files.some((file) => file.path === path)).toBe(true);
      }
      expect(kinds).toEqual(['tile', 'lod', 'lod', 'hlod']);
    }
    // The manifest and the map of the plan besides.
    expect(outputs.length).toBe(files.length + 2);
    expect(totals).toMatchObject({
      trianglesOut: counts.tile,
      levels: [
        { level: 'lod1', tiles: 4, triangles: counts.lod1 },
        { level: 'lod2', tiles: 4, triangles: counts.lod2 },
        { level: 'hlod', tiles: 4, triangles: counts.hlod },
      ],
    });
    expect(counts.lod1).toBeLessThanOrEqual(counts.tile * 0.5);
    expect(counts.lod2).toBeLessThanOrEqual(counts.tile * 0.2);
  });

  test('has a ladder that the loader leaves as it is', () => {
    for (const { streaming_radius, unload_radius, lod_levels = [], hlod_levels } of manifest('out').tiles) {
      const lods = lod_levels.map((level) => Math.fround(level.switch_distance));
      const hlod = Math.fround(hlod_levels[0].switch_distance);
      const used = loaderBands(Math.fround(streaming_radius), Math.fround(unload_radius), hlod, lods);
      expect(used).toEqual({ unload: Math.fround(unload_radius), hlod, lods });
      const errors = [...lod_levels, ...hlod_levels].map((level) => level.geometric_error);
      expect(errors.every((error) => error > 0)).toBe(true);
    }
  });

  test('meets along its borders in every file, and keeps inside the bounds that are listed', async () => {
    const { tiles } = manifest('out');
    for (const [axis, at] of [
      [0, 16],
      [2, 16],
    ]) {
      for (const tile of tiles) {
        const along = async (path: string) =>
          places(await meshesOf('out', path)).filter((place) => Number(place.split(',')[axis]) === at);
        const full = await along(tile.path_relative_to_manifest);
        expect(full.length).toBe(33);
        for (const level of [...(tile.lod_levels ?? []), ...tile.hlod_levels]) {
          expect(await along(level.path)).toEqual(full);
          const { worldBounds } = await read('out', level.path);
          for (let k = 0; k < 3; k++) {
            expect(worldBounds.min[k]).toBeGreaterThanOrEqual(tile.bounds.min[k]);
            expect(worldBounds.max[k]).toBeLessThanOrEqual(tile.bounds.max[k]);
          }
        }
      }
    }
  });

  test('draws a far tile once, with its colours in a palette texture', async () => {
    const [tile] = manifest('out').tiles;
    const near = await read('out', (tile.lod_levels as LevelEntry[])[1].path);
    expect(near.materials.map(({ name }) => name).sort()).toEqual(['blue', 'grass', 'red']);
    const far = await read('out', tile.hlod_levels[0].path);
    expect([far.meshes.length, far.materials.length, far.textures.length]).toEqual([1, 1, 1]);
    expect(far.materials[0]).toMatchObject({ metallicFactor: 0, baseColorFactor: [1, 1, 1, 1] });
    expect(far.materials[0].roughnessFactor).toBeCloseTo(0.8, 6);
    // Three colours of four cells: their centres lie at quarters, exact in half floats.
    const halves = new Set<string>();
    const view = new DataView(far.meshes[0].vertices.slice().buffer);
    for (let v = 0; v < far.meshes[0].vertexCount; v++) {
      halves.add(
        [view.getUint16(v * 32 + 20, true), view.getUint16(v * 32 + 22, true)].map((h) => h.toString(16)).join(),
      );
    }
    // 0.25 is 0x3400, 0.75 is 0x3a00: top left, top right, bottom left.
    expect([...halves].sort()).toEqual(['3400,3400', '3400,3a00', '3a00,3a00']);
    expect(readFileSync(join(folder, 'out/town', far.textures[0].uri)).length).toBeGreaterThan(0);
  });

  test('gives the same bytes again', async () => {
    const one = outcome.outputs.map(({ sha256 }) => sha256);
    expect((await cook('again', settings)).outputs.map(({ sha256 }) => sha256)).toEqual(one);
  });

  test('goes back to tiles alone when none are asked for', async () => {
    const { totals, outputs } = await cook('out', {});
    expect(totals?.levels).toEqual([]);
    // Nothing but the tiles, their map and the manifest.
    const paths = manifest('out').tiles.map((tile) => tile.path_relative_to_manifest);
    expect(outputs.map(({ path }) => relative(join(folder, 'out'), path)).sort()).toEqual(
      [...paths, 'town.json', 'town.plan.svg'].sort(),
    );
    expect(manifest('out').tiles.every((t) => t.lod_levels === undefined && t.hlod_levels.length === 0)).toBe(true);
  });
});

describe('a tree with levels behind https', () => {
  interface TreeEntry extends TileEntry {
    semantic_tier: string;
    lod_levels: LevelEntry[];
  }
  interface TreeManifest {
    version: number;
    shared_bucket: unknown;
    tiles: TreeEntry[];
    files: { path: string; sha256: string }[];
  }

  /** As on the command line: `--partition quadtree --lod 0.5 --hlod 0.1 --remote` and more. */
  const options = (more: OptionsOf<typeof SETTING_OPTIONS> = {}) =>
    cookSettings(
      settle(
        SETTING_OPTIONS,
        { partition: 'quadtree', lod: [0.5], hlod: 0.1, lodCheck: 'geometry', remote: true },
        more,
      ),
    );
  let outcome: CookOutcome;
  beforeAll(async () => {
    outcome = await cook('tree', options(), namedTown());
  });
  const text = (out: string) => readFileSync(join(folder, out, 'town.json'), 'utf8');
  const hash8 = (out: string, path: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, out, path)))
      .digest('hex')
      .slice(0, 8);

  test('has levels of shell and structure alone, under hashed names, that loader and checker leave alone', async () => {
    const { totals } = outcome;
    const { version, shared_bucket, tiles, files } = JSON.parse(text('tree')) as TreeManifest;
    expect([version, shared_bucket]).toEqual([4, null]);
    expect(new Set(tiles.map((tile) => tile.semantic_tier))).toEqual(
      new Set(['ExteriorShell', 'StructuralInterior', 'RoomContents']),
    );
    const kinds = new Map<string, number>();
    for (const tile of tiles) {
      const far = tile.semantic_tier !== 'RoomContents';
      const names = (levels: readonly LevelEntry[]) => levels.map(({ path }) => path);
      const stem = `town/${tile.tile_id}`;
      const named = (end: string, path: string) => `${stem}${end}_${hash8('tree', path)}.untold`;
      expect(tile.path_relative_to_manifest).toBe(named('', tile.path_relative_to_manifest));
      expect(names(tile.lod_levels)).toEqual(far ? [named('_lod1', tile.lod_levels[0].path)] : []);
      expect(names(tile.hlod_levels)).toEqual(far ? [named('_hlod', tile.hlod_levels[0].path)] : []);
      for (const path of [tile.path_relative_to_manifest, ...names(tile.lod_levels), ...names(tile.hlod_levels)]) {
        expect(files.some((file) => file.path === path)).toBe(true);
        const { fileType } = await read('tree', path);
        kinds.set(fileType, (kinds.get(fileType) ?? 0) + 1);
      }
      const lods = tile.lod_levels.map((level) => level.switch_distance);
      const hlod = tile.hlod_levels.at(0)?.switch_distance ?? null;
      const unload = tile.unload_radius;
      expect(loaderBands(tile.streaming_radius, unload, hlod, lods)).toEqual({ unload, hlod, lods });
      for (const distance of [...lods, ...(hlod === null ? [] : [hlod])]) {
        expect(distance).toBeGreaterThanOrEqual(tile.streaming_radius + 4);
        expect(distance).toBeLessThan(unload);
      }
    }
    const withLevels = tiles.filter((tile) => tile.semantic_tier !== 'RoomContents').length;
    expect(withLevels).toBeGreaterThan(1);
    expect(Object.fromEntries(kinds)).toEqual({ tile: tiles.length, lod: withLevels, hlod: withLevels });
    expect(totals?.tiles).toBe(tiles.length);
    expect(totals?.levels).toMatchObject([
      { level: 'lod1', tiles: withLevels },
      { level: 'hlod', tiles: withLevels },
    ]);

    const probe = {
      size: (path: string) => statSync(join(folder, 'tree', path), { throwIfNoEntry: false })?.size ?? null,
      read: (path: string) => readFileSync(join(folder, 'tree', path)),
    };
    const checked = await validateManifest(text('tree'), 'town.json', probe);
    expect(checked.manifest).not.toBeNull();
    expect(checked.diagnostics).toEqual([]);
  });

  test('is drawn in the map with the radii of its manifest', () => {
    const map = readFileSync(join(folder, 'tree/town.plan.svg'), 'utf8');
    const shown = (metres: number) => String(Number(metres.toFixed(2)));
    const { tiles } = JSON.parse(text('tree')) as TreeManifest;
    for (const { tile_id, streaming_radius, unload_radius } of tiles) {
      const title = new RegExp(`<title>${tile_id}\n[^<]*`).exec(map)?.[0] ?? '';
      expect(title).toContain(`within ${shown(streaming_radius)} m, kept within ${shown(unload_radius)} m`);
    }
  });

  test('says where levels reach beyond an unload radius that was given', async () => {
    const { diagnostics } = await cook('wide', options({ tierRadius: ['StructuralInterior=30', '35'] }), namedTown());
    const { tiles } = JSON.parse(text('wide')) as TreeManifest;
    const structure = tiles.filter((tile) => tile.semantic_tier === 'StructuralInterior');
    expect(structure.map((tile) => tile.streaming_radius)).toEqual(structure.map(() => 30));
    const widest = Math.max(...structure.map((tile) => tile.unload_radius));
    expect(widest).toBeGreaterThan(35);
    const reported = diagnostics.filter(({ code }) => code === 'UC2205').map(({ message }) => message);
    expect(reported).toEqual([`StructuralInterior: 35 m becomes up to ${widest} m, for the levels of tiles`]);
  });
});

test('levels that hardly shrink are left out and reported', async () => {
  const { totals, diagnostics } = await cook('hardly', { lods: [0.5, 0.48] });
  expect(totals?.levels).toMatchObject([{ tiles: 4 }, { tiles: 0, triangles: 0 }]);
  const reported = diagnostics.filter(({ code }) => code === 'UC2060');
  expect(reported.length).toBe(4);
  expect(reported[0]).toMatchObject({ severity: 'info' });
  expect(reported[0].message).toMatch(/^lod2 \(0\.48\) would have \d+ of the \d+ triangles before it: /);
});

test('a single file has no levels, and says so', async () => {
  const source = join(folder, 'town.gltf');
  writeFileSync(source, gltf(town(), MATERIALS));
  const outcome = await cookSource({
    source,
    root: null,
    target: { kind: 'file', path: join(folder, 'town.untold') },
    settings: { missingTexture: 'error', tileSize: 16, compress: 'lz4', lods: [0.5] },
    policy: { strict: false, deny: new Set(), allow: new Set() },
    force: false,
  });
  expect([outcome.status, outcome.outputs.length]).toEqual(['ok', 1]);
  expect(outcome.diagnostics.map(({ code }) => code)).toContain('UC2061');
});
