// Sizes of texture blocks through the command line: what is chosen for which image, what options ask for, and what caches know of it.

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readUntold } from '../../src/formats/untold/read.ts';
import { readUtex } from '../../src/formats/utex/read.ts';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';
import { type Image, imageOf, normalsOf, randomNumbers } from '../textures/astcFile.ts';

const SIDE = 128;
const random = randomNumbers(3);
const grain = (height: number) => (random() - 0.5) * 2 * height;

/** Colours that change slowly, with a grain of some height. */
const slopes = (height: number): Image =>
  imageOf(SIDE, SIDE, (x, y) => {
    const own = grain(height);
    return [60 + x / 2 + own, 80 + y / 2 + own, 100 + (x + y) / 4 + own, 255];
  });
/** Noise where alpha is 0, and slopes where it is 255. */
const hiding = imageOf(SIDE, SIDE, (x, y) =>
  x < 64 ? [255 * random(), 255 * random(), 255 * random(), 0] : [60 + x / 2, 80 + y / 2, 100, 255],
);
const waved = (depth: number): Image =>
  normalsOf(SIDE, SIDE, (x, y) => depth * Math.sin(x / 11) * Math.cos(y / 13) + grain(depth / 40));

let folder: string;

/** What a square is painted with: a base colour, normals or both, opaque unless said otherwise. */
function square(name: string, change: (material: Record<string, unknown>) => void): void {
  const gltf = JSON.parse(squareGltf({ image: `${name}.png` }));
  change(gltf.materials[0]);
  put(folder, `${name}.gltf`, JSON.stringify(gltf));
}

async function picture(name: string, { data, width, height }: Image): Promise<void> {
  put(
    folder,
    `${name}.png`,
    await sharp(data, { raw: { width, height, channels: 4 } })
      .png()
      .toBuffer(),
  );
}

const asNormals = (material: Record<string, unknown>) => {
  material.pbrMetallicRoughness = {};
  material.normalTexture = { index: 0 };
};

beforeAll(async () => {
  folder = temporaryFolder();
  for (const [name, image] of [
    ['smooth', slopes(0)],
    ['grainy', slopes(5)],
    ['noisy', slopes(120)],
    ['again', slopes(0)],
    ['plain', imageOf(SIDE, SIDE, () => [10, 20, 30, 255])],
  ] as const) {
    await picture(name, image);
    square(name, () => {});
  }
  await picture('hiding', hiding);
  square('hiding', (material) => {
    material.alphaMode = 'BLEND';
  });
  await picture('shown', hiding);
  square('shown', () => {});
  for (const [name, depth] of [
    ['ripples', 0.3],
    ['rocks', 20],
  ] as const) {
    await picture(name, waved(depth));
    square(name, asNormals);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let outs = 0;

/** Cooks a square and gives side of the blocks, sides and pixel format of its only texture, which its record agrees with. */
async function cooked(name: string, ...options: readonly string[]) {
  const out = `out${outs++}/a.untold`;
  const run = await untold(folder, ['cook', `${name}.gltf`, '--out', out, '--quiet', ...options]);
  expect(run).toEqual({ code: 0, stdout: '', stderr: '' });
  const textures = join(folder, out, '../Textures');
  const [file, ...more] = readdirSync(textures);
  expect(more).toEqual([]);
  const bytes = readFileSync(join(textures, file));
  const { header } = readUtex(bytes, file);
  const [record] = (await readUntold(readFileSync(join(folder, out)), out)).textures;
  expect(record.format).toBe({ 4: 4, 5: 5, 6: 6, 8: 7 }[header.blockWidth]);
  expect((await untold(folder, ['validate', out, '--strict'])).code).toBe(0);
  return { side: header.blockWidth, width: header.width, format: header.pixelFormat, file, bytes };
}

test('a smooth image gets blocks of 8x8, a grainy one smaller ones, noise 4x4', async () => {
  expect(await cooked('smooth')).toMatchObject({ side: 8, format: 194, width: SIDE });
  expect(await cooked('grainy')).toMatchObject({ side: 6, format: 190 });
  expect(await cooked('noisy')).toMatchObject({ side: 4, format: 186 });
});

test('normals are judged by their angle', async () => {
  expect(await cooked('ripples')).toMatchObject({ side: 8, format: 212 });
  expect(await cooked('rocks')).toMatchObject({ side: 4, format: 204 });
});

test('texels that alpha hides do not count; where alpha is not drawn, they do', async () => {
  const hidden = await cooked('hiding');
  const shown = await cooked('shown');
  expect(shown.side).toBe(4);
  expect(hidden.side).toBeGreaterThan(4);
});

test('--texture-psnr asks for more or less, --texture-blocks for one size', async () => {
  expect((await cooked('grainy', '--texture-psnr', '50')).side).toBe(4);
  expect((await cooked('grainy', '--texture-psnr', '30')).side).toBe(8);
  expect((await cooked('rocks', '--texture-psnr', '20')).side).toBeGreaterThan(4);
  for (const side of [4, 5, 6, 8]) {
    expect((await cooked('grainy', '--texture-blocks', `${side}x${side}`)).side).toBe(side);
  }
  expect((await cooked('smooth', '--texture-blocks', 'engine')).side).toBe(4);
  const wrong = await untold(folder, ['cook', 'smooth.gltf', '--out', 'no', '--texture-blocks', '7x7']);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('UC1003')]);
  const unused = await untold(folder, [
    'cook',
    'smooth.gltf',
    '--out',
    'no',
    '--textures',
    'png',
    '--texture-psnr',
    '40',
  ]);
  expect(unused.stderr).toContain('--texture-psnr');
});

test('a cache tells the sizes apart, and any number of threads gives the same', async () => {
  const cache = ['--cache-dir', 'cache'];
  const first = await cooked('grainy', ...cache);
  expect(await cooked('grainy', ...cache)).toEqual(first);
  expect((await cooked('grainy', ...cache, '--texture-psnr', '50')).side).toBe(4);
  expect((await cooked('grainy', ...cache, '--texture-blocks', '5x5')).side).toBe(5);
  expect(await cooked('grainy', '--no-cache', '--jobs', '4')).toEqual(first);
  expect(await cooked('grainy', '--no-cache', '--jobs', '1')).toEqual(first);
});

test('one colour is four texels a side', async () => {
  expect(await cooked('plain')).toMatchObject({ side: 4, width: 4 });
  expect((await cooked('plain', '--texture-pot', 'keep')).width).toBe(SIDE);
});

test('alpha that is 1 everywhere is none', async () => {
  square('solid', (material) => {
    material.alphaMode = 'BLEND';
  });
  await picture('solid', slopes(0));
  const { bytes } = await cooked('solid');
  expect(readUtex(bytes, 'solid').header.flags).toBe(0);
});

test('equal images under different names are one file', async () => {
  const gltf = JSON.parse(squareGltf({ image: 'smooth.png' }));
  gltf.images.push({ uri: 'again.png' });
  gltf.textures.push({ source: 1 });
  gltf.materials[0].emissiveTexture = { index: 1 };
  gltf.materials[0].emissiveFactor = [1, 1, 1];
  put(folder, 'both.gltf', JSON.stringify(gltf));
  const { file } = await cooked('both');
  expect(file).toMatch(/^(smooth|again)\./);
});
