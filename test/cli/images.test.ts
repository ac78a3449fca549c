// Source images of every kind through the command line, to cooked textures: the right picture, or an error with a code.

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readUntold } from '../../src/formats/untold/read.ts';
import { utexTexels } from '../../src/formats/utex/texels.ts';
import { solidBlock } from '../formats/utex/textures.ts';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';
import { exr } from '../textures/exrFile.ts';
import { chunk, png } from '../textures/fixture.ts';
import { bmp, hdr, tga } from '../textures/imageFiles.ts';
import { astcKtx2 } from '../textures/ktx2File.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Cooks a square with the image; the codes that are printed, and the texels of its file if there is one. */
async function cook(name: string, image: Uint8Array, ...more: string[]) {
  put(folder, 'town.gltf', squareGltf({ image: encodeURI(name) }));
  put(folder, name, image);
  const args = [
    'cook',
    'town.gltf',
    '--out',
    'town.untold',
    '--textures',
    'utex',
    '--verbose',
    '--texture-pot',
    'keep',
    ...more,
  ];
  const { code, stderr } = await untold(folder, args);
  const files = code === 0 ? readdirSync(join(folder, 'Textures')) : [];
  const bytes = files.length === 1 ? new Uint8Array(readFileSync(join(folder, 'Textures', files[0]))) : null;
  const codes = [...new Set(stderr.match(/UC\d{4}/g))].sort();
  return { code, codes, files, bytes, texels: bytes && utexTexels(bytes) };
}

/** Each texel is within `limit` of what ASTC may change. */
function expectTexels(
  texels: Awaited<ReturnType<typeof cook>>['texels'],
  expected: readonly number[],
  limit = 4,
): void {
  expect(texels?.data.length).toBe(expected.length);
  const worst = expected.reduce((max, value, i) => Math.max(max, Math.abs(value - (texels?.data[i] ?? 999))), 0);
  expect(worst).toBeLessThanOrEqual(limit);
}

const repeat = (texel: readonly number[], count: number) => Array.from({ length: count }, () => texel).flat();
const PAINT = [200, 100, 50];
const solid = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 100, b: 50 } } });

test('a PNG with a palette', async () => {
  const rows = Array.from({ length: 8 }, (_, y) => (y < 4 ? [0, 0, 0, 0, 1, 1, 1, 1] : [1, 1, 1, 1, 0, 0, 0, 0]));
  const image = png(8, 8, rows, { colorType: 3, extra: [chunk('PLTE', [...PAINT, 10, 20, 230])] });
  const { code, codes, texels } = await cook('a b.png', image);
  expect([code, codes]).toEqual([0, []]);
  expectTexels(
    texels,
    rows.flat().flatMap((index) => [...(index === 0 ? PAINT : [10, 20, 230]), 255]),
  );
});

test('a JPEG in CMYK', async () => {
  const { code, texels } = await cook(
    'a.jpg',
    await solid(16, 16).toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer(),
  );
  expect(code).toBe(0);
  // Through a profile and back.
  expectTexels(texels, repeat([...PAINT, 255], 256), 32);
});

test('an animated WebP gives its first frame, and says so', async () => {
  const frames = Buffer.concat([
    await solid(8, 8).ensureAlpha().raw().toBuffer(),
    Buffer.alloc(8 * 8 * 4, Buffer.from([0, 0, 255, 255])),
  ]);
  const image = await sharp(frames, { raw: { width: 8, height: 16, channels: 4, pageHeight: 8 } })
    .webp({ lossless: true, loop: 0, delay: [100, 100] })
    .toBuffer();
  const { code, codes, texels } = await cook('a.webp', image);
  expect([code, codes]).toEqual([0, ['UC2108']]);
  expectTexels(texels, repeat([...PAINT, 255], 64));
});

test('one pixel, and sides that no texture has', async () => {
  const one = await cook('one.png', await solid(1, 1).png().toBuffer());
  expect([one.code, one.codes]).toEqual([0, []]);
  expectTexels(one.texels, [...PAINT, 255]);

  const tall = await cook('tall.png', png(1, 65_536, Array(65_536).fill([9, 9, 9, 255])));
  expect([tall.code, tall.codes]).toEqual([5, ['UC2103']]);
  const wide = await cook(
    'wide.tga',
    tga({ type: 3, depth: 8, width: 65_535, height: 1, pixels: Array(65_535).fill(9) }),
  );
  expect([wide.code, wide.codes]).toEqual([5, ['UC2103']]);
});

test('a side as long as textures may be', async () => {
  const { code, texels } = await cook('long.png', await solid(1, 16_384).png().toBuffer());
  expect(code).toBe(0);
  expect([texels?.width, texels?.height]).toEqual([1, 16_384]);
  expectTexels(texels, repeat([...PAINT, 255], 16_384));
});

test('images of other tools', async () => {
  const [red, green, blue] = PAINT;
  const bgr = repeat([blue, green, red], 4);
  for (const [name, image] of [
    ['a.tga', tga({ type: 2, depth: 24, width: 2, height: 2, pixels: bgr })],
    ['a.bmp', bmp({ header: 40, depth: 32, width: 2, height: 2, pixels: repeat([blue, green, red, 0], 4) })],
  ] as const) {
    const { code, codes, texels, files } = await cook(name, image, '--force');
    expect([name, code, codes]).toEqual([name, 0, []]);
    expectTexels(texels, repeat([...PAINT, 255], 4));
    expect(files).toEqual([expect.stringMatching(/^a\.[0-9a-f]{8}\.utex$/)]);
    rmSync(join(folder, 'Textures'), { recursive: true });
    rmSync(join(folder, 'town.untold'));
  }
});

