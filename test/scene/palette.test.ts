import { describe, expect, it } from 'vitest';
import { paletteLayout, paletteUv } from '../../src/scene/palette.ts';

describe('paletteLayout', () => {
  it.each([
    [1, 1, 1],
    [2, 2, 1],
    [3, 2, 2],
    [4, 2, 2],
    [5, 4, 2],
    [8, 4, 2],
    [9, 4, 4],
    [17, 8, 4],
    [256, 16, 16],
  ])('gives %i colours %i columns and %i rows of 8 x 8 pixels', (count, columns, rows) => {
    expect(paletteLayout(count)).toEqual({ columns, rows, cell: 8, width: columns * 8, height: rows * 8 });
  });

  it.each([0, -1, 257, 1.5, Number.NaN])('refuses %d colours', (count) => {
    expect(() => paletteLayout(count)).toThrow(RangeError);
  });
});

describe('paletteUv', () => {
  it('is the centre of the cell, rows counted from the top, V up', () => {
    expect(paletteUv(paletteLayout(1), 0)).toEqual([0.5, 0.5]);
    const four = paletteLayout(4);
    expect([0, 1, 2, 3].map((i) => paletteUv(four, i))).toEqual([
      [0.25, 0.75],
      [0.75, 0.75],
      [0.25, 0.25],
      [0.75, 0.25],
    ]);
    expect(paletteUv(paletteLayout(256), 255)).toEqual([31 / 32, 1 / 32]);
  });

  it('refuses a cell outside the layout', () => {
    expect(() => paletteUv(paletteLayout(4), 4)).toThrow(RangeError);
    expect(() => paletteUv(paletteLayout(4), -1)).toThrow(RangeError);
  });
});
