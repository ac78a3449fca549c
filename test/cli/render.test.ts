import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeAll(async () => {
  folder = temporaryFolder();
  put(folder, 'town.gltf', squareGltf());
  put(folder, 'notes.txt', 'no scene');
  expect((await untold(folder, ['cook', 'town.gltf', '--scene', 'Night', '--out', 'tiles'])).code).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a picture is written, and its content told', async () => {
  const { code, stdout, stderr } = await untold(folder, ['render', 'tiles', '--out', 'town.png', '--size', '64x48']);
  expect([code, stdout, stderr]).toEqual([0, '', 'town.png: 64 x 48 pixels, 4 triangles of 2 tiles\n']);
  const png = readFileSync(join(folder, 'town.png'));
  expect([png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual(['PNG', 64, 48]);
  expect(readdirSync(folder).sort()).toEqual(['notes.txt', 'tiles', 'town.gltf', 'town.png']);
});

test('--json gives what is drawn', async () => {
  const { code, stdout, stderr } = await untold(folder, [
    'render',
    'tiles/town.json',
    '--out',
    'pictures/town.png',
    '--size=64x48',
    '--camera=orbit',
    '--json',
    '--quiet',
  ]);
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toEqual({
    schemaVersion: 1,
    source: 'tiles/town.json',
    out: 'pictures/town.png',
    turntable: null,
    width: 64,
    height: 48,
    view: 'orbit',
    drawn: [
      { tile: 'tile_0_0_0', level: 'full', triangles: 2 },
      { tile: 'tile_8_0_0', level: 'full', triangles: 2 },
    ],
    compared: [],
    diagnostics: [],
  });
});

test.each([
  [['render', 'tiles'], 2, 'UC1002 --out'],
  [['render'], 2, 'UC1002'],
  [['render', 'tiles', '--out', 'x.png', '--level', 'lod9'], 2, 'UC1003 --level'],
  [['render', 'tiles', '--out', 'x.png', '--level', 'hlod'], 2, 'UC5002 tiles/town.json --level'],
  [['render', 'tiles', '--out', 'x.png', '--sheet', 'worst'], 2, 'UC5002 tiles/town.json --sheet'],
  [['render', 'tiles', '--out', 'x.png', '--sheet', 'tile_0_0_1'], 2, 'UC5001 tiles/town.json --sheet'],
  [['render', 'notes.txt', '--out', 'x.png'], 2, 'UC5000 notes.txt'],
  [['render', 'lost', '--out', 'x.png'], 3, 'UC1200 lost'],
] as const)('%s is refused', async (args, code, words) => {
  const ran = await untold(folder, args);
  expect([ran.code, ran.stdout]).toEqual([code, '']);
  expect(ran.stderr).toContain(`error ${words}`);
  expect(readdirSync(folder)).not.toContain('x.png');
});

test('--morph draws a target at a weight, of a source and of a cooked file, and refuses other names', async () => {
  const head = join(import.meta.dirname, '../../samples/glb/head.glb');
  expect((await untold(folder, ['cook', head, '--out', 'head.untold'])).code).toBe(0);
  const drawn = async (file: string, ...more: string[]) => {
    const options = ['--out', 'head.png', '--size', '64x64', '--camera', '0.4,0.2,0.3,0,0.17,0', ...more];
    const { code, stderr } = await untold(folder, ['render', file, ...options]);
    return { code, stderr, png: code === 0 ? readFileSync(join(folder, 'head.png')) : null };
  };
  for (const file of [head, 'head.untold']) {
    const still = await drawn(file);
    const long = await drawn(file, '--morph', 'noseLong=1');
    const none = await drawn(file, '--morph', 'noseLong=0');
    expect([still.code, long.code, none.code]).toEqual([0, 0, 0]);
    expect(long.png?.equals(still.png as Buffer)).toBe(false);
    expect(none.png?.equals(still.png as Buffer)).toBe(true);
    const unknown = await drawn(file, '--morph', 'ears=1');
    expect([unknown.code, unknown.stderr.split('\n')[0]]).toEqual([2, expect.stringContaining('UC5007')]);
  }
  for (const text of ['noseLong', 'noseLong=', 'noseLong=x', '=1']) {
    const refused = await drawn('head.untold', '--morph', text);
    expect([text, refused.code, refused.stderr.includes('UC1003')]).toEqual([text, 2, true]);
  }
});
