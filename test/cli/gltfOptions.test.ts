// The options for glTF, as users give them: --material-variant for cook and inspect, and KTX2 textures in the bundle.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildGlb, TRIANGLE } from '../importers/gltf/build.ts';
import { untold } from '../support/command.ts';
import { temporaryFolder } from '../support/files.ts';
import { ktx2, solidBlock } from '../textures/ktx2File.ts';

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, 'out'));
  const shoe = buildGlb(
    {
      meshes: [{ primitives: [{ ...TRIANGLE, material: 0 }] }],
      materials: [{ name: 'Plain' }, { name: 'Beach' }],
      root: { extensions: { KHR_materials_variants: { variants: [{ name: 'beach' }] } } },
    },
    (json) => {
      json.meshes[0].primitives[0].extensions = {
        KHR_materials_variants: { mappings: [{ material: 1, variants: [0] }] },
      };
    },
  );
  writeFileSync(join(folder, 'shoe.glb'), shoe);
  writeFileSync(join(folder, 'look.json'), JSON.stringify({ 'material-variant': 'beach' }));
  const basis = buildGlb({
    meshes: [{ primitives: [{ ...TRIANGLE, uvs: [0, 0, 1, 0, 0, 1], material: 0 }] }],
    materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
    textures: [{ extensions: { KHR_texture_basisu: { source: 0 } } }],
    images: [ktx2(4, 4, [solidBlock(255, 0, 0, 255)])],
  });
  writeFileSync(join(folder, 'basis.glb'), basis);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const inspected = async (...args: string[]) => {
  const { code, stdout } = await untold(folder, ['inspect', '--json', 'shoe.glb', ...args]);
  return { code, document: JSON.parse(stdout || 'null') };
};

test('--material-variant chooses what is inspected', async () => {
  const plain = await inspected();
  expect([plain.code, plain.document.meshes[0].material]).toEqual([0, 'materials/0']);
  expect(plain.document.warnings).toMatchObject([{ code: 'UC1366', severity: 'warning' }]);
  const beach = await inspected('--material-variant', 'beach');
  expect([beach.code, beach.document.meshes[0].material, beach.document.warnings]).toEqual([0, 'materials/1', []]);
});

test('… and what is cooked, from a preset too', async () => {
  const names = async (...args: string[]) => {
    const cooked = await untold(folder, ['cook', 'shoe.glb', '--out', 'out/shoe.untold', ...args]);
    const { stdout } = await untold(folder, ['inspect', '--json', 'out/shoe.untold']);
    return [cooked.code, JSON.parse(stdout).materials.map((material: { name: string }) => material.name)];
  };
  expect(await names()).toEqual([0, ['Plain']]);
  expect(await names('--material-variant', 'beach')).toEqual([0, ['Beach']]);
  expect(await names('--pipeline', 'look.json')).toEqual([0, ['Beach']]);
});

test('one that names nothing is an error of the command line', async () => {
  const { code, stderr } = await untold(folder, [
    'cook',
    'shoe.glb',
    '--out',
    'out/x.untold',
    '--material-variant',
    'snow',
  ]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/UC1367.*there is no variant "snow"; the file has "beach"/);
});

test('a KTX2 texture is decoded, and nothing but the answer is printed', async () => {
  const { code, stdout } = await untold(folder, [
    'cook',
    'basis.glb',
    '--out',
    'out/basis.untold',
    '--textures',
    'keep',
    '--json',
  ]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout).results[0]).toMatchObject({ status: 'ok', diagnostics: [] });
  expect(readdirSync(join(folder, 'out/Textures')).filter((name) => name.endsWith('.png')).length).toBe(1);
});
