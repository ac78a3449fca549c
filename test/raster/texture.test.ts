import { expect, test } from 'vitest';
import { byteOfLinear, cubeRoot, LINEAR_OF_BYTE, oklabOfBytes } from '../../src/raster/color.ts';
import { alphaCuts, buildTexture, mipOf, sample } from '../../src/raster/texture.ts';
import { texture } from './shapes.ts';

test('sRGB bytes are decoded and encoded as IEC 61966-2-1 has it', () => {
  for (let byte = 0; byte < 256; byte++) {
    const s = byte / 255;
    expect(LINEAR_OF_BYTE[byte]).toBeCloseTo(s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4, 13);
    expect(byteOfLinear(LINEAR_OF_BYTE[byte])).toBe(byte);
  }
  expect([byteOfLinear(-1), byteOfLinear(2), byteOfLinear(0.5), byteOfLinear(Number.NaN)]).toEqual([0, 255, 188, 0]);
  for (const x of [1e-9, 0.001, 0.125, 0.5, 1, 8, 1000]) expect(cubeRoot(x) / Math.cbrt(x)).toBeCloseTo(1, 14);
});

test('Oklab has the coordinates of its definition', () => {
  const lab = new Float64Array(3);
  oklabOfBytes(255, 255, 255, lab);
  for (const [k, value] of [1, 0, 0].entries()) expect(lab[k]).toBeCloseTo(value, 6);
  // Red, from the definition's page.
  oklabOfBytes(255, 0, 0, lab);
  for (const [k, value] of [0.627955, 0.224863, 0.125846].entries()) expect(lab[k]).toBeCloseTo(value, 5);
});

test('mips are means in linear light, by area where a size is odd', () => {
  const { levels } = texture([
    [
      [255, 0, 0, 255],
      [0, 0, 0, 255],
    ],
    [
      [255, 0, 0, 0],
      [0, 0, 0, 0],
    ],
  ]);
  expect(levels.map(({ width, height }) => [width, height])).toEqual([
    [2, 2],
    [1, 1],
  ]);
  expect([...levels[1].texels]).toEqual([188, 0, 0, 128]);
  const odd = buildTexture(Uint8Array.from([255, 255, 255, 255, 0, 0, 0, 255, 0, 0, 0, 255]), 3, 1).levels;
  expect(odd.map(({ width }) => width)).toEqual([3, 1]);
  // A third of white in linear light.
  expect(odd[1].texels[0]).toBe(156);
  // Five texels become two of two and a half each.
  const five = buildTexture(Uint8Array.from([0, 0, 1, 0, 0].flatMap((w) => [w * 255, 0, 0, 255])), 5, 1).levels[1];
  expect([five.width, five.texels[0], five.texels[4]]).toEqual([2, byteOfLinear(0.2), byteOfLinear(0.2)]);
});

test('the mip grows with the footprint of a pixel', () => {
  expect([0, 0.5, 1].map((texels) => mipOf(texels * texels, 9))).toEqual([0, 0, 0]);
  expect([2, 4, 8, 16].map((texels) => mipOf(texels * texels, 9))).toEqual([1, 2, 3, 4]);
  // Half-way between one and two texels.
  expect(mipOf(1.5 * 1.5, 9)).toBe(0.5);
  expect(mipOf(1e30, 9)).toBe(8);
  expect(mipOf(Number.NaN, 9)).toBe(0);
});

test('samples are between texels and mips, and repeat', () => {
  const row = texture([
    [
      [255, 255, 255, 255],
      [0, 0, 0, 255],
    ],
  ]);
  const out = new Float64Array(4);
  const red = (u: number, mip = 0) => {
    sample(row, u, 0.5, mip, out);
    return out[0];
  };
  expect([red(0.25), red(0.75), red(0.5), red(0), red(1), red(1.25), red(-0.75)]).toEqual([1, 0, 0.5, 0.5, 0.5, 1, 1]);
  // The mip of one texel is the byte 188, 0.5029 in linear light.
  expect(red(0.25, 1)).toBe(LINEAR_OF_BYTE[188]);
  expect(red(0.25, 0.5)).toBeCloseTo((1 + LINEAR_OF_BYTE[188]) / 2, 12);
});

test('a cut-out is cut at each mip where it covers as much as in the finest', () => {
  // Two columns of four opaque: mips of two and of one texels.
  const stripes = texture(
    Array.from({ length: 4 }, () => [
      [0, 0, 0, 255],
      [0, 0, 0, 255],
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ]),
  );
  // 2 x 2: half is opaque again, and the cut is between 0 and 255. 1 x 1 covers all or nothing: not used.
  expect(alphaCuts(stripes, 0.5).cuts).toEqual([0.5, 0.5]);
  // Every texel opaque: every mip is, at any cut.
  expect(
    alphaCuts(
      texture([
        [
          [9, 9, 9, 255],
          [9, 9, 9, 255],
        ],
      ]),
      0.5,
    ).cuts,
  ).toHaveLength(2);
});
