// The list of image formats: each name and each content belongs to one of them.

import sharp from 'sharp';
import { expect, test } from 'vitest';
import {
  IMAGE_FORMAT_IDS,
  type ImageFormatId,
  imageFormat,
  promisedFormat,
  recogniseImage,
} from '../../src/textures/decode/registry.ts';
import { dds } from './ddsFile.ts';
import { exr } from './exrFile.ts';
import { bmp, hdr, tga } from './imageFiles.ts';
import { ktx2, solidBlock } from './ktx2File.ts';

const pixel = () => sharp({ create: { width: 2, height: 2, channels: 3, background: '#102030' } });

/** A small image of each format. A format that sharp cannot write has bytes of its own here. */
const EXAMPLES: Readonly<Record<ImageFormatId, () => Promise<Uint8Array>>> = {
  png: () => pixel().png().toBuffer(),
  jpeg: () => pixel().jpeg().toBuffer(),
  webp: () => pixel().webp().toBuffer(),
  gif: () => pixel().gif().toBuffer(),
  tiff: () => pixel().tiff().toBuffer(),
  ktx2: async () => ktx2(4, 4, [solidBlock(1, 2, 3, 255)]),
  dds: async () => dds({ width: 4, height: 4, fourCC: 'DXT1', data: new Uint8Array(8) }),
  avif: () => pixel().avif().toBuffer(),
  exr: async () => exr({ width: 1, height: 1, compression: 'none', planes: [{ name: 'Y', type: 2, value: () => 1 }] }),
  hdr: async () => hdr('-Y 1 +X 1', [1, 2, 3, 128]),
  bmp: async () => bmp({ header: 40, width: 1, height: 1, depth: 24, pixels: [1, 2, 3, 0] }),
  tga: async () => tga({ type: 2, depth: 24, width: 1, height: 1, pixels: [1, 2, 3] }),
};

test('no two formats have a name in common, and each knows its own', () => {
  const names = IMAGE_FORMAT_IDS.flatMap((id) => imageFormat(id).names);
  expect(new Set(names).size).toBe(names.length);
  for (const id of IMAGE_FORMAT_IDS) {
    for (const name of imageFormat(id).names) {
      expect(promisedFormat(`a.${name.toUpperCase()}`)).toBe(id);
      expect(promisedFormat(`data:image/${name};base64,`)).toBe(id);
    }
  }
});

test('the content of each format is recognised by that format alone', async () => {
  for (const id of IMAGE_FORMAT_IDS) {
    const bytes = await EXAMPLES[id]();
    expect(recogniseImage(bytes)).toBe(id);
    expect(IMAGE_FORMAT_IDS.filter((other) => imageFormat(other).recognises(bytes))).toEqual([id]);
  }
});

test('bytes of no format are recognised by none', () => {
  expect(recogniseImage(new Uint8Array())).toBeNull();
  expect(recogniseImage(new TextEncoder().encode('BM and more'))).toBeNull();
});

test('a format copies exactly where its check may call an image copyable', () => {
  expect(IMAGE_FORMAT_IDS.filter((id) => imageFormat(id).copy)).toEqual(['png', 'jpeg']);
});
