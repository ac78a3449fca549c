// The options for glTF, as users give them: --material-variant for cook and inspect, and KTX2 textures in the bundle.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildGlb, TRIANGLE } from '../importers/gltf/build.ts';
import { ktx2, solidBlock } from '../textures/ktx2File.ts';
import { temporaryFolder, untold } from './run.ts';

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

const inspected = (...args: string[]) => {
  const { code, stdout } = untold(folder, ['inspect', '--json', 'shoe.glb', ...args]);
  return { code, document: JSON.parse(stdout || 'null') };
};

test('--material-variant chooses what is inspected', () => {
  const plain = inspected();
  expect([plain.code, plain.document.meshes[0].material]).toEqual([0, 'materials/0']);
  expect(plain.document.warnings).toMatchObject([{ code: 'UC1366', severity: 'info' }]);
  const beach = inspected('--material-variant', 'beach');
  expect([beach.code, beach.document.meshes[0].material, beach.document.warnings]).toEqual([0, 'materials/1', []]);
});

test('… and what is cooked, from a preset too', () => {
  const names = (...args: string[]) => {
    const cooked = untold(folder, ['cook', 'shoe.glb', '--out', 'out/shoe.untold', ...args]);
    const { stdout } = untold(folder, ['inspect', '--json', 'out/shoe.untold']);
    return [cooked.code, JSON.parse(stdout).materials.map((material: { name: string }) => material.name)];
  };
  expect(names()).toEqual([0, ['Plain']]);
  expect(names('--material-variant', 'beach')).toEqual([0, ['Beach']]);
  expect(names('--pipeline', 'look.json')).toEqual([0, ['Beach']]);
});

test('one that names nothing is an error of the command line', () => {
  const { code, stderr } = untold(folder, ['cook', 'shoe.glb', '--out', 'out/x.untold', '--material-variant', 'snow']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/UC1367.*there is no variant "snow"; the file has "beach"/);
});

test('a KTX2 texture is decoded, and nothing but the answer is printed', () => {
  const { code, stdout } = untold(folder, [
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
