// check(): what it counts is what the files hold, and what it says of a device is what the device's bounds say.

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEVICES, geometryLimit, MEASURES, type Measure } from '../../src/engine/devices.ts';
import { check, cook, inspect } from '../../src/index.ts';
import { placesIn, placesOf } from '../../src/library/check/places.ts';
import { type CheckedMeasure, verdictDiagnostics, verdictLine } from '../../src/library/check/verdict.ts';
import { squares } from '../cook/squares.ts';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';

let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = temporaryFolder();
  put(folder, 'squares.glb', squares([], 9));
  put(folder, 'red.png', RED_PNG);
  put(folder, 'square.gltf', squareGltf({ image: 'red.png' }));
  const set = await cook(at('squares.glb'), { out: at('set'), tileSize: 30, root: folder, lod: [0.5], hlod: null });
  const one = await cook(at('square.gltf'), { out: at('one.untold'), root: folder });
  const pack = await cook(at('square.gltf'), { out: at('pack.untoldpack'), root: folder });
  expect([set.exitCode, one.exitCode, pack.exitCode]).toEqual([0, 0, 0]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a `.untold` file takes, by what inspect says of it. */
async function taken(path: string) {
  const { document } = await inspect(path);
  if (document?.kind !== 'untold') throw new Error(path);
  const chunks = document.chunks.filter(({ name }) => name === 'vertexData' || name === 'indexData');
  const { triangles, entities, meshes } = document.totals;
  return {
    geometry: chunks.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0),
    triangles,
    entities,
    draws: meshes,
  };
}

test('the bound of geometry is 85 % of 60 % of what the engine takes: 512 MiB at least, 3 GiB at most', () => {
  expect(geometryLimit()).toBe(273_804_165);
  expect(geometryLimit(1e9)).toBe(geometryLimit());
  // 40 % of 4 GB are 1.6 GB.
  expect(geometryLimit(4e9)).toBe(816_000_000);
  expect(geometryLimit(1e12)).toBe(geometryLimit(3 * 2 ** 30 * 2.5));
});

test('in the middle of a set all tiles near are in memory, and the sums are those of their files', async () => {
  const { document, exitCode } = await check(at('set'), { zone: ['box:45,1.7,45,45,1.7,45'] });
  expect(exitCode).toBe(0);
  const tiles = readdirSync(at('set/squares')).filter((name) => /^tile_.*\.untold$/.test(name) && !/_lod/.test(name));
  expect(tiles.length).toBeGreaterThan(3);
  const all = await Promise.all(tiles.map((name) => taken(at(`set/squares/${name}`))));
  const sum = (key: keyof (typeof all)[number]) => all.reduce((total, one) => total + one[key], 0);
  const [{ figures, payloads }] = document!.worst;
  // Whoever stands in the middle tile sees the others within 30 m.
  expect(figures).toMatchObject({
    geometry: sum('geometry'),
    triangles: sum('triangles'),
    entities: sum('entities'),
    textures: 0,
  });
  expect(payloads.map(({ level }) => level)).toEqual(Array(tiles.length).fill('full'));
  // A view of 90 degrees has the tile around the eye, and at most five others.
  expect(figures.draws).toBeGreaterThan(1);
  expect(figures.draws).toBeLessThanOrEqual(sum('draws'));
  expect(document!.places).toEqual({ looked: 1, simulated: 1 });
});

test('a single file and a pack are loaded as a whole; a texture counts once, with its mips', async () => {
  const file = await taken(at('one.untold'));
  const { document: texture } = await inspect(at(`Textures/${readdirSync(at('Textures'))[0]}`));
  if (texture?.kind !== 'utex') throw new Error('no texture');
  for (const output of ['one.untold', 'pack.untoldpack']) {
    const { document } = await check(at(output), { device: 'mac' });
    const [{ figures, at: place }] = document!.worst;
    expect([output, figures, place]).toEqual([
      output,
      { ...file, textures: texture.gpuBytes, visibleTriangles: file.triangles },
      null,
    ]);
    expect(document!.fits).toBe(true);
  }
});

