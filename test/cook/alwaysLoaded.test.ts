// Objects that are loaded wherever the camera is: by a tag of the source, and by a pattern of the project file, through the
// command line.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readUntold } from '../../src/formats/untold/read.ts';
import { sphere } from '../geometry/packed.ts';
import { untold } from '../support/command.ts';
import { gltf, plain, type Thing } from './things.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'always-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const MATERIALS = [plain('red', [0.8, 0.1, 0.1])];

/** Balls of one material in two tiles, and a clock and a hand of a second tower between those of the first. */
const THINGS: readonly Thing[] = ['house', 'Clock', 'Hand', 'house', 'house'].map((name, i) => ({
  name,
  mesh: sphere(4 + 9 * i, 2, 8, 1, 12),
  material: 0,
}));

interface Tile {
  readonly tile_id: string;
  readonly path_relative_to_manifest: string;
  readonly export_policy?: string;
  readonly streaming_radius: number;
  readonly unload_radius: number;
  readonly object_count: number;
  readonly lod_levels?: readonly object[];
  readonly hlod_levels: readonly object[];
}

async function cooked(args: readonly string[], source = gltf(THINGS, MATERIALS)) {
  writeFileSync(join(folder, 'town.gltf'), source);
  const options = ['--out', 'out', '--tile-size', '16', '--lod', '0.5', '--lod-check', 'geometry', '--json'];
  const ran = await untold(folder, ['cook', 'town.gltf', ...options, ...args]);
  expect(ran.code).toBe(0);
  const codes = JSON.parse(ran.stdout).results[0].diagnostics.map(({ code }: { code: string }) => code);
  expect((await untold(folder, ['validate', 'out'])).code).toBe(0);
  const manifest = JSON.parse(readFileSync(join(folder, 'out/town.json'), 'utf8')) as { tiles: Tile[] };
  const names = async ({ path_relative_to_manifest: path }: Tile) => {
    const { entities } = await readUntold(readFileSync(join(folder, 'out', path)), path);
    return entities.map(({ name }) => name).sort();
  };
  return { tiles: manifest.tiles, codes, names };
}

/** What is stated of a tile that is always loaded: 500 m is as far as the engine looks, and it unloads 4 m beyond at least. */
const ALWAYS = { streaming_radius: 500, unload_radius: 504, hlod_levels: [] };

function tagged(): string {
  const json = JSON.parse(gltf(THINGS, MATERIALS));
  for (const node of json.nodes.slice(1, 3)) node.extras = { untold_tile_policy: 'always_loaded' };
  return JSON.stringify(json);
}

test('a tagged object is whole, not merged, without levels and loaded from as far as the engine looks', async () => {
  const { tiles, codes, names } = await cooked([], tagged());
  expect(codes.filter((code: string) => code === 'UC2210')).toEqual([]);
  const always = tiles.find(({ tile_id }) => tile_id === 'tile_always') as Tile;
  expect(always).toMatchObject({ ...ALWAYS, export_policy: 'always_loaded', object_count: 2 });
  expect(always.lod_levels).toBeUndefined();
  expect(await names(always)).toEqual(['Clock', 'Hand']);
  const others = tiles.filter((tile) => tile !== always);
  expect(others.map(({ object_count: count }) => count)).toEqual([2, 1]);
  for (const tile of others) {
    expect(tile.lod_levels?.length).toBe(1);
    expect((await names(tile)).every((name) => name.startsWith('tile_'))).toBe(true);
  }
});

test('a pattern of the project file does the same, and one that matches nothing is named', async () => {
  writeFileSync(join(folder, 'untold.config.json'), JSON.stringify({ 'always-loaded': ['Cl*', 'Tower/*'] }));
  const { tiles, codes, names } = await cooked(['--config', 'untold.config.json']);
  expect(codes).toContain('UC2212');
  const always = tiles.find(({ tile_id }) => tile_id === 'tile_always') as Tile;
  expect(await names(always)).toEqual(['Clock']);
});

test('in a tree it lies in no node', async () => {
  const { tiles, names } = await cooked(['--partition', 'quadtree', '--always-loaded', 'Clock']);
  const always = tiles.find(({ tile_id }) => tile_id === 'F01_Q_ES_always') as Tile;
  expect(always).toMatchObject({ ...ALWAYS, object_count: 1, lod_levels: [] });
  expect(await names(always)).toEqual(['Clock']);
});
