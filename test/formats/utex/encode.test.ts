// Texels to cooked textures: what each role becomes, decoded by another hand where blocks are looked at.

import { describe, expect, it } from 'vitest';
import { decodeMip } from '../../../src/formats/utex/decode.ts';
import { encodeUtex } from '../../../src/formats/utex/encode.ts';
import { readUtex } from '../../../src/formats/utex/read.ts';
import { smallerUtex } from '../../../src/formats/utex/smaller.ts';
import { utexTexels } from '../../../src/formats/utex/texels.ts';
import { validateUtex } from '../../../src/formats/utex/validate.ts';
import { KEPT_TEXTURES, type TexelImage, type TexelUse, type TextureSettings } from '../../../src/textures/types.ts';
import { decodeByBasis, randomNumbers } from '../../textures/astcFile.ts';

const SETTINGS: TextureSettings = { ...KEPT_TEXTURES, mode: 'utex', blocks: 'engine' };
const COLOR: TexelUse = { role: 'color', alphaCutoff: null, split: false, roughness: null };

/** An image whose texels `at` gives. */
function image(width: number, height: number, at: (x: number, y: number) => readonly number[]): TexelImage {
  const channels = at(0, 0).length as 3 | 4;
  const data = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) data.set(at(x, y), (y * width + x) * channels);
  return { width, height, data, channels, alpha: channels === 4 };
}

const waves = (x: number, y: number) => [
  Math.round(128 + 90 * Math.sin(x / 9 + y / 30)),
  Math.round(120 + 70 * Math.cos(y / 7)),
  Math.round(100 + 60 * Math.sin((x + y) / 13)),
];

const codes = (bytes: Uint8Array) => validateUtex(bytes, 'f').map(({ code }) => code);

