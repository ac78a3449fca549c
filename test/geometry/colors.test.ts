import { expect, test } from 'vitest';
import { analyseColors, packColor, paletteCells, unitePalettes } from '../../src/geometry/mesh/colors.ts';
import { attribute, polygons, SQUARE_POINTS } from './meshes.ts';

const FACES = [
  [0, 1, 2],
  [0, 2, 3],
];

test('color0 is round half to even of 255 times the clamped value, r lowest', () => {
  expect(packColor(1, 0.5, 0, 0.25)).toBe(((64 << 24) | (128 << 8) | 255) >>> 0); // 127.5 -> 128, 63.75 -> 64
  // 0.5 / 255 lies halfway between 0 and 1, 1.5 / 255 between 1 and 2, 2.5 / 255 between 2 and 3.
  expect([0.5, 1.5, 2.5].map((x) => packColor(x / 255, 0, 0, 0))).toEqual([0, 2, 2]);
  expect(packColor(-1, 7, Number.NaN, 1)).toBe(0xff00ff00);
});

test('no colours, one colour, a colour a face, a colour a corner', () => {
  expect(analyseColors(polygons(SQUARE_POINTS, FACES), -1)).toBe('none');

  const constant = attribute([[0.5, 0.25, 0]], 'constant');
  expect(analyseColors(polygons(SQUARE_POINTS, FACES, { colors: constant }), -1)).toEqual({
    constant: [0.5, 0.25, 0, 1],
  });
  const uniform = attribute(
    [
      [1, 0, 0],
      [0, 0, 1],
    ],
    'uniform',
  );
  const palette = analyseColors(polygons(SQUARE_POINTS, FACES, { colors: uniform }), -1);
  expect(palette).toEqual({ palette: { colors: Float32Array.of(1, 0, 0, 1, 0, 0, 1, 1) } });

  const corners = attribute(
    [
      [1, 0, 0],
      [0, 0, 1],
    ],
    'faceVarying',
    [0, 0, 0, 1, 1, 0],
  );
  expect(analyseColors(polygons(SQUARE_POINTS, FACES, { colors: corners }), -1)).toBe('varying');
});

test('colours are equal when their bytes are', () => {
  // 0.6 * 255 = 153.
  const close = attribute(
    [
      [0.6, 0, 0],
      [0.6001, 0, 0],
      [0.5999, 0, 0],
      [0.6, 0, 0],
    ],
    'vertex',
  );
  expect(analyseColors(polygons(SQUARE_POINTS, FACES, { colors: close }), -1)).toEqual({
    constant: [Math.fround(0.6), 0, 0, 1],
  });
});

test('opacity multiplies alpha, and counts by itself', () => {
  const opacities = attribute([[0.5]], 'constant');
  expect(analyseColors(polygons(SQUARE_POINTS, FACES, { opacities }), -1)).toEqual({ constant: [1, 1, 1, 0.5] });
  const colors = attribute([[1, 1, 1, 0.5]], 'constant');
  expect(analyseColors(polygons(SQUARE_POINTS, FACES, { opacities, colors }), -1)).toEqual({
    constant: [1, 1, 1, 0.25],
  });
});

test('a subset is judged by its own faces', () => {
  const colors = attribute(
    [
      [1, 0, 0],
      [0, 0, 1],
    ],
    'uniform',
  );
  const mesh = polygons(SQUARE_POINTS, FACES, { colors, faceSubsets: Int32Array.of(0, -1) });
  expect(analyseColors(mesh, 0)).toEqual({ constant: [1, 0, 0, 1] });
  expect(analyseColors(mesh, -1)).toEqual({ constant: [0, 0, 1, 1] });
});

test('256 colours fit a palette, 257 do not', () => {
  const faces = Array.from({ length: 257 }, () => [0, 1, 2]);
  const colors = attribute(
    faces.map((_, i) => [(i % 256) / 255, i === 256 ? 1 : 0, 0]),
    'uniform',
  );
  expect(analyseColors(polygons(SQUARE_POINTS, faces, { colors }), -1)).toBe('varying');
  const fewer = analyseColors(polygons(SQUARE_POINTS, faces.slice(1), { colors }), -1);
  expect(typeof fewer === 'object' && 'palette' in fewer && fewer.palette.colors.length).toBe(1024);
});

test('palettes unite in order, constants among them', () => {
  const a = { colors: Float32Array.of(1, 0, 0, 1, 0, 1, 0, 1) };
  const united = unitePalettes([a, [0, 0, 1, 1], { colors: Float32Array.of(0, 1, 0, 1) }]);
  expect([...united!.colors]).toEqual([1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1]);
  const many = { colors: Float32Array.from({ length: 1024 }, (_, i) => (i % 4 === 0 ? i / 4 / 255 : 0)) };
  expect(unitePalettes([many])!.colors.length).toBe(1024);
  expect(unitePalettes([many, [1, 1, 1, 1]])).toBeNull();
});

test('cells lie row by row from the top left, sampled at their centres', () => {
  // Five colours: four columns, two rows.
  const palette = { colors: Float32Array.from({ length: 20 }, (_, i) => (i % 4 === 3 ? 1 : Math.floor(i / 4) / 8)) };
  const cells = [...paletteCells(palette).values()];
  expect(cells).toEqual([
    [0.125, 0.75],
    [0.375, 0.75],
    [0.625, 0.75],
    [0.875, 0.75],
    [0.125, 0.25],
  ]);
});
