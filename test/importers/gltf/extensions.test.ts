// The list of known extensions follows from the files of extensions/: each of them is in it, and only they read extensions.

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { expect, test } from 'vitest';
import { CODES } from '../../../src/diagnostics/codes.ts';
import { EXTENSIONS, IMAGE_EXTENSIONS, MATERIAL_LAYERS } from '../../../src/importers/gltf/extensions/registry.ts';
import { buildGlb, load, refusal, TRIANGLE } from './build.ts';

const ROOM = resolve(import.meta.dirname, '../../../src/importers/gltf');
const files = readdirSync(ROOM, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.split(sep).join('/'));

/** `khrNodeVisibility` of `KHR_node_visibility`. */
const camelCase = (name: string) =>
  name
    .split('_')
    .map((part, i) => (i === 0 ? part.toLowerCase() : part[0].toUpperCase() + part.slice(1)))
    .join('');

test('each extension has the file of its name, and each file is in the registry', () => {
  const stems = files.filter((file) => /^extensions\/\w+\//.test(file)).map((file) => basename(file, '.ts'));
  expect(EXTENSIONS.map(({ name }) => camelCase(name)).sort()).toEqual(stems.sort());
  expect(new Set(stems).size).toBe(stems.length);
});

test('no other file names an extension', () => {
  const naming = files.filter((file) => {
    const text = readFileSync(join(ROOM, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    return !file.startsWith('extensions/') && /['"](KHR|EXT)_[a-z]/.test(text);
  });
  expect(naming).toEqual([]);
});

test('what is kept in part or ignored has a code, and codes exist', () => {
  for (const { name, support, effect, codes = [] } of EXTENSIONS) {
    expect(effect, name).toMatch(/^[A-Z].*\.$/);
    expect(codes.length > 0 || ['full', 'unneeded'].includes(support), name).toBe(true);
    for (const code of codes) expect(Object.keys(CODES)).toContain(code);
  }
});

test('images are preferred in the order of the list, and layers follow each other', () => {
  expect(IMAGE_EXTENSIONS.map(({ name }) => name)).toEqual([
    'EXT_texture_webp',
    'EXT_texture_avif',
    'KHR_texture_basisu',
    'MSFT_texture_dds',
  ]);
  expect(EXTENSIONS.flatMap(({ name, layer }) => (layer ? name : []))).toEqual([
    'KHR_materials_specular',
    'KHR_materials_anisotropy',
    'KHR_materials_clearcoat',
    'KHR_materials_sheen',
    'KHR_materials_transmission',
    'KHR_materials_diffuse_transmission',
    'KHR_materials_iridescence',
  ]);
  expect(MATERIAL_LAYERS.length).toBe(7);
});

const requiring = (...names: string[]) =>
  buildGlb({
    meshes: [{ primitives: [TRIANGLE] }],
    root: { extensionsUsed: names, extensionsRequired: names },
  });

test('a file may require every known extension, and no other', async () => {
  expect((await load(requiring(...EXTENSIONS.map(({ name }) => name)))).codes).toEqual([]);
  const item = await refusal(load(requiring('KHR_node_visibility', 'KHR_unheard_of')));
  expect(item).toMatchObject({ code: 'UC1305', message: 'the file requires "KHR_unheard_of"' });
});
