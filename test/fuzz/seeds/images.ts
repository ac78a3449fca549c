// Small sound images of every format to damage.

import sharp from 'sharp';
import { packZstd } from '../../../src/formats/untold/container/compress.ts';
import { dds } from '../../textures/ddsFile.ts';
import { COMPRESSIONS, exr } from '../../textures/exrFile.ts';
import { grey, png, rgb } from '../../textures/fixture.ts';
import { bmp, hdr, hdrRuns, tga, tgaRuns } from '../../textures/imageFiles.ts';
import { astcKtx2, ktx2, solidBlock } from '../../textures/ktx2File.ts';
import type { Seed } from '../reader.ts';
import { PICTURE } from './usd.ts';

const SIDE = 16;
const noisy = Uint8Array.from({ length: SIDE * SIDE * 4 }, (_, i) => (i * 7919 + (i >> 3) * 31) & 255);
const own = (bytes: Uint8Array): Uint8Array => Uint8Array.from(bytes);
const raw = () => sharp(noisy, { raw: { width: SIDE, height: SIDE, channels: 4 } });

const half = (n: number): number => (n === 0 ? 0 : 0x3c00 - ((8 - Math.floor(Math.log2(n))) << 10));
const plane = (name: string, type: number) => ({
  name,
  type,
  value: (x: number, y: number) => (type === 1 ? half((x * 3 + y) & 255) : (x + y) / 64),
});

export const pngSeeds = async (): Promise<Seed[]> => [
  { name: 'rgba.png', bytes: PICTURE },
  { name: 'rgb.png', bytes: own(rgb([Array.from({ length: 30 }, (_, i) => i * 8)])) },
  { name: 'grey.png', bytes: own(grey([[0, 100, 200]])) },
  { name: 'deep.png', bytes: own(png(2, 1, [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]], { depth: 16, colorType: 2 })) },
  { name: 'palette.png', bytes: own(await raw().png({ palette: true }).toBuffer()) },
  { name: 'noise.png', bytes: own(await raw().png({ progressive: true }).toBuffer()) },
];

export const jpegSeeds = async (): Promise<Seed[]> => [
  { name: 'plain.jpg', bytes: own(await raw().jpeg().toBuffer()) },
  {
    name: 'progressive.jpg',
    bytes: own(await raw().jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer()),
  },
  {
    name: 'grey.jpg',
    bytes: own(
      await raw()
        .greyscale()
        .jpeg()
        .withExif({ IFD0: { Artist: 'a' } })
        .toBuffer(),
    ),
  },
];

export const webpSeeds = async (): Promise<Seed[]> => [
  { name: 'lossy.webp', bytes: own(await raw().webp().toBuffer()) },
  { name: 'lossless.webp', bytes: own(await raw().webp({ lossless: true }).toBuffer()) },
];

/** Formats that no texture is drawn from by the engine but that sources name all the same. */
export const rareSeeds = async (): Promise<Seed[]> => [
  { name: 'a.gif', bytes: own(await raw().gif().toBuffer()) },
  { name: 'a.tiff', bytes: own(await raw().tiff({ compression: 'lzw' }).toBuffer()) },
  { name: 'b.tiff', bytes: own(await raw().tiff({ compression: 'none', bigtiff: true }).toBuffer()) },
  { name: 'a.avif', bytes: own(await raw().avif({ effort: 0 }).toBuffer()) },
];

export const tgaSeeds = (): Seed[] => {
  const pixels = Array.from(noisy.subarray(0, 8 * 8 * 4));
  const size = { width: 8, height: 8 };
  const map = { depth: 24, bytes: pixels.slice(0, 48), first: 2 };
  return [
    { name: 'plain.tga', bytes: own(tga({ ...size, type: 2, depth: 32, pixels, descriptor: 0x28, id: 'id' })) },
    { name: 'runs.tga', bytes: own(tga({ ...size, type: 10, depth: 32, pixels: tgaRuns(pixels, 4), footer: true })) },
    {
      name: 'map.tga',
      bytes: own(tga({ ...size, type: 1, depth: 8, map, pixels: pixels.slice(0, 64).map((v) => 2 + (v & 15)) })),
    },
  ];
};

