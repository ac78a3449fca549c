// Levels made by hand in the chains of packs: level files with the artist's triangles and the tables of their model, and what
// becomes of levels that do not fit.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readUntold } from '../../src/formats/untold/read.ts';
import type { UntoldPack } from '../../src/formats/untoldpack/document.ts';
import { sphere } from '../geometry/packed.ts';
import { untold } from '../support/command.ts';
import { contents } from '../support/files.ts';
import { gltf, plain, type Thing } from './things.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chains-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const MATERIALS = [
  plain('red', [0.8, 0.1, 0.1]),
  plain('blue', [0.1, 0.1, 0.8]),
  // As red: another name alone makes no other look.
  plain('red far off', [0.8, 0.1, 0.1]),
];
const RED = 0;
const BLUE = 1;

interface Json {
  nodes: { name: string; mesh?: number; children?: number[]; [key: string]: unknown }[];
  scenes: { nodes: number[] }[];
  [key: string]: unknown;
}

const scene = (things: readonly Thing[]): Json => JSON.parse(gltf(things, MATERIALS));

/** Nodes below one: all, or those listed. */
function below(name: string, json: Json, children = json.nodes.map((_, i) => i)): Json {
  const nodes = [...json.nodes, { name, children }];
  return { ...json, nodes, scenes: [{ nodes: [json.nodes.length] }] };
}

/** A ball of n segments has 4 n (n - 1) triangles. */
const ball = (
  name: string,
  segments: number,
  more: { x?: number; material?: number; radius?: number } = {},
): Thing => ({
  name,
  mesh: sphere(4 + (more.x ?? 0), 2, 8, more.radius ?? 1, segments),
  material: more.material ?? RED,
});

const bytesAt = (path: string) => new Uint8Array(readFileSync(join(folder, path)));

/** The chunks of a file as its table of chunks has them. */
function chunksOf(bytes: Uint8Array): Map<number, Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return new Map(
    Array.from({ length: view.getUint32(24, true) }, (_, i) => {
      const at = 204 + i * 40;
      const start = Number(view.getBigUint64(at + 8, true));
      return [view.getUint32(at, true), bytes.subarray(start, start + Number(view.getBigUint64(at + 16, true)))];
    }),
  );
}

/** What decides without pictures is tested without, which is faster. */
const PICTURES = ['--lod-check', 'pictures'];

/** Cooks a pack and gives for each model the triangles of its levels and where they begin. Tables are those of the model. */
async function cooked(json: Json, args: readonly string[] = []) {
  rmSync(join(folder, 'out'), { recursive: true, force: true });
  writeFileSync(join(folder, 'things.gltf'), JSON.stringify(json));
  const ran = await untold(folder, [
    ...['cook', 'things.gltf', '--out', 'out/things.untoldpack', '--no-cache', '--json'],
    ...(args === PICTURES ? [] : ['--lod-check', 'geometry']),
    ...args,
  ]);
  const { diagnostics } = JSON.parse(ran.stdout).results[0];
  const { models, lodChains = {} }: UntoldPack = JSON.parse(
    readFileSync(join(folder, 'out/things.untoldpack'), 'utf8'),
  );
  const trianglesOf = async (path: string) =>
    (await readUntold(bytesAt(`out/${path}`), path)).meshes.map(({ indices }) => indices.length / 3);
  const chains: Record<string, number[][]> = {};
  const sizes: Record<string, number[]> = {};
  for (const [path, levels] of Object.entries(lodChains)) {
    const model = chunksOf(bytesAt(`out/${path}`));
    chains[path] = [];
    for (const level of levels) {
      const chunks = chunksOf(bytesAt(`out/${level.path}`));
      expect([...chunks.keys()]).toEqual([1, 2, 3, 4, 5, 6, 7]);
      for (const type of [1, 2, 4, 5]) {
        expect(Buffer.compare(chunks.get(type) as Uint8Array, model.get(type) as Uint8Array)).toBe(0);
      }
      const triangles = await trianglesOf(level.path);
      expect(level.triangles).toBe(triangles.reduce((sum, count) => sum + count, 0));
      chains[path].push(triangles);
    }
    sizes[path] = levels.map(({ screenSize }) => screenSize);
    for (const [i, size] of sizes[path].entries()) expect(size).toBeLessThan(sizes[path][i - 1] ?? Infinity);
  }
  const valid = await untold(folder, ['validate', 'out', '--strict']);
  expect([ran.code, valid.code, valid.stderr]).toEqual([0, 0, expect.stringMatching(/^\d+ files: valid\n$/)]);
  const said = (code: string): string[] =>
    diagnostics.filter((one: { code: string }) => one.code === code).map(({ message }: { message: string }) => message);
  return { chains, sizes, said, paths: models.map(({ path }) => path) };
}

const BALL = 'ball_LOD0/ball_LOD0.untold';
const levels = (...segments: readonly number[]) => segments.map((n, i) => ball(`ball_LOD${i}`, n));