describe('a verdict', () => {
  const measured = (values: Partial<Record<Measure, number>>): CheckedMeasure[] =>
    (Object.keys(MEASURES) as Measure[]).map((measure) => {
      const { value, kind, source } = DEVICES['vision-pro'].limits[measure]!;
      const here = measure === 'file' ? null : ([1.2, 1.6, 0.3] as const);
      const file = measure === 'file' ? 'town/tile_0_0_0.untold' : null;
      return { measure, ...MEASURES[measure], value: values[measure] ?? 0, at: here, file, limit: value, kind, source };
    });

  test('names what is over with its place, and each measure has a code', () => {
    const over = measured({ textures: 243e6, draws: 101 });
    expect(verdictLine(over, DEVICES['vision-pro'])).toBe(
      'over for vision-pro: textures 243 MB of 200 MB at (1.2 1.6 0.3); draws 101 of 100 at (1.2 1.6 0.3)',
    );
    const all = measured(Object.fromEntries(Object.keys(MEASURES).map((measure) => [measure, 1e12])));
    const found = verdictDiagnostics(all, DEVICES['vision-pro'], 'town.json');
    expect(found.map(({ code }) => code)).toEqual([
      'UC2240',
      'UC2241',
      'UC2242',
      'UC2243',
      'UC2244',
      'UC2245',
      'UC2246',
    ]);
    expect(found[6].message).toContain('1.0 TB of 50 MB, town/tile_0_0_0.untold');
  });

  test('names the two measures that are nearest where all fits; at the bound it fits', () => {
    const near = measured({ textures: 122e6, draws: 34, geometry: 1e6 });
    expect(verdictLine(near, DEVICES['vision-pro'])).toBe('fits vision-pro: 61 % of textures, 34 of 100 draws');
    expect(verdictDiagnostics(measured({ draws: 100 }), DEVICES['vision-pro'], 'town.json')).toEqual([]);
  });
});

test('places are the middles, corners and borders of tiles, a grid, and the cameras, at the height of eyes', () => {
  const tile = { bounds: { min: [0, 2, 0], max: [10, 5, 20] } } as unknown as Parameters<typeof placesOf>[0][number];
  const places = placesOf([tile], [[3, 3, 3]]);
  for (const place of [
    [3, 3, 3],
    [5, 3.7, 10],
    [0, 3.7, 0],
    [10, 3.7, 20],
    [5, 3.7, 0],
    [0.63, 3.7, 1.25],
  ]) {
    expect(places).toContainEqual(place);
  }
  expect(placesOf([], [])).toEqual([[0, 1.7, 0]]);
  const zone = placesIn([{ min: [0, 1, 0], max: [4, 2, 4] }]);
  expect(zone).toHaveLength(75);
  expect(new Set(zone.map(([, y]) => y))).toEqual(new Set([1, 1.5, 2]));
});

