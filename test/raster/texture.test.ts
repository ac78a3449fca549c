import { expect, test } from 'vitest';
import { byteOfLinear, cubeRoot, LINEAR_OF_BYTE, oklabOfBytes } from '../../src/raster/color.ts';
import { alphaCuts, buildTexture, type Texture } from '../../src/raster/texture.ts';
import { draw, glowing, pixel, pixelCamera, rectangle, texture } from './shapes.ts';

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

/** The red byte of the first pixel of a square that glows with a texture, whose pixels are `texels` of it wide. */
function drawnRed(own: Texture, texels: number): number {
  const surface = glowing([1, 1, 1], { emissiveTexture: own });
  const across = (texels * 4) / own.levels[0].width;
  const square = rectangle([0, 0, 4, 4], -1, surface, {
    uv0: Float32Array.of(0, 0, across, 0, across, across, 0, across),
  });
  return pixel(draw([square], pixelCamera(4, 4)), 0, 0)[0];
}

test('the mip grows with the footprint of a pixel', () => {
  // Mips of one colour each: their bytes tell which are seen.
  const steps = [0, 50, 100, 150, 200].map((value, i) => ({ width: 16 >> i, height: 16 >> i, value }));
  const levels = steps.map(({ width, height, value }) => {
    return { width, height, texels: new Uint8Array(width * height * 4).fill(value) };
  });
  const red = (texels: number) => drawnRed({ levels }, texels);
  expect([0, 0.5, 1].map(red)).toEqual([0, 0, 0]);
  expect([2, 4, 8, 16, 1000].map(red)).toEqual([50, 100, 150, 200, 200]);
  // Half-way between one and two texels: half of either, in linear light.
  expect(red(1.5)).toBe(byteOfLinear(LINEAR_OF_BYTE[50] / 2));
  expect(red(3)).toBe(byteOfLinear((LINEAR_OF_BYTE[50] + LINEAR_OF_BYTE[100]) / 2));
});

test('samples are between texels, and repeat', () => {
  const row = texture([
    [
      [255, 255, 255, 255],
      [0, 0, 0, 255],
    ],
  ]);
  const surface = glowing([1, 1, 1], { emissiveTexture: row });
  const red = (u: number) => {
    const uv0 = Float32Array.of(u, 0.5, u, 0.5, u, 0.5, u, 0.5);
    return pixel(draw([rectangle([0, 0, 4, 4], -1, surface, { uv0 })], pixelCamera(4, 4)), 1, 1)[0];
  };
  // 188 is half of the light.
  expect([0.25, 0.75, 0.5, 0, 1, 1.25, -0.75].map(red)).toEqual([255, 0, 188, 188, 188, 255, 255]);
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
