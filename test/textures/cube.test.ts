// `.cube` files: what the engine takes, and what it would refuse.

import { expect, test } from 'vitest';
import { CubeFault, parseCube } from '../../src/textures/cube.ts';

const cube = (text: string) => parseCube(new TextEncoder().encode(text));
const rows = (size: number): string => Array.from({ length: size ** 3 }, (_, i) => `${i} 0.5 1e-3`).join('\n');

test('a table of two: size and the usual domain', () => {
  expect(cube(`# a comment\nTITLE "Dusk"\nLUT_3D_SIZE 2\n\n${rows(2)}\n`)).toEqual({
    size: 2,
    domainMin: [0, 0, 0],
    domainMax: [1, 1, 1],
    ignored: [],
  });
});

test('keywords of any case, a domain behind the rows, every kind of line end', () => {
  const text = `lut_3d_size 3\r\n${rows(3).replaceAll('\n', '\r')}\r\nDomain_Min -1 0 0\nDOMAIN_MAX 2 1 1.5`;
  expect(cube(text)).toEqual({ size: 3, domainMin: [-1, 0, 0], domainMax: [2, 1, 1.5], ignored: [] });
});

test('keywords that the engine does not know are told if they have three numbers', () => {
  const text = `LUT_3D_INPUT_RANGE 0 1\nSHAPER 0 0 0\nLUT_3D_SIZE 2\n${rows(2)}`;
  expect(cube(text)).toMatchObject({ ignored: ['SHAPER'] });
});

test.each([
  ['', 'LUT_3D_SIZE is missing'],
  [rows(2), 'LUT_3D_SIZE is missing'],
  ['LUT_1D_SIZE 4', 'line 1: a table of one dimension; the engine takes three alone'],
  ['LUT_3D_SIZE 1', 'line 1: LUT_3D_SIZE is no number from 2 to 129'],
  ['LUT_3D_SIZE 130', 'line 1: LUT_3D_SIZE is no number from 2 to 129'],
  ['LUT_3D_SIZE 99999999999', 'line 1: LUT_3D_SIZE is no number from 2 to 129'],
  [`LUT_3D_SIZE 2\n${rows(2)}\n0 0 0`, 'line 10: more rows than 2 x 2 x 2'],
  ['LUT_3D_SIZE 2\n0 0 0', '1 rows instead of 8'],
  ['LUT_3D_SIZE 2\n0 0', 'line 2: a row has three finite numbers'],
  ['LUT_3D_SIZE 2\n0 0 1e99', 'line 2: a row has three finite numbers'],
  ['LUT_3D_SIZE 2\nDOMAIN_MIN 0 nan 0', 'line 2: DOMAIN_MIN needs three numbers'],
  [`LUT_3D_SIZE 2\nDOMAIN_MIN 1 0 0\n${rows(2)}`, 'the domain from 1 0 0 to 1 1 1 is empty'],
])('%j is refused', (text, message) => {
  expect(cube(text)).toEqual(new CubeFault(message));
});

test('bytes that are no UTF-8 are refused', () => {
  expect(parseCube(Uint8Array.of(0x4c, 0xff, 0xfe))).toEqual(new CubeFault('the text is not UTF-8'));
});
