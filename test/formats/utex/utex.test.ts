// Textures are written byte by byte as the engine reads them, are read again, and decode to what a shader sees.

import { expect, test } from 'vitest';
import { SourceError } from '../../../src/diagnostics/diagnostic.ts';
import { halfBits } from '../../../src/formats/untold/mesh/halfFloat.ts';
import { decodeMip } from '../../../src/formats/utex/decode.ts';
import { fullMipCount, mipBytes, mipSide, PIXEL_FORMATS, UTEX_FLAGS } from '../../../src/formats/utex/layout.ts';
import { describeUtex, readUtex } from '../../../src/formats/utex/read.ts';
import { writeUtex } from '../../../src/formats/utex/write.ts';
import { FORMAT, solidBlock, texture } from './textures.ts';

const hex = (bytes: Uint8Array) =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/(.{32})/g, '$1 ')
    .trim()
    .split(' ');

test('a texture of three texels, byte by byte', () => {
  const grey = (...values: readonly number[]) => new Uint8Array(Uint16Array.from(values).buffer);
  const file = writeUtex({
    pixelFormat: FORMAT.r16Unorm,
    flags: 0,
    mips: [
      { width: 3, height: 1, bytes: grey(0x0102, 0x0304, 0xffff) },
      { width: 1, height: 1, bytes: grey(0x7fff) },
    ],
  });
  expect(hex(file)).toEqual([
    '55544558000000000100000000000000',
    '03000000010000000200000014000000',
    '01010000600000002000000000000000',
    '00000000000000000000000000000000',
    '00000000060000000300000001000000',
    '10000000020000000100000001000000',
    '02010403ffff00000000000000000000',
    'ff7f0000000000000000000000000000',
  ]);
});

test('pixel formats are those of Metal', () => {
  const astc = [...PIXEL_FORMATS].filter(([, { kind }]) => kind === 'astc');
  expect(astc).toHaveLength(28);
  for (const [value, { name, colorSpace }] of astc) {
    const linear = colorSpace === 'srgb' ? value + 18 : value;
    expect(PIXEL_FORMATS.get(linear)).toMatchObject({ name, colorSpace: 'linear' });
  }
  const named = (value: number) => PIXEL_FORMATS.get(value)?.name;
  expect([186, 190, 192, 194, 200].map(named)).toEqual(['astc4x4', 'astc6x6', 'astc8x5', 'astc8x8', 'astc12x12']);
  expect([191, 201, 203, 209, 219].map(named)).toEqual(Array(5).fill(undefined));
  expect(mipBytes(PIXEL_FORMATS.get(208)!, 13, 6)).toBe(3 * 16);
  expect([fullMipCount(1, 1), fullMipCount(2, 1), fullMipCount(1061, 1061), fullMipCount(64, 2048)]).toEqual([
    1, 2, 11, 12,
  ]);
  expect([mipSide(1061, 1), mipSide(1061, 10), mipSide(64, 11)]).toEqual([530, 1, 1]);
});

test('what is written is read: header, mips as views, description', () => {
  const file = texture(FORMAT.astc6x6Linear, { width: 20, height: 12, flags: UTEX_FLAGS.hasAlpha });
  const { header, mips } = readUtex(file, 'f');
  expect(header.format.name).toBe('astc6x6');
  expect(mips.map(({ width, height, bytes }) => [width, height, bytes.length])).toEqual([
    [20, 12, 128],
    [10, 6, 32],
    [5, 3, 16],
    [2, 1, 16],
    [1, 1, 16],
  ]);
  expect(mips[1].bytes.buffer).toBe(file.buffer);
  const { description, diagnostics } = describeUtex(file, 'f');
  expect(diagnostics).toEqual([]);
  expect(description).toMatchObject({
    bytes: 144 + 208,
    format: 'astc6x6',
    pixelFormat: 208,
    colorSpace: 'linear',
    blockWidth: 6,
    width: 20,
    height: 12,
    flags: { hasAlpha: true, premultipliedAlpha: false, normalPackedXY: false },
    gpuBytes: 208,
  });
  expect(description.mips[2]).toEqual({ width: 5, height: 3, offset: 144 + 160, bytes: 16 });
});

