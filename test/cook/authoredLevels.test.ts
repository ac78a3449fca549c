// Levels made by hand, from the names and extensions of sources to the files of tiles: full detail has the finest level alone,
// and the levels of tiles have the triangles that the artist made.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readUntold } from '../../src/formats/untold/read.ts';
import { sphere } from '../geometry/packed.ts';
import { buildJson } from '../importers/gltf/build.ts';
import { untold } from '../support/command.ts';
import { gltf, plain, type Thing } from './things.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'authored-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const MATERIALS = [plain('red', [0.8, 0.1, 0.1]), plain('blue', [0.1, 0.1, 0.8]), plain('grass', [0.1, 0.5, 0.1])];

/** A ball at each of these places with the segments of its levels: one of n segments has 4 n (n - 1) triangles. */
function balls(name: (level: number) => string, segments: readonly number[]): Thing[] {
  return [4, 36].flatMap((x) =>
    segments.map((n, level): Thing => ({ name: name(level), mesh: sphere(x, 2, 8, 1, n), material: 0 })),
  );
}

interface Level {
  readonly path: string;
  readonly switch_distance: number;
  readonly looks_from?: number;
}

/** Triangles of each tile and its levels, as their files have them. */
async function cookedTriangles(source: string, file: string, args: readonly string[] = []) {
  writeFileSync(join(folder, file), source);
  const ran = await untold(folder, ['cook', file, '--out', 'out', '--tile-size', '16', '--json', ...args]);
  const outcome = JSON.parse(ran.stdout);
  const set = join(folder, 'out');
  const name = file.slice(0, file.lastIndexOf('.'));
  const manifest = JSON.parse(readFileSync(join(set, `${name}.json`), 'utf8'));
  const scene = async (path: string) => readUntold(readFileSync(join(set, path)), path);
  const triangles = async (path: string) =>
    (await scene(path)).meshes.reduce((sum, { indices }) => sum + indices.length / 3, 0);
  const tiles = [];
  for (const { path_relative_to_manifest: path, lod_levels = [], hlod_levels = [] } of manifest.tiles) {
    const levels = [];
    for (const level of lod_levels as Level[]) levels.push(await triangles(level.path));
    tiles.push({ full: await triangles(path), levels, hlods: (hlod_levels as Level[]).length });
  }
  const codes = outcome.results[0].diagnostics.map(({ code }: { code: string }) => code);
  return { code: ran.code, tiles, codes, manifest };
}

const names = (level: number) => `ball_LOD${level}`;

test('full detail has LOD0 alone, and levels have the triangles of the others', async () => {
  const { code, tiles } = await cookedTriangles(gltf(balls(names, [24, 18, 14]), MATERIALS), 'town.gltf');
  expect(code).toBe(0);
  expect(tiles.map(({ full, levels }) => [full, levels])).toEqual([
    [2208, [1224, 728]],
    [2208, [1224, 728]],
  ]);
});

test('what has no levels made by hand is simplified beside what has some', async () => {
  const others = [8, 40].map((x): Thing => ({ name: 'tree', mesh: sphere(x, 2, 8, 1, 24), material: 0 }));
  const town = gltf([...balls(names, [24, 18, 14]), ...others], MATERIALS);
  const { tiles } = await cookedTriangles(town, 'town.gltf', ['--hlod', 'none']);
  expect(tiles.map(({ full }) => full)).toEqual([4416, 4416]);
  for (const { levels } of tiles) {
    expect(levels.length).toBe(2);
    // No level of the tree has more than half of its triangles.
    for (const [i, byHand] of [1224, 728].entries()) {
      expect(levels[i]).toBeGreaterThan(byHand + 100);
      expect(levels[i]).toBeLessThanOrEqual(byHand + 1104);
    }
  }
});

/** A flat panel of n x n squares: 2 n² triangles. */
function panel(n: number) {
  const points = Array.from({ length: (n + 1) ** 2 }, (_, i) => [(i % (n + 1)) / n, 0, Math.floor(i / (n + 1)) / n]);
  const quads = Array.from({ length: n * n }, (_, i) => {
    const a = Math.floor(i / n) * (n + 1) + (i % n);
    return [a, a + n + 1, a + n + 2, a + 1];
  });
  return { points, quads };
}

const panelMesh = (n: number) => {
  const { points, quads } = panel(n);
  const indices = quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]);
  return { primitives: [{ positions: points.flat(), indices }] };
};

/** Two panels with levels of 8, 4 and 2 squares a side, which a scene lists by name or by MSFT_lod. */
function panels(coverage: readonly number[] | null): string {
  const nodes = [0, 40].flatMap((x, i) => [
    {
      name: 'panel',
      mesh: 0,
      translation: [x, 0, 0],
      extensions: { MSFT_lod: { ids: [3 * i + 1, 3 * i + 2] } },
      ...(coverage ? { extras: { MSFT_screencoverage: coverage } } : {}),
    },
    { name: 'middle', mesh: 1, translation: [x, 0, 0] },
    { name: 'low', mesh: 2, translation: [x, 0, 0] },
  ]);
  const scenes = [{ nodes: [0, 3] }];
  const root = { extensionsUsed: ['MSFT_lod'] };
  const { json, bin } = buildJson({ meshes: [8, 4, 2].map(panelMesh), nodes, scenes, root });
  json.buffers[0].uri = `data:application/octet-stream;base64,${Buffer.from(bin).toString('base64')}`;
  return JSON.stringify(json);
}

