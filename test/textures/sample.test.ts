import { describe, expect, it } from 'vitest';
import type { Wrap } from '../../src/scene/types.ts';
import { bake, type Recipe, tangentTurn } from '../../src/textures/bake/bake.ts';
import { srgbByte, srgbToLinear, unitByte } from '../../src/textures/bake/color.ts';
import { createSampler, shrink } from '../../src/textures/bake/sample.ts';
import type { Pixels } from '../../src/textures/decode/pixels.ts';

/** A grey image from rows of bytes. */
function image(rows: readonly (readonly number[])[]): Pixels {
  const data = Uint8Array.from(rows.flatMap((row) => row.flatMap((v) => [v, v, v, 255])));
  return { width: rows[0].length, height: rows.length, data };
}

describe('colour', () => {
  it.each([
    // IEC 61966-2-1: linear part below 0.04045, middle grey, ends.
    [0, 0],
    [1 / 255, 1 / 255 / 12.92],
    [0.5, 0.2140411],
    [1, 1],
  ])('sRGB %d is linear %d', (s, l) => expect(srgbToLinear(s)).toBeCloseTo(l, 6));

  it('encodes 0.5 linear as 188 and clamps', () => {
    expect([srgbByte(0.5), srgbByte(-1), srgbByte(7), srgbByte(Number.NaN)]).toEqual([188, 0, 255, 0]);
    expect([unitByte(0.5), unitByte(-1), unitByte(7)]).toEqual([128, 0, 255]);
  });
});

describe('createSampler', () => {
  const out = new Float64Array(4);
  const at = (wrap: Wrap, texel: number) => {
    createSampler(image([[0, 51, 102, 255]]), wrap, wrap, false)((texel + 0.5) / 4, 0.5, out);
    return Math.round(out[0] * 255);
  };

  it.each([
    ['repeat', [255, 0, 51, 102, 255, 0]],
    ['clamp', [0, 0, 51, 102, 255, 255]],
    ['mirror', [0, 0, 51, 102, 255, 255]],
    ['black', [0, 0, 51, 102, 255, 0]],
  ] as const)('gives texels at their centres, outside as %s says', (wrap, values) => {
    expect([-1, 0, 1, 2, 3, 4].map((texel) => at(wrap, texel))).toEqual(values);
  });

  it('mirrors with a period of two images and repeats over many', () => {
    expect([-3, -2, 5, 6, 7, 8, 9].map((t) => at('mirror', t))).toEqual([102, 51, 102, 51, 0, 0, 51]);
    expect([-8, -5, 41].map((t) => at('repeat', t))).toEqual([0, 255, 51]);
  });

  it('starts at the lower left, V up', () => {
    const sampler = createSampler(image([[255], [0]]), 'repeat', 'repeat', false);
    sampler(0.5, 0.25, out);
    expect(out[0]).toBe(0);
    sampler(0.5, 0.75, out);
    expect(out[0]).toBe(1);
  });

  it('mixes in linear light, alpha as it is', () => {
    const pixels = { width: 2, height: 1, data: Uint8Array.of(0, 0, 0, 0, 255, 255, 255, 255) };
    createSampler(pixels, 'clamp', 'clamp', true)(0.5, 0.5, out);
    expect([...out]).toEqual([0.5, 0.5, 0.5, 0.5]);
    const dark = { width: 1, height: 1, data: Uint8Array.of(128, 128, 128, 128) };
    createSampler(dark, 'clamp', 'clamp', true)(0.5, 0.5, out);
    expect(out[0]).toBeCloseTo(0.2158605, 6);
    expect(out[3]).toBeCloseTo(128 / 255, 12);
  });
});

describe('shrink', () => {
  it('averages areas, also where texels are cut', () => {
    // 3 texels to 2: (1 + 1/2 * 2) / 1.5 and (1/2 * 2 + 3) / 1.5 of 30, 60, 90 = 40 and 80.
    const out = shrink(image([[30, 60, 90]]), 2, 1, false);
    expect([...out.data]).toEqual([40, 40, 40, 255, 80, 80, 80, 255]);
  });

  it('averages colours in linear light', () => {
    expect([...shrink(image([[0], [255]]), 1, 1, true).data]).toEqual([188, 188, 188, 255]);
    expect([...shrink(image([[0], [255]]), 1, 1, false).data]).toEqual([128, 128, 128, 255]);
  });
});

describe('bake', () => {
  it('shrinks first where the result is smaller, so that no texel is skipped', () => {
    const stripes = image([Array.from({ length: 16 }, (_, i) => (i % 2) * 200)]);
    const recipe: Recipe = {
      parts: [{ image: 0, map: [1, 0, 0, 1, 0, 0], wrapS: 'repeat', wrapT: 'repeat', srgb: false }],
      channels: [{ part: 0, channel: 0, scale: 1, bias: 0 }],
      srgb: false,
      normals: false,
      width: 4,
      height: 1,
    };
    expect([...bake(recipe, [stripes], null).data]).toEqual([100, 100, 100, 100]);
  });
});

describe('tangentTurn', () => {
  it.each([
    ['nothing', [1, 0, 0, 1, 0, 0], [1, 0, 0, 1]],
    ['scale and shift', [3, 0, 0, 2, 9, 9], [1, 0, 0, 1]],
    ['u mirrored', [-1, 0, 0, 1, 0, 0], [-1, 0, 0, 1]],
    ['v mirrored', [1, 0, 0, -1, 0, 0], [1, 0, 0, -1]],
    // u0 runs along +v of the texture, v0 along -u.
    ['a quarter turn', [0, 1, -1, 0, 0, 0], [0, 1, -1, 0]],
  ] as const)('of %s', (_, map, turn) => {
    expect(tangentTurn(map).map((x) => x + 0)).toEqual(turn);
  });
});