export const ddsSeeds = (): Seed[] => {
  const size = { width: 8, height: 8 };
  const data = (length: number) => noisy.subarray(0, length);
  return [
    { name: 'bc1.dds', bytes: own(dds({ ...size, fourCC: 'DXT1', data: data(32) })) },
    { name: 'bc7.dds', bytes: own(dds({ ...size, dxgi: 98, data: data(64) })) },
    {
      name: 'plain.dds',
      bytes: own(dds({ ...size, bits: 32, masks: [0xff, 0xff00, 0xff0000, 0xff000000], data: data(256) })),
    },
  ];
};

export const bmpSeeds = (): Seed[] => {
  const palette = [0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0, 255, 255, 255, 0];
  const indexed = { header: 40, width: 4, height: 1, palette, colors: 4 };
  return [
    {
      name: 'plain.bmp',
      bytes: own(bmp({ header: 40, width: 8, height: -8, depth: 24, pixels: Array.from(noisy.subarray(0, 192)) })),
    },
    { name: 'eight.bmp', bytes: own(bmp({ ...indexed, depth: 8, pixels: [0, 1, 2, 3] })) },
    { name: 'four.bmp', bytes: own(bmp({ ...indexed, depth: 4, pixels: [0x01, 0x23, 0, 0] })) },
    {
      name: 'masks.bmp',
      bytes: own(
        bmp({
          header: 124,
          width: 2,
          height: 1,
          depth: 32,
          compression: 3,
          masks: [255, 0xff00, 0xff0000, 0xff000000],
          pixels: [1, 2, 3, 4, 5, 6, 7, 8],
        }),
      ),
    },
  ];
};

export const hdrSeeds = (): Seed[] => {
  const pixels = Array.from({ length: 12 }, (_, i) => [i * 20, 10, 255 - i, 128]);
  return [
    { name: 'runs.hdr', bytes: own(hdr('-Y 2 +X 12', [...hdrRuns(pixels), ...hdrRuns(pixels)])) },
    { name: 'flat.hdr', bytes: own(hdr('-Y 1 +X 4', [1, 2, 3, 128, 1, 1, 1, 3, 9, 9, 9, 129, 4, 4, 4, 127])) },
  ];
};

export const exrSeeds = (): Seed[] => [
  ...COMPRESSIONS.map((compression) => ({
    name: `${compression}.exr`,
    bytes: own(exr({ width: 19, height: 35, compression, planes: ['A', 'B', 'G', 'R'].map((name) => plane(name, 1)) })),
  })),
  {
    name: 'tiles.exr',
    bytes: own(
      exr({
        width: 20,
        height: 20,
        compression: 'zip',
        tile: [8, 8],
        planes: ['B', 'G', 'R'].map((name) => plane(name, 2)),
      }),
    ),
  },
];

export const ktx2Seeds = async (): Promise<Seed[]> => {
  const blocks = [0, 1, 2, 3].map((i) => solidBlock(i * 60, 100, 200, 255));
  const block = [0xfc, 0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 128, 128, 64, 64, 32, 32, 255, 255];
  const packed = await packZstd(Buffer.concat(blocks));
  return [
    { name: 'uastc.ktx2', bytes: ktx2(8, 8, blocks, { keyValues: [['KTXorientation', 'rd']] }) },
    ...(packed ? [{ name: 'zstd.ktx2', bytes: ktx2(8, 8, blocks, { stored: packed, scheme: 2, channel: 3 }) }] : []),
    { name: 'astc.ktx2', bytes: astcKtx2({ width: 16, height: 16, levels: 5, block }) },
  ];
};
