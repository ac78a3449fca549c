// Cooked textures on the command line: what inspect tells and draws of one, and what validate finds in a set.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UTEX_FLAGS } from '../../src/formats/utex/layout.ts';
import { chunk, putTogether, takeApart, u32 } from '../formats/untold/edit.ts';
import { FORMAT, solidBlock, texture } from '../formats/utex/textures.ts';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const NORMALS = texture(FORMAT.astc4x4Linear, {
  flags: UTEX_FLAGS.normalPackedXY,
  unit: solidBlock(204, 204, 204, 128),
});

test('inspect tells what is in a texture', async () => {
  put(folder, 'my walls/wall 1.utex', NORMALS);
  const { code, stdout, stderr } = await untold(folder, ['inspect', 'my walls/wall 1.utex']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.split('\n').map((line) => line.trimEnd())).toEqual([
    'my walls/wall 1.utex: .utex version 1, 544 B',
    'astc4x4, linear, blocks of 4x4, pixel format 204',
    '20x12, 5 mips, 400 B on the GPU, 101 B packed by gzip',
    'flags normalPackedXY',
    '',
    'mips',
    '  level  size   bytes  at byte',
    '      0  20x12    240      144',
    '      1  10x6      96      384',
    '      2  5x3       32      480',
    '      3  2x1       16      512',
    '      4  1x1       16      528',
    '',
  ]);
  const json = JSON.parse((await untold(folder, ['inspect', '--json', 'my walls/wall 1.utex'])).stdout);
  expect(json).toMatchObject({ kind: 'utex', format: 'astc4x4', gpuBytes: 400, warnings: [] });
});

test('inspect --png writes a mip as a picture', async () => {
  put(folder, 'wall.utex', NORMALS);
  for (const [args, size] of [
    [[], [20, 12]],
    [
      ['--mip', '2'],
      [5, 3],
    ],
  ] as const) {
    const { code, stderr } = await untold(folder, ['inspect', 'wall.utex', '--png', 'out/a b.png', ...args]);
    expect([code, stderr]).toEqual([0, '']);
    const { data, info } = await sharp(join(folder, 'out/a b.png')).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, info.channels]).toEqual([...size, 3]);
    expect([...data.subarray(0, 6)]).toEqual([204, 128, 229, 204, 128, 229]);
  }
});

test('pictures that cannot be made are refused', async () => {
  put(folder, 'wall.utex', NORMALS);
  put(folder, 'bad.utex', NORMALS.slice(0, 500));
  put(folder, 'town.gltf', squareGltf());
  for (const [args, code, exit] of [
    [['wall.utex', '--png', 'a.png', '--mip', '5'], 'UC1003', 2],
    [['wall.utex', '--png', 'a.jpg'], 'UC1003', 2],
    [['wall.utex', '--mip', '1'], 'UC1002', 2],
    [['bad.utex', '--png', 'a.png'], 'UC3301', 1],
    [['town.gltf', '--png', 'a.png'], 'UC1017', 2],
    [['town.gltf', '--stage', '--png', 'a.png'], 'UC1012', 2],
  ] as const) {
    const run = await untold(folder, ['inspect', ...args]);
    expect([args, run.code]).toEqual([args, exit]);
    expect(run.stderr).toContain(code);
  }
  expect(existsSync(join(folder, 'a.png'))).toBe(false);
});

/** Cooks a textured square and puts a cooked texture in the place of its image, as the engine's baker does. */
async function bakedSet(record: readonly number[], file: Uint8Array | null): Promise<string> {
  put(folder, 'town.gltf', squareGltf({ image: 'red.png' }));
  put(folder, 'red.png', RED_PNG);
  expect((await untold(folder, ['cook', 'town.gltf', '--out', 'town.untold', '--compress', 'none'])).code).toBe(0);
  const path = join(folder, 'town.untold');
  const edit = takeApart(readFileSync(path));
  const strings = chunk(edit, 1).bytes;
  const begin = Buffer.from(strings).indexOf('Textures/');
  const uri = Buffer.from(strings.subarray(begin, strings.indexOf(0, begin))).toString();
  // One letter less, so that the name is as long as before.
  const baked = `${uri.slice(0, -5)}.utex`;
  strings.set(Buffer.from(baked), begin);
  chunk(edit, 5).bytes.set(u32(...record), 8);
  writeFileSync(path, putTogether(edit));
  rmSync(join(folder, uri));
  if (file) put(folder, baked, file);
  return baked;
}

async function validate(...args: string[]): Promise<[number | null, string[]]> {
  const { code, stdout } = await untold(folder, ['validate', '--json', ...args]);
  const { files } = JSON.parse(stdout) as { files: { path: string; diagnostics: { code: string }[] }[] };
  return [code, files.map(({ path, diagnostics }) => [path, ...diagnostics.map((d) => d.code)].join(' '))];
}

test('validate checks the textures that a file names, each once', async () => {
  const uri = await bakedSet([4, 1, 20, 12], texture(FORMAT.astc4x4Srgb));
  expect(await validate('town.untold')).toEqual([0, ['town.untold', uri]]);
  expect((await validate('.'))[1].sort()).toEqual([uri, 'town.untold'].sort());
  expect(await validate(uri)).toEqual([0, [uri]]);

  writeFileSync(join(folder, uri), texture(FORMAT.astc4x4Linear, { width: 40 }));
  expect(await validate('town.untold')).toEqual([0, ['town.untold UC3351 UC3351', uri]]);
  expect((await validate('--strict', 'town.untold'))[0]).toBe(1);

  writeFileSync(join(folder, uri), texture(FORMAT.astc4x4Srgb).fill(0, 200, 300));
  expect(await validate('town.untold')).toEqual([1, ['town.untold', `${uri} UC3301`]]);
  expect(await validate(uri)).toEqual([1, [`${uri} UC3301`]]);

  writeFileSync(join(folder, uri), RED_PNG);
  expect(await validate('town.untold')).toEqual([1, ['town.untold UC3350', `${uri} UC3300`]]);

  rmSync(join(folder, uri));
  expect(await validate('town.untold')).toEqual([0, ['town.untold UC3108']]);
  expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('render draws what the blocks hold', async () => {
  const uri = await bakedSet([4, 1, 20, 12], null);
  const render = async (out: string) => {
    const { code, stderr } = await untold(folder, ['render', 'town.untold', '--out', out, '--size', '64x64']);
    expect(code).toBe(0);
    return [readFileSync(join(folder, out)).toString('base64'), /UC\d+/.exec(stderr)?.[0]];
  };
  const missing = await render('missing.png');
  expect(missing[1]).toBe('UC5003');
  put(folder, uri, texture(FORMAT.astc4x4Srgb, { unit: solidBlock(255, 255, 255, 255) }));
  expect(await render('white.png')).toEqual([missing[0], undefined]);
  put(folder, uri, texture(FORMAT.astc4x4Srgb, { unit: solidBlock(255, 0, 0, 255) }));
  const [red, code] = await render('red.png');
  expect(code).toBe(undefined);
  expect(red).not.toBe(missing[0]);
  put(folder, uri, texture(FORMAT.astc4x4Srgb).fill(0, 200, 300));
  expect(await render('damaged.png')).toEqual(missing);
});

test('a texture is no source of a cook', async () => {
  put(folder, 'wall.utex', NORMALS);
  const { code, stderr } = await untold(folder, ['cook', 'wall.utex', '--out', 'tiles']);
  expect(code).toBe(1);
  expect(stderr).toContain('UC1201');
});