describe('a cooked texture', () => {
  it('of colours is sRGB in blocks of 4 by 4, with all mips, V from the top, within a byte or two', async () => {
    const source = image(64, 32, waves);
    const file = await encodeUtex(source, COLOR, SETTINGS);
    expect(file).toMatchObject({ extension: 'utex', width: 64, height: 32, format: 4, mipCount: 7 });
    const { header, mips } = readUtex(file.bytes, 'f');
    expect([header.pixelFormat, header.flags, header.blockWidth]).toEqual([186, 0, 4]);
    expect(mips.map(({ width, height }) => [width, height])).toEqual([
      [64, 32],
      [32, 16],
      [16, 8],
      [8, 4],
      [4, 2],
      [2, 1],
      [1, 1],
    ]);
    const decoded = await decodeByBasis(mips[0].bytes, 64, 32, 4);
    let squares = 0;
    for (let i = 0; i < 64 * 32; i++)
      for (let c = 0; c < 3; c++) squares += (decoded[i * 4 + c] - source.data[i * 3 + c]) ** 2;
    const psnr = 10 * Math.log10((255 * 255) / (squares / (64 * 32 * 3)));
    expect(psnr).toBeGreaterThan(42);
    // The first row is the top one: upside down the picture is another.
    let flipped = 0;
    for (let y = 0; y < 32; y++)
      for (let x = 0; x < 64; x++)
        flipped += (decoded[(y * 64 + x) * 4 + 1] - source.data[((31 - y) * 64 + x) * 3 + 1]) ** 2;
    expect(flipped).toBeGreaterThan(100 * squares);
    expect(codes(file.bytes)).toEqual([]);
  });

  it('of one colour is four texels a side and has it exactly, as words of its blocks worked out by hand', async () => {
    const plain = image(256, 64, () => [10, 128, 255]);
    const { bytes, width, height } = await encodeUtex(plain, COLOR, SETTINGS);
    expect([width, height]).toEqual([4, 4]);
    const { mips } = readUtex(bytes, 'f');
    // A void extent: 0xfffffffffffffdfc in its low half says so and that it has no coordinates; then each channel twice.
    const block = [0xfc, 0xfd, ...new Array(6).fill(0xff), 10, 10, 128, 128, 255, 255, 255, 255];
    expect(mips.map((mip) => [...mip.bytes])).toEqual([block, block, block]);
    // One texel that differs is a picture; sides that are to stay do.
    const spotted = image(256, 64, (x, y) => (x === 255 && y === 63 ? [10, 128, 254] : [10, 128, 255]));
    expect(await encodeUtex(spotted, COLOR, SETTINGS)).toMatchObject({ width: 256, height: 64 });
    expect(await encodeUtex(plain, COLOR, { ...SETTINGS, pot: 'keep' })).toMatchObject({ width: 256, height: 64 });
    // Alpha that is the same everywhere is a part of the colour, and 255 is no alpha.
    const veil = await encodeUtex(
      image(32, 32, () => [1, 2, 3, 9]),
      COLOR,
      SETTINGS,
    );
    expect([veil.width, readUtex(veil.bytes, 'f').header.flags]).toEqual([4, 1]);
    const solid = await encodeUtex(
      image(32, 32, (x) => [x, 2, 3, 255]),
      COLOR,
      SETTINGS,
    );
    expect(readUtex(solid.bytes, 'f').header.flags).toBe(0);
  });

  it('of normals has X in red, green and blue and Y in alpha, and their flag', async () => {
    const normals = image(32, 32, (x, y) => {
      const [nx, ny] = [0.4 * Math.sin(x / 5), 0.3 * Math.cos(y / 4)];
      return [nx, ny, Math.sqrt(1 - nx * nx - ny * ny)].map((v) => Math.round(127.5 + 127.5 * v));
    });
    const file = await encodeUtex(normals, { ...COLOR, role: 'normal' }, SETTINGS);
    const utex = readUtex(file.bytes, 'f');
    expect([utex.header.pixelFormat, utex.header.flags, file.format]).toEqual([204, 4, 4]);
    const decoded = await decodeByBasis(utex.mips[0].bytes, 32, 32, 4);
    let sum = 0;
    for (let i = 0; i < 32 * 32; i++) {
      expect(decoded[i * 4]).toBe(decoded[i * 4 + 1]);
      const own = [decoded[i * 4 + 1], decoded[i * 4 + 3]].map((v) => v / 127.5 - 1);
      const z = Math.sqrt(Math.max(0, 1 - own[0] ** 2 - own[1] ** 2));
      const from = [0, 1, 2].map((c) => normals.data[i * 3 + c] / 127.5 - 1);
      const length = Math.hypot(...from);
      const cosine = (own[0] * from[0] + own[1] * from[1] + z * from[2]) / length;
      sum += (Math.acos(Math.min(1, cosine)) * 180) / Math.PI;
    }
    expect(sum / (32 * 32)).toBeLessThan(0.5);
    expect(codes(file.bytes)).toEqual([]);
    // For people it is a normal map again.
    const shown = decodeMip(utex, 0).data;
    expect(Math.abs(shown[2] - normals.data[2])).toBeLessThan(4);
  });

  it('of data is linear in blocks of 6 by 6, and keeps a channel of alpha', async () => {
    const file = await encodeUtex(
      image(24, 24, (x, y) => [...waves(x, y), 255 - 4 * x]),
      { ...COLOR, role: 'data' },
      { ...SETTINGS, pot: 'keep' },
    );
    const { header, mips } = readUtex(file.bytes, 'f');
    expect([header.pixelFormat, header.flags, header.blockWidth, file.format]).toEqual([208, 1, 6, 6]);
    const decoded = await decodeByBasis(mips[0].bytes, 24, 24, 6);
    for (let x = 0; x < 24; x += 5) expect(Math.abs(decoded[x * 4 + 3] - (255 - 4 * x))).toBeLessThan(12);
  });

  it('drops alpha that does not count', async () => {
    const source = { ...image(16, 16, (x, y) => [...waves(x, y), 7 * x]), alpha: false };
    const { header, mips } = readUtex((await encodeUtex(source, COLOR, SETTINGS)).bytes, 'f');
    expect(header.flags).toBe(0);
    const decoded = await decodeByBasis(mips[0].bytes, 16, 16, 4);
    for (let i = 3; i < decoded.length; i += 4) expect(decoded[i]).toBe(255);
  });

  it('has sides of powers of two, within the largest that is asked for', async () => {
    const size = async (width: number, height: number, more: Partial<TextureSettings>) => {
      const file = await encodeUtex(image(width, height, waves), COLOR, { ...SETTINGS, ...more });
      return [file.width, file.height];
    };
    expect(await size(48, 33, {})).toEqual([64, 32]);
    expect(await size(48, 33, { pot: 'up' })).toEqual([64, 64]);
    expect(await size(48, 33, { pot: 'keep' })).toEqual([48, 33]);
    expect(await size(64, 16, { maxSize: 16 })).toEqual([16, 4]);
    expect(await size(1, 1, {})).toEqual([1, 1]);
  });

  it('keeps cells exactly in the mips that hold whole blocks of them, and its size', async () => {
    const colors = [
      [250, 3, 77],
      [9, 200, 31],
      [128, 128, 0],
      [1, 2, 254],
    ];
    const cells = image(16, 16, (x, y) => colors[(y >> 3) * 2 + (x >> 3)]);
    const { bytes } = await encodeUtex(cells, { ...COLOR, split: true }, SETTINGS);
    const utex = readUtex(bytes, 'f');
    for (const level of [0, 1]) {
      const { width, data } = decodeMip(utex, level);
      for (const [i, color] of colors.entries()) {
        const at = ((i >> 1) * width * (width / 2) + (i % 2) * (width / 2)) * 4;
        expect([...data.subarray(at, at + 3)]).toEqual(color);
      }
    }
  });

  it('of roughness grows rougher where its normals part, but not in the first mip', async () => {
    const smooth = image(16, 16, () => [0, 60, 0]);
    const bumpy = image(16, 16, (x) => (x % 2 === 0 ? [37, 128, 218] : [218, 128, 218]));
    const flat = image(16, 16, () => [128, 128, 255]);
    const second = async (normals: TexelImage) => {
      const use: TexelUse = { ...COLOR, role: 'data', roughness: { normals, channel: 1 } };
      const utex = readUtex((await encodeUtex(smooth, use, SETTINGS)).bytes, 'f');
      return [decodeMip(utex, 0).data[1], decodeMip(utex, 2).data[1]];
    };
    const [before, after] = await second(bumpy);
    expect(Math.abs(before - 60)).toBeLessThanOrEqual(1);
    expect(after).toBeGreaterThan(100);
    expect(Math.abs((await second(flat))[1] - 60)).toBeLessThanOrEqual(1);
  });
});