test('models have the meshes of the artist, however few their triangles', async () => {
  const { chains, sizes, said } = await cooked(scene(levels(14, 12, 8)), PICTURES);
  expect(chains).toEqual({ [BALL]: [[4 * 12 * 11], [4 * 8 * 7]] });
  // Nothing is shown from nearer than two radii.
  expect(sizes[BALL][0]).toBeLessThanOrEqual(0.86603);
  expect([...said('UC2058'), ...said('UC2097'), ...said('UC2085')]).toEqual([]);
});

test('equal models have one chain, and models whose levels differ are different', async () => {
  const at = (x: number, last: number) => {
    const things = levels(14, 12, last);
    const meshes = things.map((_, i) => i);
    return { things, meshes, x };
  };
  const json = scene([...at(0, 8).things, ball('other', 6)]);
  const nodes = [0, 5, 10].flatMap((x, k) =>
    [0, 1, k === 2 ? 3 : 2].map((mesh, level) => ({ name: `ball_LOD${level}`, mesh, translation: [x, 0, 0] })),
  );
  const { chains, paths } = await cooked({ ...json, nodes, scenes: [{ nodes: nodes.map((_, i) => i) }] });
  expect(paths).toEqual([BALL, BALL, 'ball_LOD0_1/ball_LOD0_1.untold']);
  expect(chains).toEqual({ [BALL]: [[528], [224]], 'ball_LOD0_1/ball_LOD0_1.untold': [[528], [120]] });
});

test('MSFT_screencoverage says where levels begin', async () => {
  const json = scene([ball('ball', 12), ball('middle', 10), ball('low', 8)]);
  json.nodes[0].extensions = { MSFT_lod: { ids: [1, 2] } };
  json.nodes[0].extras = { MSFT_screencoverage: [0.2, 0.01, 0.001] };
  const listed = { ...json, extensionsUsed: ['MSFT_lod'], scenes: [{ nodes: [0] }] };
  const { chains, sizes, said } = await cooked(listed);
  expect(chains).toEqual({ 'ball/ball.untold': [[360], [224]] });
  // A circle of the height s of the view covers π s² / (4 * 16 / 9) of it.
  const size = (share: number) => Number(Math.sqrt((4 * 16 * share) / 9 / Math.PI).toPrecision(5));
  expect(sizes['ball/ball.untold']).toEqual([size(0.2), size(0.01)]);
  json.nodes[0].extras = { MSFT_screencoverage: [0.2, 0] };
  const never = await cooked(listed);
  expect(never.chains).toEqual({ 'ball/ball.untold': [[360]] });
  expect(never.said('UC2058')).toEqual([expect.stringContaining('level 2 made by hand is not used: it is made for a')]);
  expect(said('UC2058')).toEqual([]);
  json.nodes[0].extras = { MSFT_screencoverage: [0.2, 0.2] };
  const same = await cooked(listed);
  expect(same.chains).toEqual({ 'ball/ball.untold': [[224]] });
  expect(same.said('UC2058')).toEqual([expect.stringContaining('level 2 begins where it does')]);
});

test('a level has fewer triangles than what it replaces, by however few', async () => {
  const { chains, said } = await cooked(scene([...levels(14, 13), ball('ball_LOD2', 13), ball('ball_LOD3', 12)]));
  expect(chains).toEqual({ [BALL]: [[624], [528]] });
  expect(said('UC2058')).toEqual([expect.stringContaining('it has 624 triangles, and what it would replace has 624')]);
});

test('a level that looks like the model from nowhere is left out', async () => {
  const { chains, said } = await cooked(
    scene([ball('ball_LOD0', 14), ball('ball_LOD1', 4, { radius: 0.2 })]),
    PICTURES,
  );
  expect(chains).toEqual({});
  expect(said('UC2058')).toEqual([expect.stringContaining('it does not look like full detail')]);
  expect(said('UC2085')).toEqual([expect.stringContaining('it has 728 triangles')]);
});

/** Two meshes of two materials, with the same at the level. */
const twins = (...level: Thing[]): Json =>
  below('Twins', scene([ball('a_LOD0', 24), ball('b_LOD0', 14, { x: 3, material: BLUE }), ...level]));

test('meshes of a model pair one to one with those of a level, whose order is its own', async () => {
  const { chains } = await cooked(twins(ball('b_LOD1', 8, { x: 3, material: BLUE }), ball('a_LOD1', 12)));
  expect(chains).toEqual({ 'Twins/Twins.untold': [[528, 224]] });
});

test('where meshes do not pair one to one, levels are simplified, and a code says so', async () => {
  const { chains, said } = await cooked(twins(ball('a_LOD1', 12)));
  expect(said('UC2097')).toEqual([expect.stringContaining('"b_LOD0" (nodes/1) has no levels: meshes do not pair')]);
  expect(chains['Twins/Twins.untold'].length).toBeGreaterThan(0);
  for (const [a] of chains['Twins/Twins.untold']) expect(a).not.toBe(528);
  // The second level of one alone.
  const both = [ball('a_LOD1', 12), ball('b_LOD1', 8, { x: 3, material: BLUE })];
  const short = await cooked(twins(...both, ball('a_LOD2', 6)));
  expect(short.chains).toEqual({ 'Twins/Twins.untold': [[528, 224]] });
  expect(short.said('UC2097')).toEqual([expect.stringMatching(/b_LOD0|nodes\/1/)]);
});

