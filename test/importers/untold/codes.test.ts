// What a cooked file as a source loses, and what of it cannot be read.

import { expect, test } from 'vitest';
import { CODES } from '../../../src/diagnostics/codes.ts';
import { Diagnostics } from '../../../src/diagnostics/diagnostic.ts';
import { packMesh } from '../../../src/formats/untold/mesh/packMesh.ts';
import { tileScene } from '../../../src/formats/untold/tileScene.ts';
import { writeUntold } from '../../../src/formats/untold/write.ts';
import { memoryFiles } from '../../../src/importers/files.ts';
import { importSource } from '../../../src/importers/index.ts';
import { DEFAULT_MATERIAL } from '../../../src/workers/jobs.ts';
import { ground } from '../../geometry/packed.ts';

const UTEX = new TextEncoder().encode('UTEX\0\0\0\0');

const HEIGHT = { scale: 0.125, midlevel: 0.5, remapMin: 0, remapMax: 0.75 };

async function modelWith(heights: boolean) {
  const surface = {
    material: { ...DEFAULT_MATERIAL, slots: { ...DEFAULT_MATERIAL.slots, baseColor: 0 } },
    tint: null,
    palette: null,
  };
  const texture = {
    fileName: 'a.00000000.utex',
    bytes: UTEX,
    sha256: 'a',
    width: 4,
    height: 4,
    format: 4,
    mipCount: 1,
    flags: 1,
  };
  const mesh = { naming: { entity: 'land', mesh: 'land' }, surface, stored: packMesh(ground(0, 0, 8, 4)) };
  const scene = tileScene('tile', [mesh], [texture], null);
  const materials = scene.materials.map((material) =>
    heights ? { ...material, heightTexture: 0, height: HEIGHT } : material,
  );
  return writeUntold({ ...scene, materials }, { compression: 'none' });
}

async function imported(heights: boolean) {
  const diagnostics = new Diagnostics();
  const files = memoryFiles({ '/m/model.untold': await modelWith(heights), '/m/Textures/a.00000000.utex': UTEX });
  const scene = await importSource('/m/model.untold', 'model.untold', { files, diagnostics, options: {} });
  return { scene, codes: diagnostics.list.map(({ code }) => code) };
}

test('a height map is kept with what its texels mean', async () => {
  const { scene, codes } = await imported(true);
  expect(codes).toEqual([]);
  expect(scene.materials[0]).toMatchObject({ height: HEIGHT, textures: { height: { image: 0, channel: 'r' } } });
  expect((await imported(false)).scene.materials[0].textures.height).toBeUndefined();
});

test('nodes, polygons and images are those of the file', async () => {
  const { scene } = await imported(false);
  expect(scene).toMatchObject({ kind: 'untold', upAxis: 'Y', metersPerUnit: 1 });
  expect(scene.nodes.map(({ name, mesh }) => [name, mesh])).toEqual([['land', 0]]);
  const polygons = await scene.meshes[0].primitives[0].read();
  expect([polygons.corners.length, polygons.colors]).toEqual([4 * 4 * 6, null]);
  expect(scene.images.map(({ stem }) => stem)).toEqual(['a']);
});

test('a cooked texture that is damaged is said when it is read', async () => {
  const { scene } = await imported(false);
  const bytes = scene.images[0].read();
  await expect(bytes).rejects.toThrow(/UC2403/);
});

test('what a GLB has no room for ends with exit code 5', () => {
  expect(CODES.UC3790.exit).toBe(5);
});
