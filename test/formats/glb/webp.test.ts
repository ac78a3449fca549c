// `--textures webp`: colours lose little, all other texels nothing, and what is WebP already stays as it is.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { partsOfGlb } from '../../animation/gltfPoses.ts';
import { buildGlb, type Json } from '../../importers/gltf/build.ts';
import { untold } from '../../support/command.ts';
import { put, temporaryFolder } from '../../support/files.ts';
import { reader } from './differ.ts';
import { issuesOf } from './khronos.ts';

const folder = temporaryFolder();
const SIDE = 64;

/** Waves with a grain, by the channel: no two rows are the same. */
const WAVES = Uint8Array.from({ length: SIDE * SIDE * 3 }, (_, i) => {
  const [x, y, c] = [Math.floor(i / 3) % SIDE, Math.floor(i / 3 / SIDE), i % 3];
  return 128 + 80 * Math.sin(x / (5 + c)) * Math.cos(y / (7 - c)) + ((x * 31 + y * 17 + c * 7) % 13);
});
/** Two colours. */
const FLAT = Uint8Array.from({ length: SIDE * SIDE * 3 }, (_, i) => (i % (SIDE * 3) < 60 ? 250 : 3));

const image = (texels: Uint8Array) => sharp(texels, { raw: { width: SIDE, height: SIDE, channels: 3 } });
const texelsOf = (bytes: Uint8Array) => sharp(bytes).removeAlpha().raw().toBuffer();

/** A triangle with these images as base colour and normals. */
function scene(color: Uint8Array, normal: Uint8Array): Uint8Array {
  return buildGlb({
    meshes: [
      {
        primitives: [
          {
            positions: [0, 0, 0, 1, 0, 0, 0, 1, 0],
            normals: [0, 0, 1, 0, 0, 1, 0, 0, 1],
            uvs: [0, 0, 1, 0, 0, 1],
            indices: [0, 1, 2],
            material: 0,
          },
        ],
      },
    ],
    nodes: [{ mesh: 0 }],
    materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } }, normalTexture: { index: 1 } }],
    textures: [{ source: 0 }, { source: 1 }],
    images: [color, normal],
  });
}

async function cooked(source: Uint8Array, name: string): Promise<Uint8Array> {
  put(folder, `${name}.in.glb`, source);
  const run = await untold(folder, [
    'cook',
    `${name}.in.glb`,
    '--out',
    `${name}.glb`,
    '--textures',
    'webp',
    '--no-cache',
  ]);
  expect(run.code, run.stderr).toBe(0);
  expect((await untold(folder, ['validate', `${name}.glb`])).code).toBe(0);
  return readFileSync(join(folder, `${name}.glb`));
}

/** The images of base colour and normals. */
function imagesOf(file: Uint8Array): Uint8Array[] {
  const { json, bin } = partsOfGlb(file);
  expect(json.extensionsRequired).toContain('EXT_texture_webp');
  const [{ pbrMetallicRoughness, normalTexture }] = json.materials;
  return [pbrMetallicRoughness.baseColorTexture, normalTexture].map(({ index }: Json) => {
    const { bufferView, mimeType } = json.images[json.textures[index].extensions.EXT_texture_webp.source];
    expect(mimeType).toBe('image/webp');
    const { byteOffset = 0, byteLength } = json.bufferViews[bufferView];
    return bin.slice(byteOffset, byteOffset + byteLength);
  });
}

test('normals lose nothing, colours less than eyes see, and the images are smaller', async () => {
  const png = await image(WAVES).png().toBuffer();
  const file = await cooked(scene(png, png), 'waves');
  const [color, normal] = imagesOf(file);
  expect(Buffer.from(WAVES).equals(await texelsOf(normal))).toBe(true);
  const shown = await texelsOf(color);
  const squares = WAVES.reduce((sum, value, i) => sum + (value - shown[i]) ** 2, 0) / WAVES.length;
  expect(squares).toBeGreaterThan(0);
  expect(10 * Math.log10(255 ** 2 / squares)).toBeGreaterThan(34);
  expect(color.length).toBeLessThan(normal.length);
  expect(normal.length).toBeLessThan(png.length);
  expect(Buffer.from(await cooked(scene(png, png), 'again')).equals(file)).toBe(true);
  const document = await (await reader()).readBinary(file);
  const textures = document.getRoot().listTextures();
  expect(textures.map((texture) => [texture.getMimeType(), texture.getSize()])).toEqual([
    ['image/webp', [SIDE, SIDE]],
    ['image/webp', [SIDE, SIDE]],
  ]);
  expect([...(await issuesOf(file)).keys()]).toEqual([]);
});

test('a few flat colours lose nothing', async () => {
  const png = await image(FLAT).png().toBuffer();
  const [color] = imagesOf(await cooked(scene(png, png), 'flat'));
  expect(Buffer.from(FLAT).equals(await texelsOf(color))).toBe(true);
});

test('an image that is WebP stays byte for byte', async () => {
  const webp = new Uint8Array(await image(WAVES).webp({ quality: 50 }).toBuffer());
  const png = await image(WAVES).png().toBuffer();
  const source = scene(webp, png);
  const [color] = imagesOf(await cooked(source, 'own'));
  expect(Buffer.from(color).equals(webp)).toBe(true);
});