const FLAT = ['--hlod', 'none', '--lod-check', 'geometry'];

test('MSFT_lod: levels that the scene does not list are those of the tile', async () => {
  const { code, tiles, codes } = await cookedTriangles(panels(null), 'town.gltf', FLAT);
  expect([code, codes]).toEqual([0, []]);
  expect(tiles.map(({ full, levels }) => [full, levels])).toEqual([
    [128, [32, 8]],
    [128, [32, 8]],
  ]);
});

test('MSFT_screencoverage places levels, and one that is asked for nowhere is left out', async () => {
  // A panel covers a thousandth of the screen from 25.8 m on: radius √2 / 2 times √3 times √(π / (4 * 16 / 9 * 0.001)).
  const { tiles, manifest } = await cookedTriangles(panels([0.001, 0, 0]), 'town.gltf', ['--hlod', 'none']);
  expect(tiles.map(({ full, levels }) => [full, levels])).toEqual([
    [128, [32]],
    [128, [32]],
  ]);
  expect(manifest.tiles[0].lod_levels[0].looks_from).toBeCloseTo(25.75, 1);
});

/** Two prims with a variant set of levels, which select the coarsest. */
function variantPanels(): string {
  const mesh = (n: number) => {
    const { points, quads } = panel(n);
    return `def Mesh "Shape" {
        point3f[] points = [${points.map((point) => `(${point.join()})`).join()}]
        int[] faceVertexCounts = [${quads.map(() => 4).join()}]
        int[] faceVertexIndices = [${quads.flat().join()}]
        uniform token subdivisionScheme = "none"
      }`;
  };
  const variants = [8, 4, 2].map((n, level) => `"LOD${level}" { ${mesh(n)} }`).join('\n');
  const prim = (x: number) => `def Xform "Panel_${x}" (
    variantSets = ["LOD"]
    variants = { string LOD = "LOD2" }
  ) {
    double3 xformOp:translate = (${x}, 0, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    variantSet "LOD" = { ${variants} }
  }`;
  return `#usda 1.0\n( metersPerUnit = 1\n upAxis = "Y" )\n${prim(0)}\n${prim(40)}\n`;
}

test('USD: variants of a set named LOD are levels, whichever is selected', async () => {
  const { code, tiles } = await cookedTriangles(variantPanels(), 'town.usda', FLAT);
  expect(code).toBe(0);
  expect(tiles.map(({ full, levels }) => [full, levels])).toEqual([
    [128, [32, 8]],
    [128, [32, 8]],
  ]);
});

test('USD: a variant that the caller chooses is full detail, and has no levels', async () => {
  const chosen = ['--variant', '/Panel_0:LOD=LOD1', '--variant', '/Panel_40:LOD=LOD1', '--lod', 'none'];
  const { tiles } = await cookedTriangles(variantPanels(), 'town.usda', [...FLAT, ...chosen]);
  expect(tiles).toEqual([
    { full: 32, levels: [], hlods: 0 },
    { full: 32, levels: [], hlods: 0 },
  ]);
});

test('--authored-lods finest simplifies LOD0, keep draws all', async () => {
  const town = gltf(balls(names, [12, 10, 8]), MATERIALS);
  const finest = await cookedTriangles(town, 'town.gltf', ['--authored-lods', 'finest', '--hlod', 'none']);
  expect(finest.tiles.map(({ full }) => full)).toEqual([528, 528]);
  for (const { levels } of finest.tiles) for (const level of levels) expect([360, 224]).not.toContain(level);
  const none = ['--lod', 'none', '--hlod', 'none', '--force'];
  const kept = await cookedTriangles(town, 'town.gltf', ['--authored-lods', 'keep', ...none]);
  expect(kept.tiles.map(({ full }) => full)).toEqual([528 + 360 + 224, 528 + 360 + 224]);
});

test('a single file has LOD0 alone, and says that the others are not used', async () => {
  writeFileSync(join(folder, 'town.gltf'), gltf(balls(names, [12, 10, 8]), MATERIALS));
  const ran = await untold(folder, ['cook', 'town.gltf', '--out', 'one.untold', '--json']);
  const { results } = JSON.parse(ran.stdout);
  expect(results[0].totals.trianglesOut).toBe(2 * 528);
  expect(results[0].diagnostics).toContainEqual(
    expect.objectContaining({ code: 'UC2058', message: expect.stringContaining('of this and 1 more are not used') }),
  );
  const { meshes } = await readUntold(readFileSync(join(folder, 'one.untold')), 'one.untold');
  expect(meshes.length).toBe(2);
});

