// Pictures of charts from the colours of corners: literal texels.

import { expect, test } from 'vitest';
import { colorPicture } from '../../src/textures/atlas/colorPicture.ts';

/** Two triangles that fill a rectangle of texels; colours from left to right. */
const rectangle = (width: number, height: number, left: number[], right: number[], gutter = 1) =>
  colorPicture({
    width,
    height,
    gutter,
    points: Float64Array.of(0, 0, width, 0, width, height, 0, 0, width, height, 0, height),
    colors: Float32Array.from([left, right, right, left, right, left].flat()),
  });

const red = ({ colors }: { colors: Uint8Array | null }) => [...colors!].filter((_, i) => i % 3 === 0);

test('a texel has the colour at its centre, and the border goes on beyond the surface', () => {
  const { colors, mean, width, height } = rectangle(4, 1, [0, 1, 0], [1, 1, 0]);
  // Linear 1/8, 3/8, 5/8, 7/8 are 99, 165, 207, 240 in sRGB; -1/8 and 9/8 are clamped.
  const row = [0, 99, 165, 207, 240, 255];
  expect([width, height]).toEqual([4, 1]);
  expect(red({ colors })).toEqual([...row, ...row, ...row]);
  expect([...colors!].filter((_, i) => i % 3 === 1).every((green) => green === 255)).toBe(true);
  expect(mean).toEqual({ color: [0.5, 1, 0], emission: [0, 0, 0] });
});

test('texels off the surface have the colour of the nearest one on it', () => {
  // The lower left half of 8 x 8 texels, all of one colour but for black.
  const { colors } = colorPicture({
    width: 8,
    height: 8,
    gutter: 2,
    points: Float64Array.of(0, 0, 8, 0, 0, 8),
    colors: Float32Array.of(1, 1, 1, 1, 1, 1, 1, 1, 1),
  });
  expect(new Set(colors)).toEqual(new Set([255]));
});

test('colours of slivers do not run away beyond them', () => {
  // A hundredth of a texel high: continued, its colours would leave 0 and 1 within a texel.
  const { colors } = colorPicture({
    width: 4,
    height: 2,
    gutter: 1,
    points: Float64Array.of(0, 0.5, 4, 0.5, 4, 0.51),
    colors: Float32Array.of(0.5, 0, 0, 0.5, 0, 0, 0.25, 0, 0),
  });
  // 0.25 and 0.5 linear are 137 and 188.
  expect(red({ colors }).every((byte) => byte >= 137 && byte <= 188)).toBe(true);
});