test('a level of several meshes for one does not pair', async () => {
  const json = scene([ball('ball_LOD0', 24), ball('left', 6), ball('right', 6, { x: 0.5, radius: 0.5 })]);
  const nodes = [...json.nodes, { name: 'ball_LOD1', children: [1, 2] }];
  const { chains, said } = await cooked(below('Root', { ...json, nodes }, [0, 3]), ['--lod', '0.5']);
  expect(said('UC2097')).toEqual([expect.stringContaining('has 2 meshes for the 1 of full detail')]);
  expect(chains['Root/Root.untold'].length).toBe(1);
});

test('where materials are not the model’s, levels are simplified, and a code says so', async () => {
  const { chains, said } = await cooked(scene([ball('ball_LOD0', 24), ball('ball_LOD1', 12, { material: BLUE })]));
  expect(said('UC2097')).toEqual([
    expect.stringMatching(/materials of "ball_LOD0" are not the model's: it has "blue" instead of "red"/),
  ]);
  for (const [triangles] of chains[BALL]) expect(triangles).not.toBe(528);
  const green = { ...ball('ball_LOD1', 12), colors: new Float32Array(325 * 3).fill(0.2) };
  const colored = await cooked(scene([ball('ball_LOD0', 24), green]));
  expect(colored.said('UC2097')).toEqual([expect.stringContaining('"red" has other factors, textures or vertex')]);
  // A material of another name that looks the same is the model's.
  const named = await cooked(scene([ball('ball_LOD0', 24), ball('ball_LOD1', 12, { material: 2 })]));
  expect(named.chains).toEqual({ [BALL]: [[528]] });
});

test('where a level reaches beyond its model, levels are simplified, and a code says so', async () => {
  const { chains, said } = await cooked(scene([ball('ball_LOD0', 24), ball('ball_LOD1', 12, { radius: 1.1 })]));
  expect(said('UC2097')).toEqual([expect.stringContaining('"ball_LOD0" reaches 0.1 m beyond the bounds')]);
  for (const [triangles] of chains[BALL]) expect(triangles).not.toBe(528);
});

test('a mesh that a model places several times has levels that are stored once', async () => {
  const json = scene(levels(24, 12));
  const places = [0, 4, 8, 12].flatMap((x, k) =>
    [0, 1].map((level) => ({
      name: `ball${k}_LOD${level}`,
      mesh: level,
      translation: [x, 0, 0],
      rotation: [0, 0.6, 0, 0.8],
      scale: [1 + k / 4, 1 + k / 4, 1 + k / 4],
    })),
  );
  const { chains } = await cooked(below('Row', { ...json, nodes: places }));
  expect(chains).toEqual({ 'Row/Row.untold': [[528, 528, 528, 528]] });
  const { meshes } = await readUntold(bytesAt('out/Row/Row_LOD1.untold'), '');
  expect(new Set(meshes.map(({ vertices }) => vertices)).size).toBe(1);
});

test('--lod and --authored-lods say which levels a pack has', async () => {
  const source = scene(levels(24, 14, 8));
  const ratios = await cooked(source, ['--lod', '0.5']);
  expect(ratios.chains).toEqual({ [BALL]: [[728]] });
  // The engine's formula, which takes the number of triangles.
  expect(ratios.sizes[BALL]).toEqual([Number((Math.sqrt(4 * 728) / 1080).toPrecision(5))]);
  expect(ratios.said('UC2058')).toEqual([expect.stringContaining('more than the 1 LODs')]);
  const none = await cooked(source, ['--lod', 'none']);
  expect(none.chains).toEqual({});
  expect(none.said('UC2058')).toEqual([expect.stringContaining('no LODs are made')]);
  const finest = await cooked(source, ['--authored-lods', 'finest', '--lod', '0.5,0.2']);
  expect(finest.chains[BALL].length).toBe(2);
  for (const [triangles] of finest.chains[BALL]) expect([728, 224]).not.toContain(triangles);
  const keep = await cooked(source, ['--authored-lods', 'keep', '--lod', 'none']);
  expect(keep.paths.length).toBe(3);
});

test('a chain is the same for any number of threads', async () => {
  const source = scene(
    ['a', 'b', 'c'].flatMap((name, i) => [0, 1].map((l) => ball(`${name}_LOD${l}`, 14 - i - 4 * l))),
  );
  await cooked(source, ['--jobs', '1']);
  const one = contents(join(folder, 'out'));
  await cooked(source, ['--jobs', '3']);
  expect(contents(join(folder, 'out'))).toEqual(one);
});
