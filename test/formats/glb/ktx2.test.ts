// `--textures ktx2`: every field of the files that KHR_texture_basisu prescribes, and texels that another decoder reads.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { partsOfGlb } from '../../animation/gltfPoses.ts';
import { buildGlb, type Json } from '../../importers/gltf/build.ts';
import { untold } from '../../support/command.ts';
import { put, temporaryFolder } from '../../support/files.ts';
import { transcoded } from '../../textures/basisTranscoder.ts';
import { expectValid } from './khronos.ts';

const folder = temporaryFolder();

/** The validator warns of each KTX2 image: it knows no such images, and not their media type. */
const UNKNOWN = ['IMAGE_UNRECOGNIZED_FORMAT', 'VALUE_NOT_IN_LIST'];

interface Raster {
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  readonly data: Uint8Array;
}

function raster(width: number, height: number, channels: 3 | 4, texel: (x: number, y: number, c: number) => number) {
  const data = Uint8Array.from({ length: width * height * channels }, (_, i) => {
    const at = Math.floor(i / channels);
    return texel(at % width, Math.floor(at / width), i % channels);
  });
  return { width, height, channels, data } satisfies Raster;
}

const png = ({ width, height, channels, data }: Raster): Promise<Buffer> =>
  sharp(data, { raw: { width, height, channels } }).png().toBuffer();

/** Waves with a grain: no block repeats. */
const waves = (x: number, y: number, c: number) =>
  128 + 80 * Math.sin(x / (9 + c)) * Math.cos(y / (11 - c)) + ((x * 31 + y * 17 + c * 7) % 5);
const COLOR = raster(64, 64, 3, waves);
const GLASS = raster(64, 32, 4, (x, y, c) => (c === 3 ? 255 - 3 * x : waves(x, y, c)));
const DATA = raster(32, 64, 3, waves);
/** Walls that lean to the left and to the right, each a texel wide: their mean has a length of 0.6. */
const NORMALS = raster(64, 64, 3, (x, _, c) => [x % 2 === 0 ? 230 : 26, 128, 204][c]);
/** Two colours. */
const FLAT = raster(64, 64, 3, (x, _, c) => (x < 20 ? [250, 3, 77][c] : [5, 200, 31][c]));

function scene(images: readonly Uint8Array[], materials: readonly object[]): Uint8Array {
  return buildGlb({
    meshes: materials.map((_, material) => ({
      primitives: [
        {
          positions: [0, 0, 0, 1, 0, 0, 0, 1, 0],
          normals: [0, 0, 1, 0, 0, 1, 0, 0, 1],
          uvs: [0, 0, 1, 0, 0, 1],
          indices: [0, 1, 2],
          material,
        },
      ],
    })),
    materials,
    textures: images.map((_, source) => ({ source })),
    images,
    root: { extensionsUsed: ['KHR_materials_clearcoat', 'KHR_materials_sheen'] },
  });
}

const colored = (index: number) => ({ pbrMetallicRoughness: { baseColorTexture: { index } } });

async function cook(name: string, more: readonly string[] = ['--no-cache']) {
  return untold(folder, ['cook', `${name}.in.glb`, '--out', `${name}.glb`, '--textures', 'ktx2', ...more]);
}

async function cooked(name: string, source: Uint8Array, more?: readonly string[]): Promise<Uint8Array> {
  put(folder, `${name}.in.glb`, source);
  const run = await cook(name, more);
  expect(run.code, run.stderr).toBe(0);
  return readFileSync(join(folder, `${name}.glb`));
}

/** The image of a texture. */
function imageOf(file: Uint8Array, texture: number): Buffer {
  const { json, bin } = partsOfGlb(file);
  const { source, extensions } = json.textures[texture];
  const { bufferView, mimeType } = json.images[source ?? extensions.KHR_texture_basisu.source];
  expect(mimeType).toBe(source === undefined ? 'image/ktx2' : 'image/png');
  const { byteOffset = 0, byteLength } = json.bufferViews[bufferView];
  return Buffer.from(bin.slice(byteOffset, byteOffset + byteLength));
}

/** Fields of a KTX 2.0 file by their offsets in the specification. */
function fieldsOf(file: Buffer) {
  const dfd = file.readUInt32LE(48);
  const samples = (file.readUInt32LE(52) - 28) / 16;
  return {
    identifier: file.toString('latin1', 0, 12),
    vkFormat: file.readUInt32LE(12),
    typeSize: file.readUInt32LE(16),
    size: [file.readUInt32LE(20), file.readUInt32LE(24)],
    depth: file.readUInt32LE(28),
    layers: file.readUInt32LE(32),
    faces: file.readUInt32LE(36),
    levels: file.readUInt32LE(40),
    scheme: file.readUInt32LE(44),
    model: file[dfd + 12],
    primaries: file[dfd + 13],
    transfer: file[dfd + 14],
    flags: file[dfd + 15],
    channels: Array.from({ length: samples }, (_, i) => file[dfd + 28 + i * 16 + 3] & 15),
  };
}