describe('untold check', () => {
  test('prints a table, writes a map and reports, and fails for what is over with --strict', async () => {
    const nodes = Array.from({ length: 101 }, (_, i) => i);
    const gltf = JSON.parse(squareGltf()) as { nodes: object[]; scenes: { nodes: number[] }[] };
    gltf.nodes = nodes.map((i) => ({ name: `NM_${i}`, mesh: 0, translation: [i % 10, 0, Math.floor(i / 10)] }));
    gltf.scenes[0].nodes = nodes;
    put(folder, 'many.gltf', JSON.stringify(gltf));
    expect((await untold(folder, ['cook', 'many.gltf', '--out', 'many.untold'])).code).toBe(0);
    const reports = ['fit.sarif', 'fit.junit.xml', 'fit.html'].flatMap((name) => ['--report', name]);
    const warned = await untold(folder, ['check', 'many.untold', ...reports]);
    expect(warned.code).toBe(0);
    expect(warned.stdout).toMatch(/^many\.untold: over for vision-pro: draws 101 of 100\n/);
    expect(warned.stderr).toContain('warning UC2244 many.untold: Apple Vision Pro: draws 101 of 100; advice: Apple');
    for (const name of ['fit.sarif', 'fit.junit.xml']) expect(readFileSync(at(name), 'utf8')).toContain('UC2244');
    const page = readFileSync(at('fit.html'), 'utf8');
    expect(page).toContain('Does it fit vision-pro? <span class="badge failed">over</span>');
    // Each bar ends at 150 % of its bound: 101 of 100 draws are 1 % beyond two thirds of it.
    expect(page).toContain(
      '<i class="over" style="left:66.67%;width:0.67%"></i><span class="mark" style="left:66.67%"></span>',
    );
    expect(page.match(/class="track"/g)).toHaveLength(Object.keys(MEASURES).length);
    const strict = await untold(folder, ['check', 'many.untold', '--strict', '--quiet']);
    expect([strict.code, strict.stdout]).toEqual([1, '']);
    expect((await untold(folder, ['check', 'many.untold', '--strict', '--device', 'iphone'])).code).toBe(0);
    const map = await untold(folder, ['check', 'set', '--map', 'fit.svg']);
    expect([map.code, map.stderr]).toEqual([0, '']);
    expect(readFileSync(at('fit.svg'), 'utf8')).toMatch(/<text [^>]*>geometry: at most [\d.]+ kB of 274 MB<\/text>/);
  });

  test('cook --device ends with the verdict, in the document too, and --strict counts what is over', async () => {
    const fits = await untold(folder, [
      'cook',
      'square.gltf',
      '--out',
      'fits.untold',
      '--device',
      'vision-pro',
      '--json',
    ]);
    expect(fits.code).toBe(0);
    expect(fits.stderr).toMatch(/^fits\.untold: fits vision-pro: \d+ of 100 draws, \d+ of 200 entities$/m);
    const [{ source, output, measures }] = JSON.parse(fits.stdout).verdicts;
    const checked = (await check(at('fits.untold'), { device: 'vision-pro' })).document;
    expect([source, output, measures]).toEqual(['square.gltf', 'fits.untold', checked?.measures]);
    const args = ['cook', 'many.gltf', '--out', 'over.untold', '--device', 'vision-pro'];
    const over = await untold(folder, args);
    expect([over.code, over.stderr]).toEqual([
      0,
      expect.stringContaining('over.untold: over for vision-pro: draws 101'),
    ]);
    const strict = await untold(folder, [...args, '--strict']);
    expect([strict.code, strict.stderr]).toEqual([1, expect.stringContaining('error UC2244 over.untold')]);
    const plan = await untold(folder, [...args, '--dry-run']);
    expect([plan.code, plan.stderr.includes('vision-pro')]).toEqual([0, false]);
  });

  test('flies a flight, and refuses what is none', async () => {
    const flight = [
      { time: 0, position: [-600, 1.7, 45], target: [45, 1.7, 45] },
      { time: 4, position: [45, 1.7, 45], target: [90, 1.7, 45] },
    ];
    put(folder, 'flight.json', JSON.stringify(flight));
    const flown = await untold(folder, ['check', 'set', '--path', 'flight.json', '--json']);
    expect([flown.code, flown.stderr]).toEqual([0, '']);
    const document = JSON.parse(flown.stdout);
    expect(document.places).toEqual({ looked: 8, simulated: 8 });
    expect(document.measures[0].value).toBeGreaterThan(0);
    for (const [name, content, message] of [
      ['text.json', '{', 'it is no JSON'],
      ['one.json', '[]', 'it is no list of 2 to 10000 points'],
      ['place.json', JSON.stringify([flight[0], { time: 1, position: [0, 0], target: [0, 0, 0] }]), 'it is no point'],
      ['time.json', JSON.stringify([flight[1], flight[0]]), 'its time does not rise'],
    ]) {
      put(folder, name, content);
      const { code, stderr } = await untold(folder, ['check', 'set', '--path', name]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`error UC2247 ${name}`)]);
      expect(stderr).toContain(message);
    }
  });

  test.each([
    [['--zone', 'box:1,2,3'], 'UC1003', 'a box takes six numbers'],
    [['--zone', 'sphere:1'], 'UC1003', 'a zone is box:'],
    [['--zone', 'points:flight.json'], 'UC1003', 'is no list of positions'],
    [['--zone', 'box:0,0,0,1,1,1', '--path', 'flight.json'], 'UC1012', 'given together with --zone'],
    [['--device', 'watch'], 'UC1003', 'vision-pro'],
  ])('refuses %j', async (args, code, message) => {
    const { code: exit, stderr } = await untold(folder, ['check', 'set', ...args]);
    expect([exit, stderr]).toEqual([2, expect.stringContaining(code)]);
    expect(stderr).toContain(message);
  });

  test('says which textures the figures lack', async () => {
    const name = readdirSync(at('Textures'))[0];
    put(folder, 'gone/one.untold', readFileSync(at('one.untold')));
    const gone = await untold(folder, ['check', 'gone/one.untold']);
    expect([gone.code, gone.stderr]).toEqual([
      0,
      expect.stringMatching(/^warning UC2248 gone\/one\.untold .*not there/),
    ]);
    put(folder, `gone/Textures/${name}`, 'no image');
    expect((await untold(folder, ['check', 'gone/one.untold', '--strict'])).code).toBe(1);
  });

  test('refuses a file that is no output, and a map of a single file', async () => {
    const source = await untold(folder, ['check', 'square.gltf']);
    expect([source.code, source.stderr]).toEqual([expect.any(Number), expect.stringContaining('UC5000')]);
    const map = await untold(folder, ['check', 'one.untold', '--map', 'one.svg']);
    expect([map.code, map.stderr]).toEqual([2, expect.stringContaining('UC1012')]);
  });

  test('of a single file tells what is in view from a zone', async () => {
    // The square spans 0 to 1 on x and y. From behind or in front of it one of four looks has it in view, from far above none.
    const viewed = async (box: string) => {
      const { code, stdout } = await untold(folder, ['check', 'one.untold', '--zone', box, '--json']);
      const { measures } = JSON.parse(stdout);
      const value = (name: string) => measures.find(({ measure }: { measure: string }) => measure === name).value;
      return [code, value('visibleTriangles'), value('draws'), value('triangles')];
    };
    expect(await viewed('box:0.5,0.5,2,0.5,0.5,2')).toEqual([0, 2, 1, 2]);
    expect(await viewed('box:0.5,100,0.5,0.5,100,0.5')).toEqual([0, 0, 0, 2]);
    const flight = join(folder, 'flight.json');
    const point = (time: number) => ({ time, position: [0, 1, time], target: [0, 1, -9] });
    writeFileSync(flight, JSON.stringify([point(0), point(1)]));
    const flown = await untold(folder, ['check', 'one.untold', '--path', 'flight.json']);
    expect([flown.code, flown.stderr]).toEqual([2, expect.stringContaining('is loaded as a whole')]);
  });
});