test('more levels than usual are for the tile that has them', async () => {
  const many = [28, 26, 24, 22].map((n, level) => ({ ...balls(names, [n])[0], name: `ball_LOD${level}` }));
  const tree = { name: 'tree', mesh: sphere(36, 2, 8, 1, 24), material: 0 };
  const { tiles } = await cookedTriangles(gltf([...many, tree], MATERIALS), 'town.gltf', [...FLAT, '--verbose']);
  expect(tiles.map(({ levels }) => levels.length)).toEqual([3, 2]);
  expect(tiles[0].levels).toEqual([2600, 2208, 1848]);
});

test('what is said of a mesh that two tiles have at a level does not hang on threads or on what is kept', async () => {
  // Two triangles of the level's mesh have no area.
  const json = JSON.parse(gltf([...balls(names, [24, 14]).slice(0, 2)], MATERIALS));
  const at = (x: number) => [0, 1].map((level) => ({ name: names(level), mesh: level, translation: [x, 0, 0] }));
  const nodes = [0, 32, 64, 96].flatMap(at);
  const source = JSON.stringify({ ...json, nodes, scenes: [{ nodes: nodes.map((_, i) => i) }] });
  const cache = ['--cache-dir', join(folder, 'cache')];
  const said = async (...args: string[]) => (await cookedTriangles(source, 'town.gltf', [...FLAT, ...args])).codes;
  const first = await said(...cache, '--jobs', '3');
  expect(first.filter((code: string) => code === 'UC2001').length).toBe(2);
  expect(await said(...cache, '--force')).toEqual(first);
  expect(await said('--no-cache', '--force', '--jobs', '1')).toEqual(first);
});

test('a picture of a source shows what a cook makes of it', async () => {
  // LOD1 is four times as large: drawn too, it would cover LOD0.
  const ball = (name: string, size: number): Thing => ({ name, mesh: sphere(0, 0, 0, size, 12), material: 0 });
  const alone = gltf([ball('ball', 1)], MATERIALS);
  const grouped = gltf([ball('ball_LOD0', 1), ball('ball_LOD1', 4)], MATERIALS);
  const pictureOf = async (name: string, source: string) => {
    writeFileSync(join(folder, `${name}.gltf`), source);
    const camera = ['--camera', '0,0,20,0,0,0', '--size', '64x64'];
    const ran = await untold(folder, ['render', `${name}.gltf`, '--out', `${name}.png`, ...camera]);
    expect([ran.code, ran.stderr]).toEqual([0, expect.any(String)]);
    return readFileSync(join(folder, `${name}.png`));
  };
  expect(Buffer.compare(await pictureOf('grouped', grouped), await pictureOf('alone', alone))).toBe(0);
});

test('names and triangles that are not in order get a code', async () => {
  const off = await cookedTriangles(
    gltf(
      balls((level) => `ball_LOD${level + 1}`, [12, 10]),
      MATERIALS,
    ),
    'town.gltf',
  );
  expect(off.codes).toContain('UC2059');
  expect(off.tiles.map(({ full, levels }) => [full, levels[0]])).toEqual([
    [528, 360],
    [528, 360],
  ]);
  const heavy = await cookedTriangles(gltf(balls(names, [20, 24, 16]), MATERIALS), 'heavy.gltf', ['--hlod', 'none']);
  expect(heavy.codes).toContain('UC2059');
  expect(heavy.tiles.map(({ full, levels }) => [full, levels[0]])).toEqual([
    [1520, 960],
    [1520, 960],
  ]);
});

test('levels beyond the number of LODs are named', async () => {
  const source = gltf(balls(names, [24, 18, 14]), MATERIALS);
  const { tiles, codes } = await cookedTriangles(source, 'town.gltf', ['--lod', '0.5', '--hlod', 'none']);
  expect(codes).toContain('UC2058');
  expect(tiles.map(({ full, levels }) => [full, levels])).toEqual([
    [2208, [1224]],
    [2208, [1224]],
  ]);
  expect((await cookedTriangles(source, 'town.gltf', ['--lod', '0.5,0.2', '--hlod', 'none'])).codes).not.toContain(
    'UC2058',
  );
});

test('a mesh of the artist that changes changes its level alone, and the number of threads nothing', async () => {
  const cook = async (third: number, ...args: string[]) => {
    rmSync(join(folder, 'out'), { recursive: true, force: true });
    const { manifest } = await cookedTriangles(gltf(balls(names, [24, 18, third]), MATERIALS), 'town.gltf', args);
    return manifest.tiles.map((tile: { path_relative_to_manifest: string; lod_levels: Level[] }) => [
      tile.path_relative_to_manifest,
      ...tile.lod_levels.map(({ path }) => path),
    ]);
  };
  const flags = ['--hlod', 'none', '--cache-dir', join(folder, 'cache')];
  const first = await cook(14, ...flags);
  expect(await cook(14, ...flags, '--force-rebuild', '--jobs', '2')).toEqual(first);
  const second = await cook(13, ...flags);
  for (const [i, [full, lod1, lod2]] of first.entries()) {
    expect(second[i].slice(0, 2)).toEqual([full, lod1]);
    expect(second[i][2]).not.toBe(lod2);
  }
});
