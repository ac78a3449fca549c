// How fine stored texture coordinates are: half floats, and float32 as another kind of number.

import { expect, test } from 'vitest';
import { HALF_UVS } from '../../src/formats/untold/mesh/halfFloat.ts';
import { type UvLimits, uvPrecision, uvStep } from '../../src/geometry/uv/limits.ts';

const FLOAT32: UvLimits = { largest: 3.4028234663852886e38, fractionBits: 23, minStep: 2 ** -149 };

test('half floats step by 1/16 up to 128 and by 1/2048 up to 1', () => {
  expect(uvStep(100, HALF_UVS)).toBe(1 / 16);
  expect(uvStep(-128, HALF_UVS)).toBe(1 / 16);
  expect(uvStep(129, HALF_UVS)).toBe(1 / 8);
  expect(uvStep(1, HALF_UVS)).toBe(1 / 2048);
  expect(uvStep(0.5, HALF_UVS)).toBe(1 / 4096);
  expect(uvStep(0, HALF_UVS)).toBe(2 ** -24);
  expect(uvStep(1e9, HALF_UVS)).toBe(32);
});

test('the steps of float32 are those between neighbouring values of a Float32Array', () => {
  for (const x of [1e-42, 0.3, 1, 2, 2.5, 1000, 65504]) {
    const bits = new Uint32Array(Float32Array.of(x).buffer);
    const value = Float32Array.of(x)[0];
    bits[0]--;
    expect(uvStep(value, FLOAT32)).toBe(value - new Float32Array(bits.buffer)[0]);
  }
});

test('a step is coarse when it is more than half a texel', () => {
  const precision = (reach: readonly [number, number], width: number, height: number) =>
    uvPrecision(reach, width, height, HALF_UVS);
  expect(precision([1, 1], 1024, 1024)).toMatchObject({ texels: 0.5, coarse: false, finest: true });
  expect(precision([1, 1], 2048, 4)).toMatchObject({ texels: 1, coarse: true, finest: true });
  expect(precision([0.5, 16], 1024, 64)).toMatchObject({ stepV: 1 / 128, texels: 0.5, coarse: false, finest: false });
  expect(precision([0.5, 16], 1024, 128)).toMatchObject({ texels: 1, coarse: true, finest: false });
});

test('float32 is finer than any texture within one repeat', () => {
  expect(uvPrecision([1, 1], 8192, 8192, FLOAT32).coarse).toBe(false);
});