const COMMON = {
  identifier: '\xabKTX 20\xbb\r\n\x1a\n',
  vkFormat: 0,
  typeSize: 1,
  depth: 0,
  layers: 0,
  faces: 1,
  // Neither premultiplied alpha nor anything else.
  flags: 0,
};
/** BasisLZ, ETC1S, BT.709, sRGB. */
const SMALL = { ...COMMON, scheme: 1, model: 163, primaries: 1, transfer: 2 };
/** Zstandard, UASTC, no primaries, linear. */
const EXACT = { ...COMMON, scheme: 2, model: 166, primaries: 0, transfer: 1 };

/** PSNR of red, green and blue, and of alpha where there is one. */
function psnr({ data, channels }: Raster, shown: Uint8Array): number {
  let squares = 0;
  for (let i = 0; i < data.length; i++)
    squares += (data[i] - shown[Math.floor(i / channels) * 4 + (i % channels)]) ** 2;
  return 10 * Math.log10((255 ** 2 * data.length) / squares);
}

describe('a material', () => {
  let file: Uint8Array;
  let json: Json;
  beforeAll(async () => {
    const images = await Promise.all([COLOR, NORMALS, DATA, GLASS].map(png));
    const source = scene(images, [
      {
        pbrMetallicRoughness: { baseColorTexture: { index: 0 }, metallicRoughnessTexture: { index: 2 } },
        normalTexture: { index: 1 },
        occlusionTexture: { index: 2 },
        extensions: {
          KHR_materials_clearcoat: { clearcoatFactor: 1, clearcoatNormalTexture: { index: 1 } },
          KHR_materials_sheen: { sheenColorFactor: [1, 1, 1], sheenColorTexture: { index: 0 } },
        },
      },
      { ...colored(3), alphaMode: 'BLEND' },
    ]);
    file = await cooked('material', source);
    json = partsOfGlb(file).json;
  });

  /** The image that a material of the file shows. */
  const shownOf = (find: (material: Json) => { index: number }, material = 0) =>
    imageOf(file, find(json.materials[material]).index);
  const color = () => shownOf(({ pbrMetallicRoughness }) => pbrMetallicRoughness.baseColorTexture);
  const normal = () => shownOf(({ normalTexture }) => normalTexture);
  const data = () => shownOf(({ pbrMetallicRoughness }) => pbrMetallicRoughness.metallicRoughnessTexture);
  const glass = () => shownOf(({ pbrMetallicRoughness }) => pbrMetallicRoughness.baseColorTexture, 1);

  test('requires the extension, has no other images, and is valid', async () => {
    expect(json.extensionsRequired).toEqual(['KHR_texture_basisu']);
    expect(json.extensionsUsed).toContain('KHR_texture_basisu');
    expect(json.textures.every(({ source }: Json) => source === undefined)).toBe(true);
    // One image in one role is one file.
    expect(json.images).toHaveLength(4);
    const { occlusionTexture, extensions, normalTexture, pbrMetallicRoughness } = json.materials[0];
    expect(occlusionTexture.index).toBe(pbrMetallicRoughness.metallicRoughnessTexture.index);
    expect(extensions.KHR_materials_clearcoat.clearcoatNormalTexture.index).toBe(normalTexture.index);
    expect(extensions.KHR_materials_sheen.sheenColorTexture.index).toBe(pbrMetallicRoughness.baseColorTexture.index);
    await expectValid(file, UNKNOWN);
    expect((await untold(folder, ['validate', 'material.glb'])).code).toBe(0);
  });

  test('has the fields that KHR_texture_basisu asks for', () => {
    expect(fieldsOf(color())).toEqual({ ...SMALL, size: [64, 64], levels: 7, channels: [0] });
    expect(fieldsOf(glass())).toEqual({ ...SMALL, size: [64, 32], levels: 7, channels: [0, 15] });
    expect(fieldsOf(normal())).toEqual({ ...EXACT, size: [64, 64], levels: 7, channels: [0] });
    expect(fieldsOf(data())).toEqual({ ...EXACT, size: [32, 64], levels: 7, channels: [0] });
  });

  test('is decoded by another transcoder to what went in', async () => {
    const [small, seen, numbers, vectors] = await Promise.all([color(), glass(), data(), normal()].map(transcoded));
    expect([small.isUastc, seen.hasAlpha, numbers.isUastc, vectors.isUastc]).toEqual([false, true, true, true]);
    expect(psnr(COLOR, small.levels[0])).toBeGreaterThan(32);
    expect(psnr(GLASS, seen.levels[0])).toBeGreaterThan(32);
    expect(psnr(DATA, numbers.levels[0])).toBeGreaterThan(40);
    expect(psnr(NORMALS, vectors.levels[0])).toBeGreaterThan(40);
    expect(small.levels.map(({ length }) => length / 4)).toEqual([4096, 1024, 256, 64, 16, 4, 1]);
    // The mean of all texels, in linear light and in numbers: waves have 128 in the middle.
    expect(Math.abs(numbers.levels[6][0] - 130)).toBeLessThan(12);
  });

  test('has mips of normals of unit length', async () => {
    const { levels } = await transcoded(normal());
    for (const level of levels.slice(1, 4)) {
      const lengths = Array.from({ length: level.length / 4 }, (_, i) =>
        Math.hypot(...[0, 1, 2].map((c) => level[i * 4 + c] / 127.5 - 1)),
      );
      expect(Math.min(...lengths)).toBeGreaterThan(0.95);
    }
  });

  test('is read again by our own importer, and kept byte for byte', async () => {
    const again = await cooked('again', file);
    expect(partsOfGlb(again).json.images).toHaveLength(4);
    const before = [0, 1, 2, 3].map((texture) => imageOf(file, texture).toString('base64')).sort();
    expect([0, 1, 2, 3].map((texture) => imageOf(again, texture).toString('base64')).sort()).toEqual(before);
    put(folder, 'plain.in.glb', file);
    const run = await untold(folder, ['cook', 'plain.in.glb', '--out', 'plain.glb', '--textures', 'png', '--no-cache']);
    expect(run.code, run.stderr).toBe(0);
    const plain = readFileSync(join(folder, 'plain.glb'));
    const { pbrMetallicRoughness } = partsOfGlb(plain).json.materials[0];
    const shown = await sharp(imageOf(plain, pbrMetallicRoughness.baseColorTexture.index))
      .ensureAlpha()
      .raw()
      .toBuffer();
    expect(Buffer.from((await transcoded(color())).levels[0]).equals(shown)).toBe(true);
  });
});