describe('blocks that are chosen', () => {
  const AUTO: TextureSettings = { ...SETTINGS, blocks: 'auto' };
  const grain = randomNumbers(5);
  const noise = image(64, 64, () => [0, 1, 2].map(() => Math.floor(256 * grain())));

  it('are the largest that keep the looks, and 4 by 4 where none does', async () => {
    const smooth = image(256, 256, (x, y) => [60 + x / 4, 80 + y / 4, 100 + (x + y) / 8]);
    expect(await encodeUtex(smooth, COLOR, AUTO)).toMatchObject({ format: 7 });
    expect(await encodeUtex(noise, COLOR, AUTO)).toMatchObject({ format: 4 });
    expect(await encodeUtex(noise, COLOR, { ...AUTO, psnr: 20 })).toMatchObject({ format: 4 });
  });

  it('are as large as settings say, whatever is lost', async () => {
    for (const [blocks, format, pixelFormat] of [
      ['4x4', 4, 204],
      ['5x5', 5, 206],
      ['6x6', 6, 208],
      ['8x8', 7, 212],
    ] as const) {
      const file = await encodeUtex(noise, { ...COLOR, role: 'data' }, { ...AUTO, blocks });
      const utex = readUtex(file.bytes, 'f');
      expect([file.format, utex.header.pixelFormat]).toEqual([format, pixelFormat]);
      expect(codes(file.bytes)).toEqual([]);
      const { data } = decodeMip(utex, 0);
      let sum = 0;
      for (let i = 0; i < 64 * 64; i++) sum += Math.abs(data[i * 4] - noise.data[i * 3]);
      // As grey as can be, it would be 64.
      expect(sum / (64 * 64)).toBeLessThan(56);
    }
  });

  it('stay 4 by 4 for cells that must not mix, and where larger ones save nothing', async () => {
    expect(await encodeUtex(noise, { ...COLOR, split: true }, { ...AUTO, psnr: 20 })).toMatchObject({ format: 4 });
    const plain = image(64, 64, () => [9, 9, 9]);
    expect(await encodeUtex(plain, COLOR, AUTO)).toMatchObject({ format: 4, width: 4 });
  });

  it('are the same in turns', async () => {
    const waved = image(96, 80, waves);
    for (const role of ['color', 'normal', 'data'] as const) {
      const use: TexelUse = { ...COLOR, role };
      expect(await encodeUtex(waved, use, AUTO, async () => {})).toEqual(await encodeUtex(waved, use, AUTO));
    }
  });
});

describe('smaller files of a texture', () => {
  it('are the same mips without the largest ones, down to 16 texels', async () => {
    const { bytes } = await encodeUtex(image(128, 64, waves), COLOR, SETTINGS);
    const whole = readUtex(bytes, 'f');
    const smaller = smallerUtex(bytes);
    expect(smaller.map(({ width, height, mipCount }) => [width, height, mipCount])).toEqual([
      [64, 32, 7],
      [32, 16, 6],
      [16, 8, 5],
    ]);
    for (const [i, file] of smaller.entries()) {
      expect(codes(file.bytes)).toEqual([]);
      const { mips } = readUtex(file.bytes, 'f');
      expect(mips.map((mip) => Buffer.from(mip.bytes))).toEqual(
        whole.mips.slice(i + 1).map((mip) => Buffer.from(mip.bytes)),
      );
    }
  });
});

describe('the texels of a file', () => {
  it('are those of the largest mip within a side; a broken file has none', async () => {
    const { bytes } = await encodeUtex(image(64, 32, waves), COLOR, SETTINGS);
    expect(utexTexels(bytes)).toMatchObject({ width: 64, height: 32 });
    expect(utexTexels(bytes, 20)).toMatchObject({ width: 16, height: 8 });
    expect(utexTexels(bytes, 0)).toMatchObject({ width: 1, height: 1 });
    expect(utexTexels(bytes.subarray(0, 100))).toBeNull();
  });
});

it('works in turns and gives the same file, or ends where a turn throws', async () => {
  const data = new Uint8Array(600 * 140 * 4).map((_, i) => (i * 37) ^ (i >> 5));
  const image = { width: 600, height: 140, data, channels: 4, alpha: true } as const;
  for (const role of ['color', 'normal', 'data'] as const) {
    const use = { role, alphaCutoff: null, split: false, roughness: null };
    let turns = 0;
    const inTurns = await encodeUtex(image, use, SETTINGS, async () => {
      turns++;
    });
    expect(inTurns).toEqual(await encodeUtex(image, use, SETTINGS));
    expect(turns).toBeGreaterThan(inTurns.mipCount);
    await expect(
      encodeUtex(image, use, SETTINGS, async () => {
        throw new Error('stop');
      }),
    ).rejects.toThrow('stop');
  }
});