test('floating-point colours become sRGB, and what is brighter than 1 is named', async () => {
  const plane = (name: string, value: number) => ({ name, type: 2, value: () => value });
  const within = [plane('B', 0.25), plane('G', 0.5), plane('R', 1)];
  const image = exr({ width: 2, height: 2, compression: 'zip', planes: within });
  const first = await cook('a.exr', image);
  expect([first.code, first.codes]).toEqual([0, ['UC2107']]);
  expectTexels(first.texels, repeat([255, 188, 137, 255], 4));
  rmSync(join(folder, 'Textures'), { recursive: true });
  rmSync(join(folder, 'town.untold'));

  // Red is 4.
  const second = await cook('a.hdr', hdr('-Y 2 +X 2', repeat([255, 32, 0, 131], 4)));
  expect([second.code, second.codes]).toEqual([0, ['UC2107', 'UC2115']]);
  expectTexels(second.texels, repeat([255, 255, 0, 255], 4));
});

test('blocks of ASTC pass to the texture unchanged', async () => {
  const options = { width: 8, height: 8, levels: 4, block: solidBlock(200, 100, 50, 255) };
  const image = astcKtx2({ ...options, block2: solidBlock(0, 255, 3, 255) });
  const { code, codes, bytes } = await cook('a.ktx2', image);
  expect([code, codes]).toEqual([0, []]);
  // The levels stand one after the other in both, behind a header.
  expect(Buffer.from(bytes ?? []).subarray(64 + 4 * 16)).toEqual(Buffer.from(image.subarray(-7 * 16)));
});

test('broken files are errors with a code', async () => {
  for (const [name, image, code] of [
    ['cut.exr', Uint8Array.of(0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0), 'UC2101'],
    ['bad.hdr', hdr('-Y 1 +X 8', [2, 2, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), 'UC2102'],
    ['layers.psd', Buffer.from('8BPS\0\x01', 'latin1'), 'UC2100'],
    ['os2.bmp', bmp({ header: 12, depth: 24, width: 1, height: 1, pixels: [1, 2, 3, 0] }), 'UC2100'],
    ['runs.bmp', bmp({ header: 40, depth: 8, compression: 1, width: 1, height: 1, pixels: [1, 0, 0, 1] }), 'UC2100'],
    ['huge.bmp', bmp({ header: 40, depth: 24, width: 100_000, height: 100_000, pixels: [] }), 'UC2103'],
  ] as const) {
    const { code: exit, codes } = await cook(name, image);
    expect([name, exit, codes.filter((c) => c !== 'UC2107')]).toEqual([name, code === 'UC2103' ? 5 : 1, [code]]);
  }
});

test('roughness from the alpha of a grey JPEG is a factor, with a warning, and no texture', async () => {
  put(
    folder,
    'wall.usda',
    `#usda 1.0
(
  metersPerUnit = 1
  upAxis = "Y"
)
def Mesh "Wall" (prepend apiSchemas = ["MaterialBindingAPI"]) {
  int[] faceVertexCounts = [3]
  int[] faceVertexIndices = [0, 1, 2]
  point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
  texCoord2f[] primvars:st = [(0, 0), (1, 0), (0, 1)] (interpolation = "vertex")
  uniform token subdivisionScheme = "none"
  rel material:binding = </Look>
}
def Material "Look" {
  token outputs:surface.connect = </Look/Surface.outputs:surface>
  def Shader "Surface" {
    uniform token info:id = "UsdPreviewSurface"
    float inputs:roughness.connect = </Look/Image.outputs:a>
    token outputs:surface
  }
  def Shader "Image" {
    uniform token info:id = "UsdUVTexture"
    asset inputs:file = @grey.jpg@
    token inputs:sourceColorSpace = "raw"
    token inputs:wrapS = "repeat"
    token inputs:wrapT = "repeat"
    float2 inputs:st.connect = </Look/St.outputs:result>
    float outputs:a
  }
  def Shader "St" {
    uniform token info:id = "UsdPrimvarReader_float2"
    string inputs:varname = "st"
    float2 outputs:result
  }
}`,
  );
  put(folder, 'grey.jpg', await solid(64, 64).toColourspace('b-w').jpeg().toBuffer());
  const { code, stderr } = await untold(folder, ['cook', 'wall.usda', '--out', 'wall.untold']);
  expect([code, stderr.match(/UC\d{4} .*/g)]).toEqual([
    0,
    ['UC2116 wall.usda /Look: roughness texture grey.jpg: its alpha is read and the image has none: 1 everywhere'],
  ]);
  expect(readdirSync(folder).sort()).toEqual(['grey.jpg', 'wall.untold', 'wall.usda']);
  const bytes = new Uint8Array(readFileSync(join(folder, 'wall.untold')));
  expect((await readUntold(bytes, 'wall.untold')).materials[0]).toMatchObject({
    roughnessFactor: 1,
    metallicFactor: 0,
  });
});