test('a texture with errors is described and not read', () => {
  const file = texture(FORMAT.astc4x4Srgb);
  new DataView(file.buffer).setUint32(28, 191, true);
  const { description, diagnostics } = describeUtex(file, 'f');
  expect([description.format, description.colorSpace]).toEqual(['unknown 191', null]);
  expect(diagnostics.map(({ code }) => code)).toEqual(['UC3303']);
  expect(() => readUtex(file, 'f')).toThrow(SourceError);
  expect(() => describeUtex(file.subarray(0, 40), 'f')).toThrow(SourceError);
});

test('the writer refuses what no file can hold', () => {
  const mips = [{ width: 4, height: 4, bytes: new Uint8Array(16) }];
  const write = (change: object) => () => writeUtex({ pixelFormat: 186, flags: 0, mips, ...change });
  expect(write({})).not.toThrow();
  expect(write({ pixelFormat: 191 })).toThrow('pixel format 191');
  expect(write({ mips: [] })).toThrow('without mips');
  expect(write({ mips: [{ ...mips[0], width: 5 }] })).toThrow('mip 0 has 5 x 4 texels and 16 bytes');
  expect(write({ mips: [mips[0], { ...mips[0], width: 3 }] })).toThrow('mip 1');
  expect(write({ mips: [{ ...mips[0], width: 16385, height: 1 }] })).toThrow('16385 x 1');
  expect(write({ mips: [{ width: 1, height: 1, bytes: new Uint8Array(16) }, mips[0]] })).toThrow('with 2 mips');
});

const texels = (file: Uint8Array, level = 0) => {
  const { width, height, data } = decodeMip(readUtex(file, 'f'), level);
  expect(data.length).toBe(width * height * 4);
  return Array.from({ length: width * height }, (_, i) => [...data.subarray(i * 4, i * 4 + 4)]);
};

test('colours are what the blocks hold, in mips of any size', () => {
  const file = texture(FORMAT.astc4x4Srgb, { width: 7, height: 5, unit: solidBlock(10, 200, 30, 77) });
  expect(texels(file)).toEqual(Array(35).fill([10, 200, 30, 77]));
  expect(texels(file, 2)).toEqual([[10, 200, 30, 77]]);
});

test('grey of 16 bits is rounded to 8', () => {
  const bytes = new Uint8Array(Uint16Array.from([0, 128, 129, 0x8000, 0xffff]).buffer);
  // From a file that does not begin at an even byte of its buffer.
  const written = writeUtex({ pixelFormat: FORMAT.r16Unorm, flags: 0, mips: [{ width: 5, height: 1, bytes }] });
  const file = new Uint8Array(written.length + 1).subarray(1);
  file.set(written);
  expect(texels(file).map(([red]) => red)).toEqual([0, 0, 1, 128, 255]);
  expect(texels(file)[3]).toEqual([128, 128, 128, 255]);
});

test('half floats are held within 0 and 1', () => {
  const bytes = new Uint8Array(Uint16Array.from([-1, 0.5, 1, 7].map(halfBits)).buffer);
  const file = writeUtex({ pixelFormat: FORMAT.rgba16Float, flags: 0, mips: [{ width: 1, height: 1, bytes }] });
  expect(texels(file)).toEqual([[0, 128, 255, 255]]);
});

test('packed normals are rebuilt: X from green, Y from alpha, Z from both', () => {
  const shown = (x: number, y: number) => {
    const unit = solidBlock(x, x, x, y);
    return texels(texture(FORMAT.astc4x4Linear, { width: 1, height: 1, flags: UTEX_FLAGS.normalPackedXY, unit }))[0];
  };
  expect(shown(128, 128)).toEqual([128, 128, 255, 255]);
  expect(shown(255, 128)).toEqual([255, 128, 128, 255]);
  // X is 0.6 and Y hardly more than 0, which leaves hardly less than 0.8.
  expect(shown(204, 128)).toEqual([204, 128, 229, 255]);
  // Longer than 1: Z is 0.
  expect(shown(255, 255)).toEqual([255, 255, 128, 255]);
  const plain = texture(FORMAT.astc4x4Linear, { width: 1, height: 1, unit: solidBlock(204, 204, 204, 128) });
  expect(texels(plain)).toEqual([[204, 204, 204, 128]]);
});