test('the bytes are the same with one thread and with two, and from the cache', async () => {
  // Images that are worth a thread.
  const images = await Promise.all([128, 132].map((side) => png(raster(side, 128, 3, waves))));
  const source = scene(images, [{ ...colored(0), occlusionTexture: { index: 1 } }]);
  const more = ['--cache-dir', join(folder, 'cache'), '--force'];
  const runs = [
    await cooked('once', source, ['--jobs', '1', '--no-cache']),
    await cooked('twice', source, ['--jobs', '2', '--no-cache']),
    await cooked('kept', source, more),
    await cooked('found', source, more),
  ];
  for (const run of runs.slice(1)) expect(Buffer.from(run).equals(runs[0])).toBe(true);
});

test('colours in blocks that repeat are exact', async () => {
  const file = imageOf(await cooked('flat', scene([await png(FLAT)], [colored(0)])), 0);
  expect(fieldsOf(file)).toMatchObject({ scheme: 2, model: 166, primaries: 1, transfer: 2 });
  expect(psnr(FLAT, (await transcoded(file)).levels[0])).toBe(Infinity);
});

test('sides grow to multiples of four, which is said', async () => {
  const odd = raster(30, 21, 3, waves);
  const dot = raster(1, 1, 3, (_x, _y, c) => [12, 200, 99][c]);
  put(folder, 'odd.in.glb', scene([await png(odd), await png(dot)], [colored(0), colored(1)]));
  const run = await cook('odd', ['-v', '--no-cache']);
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain('UC2125');
  expect(run.stderr).toContain('30 x 21 pixels become 32 x 24');
  const file = readFileSync(join(folder, 'odd.glb'));
  const sizes = [0, 1].map((texture) => fieldsOf(imageOf(file, texture)));
  expect(sizes.map(({ size, levels }) => [size, levels])).toEqual([
    [[32, 24], 6],
    [[4, 4], 3],
  ]);
  const { levels } = await transcoded(imageOf(file, 1));
  expect([...levels[0].subarray(60)]).toEqual([12, 200, 99, 255]);
  await expectValid(file, UNKNOWN);
});

test('an image beyond the encoder stays as it is, which is said', async () => {
  const large = await sharp({ create: { width: 4096, height: 3076, channels: 3, background: '#345' } })
    .png({ compressionLevel: 1 })
    .toBuffer();
  put(folder, 'large.in.glb', scene([large], [colored(0)]));
  const run = await cook('large');
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toMatch(/UC2124.*4096 x 3076 pixels: it stays as it is/s);
  expect(imageOf(readFileSync(join(folder, 'large.glb')), 0).equals(large)).toBe(true);
});

test('an image that cannot be decoded is an error as ever', async () => {
  const whole = await png(COLOR);
  put(folder, 'cut.in.glb', scene([whole.subarray(0, whole.length - 200)], [colored(0)]));
  const run = await cook('cut');
  expect(run.code).toBe(1);
  expect(run.stderr).toContain('UC2101');
});
