// `untold inspect FOLDER`: what lies below it.

import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeAll(async () => {
  folder = temporaryFolder();
  put(folder, 'art/a folder/town.gltf', squareGltf({ image: '../red.png' }));
  put(folder, 'art/red.png', RED_PNG);
  put(folder, 'art/text.usd', '#usda 1.0\n');
  put(folder, 'art/noise.glb', 'no scene');
  put(folder, 'art/settings.json', '{"a": 1}');
  const args = ['cook', 'art/a folder/town.gltf', '--out', 'art/tiles', '--no-cache'];
  expect((await untold(folder, args)).code).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('lists sources and cooked files by their content', async () => {
  const { code, stdout, stderr } = await untold(folder, ['inspect', 'art', '--json']);
  expect([code, stderr]).toEqual([0, '']);
  const document = JSON.parse(stdout);
  expect(document).toMatchObject({ source: 'art', kind: 'folder', warnings: [] });
  const kinds = document.files.map(({ path, kind }: { path: string; kind: string }) => [
    path.replace(/[-_][0-9a-f]{8}/g, ''),
    kind,
  ]);
  expect(kinds).toContainEqual(['art/a folder/town.gltf', 'gltf']);
  expect(kinds).toContainEqual(['art/text.usd', 'usda']);
  expect(kinds).toContainEqual(['art/noise.glb', 'unknown']);
  expect(kinds).toContainEqual(['art/tiles/town.json', 'manifest']);
  expect(kinds.map(([, kind]: string[]) => kind)).toEqual(expect.arrayContaining(['untold', 'utex']));
  expect(kinds.map(([path]: string[]) => path)).not.toContain('art/settings.json');
});

test('says the folder that all share once', async () => {
  const { stdout } = await untold(folder, ['inspect', 'art']);
  expect(stdout).toMatch(/^art: \d files, /);
  expect(stdout).toMatch(/^ {2}kind +bytes {2}art\/$/m);
  expect(stdout).toMatch(/^ {2}gltf +[\d.]+ k?B {2}a folder\/town\.gltf$/m);
});

test('of nothing, and with options for a texture, is refused', async () => {
  put(folder, 'empty/readme.txt', '');
  expect(await untold(folder, ['inspect', 'empty'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('UC1004'),
  });
  expect(await untold(folder, ['inspect', 'art', '--png', 'a.png'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('UC1017'),
  });
});
