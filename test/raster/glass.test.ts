// Surfaces that transmit light, in pictures: what lies behind them is seen, tinted by the square root of the base colour.

import { describe, expect, test } from 'vitest';
import { LINEAR_OF_BYTE } from '../../src/raster/color.ts';
import { draw, glowing, painted, pixel, pixelCamera, rectangle, rows, texture } from './shapes.ts';

const WHOLE = [0, 0, 4, 4] as const;
const camera = pixelCamera(4, 4);
const light = (picture: ReturnType<typeof draw>) => pixel(picture, 1, 1).map((byte) => LINEAR_OF_BYTE[byte]);
const behind = (r: number, g: number, b: number) => rectangle([0, 0, 8, 8], -2, glowing([r, g, b]));

/** What a pane adds and lets through: of white behind it less of black behind it. */
function through(panes: readonly ReturnType<typeof rectangle>[]): number[] {
  const white = light(draw([behind(1, 1, 1), ...panes], camera));
  const black = light(draw([behind(0, 0, 0), ...panes], camera));
  return white.map((value, c) => value - black[c]);
}

describe('a pane of glass', () => {
  const pane = (z: number, more: object = {}) =>
    rectangle(WHOLE, z, painted([0.25, 0.64, 0.04, 1], { transmission: 0.5, ...more }));

  test('shows what is behind it, by its transmission and the root of its colour', () => {
    const seen = through([pane(-1)]);
    for (const [c, expected] of [0.25, 0.4, 0.1].entries()) expect(seen[c]).toBeCloseTo(expected, 1.8);
  });

  test('tints by its whole colour where light passes two faces', () => {
    const seen = through([pane(-1), pane(-1.01)]);
    for (const [c, expected] of [0.0625, 0.16, 0.01].entries()) expect(seen[c]).toBeCloseTo(expected, 1.8);
  });

  test('is seen itself by what does not pass', () => {
    const shown = light(draw([behind(0, 0, 0), pane(-1)], camera));
    const solid = light(draw([rectangle(WHOLE, -1, painted([0.25, 0.64, 0.04, 1]))], camera));
    for (const [c, own] of solid.entries()) expect(shown[c]).toBeCloseTo(own / 2, 1.8);
  });

  test('hides nothing that is drawn after it', () => {
    const picture = draw([pane(-1), behind(1, 1, 1)], camera);
    expect(rows(picture)).toEqual(rows(draw([behind(1, 1, 1), pane(-1)], camera)));
    expect(light(picture)).toEqual(light(draw([behind(1, 1, 1), pane(-1)], camera)));
  });

  test('covers by its alpha where the mode asks for it, and is not cut out', () => {
    const half = { baseColor: [1, 1, 1, 0.5] };
    for (const [alphaMode, expected] of [
      ['opaque', 0.5],
      ['mask', 0.75],
      ['blend', 0.75],
    ] as const) {
      const [seen] = through([pane(-1, { ...half, alphaMode, alphaCutoff: 0.75 })]);
      expect(seen).toBeCloseTo(expected, 1.8);
    }
    const clear = texture([[[255, 255, 255, 0]]]);
    const [seen] = through([pane(-1, { ...half, alphaMode: 'mask', baseColorTexture: clear })]);
    expect(seen).toBeCloseTo(1, 5);
  });

  test('lets its front lie over its back, however close they are', () => {
    // The two sides of a pane that is seen at an angle: the middles of their triangles are not in their order.
    const side = (z: number, away: boolean, emissive: readonly [number, number, number]) => ({
      ...rectangle(WHOLE, z, painted([1, 1, 1, 1], { transmission: 0.25, emissive })),
      indices: away ? Uint32Array.of(0, 2, 1, 0, 3, 2) : Uint32Array.of(0, 1, 2, 0, 2, 3),
      positions: Float32Array.of(0, 0, z, 8, 0, z - 1, 8, 8, z - 1, 0, 4, z),
    });
    const front = side(-1, false, [0, 0.25, 0]);
    const back = side(-1.001, true, [0.25, 0, 0]);
    const both = draw([front, back], camera);
    const colors = new Set<string>();
    for (let y = 0; y < 4; y++) for (let x = 0; x < 4; x++) colors.add(pixel(both, x, y).join());
    expect(pixel(both, 1, 1)[1]).toBeGreaterThan(pixel(both, 1, 1)[0]);
    expect(colors.size).toBe(1);
  });
});
